"""A job is the folder of the command line: its state is read from it, orders go to its process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from test.unit.view.studio.test_store_reader import HEADER, SCENE, evaluation, write
from uav_testgen.core.errors import ConfigError, InputFileError, StoreError
from uav_testgen.core.files import yaml_text
from uav_testgen.testing.commands import wait_until
from uav_testgen.view.studio import jobs as module
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.job_note import JobNote, JobNotes, holder_of
from uav_testgen.view.studio.jobs import Jobs
from uav_testgen.view.studio.own_parts import OwnParts
from uav_testgen.work.lock import FolderLock

CAMPAIGN = {"case": "mission2", "generator": "random"}
EVIL = "evil.py:Thing"
PLAIN = SCENE.model_dump(mode="json")


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands that would have been started; a process that has ended stands for each."""
    commands: list[list[str]] = []
    real = subprocess.Popen

    def start(command: list[str], **options: Any) -> Any:
        if "uav_testgen.cli.main" not in command:
            return real(command, **options)
        commands.append(command[command.index("uav_testgen.cli.main") + 1 :])
        ended = real([sys.executable, "-c", "pass"], **options)
        ended.wait()
        return ended

    monkeypatch.setattr(module.subprocess, "Popen", start)
    return commands


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    return Jobs(StudioFolder(tmp_path))


def test_the_holder_of_the_lock_is_running(tmp_path: Path, jobs: Jobs) -> None:
    write(tmp_path / "search", HEADER, ("evaluation", evaluation(7, 1.2)))
    assert holder_of(tmp_path / "search") is None
    (found,) = jobs.overview()
    assert (found["path"], found["kind"], found["state"], found["budget"]) == (
        "search",
        "campaign",
        "stopped",
        3,
    )
    with FolderLock(tmp_path / "search"):
        assert holder_of(tmp_path / "search") == os.getpid()
        assert jobs.overview()[0]["state"] == "running"
        with pytest.raises(ConfigError, match="is running"):
            jobs.resume("search")
    with pytest.raises(ConfigError, match="not running"):
        jobs.stop("search")
    assert jobs.scene("search", 7).obstacles == SCENE.obstacles
    with pytest.raises(InputFileError, match="no evaluation 8"):
        jobs.scene("search", 8)
    with pytest.raises(InputFileError, match="no such job"):
        jobs.existing("other")


def test_a_started_job_has_its_settings_its_log_and_its_command(
    tmp_path: Path, jobs: Jobs, spawned: list[list[str]]
) -> None:
    assert jobs.start("campaign", "a search", CAMPAIGN) == "a search"
    file = tmp_path / "a search.campaign.yaml"
    assert spawned == [["campaign", str(file), "--out", str(tmp_path / "a search"), "--resume"]]
    assert file.read_text() == yaml_text({"name": "a search", **CAMPAIGN})
    assert (tmp_path / "a search.log").is_file()
    with pytest.raises(ConfigError, match="kind"):
        jobs.start("surprise", "other", {})
    # Another server, later: it finds the job by its note.
    later = Jobs(StudioFolder(tmp_path))
    (found,) = later.overview()
    assert (found["path"], found["kind"]) == ("a search", "campaign")
    assert later.command_text("a search").startswith("uav-testgen campaign '")


def test_planners_of_a_comparison_are_kept_with_its_command(
    tmp_path: Path, jobs: Jobs, spawned: list[list[str]]
) -> None:
    jobs.start("planners", "pair", {**CAMPAIGN, "planners": ["vfh3d", "straight"]})
    file = str(tmp_path / "pair.planners.yaml")
    out = str(tmp_path / "pair")
    assert spawned[0] == [
        "compare-planners",
        "vfh3d",
        "straight",
        "--campaign",
        file,
        "--out",
        out,
        "--resume",
    ]
    write(
        tmp_path / "shell",
        ("planner_comparison", {"config": CAMPAIGN, "planners": {"0": "straight", "1": "vfh3d"}}),
    )
    jobs.resume("shell")
    assert spawned[1][:3] == ["compare-planners", "straight", "vfh3d"]


def test_a_paused_job_says_so_and_a_stopped_campaign_gets_its_report(
    tmp_path: Path, jobs: Jobs, spawned: list[list[str]]
) -> None:
    write(tmp_path / "search", HEADER, ("evaluation", evaluation(0, 1.2)))
    words = [sys.executable, "-c", "import time; time.sleep(60)", str(tmp_path / "search")]
    sleeper = subprocess.Popen(words)
    try:
        notes = JobNotes(StudioFolder(tmp_path).state)
        notes.keep(JobNote("search", "campaign", CAMPAIGN).of_process(sleeper.pid))
        wait_until(lambda: jobs.overview()[0]["state"] == "running", "the process")
        jobs.stop("search", is_pause=True)
        assert sleeper.wait(20) != 0
        assert jobs.overview()[0]["state"] == "paused"
        jobs.look_after()
        assert not spawned
        notes.keep(JobNote("search", "campaign", CAMPAIGN, asked="stop"))
        assert jobs.overview()[0]["state"] == "stopped"
        jobs.look_after()
        assert spawned == [["report", str(tmp_path / "search")]]
        jobs.look_after()
        assert len(spawned) == 1
    finally:
        sleeper.kill()
        sleeper.wait()


