"""Another user on the same machine: programs and folders belong to somebody else, who may read but not write.

Only root can become somebody else. The other user may read everything here, because the interpreter may lie in a
folder that is closed; what is tested is writing, and whose compiled kernels are used.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.resources import config_folder
from uav_testgen.testing.commands import trial

SOMEBODY = 64_123
SCENE = str(config_folder() / "scenarios" / "two_walls.yaml")
MISSION = str(config_folder() / "missions" / "mission2.yaml")
# One process for all of them: code and last words of each.
ALL = """
import contextlib, io, json, os, sys
from uav_testgen.cli.main import main
for words in json.loads(sys.argv[1]):
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            code = main(words)
        except SystemExit as stop:
            code = int(stop.code or 0)
    print(json.dumps([int(code), said.getvalue()]))
print(json.dumps([0, os.environ.get("NUMBA_CACHE_DIR", "")]))
"""


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """A folder that others can read and not write to, with a finished campaign and a cache of kernels in it."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can become another user (setpriv)")
    folder = tmp_path / "owned"
    folder.mkdir()
    config = trial(folder, 4)
    assert main(["campaign", str(config), "--out", str(folder / "done"), "--jobs", "0"]) == 0
    (folder / ".cache" / "uav_testgen").mkdir(parents=True)
    return folder


def as_somebody(folder: Path, *words: str) -> list[tuple[int, str]]:
    become = [
        "setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups",
        "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search",
    ]  # fmt: skip
    given = {**os.environ, "HOME": str(folder)}
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "MPLCONFIGDIR"):
        given.pop(name, None)
    done = subprocess.run(
        [*become, *words], cwd=folder, env=given, capture_output=True, text=True, timeout=280
    )
    if "setpriv" in done.stderr:
        pytest.skip(f"not possible here: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr[-2000:]
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_what_belongs_to_somebody_else_is_told_with_a_way_out(owned: Path) -> None:
    out, finished = str(owned / "out"), str(owned / "done")
    commands = [
        ["fly", SCENE, "--backend", "still"],
        ["campaign", str(owned / "trial.yaml"), "--out", out, "--jobs", "0"],
        ["campaign", str(owned / "trial.yaml"), "--out", finished, "--resume", "--jobs", "0"],
        ["report", finished, "--jobs", "0"],
        ["confirm", finished, "--backend", "still"],
        ["generate", MISSION, "2", "--backend", "still", "--jobs", "0"],
        ["convert", SCENE, f"{out}.plan"],
        ["competition", "init", out],
        ["certify", SCENE, "--out", out, "--jobs", "0"],
        ["explain", SCENE, "--out", out],
        ["minimise", SCENE, "--out", out],
        ["scenarios", "px4", "--out", out],
        ["studio", out, "--no-browser", "--port", "0"],
        ["worker", out, "--until-empty", "--backend", "still"],
        ["as-aerialist", "--out", out, "--no-report", "--", "true"],
    ]
    *answers, (_, kernels) = as_somebody(owned, sys.executable, "-c", ALL, json.dumps(commands))
    for words, (code, said) in zip(commands, answers, strict=True):
        last = said.splitlines()[-1] if said else ""
        assert code in (2, 3), (words, code, said[-500:])
        assert last.startswith("uav-testgen: ") and "(Permission denied); " in last, (words, last)
    assert not kernels.startswith(str(owned)), "kernels in a folder of somebody else"
    assert sorted(path.name for path in owned.iterdir()) == [".cache", "done", "trial.yaml"]
