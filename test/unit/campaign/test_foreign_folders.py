"""A campaign folder of somebody else starts nothing: no program, no code, no simulator it names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main
from uav_testgen.testing.commands import trial
from uav_testgen.work.store import FILE_NAME, Record, Store, encode


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign")
    out = folder / "out"
    assert main(["campaign", str(trial(folder, 8)), "--out", str(out), "--jobs", "0"]) == 0
    return out


def changed(campaign: Path, folder: Path, **settings: Any) -> Path:
    """A copy whose stored settings name something else."""
    out = folder / "out"
    shutil.copytree(campaign, out)
    with (out / FILE_NAME).open("wb") as stream:
        for record in Store(campaign).read():
            body = json.loads(json.dumps(record.body))
            if record.kind == "campaign":
                for part, values in settings.items():
                    if isinstance(values, dict):
                        body["config"][part].update(values)
                    else:
                        body["config"][part] = values
            stream.write(encode(Record(record.seq, record.kind, body)))
    return out


def program(folder: Path) -> tuple[str, Path]:
    """A program that leaves a trace, and the trace."""
    trace, path = folder / "trace", folder / "program.sh"
    path.write_text(f"#!/bin/sh\ntouch {trace}\n")
    path.chmod(0o755)
    return str(path), trace


def test_a_stored_confirmation_is_shown_not_flown(campaign: Path, tmp_path: Path) -> None:
    words, trace = program(tmp_path)
    out = changed(
        campaign,
        tmp_path,
        confirmation={"backend": "aerialist", "settings": {"command": [words], "retries": 0}, "tests": 2},
    )
    assert main(["report", str(out), "--jobs", "0"]) == 0
    assert not trace.exists()


def test_stored_predictions_by_a_simulator_that_starts_programs_are_refused(
    campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, trace = program(tmp_path)
    out = changed(campaign, tmp_path, screening={"backend": "aerialist", "settings": {"command": [words]}})
    assert main(["report", str(out), "--jobs", "0"]) == 2
    assert "aerialist" in capsys.readouterr().err and not trace.exists()


@pytest.mark.parametrize("part", ["generator", "screening"])
@pytest.mark.parametrize("name", ["evil.py:Evil", "evil:Evil", "{folder}/evil.py:Evil"])
def test_code_beside_the_folder_is_not_loaded(
    part: str, name: str, campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    (tmp_path / "evil.py").write_text(f"open({str(trace)!r}, 'w')\nclass Evil: pass\n")
    monkeypatch.chdir(tmp_path)
    named = name.format(folder=tmp_path)
    settings = {"generator": named} if part == "generator" else {"screening": {"backend": named}}
    out = changed(campaign, tmp_path, **settings)
    main(["report", str(out), "--jobs", "0"])
    assert not trace.exists()
