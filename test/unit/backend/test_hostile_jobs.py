"""What is no job ends no worker: it is moved aside, and the next job is flown."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.backend.base import Backend
from uav_testgen.backend.folder import FolderBackend, FolderConfig
from uav_testgen.backend.folder_queue import MAX_JOB_BYTES, FolderQueue
from uav_testgen.backend.folder_worker import FolderWorker, job_body
from uav_testgen.backend.registry import make_backend
from uav_testgen.core.errors import ConfigError, StoreError
from uav_testgen.scenario.model import Mission, Scenario, Waypoint
from uav_testgen.testing.commands import start, wait_until
from uav_testgen.testing.still_backend import StillBackend

SCENARIO = Scenario(mission=Mission(waypoints=(Waypoint(position_enu_m=(10.0, 0.0, 5.0)),)))
JOB = {"format": 1, "attempts": 0, **job_body(SCENARIO, 3)}


def job(name: str, **changes: Any) -> str:
    return json.dumps({**JOB, "id": name, **changes})


def write(text: str, name: str = "bad") -> Callable[[Path], object]:
    return lambda jobs: (jobs / f"{name}.json").write_text(text)


NO_JOBS: dict[str, Callable[[Path], object]] = {
    "endless attempts": write(job("bad", attempts=float("inf"))),
    "attempts beyond counting": write(job("bad", attempts=10**30)),
    "attempts in words": write(job("bad", attempts="some")),
    "100 k brackets": write("[" * 100_000),
    "no object": write("[1, 2]"),
    "not UTF-8": lambda jobs: (jobs / "bad.json").write_bytes(b"\xff\xfe\x00"),
    "a name too long for the folder of claims": write(job("x" * 249), "x" * 249),
    "a name with odd characters": write(job("a b\n"), "a b\n"),
    "a name that ends with a line end": write(job("bad\n"), "bad\n"),
    "a loop of links": lambda jobs: (jobs / "bad.json").symlink_to(jobs / "bad.json"),
    "a link to an endless device": lambda jobs: (jobs / "bad.json").symlink_to("/dev/zero"),
    "a link to nowhere": lambda jobs: (jobs / "bad.json").symlink_to(jobs / "absent"),
    "a pipe": lambda jobs: os.mkfifo(jobs / "bad.json"),
    "a folder": lambda jobs: (jobs / "bad.json").mkdir(),
    "a large file": lambda jobs: os.truncate(_touched(jobs / "bad.json"), MAX_JOB_BYTES + 1),
}
POOR_JOBS = {
    "endless seed": job("bad", seed=float("inf")),
    "a seed beyond all numbers": job("bad", seed=10**40),
    "a seed in words": job("bad", seed="first"),
    "no scenario": job("bad", scenario=None),
}


def _touched(path: Path) -> Path:
    path.touch()
    return path


def serve(queue: FolderQueue, backend: Backend | None = None) -> list[str]:
    """Queue a good job behind what is there, work until nothing is left, and check the good one."""
    said: list[str] = []
    queue.submit("good", job_body(SCENARIO, 7))
    worker = FolderWorker(queue, backend or StillBackend(StillBackend.config_type()), "w", said.append)
    with queue.sign_in("w"):
        worker.serve(until_empty=True)
    result = queue.result("good")
    assert result is not None and result["status"] == "flown"
    return said


@pytest.mark.parametrize("name", NO_JOBS)
def test_what_is_no_job_is_moved_aside(name: str, tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    NO_JOBS[name](tmp_path / "jobs")
    serve(queue)
    assert not os.listdir(tmp_path / "jobs") and not os.listdir(tmp_path / "taken")
    assert len(os.listdir(tmp_path / "refused")) == 1


@pytest.mark.parametrize("name", POOR_JOBS)
def test_a_job_that_cannot_be_flown_is_answered(name: str, tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    (tmp_path / "jobs" / "bad.json").write_text(POOR_JOBS[name])
    serve(queue)
    refused, result = os.listdir(tmp_path / "refused"), queue.result("bad")
    assert bool(refused) != (result is not None and result["status"] == "error")


@pytest.mark.parametrize("taken_by", ["file", "folder"])
def test_a_name_that_is_taken_among_the_refused(taken_by: str, tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    place = tmp_path / "refused" / "bad@w.json"
    place.mkdir() if taken_by == "folder" else place.write_text("precious")
    (tmp_path / "jobs" / "bad.json").write_text("{")
    serve(queue)
    assert len(os.listdir(tmp_path / "refused")) == 2
    assert place.is_dir() or place.read_text() == "precious"


def test_the_time_of_a_linked_file_is_not_touched(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path / "folder")
    other = tmp_path / "other.json"
    other.write_text(job("bad"))
    os.utime(other, (1.0, 1.0))
    (tmp_path / "folder" / "jobs" / "bad.json").symlink_to(other)
    serve(queue)
    assert other.stat().st_mtime == 1.0


def test_leftovers_of_a_dead_namesake_may_be_anything(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path, lease_s=1.0)
    os.mkfifo(tmp_path / "taken" / "pipe@w.json")
    (tmp_path / "taken" / "loop@w.json").symlink_to("loop@w.json")
    (tmp_path / "taken" / "nobody.json").write_text("{}")
    os.utime(tmp_path / "taken" / "nobody.json", (1.0, 1.0))
    serve(queue)
    assert not os.listdir(tmp_path / "taken")


def test_a_simulator_that_breaks_costs_one_job(tmp_path: Path) -> None:
    class Breaks(StillBackend):
        def fly(self, scenario: Scenario, seed: int) -> Any:
            if seed == 3:
                raise ZeroDivisionError("by \x1b[31mzero")
            return super().fly(scenario, seed)

    queue = FolderQueue(tmp_path)
    queue.submit("bad", job_body(SCENARIO, 3))
    said = serve(queue, Breaks(StillBackend.config_type()))
    result = queue.result("bad")
    assert result is not None and result["message"].startswith("unexpected ZeroDivisionError")
    assert all(line.isprintable() for line in said)


@pytest.mark.parametrize("kind", ["pipe", "device", "brackets"])
def test_a_result_may_be_anything(kind: str, tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    path = tmp_path / "results" / "bad.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.write_text("[" * 100_000)
    with pytest.raises(StoreError, match="cannot be read"):
        queue.result("bad")


def test_a_lock_that_is_a_pipe_does_not_block(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    os.mkfifo(tmp_path / "workers" / "odd.lock")
    assert queue.workers() == []


def test_a_folder_name_with_nul_is_refused() -> None:
    with pytest.raises(ConfigError, match="folder"):
        make_backend("folder", {"folder": "no\0where"})
    with (
        pytest.raises(StoreError, match="cannot be used as a job folder"),
        FolderBackend(FolderConfig.model_construct(folder="no\0where", lease_s=1.0, timeout_s=1.0)),
    ):
        pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_worker_gives_its_job_back(number: signal.Signals, tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path / "folder")
    queue.submit("long", job_body(SCENARIO, 1))
    (tmp_path / "slow.yaml").write_text("work_s: 100.0\n")
    words = ["worker", tmp_path / "folder", "--backend", "still", "--settings", tmp_path / "slow.yaml"]
    process = start(*words, "--until-empty", "--name", "w")
    taken = tmp_path / "folder" / "taken"
    wait_until(lambda: bool(list(taken.glob("long@w.json"))) or process.poll() is not None, "the claim")
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "run the same command again" in errors
    assert os.listdir(tmp_path / "folder" / "jobs") == ["long.json"]
