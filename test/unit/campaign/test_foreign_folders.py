"""A campaign folder of somebody else starts nothing: no program, no code, no simulator it names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.backend.aerialist import AerialistBackend
from uav_testgen.cli.main import main
from uav_testgen.core.errors import ConfigError
from uav_testgen.testing.commands import trial
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.jobs import Jobs
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


@pytest.mark.parametrize("jobs", ["0", "1"])
def test_flights_of_a_simulator_that_starts_programs_are_shown_not_flown(
    jobs: str, campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it flew is on record; its backend is not even entered."""
    monkeypatch.setattr(AerialistBackend, "__enter__", lambda backend: pytest.fail("entered"))
    words, trace = program(tmp_path)
    out = changed(campaign, tmp_path, screening={"backend": "aerialist", "settings": {"command": [words]}})
    assert main(["report", str(out), "--jobs", jobs]) == 0
    assert not trace.exists()


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


def evil(folder: Path) -> tuple[Path, Path]:
    """Code that leaves a trace when it is loaded, and the trace."""
    trace, path = folder / "trace", folder / "evil.py"
    path.write_text(f"open({str(trace)!r}, 'w')\nclass Evil: pass\n")
    return path, trace


@pytest.mark.parametrize("field", ["planner", "vehicle", "system file"])
def test_a_stored_planner_or_vehicle_is_not_loaded(
    field: str, campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, trace = evil(tmp_path)
    settings: dict[str, Any] = {field: f"{path}:Evil"}
    if field == "system file":
        (tmp_path / "system.yaml").write_text(f"base: px4_avoidance\nplanner: {{name: '{path}:Evil'}}\n")
        settings = {"system": str(tmp_path / "system.yaml")}
    out = changed(campaign, tmp_path, screening={"backend": "lfs", "settings": settings})
    assert main(["report", str(out), "--jobs", "0"]) == 2
    assert not trace.exists(), capsys.readouterr().err


@pytest.mark.parametrize("settings", [{"fitness": "{code}"}, {"mutators": ["move", "{code}"]}])
def test_a_stored_fitness_or_mutator_is_not_loaded(
    settings: dict[str, Any], campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Surrealist, section 3.1: fitness and mutators are inputs, of the user and not of a result folder."""
    path, trace = evil(tmp_path)
    named = json.loads(json.dumps(settings).replace("{code}", f"{path}:Evil"))
    out = changed(campaign, tmp_path, generator="surrealist", generator_settings=named)
    assert main(["report", str(out), "--jobs", "0"]) == 2
    assert "--code" in capsys.readouterr().err and not trace.exists()


@pytest.mark.parametrize(
    "note",
    [
        {"backend": "{code}", "settings": {}},
        {"backend": "lfs", "settings": {"planner": "{code}"}},
        {"backend": "lfs", "settings": {"vehicle": "{code}"}},
        {"backend": "lfs", "settings": {"changes": {"planner.name": "{code}"}}},
        {"backend": "aerialist", "settings": {"command": ["{program}"]}},
    ],
    ids=["backend", "planner", "vehicle", "changes", "program"],
)
def test_the_note_in_a_test_file_starts_nothing(
    note: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from uav_testgen.core.resources import config_folder

    path, trace = evil(tmp_path)
    words, _ = program(tmp_path)
    text = json.dumps({"version": "1", "system": "x", "seed": 1, "runs": 0, **note})
    text = text.replace("{code}", f"{path}:Evil").replace("{program}", words)
    scene = tmp_path / "scene.yaml"
    scene.write_text(
        (config_folder() / "scenarios" / "two_walls.yaml").read_text() + f"\nprediction: {text}\n"
    )
    assert main(["fly", str(scene), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "prediction" in said and not trace.exists(), said


def test_code_that_the_user_names_is_loaded(campaign: Path, tmp_path: Path) -> None:
    path, trace = evil(tmp_path)
    out = changed(campaign, tmp_path, screening={"backend": "lfs", "settings": {"planner": f"{path}:Evil"}})
    main(["report", str(out), "--jobs", "0", "--code", f"{path}:Evil"])
    assert trace.exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"screening": {"backend": "lfs", "settings": {"planner": "{code}"}}},
        {"screening": {"backend": "{code}", "settings": {}}},
        {"screening": {"backend": "command", "settings": {"command": ["{program}"]}}},
        {"confirmation": {"backend": "command", "settings": {"command": ["{program}"]}, "tests": 2}},
        {"generator": "{code}"},
        {"generator": "surrealist", "generator_settings": {"fitness": "{code}"}},
        {"requirements": ["{code}(limit_s=1)"]},
    ],
    ids=["planner", "backend", "program", "confirmation", "generator", "fitness", "requirement"],
)
@pytest.mark.parametrize("beside", [False, True], ids=["stored", "file beside it"])
def test_the_studio_does_not_resume_what_names_code(
    settings: dict[str, Any],
    beside: bool,
    campaign: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One click on a page is no word for code in a folder that somebody sent."""
    path, trace = evil(tmp_path)
    words, _ = program(tmp_path)
    text = json.dumps(settings).replace("{code}", f"{path}:Evil").replace("{program}", words)
    out = changed(campaign, tmp_path, **json.loads(text))
    if beside:
        stored = next(Store(out).read()).body["config"]
        out.with_name("out.campaign.yaml").write_text(json.dumps({**stored, "case": "mission2"}))
    jobs = Jobs(StudioFolder(tmp_path))
    monkeypatch.setattr(jobs, "_spawn", lambda *given: pytest.fail("started"))
    with pytest.raises(ConfigError, match="If you trust it, resume it with the command"):
        jobs.resume("out")
    assert not trace.exists()


def test_the_studio_resumes_a_harmless_campaign(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, started = changed(campaign, tmp_path), []
    jobs = Jobs(StudioFolder(tmp_path))
    monkeypatch.setattr(jobs, "_spawn", lambda folder, *given: started.append(folder))
    jobs.resume("out")
    assert started == [out]


@pytest.mark.parametrize("name", ["plots", "evaluations.torn", "tests/mission2.plan", "evaluations.jsonl"])
def test_a_link_in_the_folder_leads_nowhere(
    name: str, campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise a torn last line would be written through `evaluations.torn`, and old plots removed elsewhere."""
    out, precious = changed(campaign, tmp_path), tmp_path / "precious"
    link = out / name
    if name == "plots":
        shutil.rmtree(link)
        precious.mkdir()
        (precious / "001-holiday.png").write_text("precious")
    else:
        content = link.read_bytes() if name.endswith(".jsonl") else b"precious"
        link.unlink(missing_ok=True)
        precious.write_bytes(content + b'{"check": "torn')
    link.symlink_to(precious)
    with (out / FILE_NAME).open("ab") as stream:
        stream.write(b"echo evil")
    before = _contents(precious)
    assert main(["report", str(out), "--jobs", "0"]) == 2
    said = capsys.readouterr().err
    assert f"{name}: is a link" in said and _contents(precious) == before


def _contents(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(path.iterdir())
    return {file.name: file.read_bytes() for file in files}