def test_a_number_of_a_process_that_ended_is_not_the_process(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    words = [sys.executable, "-c", "import time; time.sleep(60)", str(folder)]
    with subprocess.Popen(words) as sleeper:
        noted = JobNote("x", "campaign").of_process(sleeper.pid)
        wait_until(lambda: noted.is_alive(folder), "the process")
        assert not replace(noted, began=noted.began + 1).is_alive(folder)
        assert not noted.is_alive(tmp_path / "other"), "a process that has nothing to do with the folder"
        sleeper.kill()
        sleeper.wait()
        assert not noted.is_alive(folder)
    notes = JobNotes(tmp_path)
    notes.keep(noted)
    (tmp_path / "jobs" / "broken.json").write_text("[" * 100_000)
    (tmp_path / "jobs" / "wrong.json").write_text('{"path": 1, "kind": [], "settings": 3}')
    assert notes.all() == {"x": noted}


def test_a_note_of_somebody_else_runs_nothing(tmp_path: Path, jobs: Jobs, spawned: list[list[str]]) -> None:
    notes = JobNotes(StudioFolder(tmp_path).state)
    for name, settings in (("theirs", {**CAMPAIGN, "planner": EVIL}), ("linked", CAMPAIGN)):
        write(tmp_path / name, HEADER)
        notes.keep(JobNote(name, "campaign", settings))
    (tmp_path / "linked.log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="names the code"):
        jobs.resume("theirs")
    with pytest.raises(StoreError, match="link"):
        jobs.resume("linked")
    assert not spawned and not (tmp_path / "elsewhere").exists()
    assert jobs.command_text("theirs") == ""


def test_the_last_words_tell_why_a_job_ended(tmp_path: Path, jobs: Jobs, spawned: list[list[str]]) -> None:
    jobs.start("campaign", "search", CAMPAIGN)
    (tmp_path / "search.log").write_text("uav-testgen: the disk is full\n")
    assert jobs.overview()[0]["trouble"] == "uav-testgen: the disk is full"
    (tmp_path / "search.log").write_text("interrupted; everything flown so far is safe\n")
    assert jobs.overview()[0]["trouble"] == ""


@pytest.mark.parametrize("name", ["", "../x", ".hidden", "a/b", "a\nb", "x" * 100, "-rf"])
def test_names_that_are_not_names_are_refused(tmp_path: Path, jobs: Jobs, name: str) -> None:
    with pytest.raises((ConfigError, InputFileError)):
        jobs.start("campaign", name, {"case": "mission2"})
    assert not list(tmp_path.iterdir())


FLOWN, STELLA = {"backend": "graph"}, {"algorithm": "bo"}


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("campaign", {}), ("campaign", {**CAMPAIGN, "surprise": 1}), ("campaign", {**CAMPAIGN, "backend": "px4"}),
        ("campaign", {**CAMPAIGN, "planner": EVIL}), ("campaign", {**CAMPAIGN, "generator": EVIL}),
        ("campaign", {**CAMPAIGN, "screening": {"settings": {"planner": EVIL}}}),
        ("campaign", {**CAMPAIGN, "screening": [1]}),
        ("campaign", {**CAMPAIGN, "case": "/etc/passwd.plan"}), ("campaign", {**CAMPAIGN, "case": "../x.plan"}),
        ("campaign", {**CAMPAIGN, "generator": "surrealist", "generator_settings": {"fitness": EVIL}}),
        ("campaign", {**CAMPAIGN, "generator": "surrealist", "generator_settings": {"mutators": ["move", EVIL]}}),
        ("campaign", {**CAMPAIGN, "requirements": [f"{EVIL}(limit_m=1)"]}),
        ("campaign", {**CAMPAIGN, "requirements": ["always (nonsense > 1)"]}),
        ("campaign", {**CAMPAIGN, "confirmation": {"backend": "command"}}),
        ("campaign", {**CAMPAIGN, "confirmation": {"backend": "graph", "settings": {"planner": EVIL}}}),
        ("study", {"generators": {"x": {"command": ["rm", "-rf", "/"]}}, "cases": ["mission2"]}),
        ("study", {"generators": {"x": {"generator": EVIL}}, "cases": ["mission2"]}),
        ("study", {"generators": ["random"], "cases": ["../../x.plan"]}),
        ("comparison", {"scenarios": ["/etc/passwd"], "algorithms": ["nsga2"]}),
        ("comparison", {"scenarios": ["scenario-01"], "algorithms": ["nsga2"], "backend": "command"}),
        ("planners", {**CAMPAIGN, "planners": ["vfh3d"]}), ("planners", {**CAMPAIGN, "planners": ["vfh3d", EVIL]}),
        ("replication", {"log": "missing.ulg"}), ("replication", {"log": "../x.ulg"}), ("replication", {}),
        ("fidelity", {"records": "/etc"}), ("fidelity", {"records": "sample", "runs": "1; rm"}),
        ("fidelity", {"records": "sample", "system": "/etc/passwd.yaml"}),
    ],
)  # fmt: skip
def test_settings_that_are_wrong_or_name_code_start_nothing(
    tmp_path: Path, jobs: Jobs, spawned: list[list[str]], kind: str, settings: dict[str, Any]
) -> None:
    with pytest.raises((ConfigError, InputFileError)):
        jobs.start(kind, "search", settings)
    assert not spawned
    assert not list(tmp_path.iterdir())


