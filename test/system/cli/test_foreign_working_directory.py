"""`cd their_results`, then a command: nothing that lies there is imported, obeyed as configuration, or started."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from uav_testgen.core.own_python import module_words
from uav_testgen.testing.commands import trial

# What a worker, a planner's process, a node or a report imports sooner or later.
MODULES = (
    "multiprocessing", "socket", "selectors", "tempfile", "uav_testgen", "numpy", "numba", "yaml", "pydantic", "json",
    "matplotlib", "runpy",
)  # fmt: skip
PLANNER = """
from uav_testgen import Plan


class Straight:
    def reset(self, setup):
        self.setup = setup

    def plan(self, observation):
        return Plan(position_enu_m=observation.goal_enu_m)
"""


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A folder in which everything is a trap."""
    folder = tmp_path / "foreign"
    folder.mkdir()
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / f'TRACE-{name}')!r}, 'w')\n")
    (folder / ".numba_config.yaml").write_text("[1, 2")
    (folder / "matplotlibrc").write_text("text.usetex: True\nbackend: module://evil\n")
    return folder


def run(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """As the installed program does, which does not have the working directory on its path."""
    return subprocess.run(
        module_words("uav_testgen.cli.main", *map(str, words)),
        cwd=folder, capture_output=True, text=True, timeout=280,
    )  # fmt: skip


def traces(foreign: Path) -> list[str]:
    return sorted(path.name for path in foreign.parent.glob("TRACE-*"))


def test_workers_and_pictures(foreign: Path) -> None:
    done = run(foreign, "campaign", trial(foreign, 4), "--out", "out", "--jobs", "1")
    assert (done.returncode, traces(foreign)) == (0, []), done.stderr
    again = run(foreign, "report", "out", "--jobs", "1")
    assert (again.returncode, traces(foreign)) == (0, []), again.stderr


def test_a_planner_in_a_process_of_its_own(foreign: Path, tmp_path: Path) -> None:
    """And the compiled simulator: Numba would look for its file before it compiles or loads anything."""
    (tmp_path / "mine.py").write_text(PLANNER)
    done = run(foreign, "fly", "two_walls", "--planner", f"{tmp_path / 'mine.py'}:Straight", "--runs", "1")
    assert done.returncode in (0, 1), done.stderr
    assert traces(foreign) == [] and "planner_failed" not in done.stdout
