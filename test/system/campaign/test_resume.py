"""Killed at any moment, a campaign resumes, loses nothing and ends with the same bytes."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from pathlib import Path

import pytest

from test.system.command_line import run
from uav_testgen.testing.commands import is_alive, results, start, stored_lines, trial, wait_until

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    done = run("campaign", trial(folder), "--out", folder / "out", "--jobs", "0")
    assert done.returncode == 0, done.stderr
    found = results(folder / "out")
    assert sum(name.startswith("tests/") and name.endswith(".yaml") for name in found) == 4
    return found


def test_the_number_of_jobs_changes_nothing(tmp_path: Path, uninterrupted: dict[str, bytes]) -> None:
    done = run("campaign", trial(tmp_path), "--out", tmp_path / "out", "--jobs", "3")
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "out") == uninterrupted


@pytest.mark.timeout(900)
def test_killed_three_times_it_ends_with_the_same_bytes(
    tmp_path: Path, uninterrupted: dict[str, bytes]
) -> None:
    # Flights that take a while on the clock (and are otherwise the same), so that there is time to kill.
    config, out = trial(tmp_path, work_s=0.05), tmp_path / "out"
    dice = random.Random(20)
    acknowledged = 0
    for _ in range(3):
        process = start("campaign", config, "--out", out, "--resume", "--jobs", "2")
        target = acknowledged + dice.randint(1, 6)
        wait_until(lambda: stored_lines(out) > target or process.poll() is not None, "evaluations")  # noqa: B023
        time.sleep(dice.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert stored_lines(out) >= acknowledged, "a stored evaluation was lost"
        acknowledged = stored_lines(out)
    done = run("campaign", config, "--out", out, "--resume", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    ours = results(out)
    assert b"work_s: 0.05" in ours.pop("campaign.yaml")
    # Tests note the settings they were predicted with, and so how long a flight was made to take.
    ours = {name: re.sub(rb" *work_s: .*\n", b"", content) for name, content in ours.items()}
    theirs = {name: re.sub(rb" *work_s: .*\n", b"", content) for name, content in uninterrupted.items()}
    assert ours == {name: content for name, content in theirs.items() if name != "campaign.yaml"}


def test_a_torn_line_is_cut_with_a_message(tmp_path: Path, uninterrupted: dict[str, bytes]) -> None:
    config, out = trial(tmp_path), tmp_path / "out"
    assert run("campaign", config, "--out", out, "--jobs", "0").returncode == 0
    path = out / "evaluations.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:12]) + lines[12][:100])
    done = run("campaign", config, "--out", out, "--resume", "--jobs", "0")
    assert done.returncode == 0
    assert "line 13 was not completely written" in done.stderr
    assert results(out) == uninterrupted


def test_damage_in_the_middle_stops_with_the_way_out(tmp_path: Path) -> None:
    config, out = trial(tmp_path, simulations=8), tmp_path / "out"
    assert run("campaign", config, "--out", out, "--jobs", "0").returncode == 0
    path = out / "evaluations.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"number"', b'"numbre"')
    path.write_bytes(b"".join(lines))
    done = run("campaign", config, "--out", out, "--resume")
    assert done.returncode == 2
    assert "line 4 is damaged" in done.stderr and "head -n 3" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_finished_campaign_is_only_printed(tmp_path: Path) -> None:
    config, out = trial(tmp_path, simulations=8), tmp_path / "out"
    first = run("campaign", config, "--out", out, "--jobs", "0", "--json")
    assert first.returncode == 0, first.stderr
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.name != ".lock"}
    second = run("campaign", config, "--out", out, "--resume", "--json")
    assert json.loads(second.stdout) == json.loads(first.stdout)
    assert before == {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.name != ".lock"}


def test_ctrl_c_leaves_a_resumable_campaign(tmp_path: Path) -> None:
    config, out = trial(tmp_path, simulations=500, work_s=0.2), tmp_path / "out"
    process = start("campaign", config, "--out", out, "--jobs", "2")
    wait_until(lambda: stored_lines(out) > 3, "evaluations")
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert stored_lines(out) < 500, "it does not go on to the end"
    assert process.returncode == 130
    assert "Resume with: uav-testgen campaign" in stderr and "--resume" in stderr
    safe = stored_lines(out)
    report = run("report", out, "--jobs", "0")
    assert report.returncode == 0, report.stderr
    assert (out / "report.html").is_file() and stored_lines(out) == safe


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_does_not_wait_for_the_flights_in_the_air(tmp_path: Path, jobs: str) -> None:
    config, out = trial(tmp_path, simulations=8, work_s=600.0), tmp_path / "out"
    process = start("campaign", config, "--out", out, "--jobs", jobs)
    wait_until(lambda: bool(workers_of(process.pid)), "the workers")
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130, stderr
    assert stored_lines(out) <= 1 and "--resume" in stderr, "nothing was flown to its end"


def test_workers_end_when_the_driver_is_killed(tmp_path: Path) -> None:
    config, out = trial(tmp_path, simulations=500, work_s=0.05), tmp_path / "out"
    process = start("campaign", config, "--out", out, "--jobs", "2")
    wait_until(lambda: stored_lines(out) > 3, "evaluations")
    family = descendants(process.pid)
    assert family, "there were workers"
    process.kill()
    process.wait()
    wait_until(lambda: not any(is_alive(pid) for pid in family), "the workers to end", 60.0)


def workers_of(driver: int) -> set[int]:
    """Processes below the fork server of a campaign."""
    return {pid for child in descendants(driver) for pid in descendants(child)}


def descendants(pid: int) -> set[int]:
    """All processes below one, from /proc."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                children.setdefault(int(fields[1]), []).append(int(entry))
    found, queue = set(), [pid]
    while queue:
        for child in children.get(queue.pop(), []):
            found.add(child)
            queue.append(child)
    return found