def test_code_in_a_store_is_not_run_by_resuming_it(
    tmp_path: Path, jobs: Jobs, spawned: list[list[str]]
) -> None:
    write(tmp_path / "theirs", ("campaign", {"config": {**CAMPAIGN, "generator": EVIL}}))
    with pytest.raises(ConfigError, match="names the code"):
        jobs.resume("theirs")
    write(tmp_path / "replica", ("replication", {"config": {}}))
    with pytest.raises(StoreError, match="command line"):
        jobs.resume("replica")
    assert not spawned


@pytest.mark.parametrize(
    ("kind", "settings", "words"),
    [
        ("study", {"generators": ["random"], "cases": ["mission2", "scenario-01"]}, "study"),
        ("comparison", {"scenarios": ["scenario-01"], "algorithms": ["pso+bo"], "baseline": "pso+bo"}, "compare"),
        ("campaign", {"case": "scenario-01", "generator": "stella", "generator_settings": STELLA}, "campaign"),
        ("campaign", {**CAMPAIGN, "requirements": ["max_altitude(limit_m=12)", "always (distance > 1.5)"]}, "campaign"),
        ("campaign", {**CAMPAIGN, "budget": {"predictions": 9, "flights": 2}, "confirmation": FLOWN}, "campaign"),
        ("fidelity", {"records": "sample", "runs": 2, "system": "paper"}, "fidelity"),
    ],
)  # fmt: skip
def test_every_kind_becomes_its_command(
    jobs: Jobs, spawned: list[list[str]], kind: str, settings: dict[str, Any], words: str
) -> None:
    jobs.start(kind, "search", settings)
    assert spawned[0][0] == words


def test_a_question_names_its_scene_and_is_refused_where_it_names_code(
    tmp_path: Path, jobs: Jobs, spawned: list[list[str]]
) -> None:
    jobs.start("certify", "likely", {"scene": PLAIN, "flights": 200, "within": 1.5})
    assert spawned[-1] == [
        "certify", str(tmp_path / "likely.certify.yaml"), "--flights", "200", "--within", "1.5",
        "--out", str(tmp_path / "likely"),
    ]  # fmt: skip
    for wrong in ({"requirement": EVIL}, {"within": "1"}, {"flights": 1}, {"planner": EVIL}, {"scene": {}}):
        with pytest.raises(ConfigError):
            jobs.start("certify", "other", {"scene": PLAIN, **wrong})
    assert len(spawned) == 1


def test_forms_of_the_start_reach_the_commands_that_know_them(
    tmp_path: Path, spawned: list[list[str]]
) -> None:
    jobs = Jobs(StudioFolder(tmp_path), OwnParts(forms=("/mine.py:gate",)))
    jobs.start("campaign", "search", CAMPAIGN)
    assert spawned[-1][-2:] == ["--form", "/mine.py:gate"]
    jobs.start("explain", "why", {"scene": PLAIN})
    assert spawned[-1][-2:] == ["--form", "/mine.py:gate"]
    jobs.start("fidelity", "true", {"records": "sample"})
    assert "--form" not in spawned[-1]


def test_the_best_tests_are_flown_again_by_a_backend_of_the_menu(
    tmp_path: Path, jobs: Jobs, spawned: list[list[str]]
) -> None:
    header = ("campaign", {**HEADER[1], "config": CAMPAIGN})
    write(tmp_path / "search", header, ("evaluation", evaluation(7, 1.2)))
    jobs.confirm("search", {"backend": "px4", "tests": 3, "runs": 2})
    assert spawned[-1] == [
        "confirm", str(tmp_path / "search"), "--backend", "px4", "--tests", "3", "--runs", "2",
    ]  # fmt: skip
    (tmp_path / "search.log").write_text("uav-testgen: no PX4 answers\n")
    (found,) = jobs.overview()
    assert found["trouble"] == "uav-testgen: no PX4 answers"
    for wrong in ({"backend": "command"}, {"backend": EVIL}, {}, {"backend": "px4", "tests": 0}):
        with pytest.raises(ConfigError):
            jobs.confirm("search", wrong)
    write(tmp_path / "foreign", ("campaign", {**HEADER[1], "config": {**CAMPAIGN, "generator": EVIL}}),
          ("evaluation", evaluation(7, 1.2)))  # fmt: skip
    with pytest.raises((ConfigError, StoreError)):
        jobs.confirm("foreign", {"backend": "px4"})
    assert len(spawned) == 1
