"""The job folder: no job lost, none flown twice, whatever dies in between."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.backend.folder import FolderBackend, FolderConfig, read_result
from uav_testgen.backend.folder_queue import FolderQueue
from uav_testgen.backend.folder_worker import MAX_ATTEMPTS, FolderWorker, job_body
from uav_testgen.core.errors import BackendError, BackendTimeout, StoreError
from uav_testgen.scenario.model import Mission, Scenario, Waypoint
from uav_testgen.testing.still_backend import StillBackend

SCENARIO = Scenario(mission=Mission(waypoints=(Waypoint(position_enu_m=(10.0, 0.0, 5.0)),)))


def queue_with(folder: Path, count: int, lease_s: float = 60.0) -> FolderQueue:
    queue = FolderQueue(folder, lease_s)
    for number in range(count):
        assert queue.submit(f"job{number}", job_body(SCENARIO, number))
    return queue


def test_claimed_once_and_answered_once(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 2)
    first, second = queue.claim("a"), queue.claim("b")
    assert first and second and first.job_id != second.job_id
    assert queue.claim("c") is None
    assert queue.complete(first, {"status": "flown"})
    assert not queue.complete(first, {"status": "another answer"})
    assert queue.result(first.job_id)["status"] == "flown"  # type: ignore[index]
    assert not queue.submit(first.job_id, {}), "a job that is done is not queued again"
    assert not queue.submit(second.job_id, {}), "nor is one that is being flown"


def test_lost_lease_goes_back_to_the_queue(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 1, lease_s=60.0)
    first = queue.claim("a")
    assert first is not None
    os.utime(first.path, (time.time() - 100.0, time.time() - 100.0))
    second = queue.claim("b")
    assert second is not None and second.attempt == 2
    assert not queue.renew(first)
    assert queue.complete(second, {"status": "flown"})
    assert not queue.complete(first, {"status": "too late"})


def test_renewed_lease_stays(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 1, lease_s=60.0)
    claim = queue.claim("a")
    assert claim is not None
    os.utime(claim.path, (0.0, 0.0))
    assert queue.renew(claim)
    assert queue.claim("b") is None


def test_restarted_worker_takes_up_what_it_left(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 1)
    with queue.sign_in("a"):
        assert queue.claim("a") is not None
    with queue.sign_in("a"):
        again = queue.claim("a")
        assert again is not None and again.attempt == 2


def test_two_workers_of_one_name_are_refused(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    with (
        queue.sign_in("a"),
        pytest.raises(StoreError, match="another --name"),
        FolderQueue(tmp_path).sign_in("a"),
    ):
        pass


def test_files_that_are_no_jobs_are_put_aside(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    (tmp_path / "jobs" / "bad.json").write_text("{nonsense")
    (tmp_path / "jobs" / "list.json").write_text("[1]")
    assert queue.claim("a") is None
    assert len(list((tmp_path / "refused").iterdir())) == 2


def test_worker_flies_and_answers(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 3)
    queue.submit("wrong", {"scenario": {"mission": {}}, "seed": 1})
    worker = FolderWorker(queue, StillBackend(), "a", lambda line: None)
    assert worker.serve(until_empty=True) == 4
    assert queue.result("job2")["flight"]["seed"] == 2  # type: ignore[index]
    wrong = queue.result("wrong")["message"]  # type: ignore[index]
    assert wrong == "not a flyable job: mission.waypoints: is required, but missing"


def test_job_that_kills_its_workers_is_given_up(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 1)
    for _ in range(MAX_ATTEMPTS):
        with queue.sign_in("a"):
            assert queue.claim("a") is not None  # and dies
    with queue.sign_in("a"):
        FolderWorker(queue, StillBackend(), "a", lambda line: None).serve(until_empty=True)
    assert "workers died" in queue.result("job0")["message"]  # type: ignore[index]


class Interrupting(StillBackend):
    def fly(self, scenario: Scenario, seed: int = 0) -> Any:
        raise KeyboardInterrupt


def test_interrupted_flight_goes_back_without_being_counted(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 1)
    with pytest.raises(KeyboardInterrupt):
        FolderWorker(queue, Interrupting(), "a", lambda line: None).serve()
    claim = queue.claim("b")
    assert claim is not None and claim.attempt == 1


def drain(folder: Path, name: str) -> list[str]:
    queue, taken = FolderQueue(folder), []
    while (claim := queue.claim(name)) is not None:
        taken.append(claim.job_id)
        queue.complete(claim, {"status": "flown", "worker": name})
    return taken


def test_many_workers_share_without_overlap(tmp_path: Path) -> None:
    queue = queue_with(tmp_path, 90)
    with ThreadPoolExecutor(4) as pool:
        groups = list(pool.map(lambda number: drain(tmp_path, f"w{number}"), range(4)))
    taken = [job for group in groups for job in group]
    assert sorted(taken) == sorted(f"job{number}" for number in range(90))
    assert all(queue.result(job) for job in taken)


def test_backend_asks_and_gets(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "uav_testgen.cli.main", "worker", str(tmp_path), "--backend", "still"]
    process = subprocess.Popen([*command, "--name", "w"], stdout=subprocess.PIPE, text=True)
    try:
        with FolderBackend(FolderConfig(folder=str(tmp_path), timeout_s=120.0)) as backend:
            flight = backend.fly(SCENARIO, 3)
            assert (flight.seed, flight.scenario_id) == (3, SCENARIO.id)
            assert backend.fly(SCENARIO, 3).scenario_id == SCENARIO.id
    finally:
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=60)[0]
    assert output.count("flown") == 1, "answered twice, flown once"


def test_nobody_answers(tmp_path: Path) -> None:
    with (
        FolderBackend(FolderConfig(folder=str(tmp_path), timeout_s=0.3)) as backend,
        pytest.raises(BackendTimeout, match=r"withdrawn; workers alive: none.*uav-testgen worker"),
    ):
        backend.fly(SCENARIO, 1)
    assert not list((tmp_path / "jobs").iterdir())


def test_error_of_the_worker_is_raised_here(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    queue.submit(f"{SCENARIO.id}-1", job_body(SCENARIO, 1))
    claim = queue.claim("far")
    assert claim is not None
    queue.complete(claim, {"status": "error", "message": "no simulator", "worker": "far"})
    with pytest.raises(BackendError, match="worker far: no simulator"):
        read_result(claim.job_id, queue.result(claim.job_id) or {})


def test_job_that_failed_is_flown_when_asked_for_again(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path)
    job_id = f"{SCENARIO.id}-1"
    queue.submit(job_id, job_body(SCENARIO, 1))
    claim = queue.claim("far")
    assert claim is not None
    queue.complete(claim, {"status": "error", "message": "no simulator", "worker": "far"})
    with FolderBackend(FolderConfig(folder=str(tmp_path))) as backend:
        assert backend.submit(SCENARIO, 1) == job_id
        FolderWorker(queue, StillBackend(), "near", lambda line: None).serve(until_empty=True)
        assert backend.fly(SCENARIO, 1).seed == 1
    (kept,) = (tmp_path / "failed").iterdir()
    assert json.loads(kept.read_text())["message"] == "no simulator"


STAND_IN = Path(__file__).parents[2] / "fakes" / "aerialist"


def stand_ins(folder: Path) -> list[str]:
    """Stand-in simulators of this test that run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().decode().split("\0")
            if str(STAND_IN) in words and any(str(folder) in word for word in words):
                found.append(entry.name)
    return found


@pytest.mark.timeout(300)
def test_worker_killed_at_random_moments(
    tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """kill -9 again and again: every job gets one result, no simulator outlives its worker."""
    jobs, kills, chance = 6, 5, random.Random(20)
    queue = FolderQueue(tmp_path / "folder")
    for number in range(jobs):
        queue.submit(f"job{number}", job_body(SCENARIO, number))
    (tmp_path / "plan").write_text("slow-log")
    (tmp_path / "settings.yaml").write_text(
        f"command: ['{sys.executable}', '{STAND_IN}']\nfolder: '{tmp_path / 'runs'}'\n"
    )
    monkeypatch.setenv("STAND_IN_PLAN", str(tmp_path / "plan"))
    monkeypatch.setenv("STAND_IN_CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("STAND_IN_LOG", str(shared_data / "flightlogs" / "sitl_m0.ulg"))
    command = [sys.executable, "-m", "uav_testgen.cli.main", "worker", str(queue.folder), "--name", "w"]
    command += ["--settings", str(tmp_path / "settings.yaml"), "--until-empty"]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(0.5, 4.0))
            process.kill()
        deadline_s = time.monotonic() + 20.0
        while stand_ins(tmp_path) and time.monotonic() < deadline_s:
            time.sleep(0.05)
        assert not stand_ins(tmp_path)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=120)
    results = [queue.result(f"job{number}") for number in range(jobs)]
    flown_jobs = [result for result in results if result is not None and result["status"] == "flown"]
    # On a slow machine most kills hit the same job; after MAX_ATTEMPTS of them it is given up.
    given_up = [result for result in results if result is not None and "workers died" in str(result)]
    assert len(flown_jobs) + len(given_up) == jobs, results
    assert len(given_up) <= kills // MAX_ATTEMPTS
    assert not list((queue.folder / "jobs").iterdir()) and not list((queue.folder / "taken").glob("*.json"))
    flown = (tmp_path / "calls").read_text().count("exec")
    assert len(flown_jobs) <= flown <= jobs + kills, "flown again only if its worker was killed"
