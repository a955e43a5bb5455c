"""Memory and descriptors stay where they are, however often one process flies; `make soak`: thousands."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(7200)
PER_ROUND = {"lfs": 100, "still": 100, "graph": 6}
IN_SHORT = {"lfs": 30, "still": 60, "graph": 4}
# Allocators keep some; a trajectory (100 kB) lost in each flight would be more, also in the short form.
MOST_GROWTH_KB = 3_000
PROGRAM = """
import gc, os, sys

from uav_testgen.backend.registry import make_backend
from uav_testgen.oracle.judging import judge
from uav_testgen.testing.factories import make_box, make_scenario


def family(pid):
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children") as children:
            for child in children.read().split():
                yield from family(child)
    yield pid


def held():
    gc.collect()
    kilobytes = files = threads = 0
    for pid in family(os.getpid()):
        with open(f"/proc/{pid}/status") as status:
            kilobytes += next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        files += len(os.listdir(f"/proc/{pid}/fd"))
        threads += len(os.listdir(f"/proc/{pid}/task"))
    return kilobytes, files, threads


name, flights = sys.argv[1], int(sys.argv[2])
scenarios = [make_scenario(make_box(20.0 + number, -10.0)) for number in range(5)]
with make_backend(name, {}) as backend:
    for number in range(2 * flights):
        if number == flights:
            before = held()
        scenario = scenarios[number % 5]
        judge(scenario, backend.fly(scenario, number))
    after = held()
print(*before, *after)
"""


@pytest.mark.parametrize("backend", ["still", "lfs", "graph"])
def test_flights_leave_nothing_behind(
    backend: str, request: pytest.FixtureRequest, counts: Counter[str]
) -> None:
    """The second half of the flights is compared with the first: the first one compiles, loads and caches.

    Counted are the process that asks for flights and all that it started: the nodes of a graph.
    """
    if backend == "graph":
        pytest.importorskip("rclpy")
    soak = int(request.config.getoption("--soak"))
    flights = PER_ROUND[backend] * soak // 2 if soak else IN_SHORT[backend]
    words = [sys.executable, "-c", PROGRAM, backend, str(flights)]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ.copy())
    assert done.returncode == 0, done.stderr[-2000:]
    kilobytes, files, threads, later_kilobytes, later_files, later_threads = map(int, done.stdout.split())
    assert (later_files, later_threads) == (files, threads)
    assert later_kilobytes - kilobytes < MOST_GROWTH_KB, done.stdout
    counts[f"flights of '{backend}' in one process"] += 2 * flights


def held_by(pid: int) -> tuple[int, int, int]:
    """Kilobytes, descriptors and threads of another process."""
    status = Path(f"/proc/{pid}/status").read_text()
    kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return kilobytes, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))


def test_studio_previews_leave_nothing_behind(request: pytest.FixtureRequest, counts: Counter[str]) -> None:
    """A handle is dragged: every position is a preview of its own in the studio's worker."""
    from uav_testgen.testing.factories import make_box, make_scenario
    from uav_testgen.view.studio.worker import Job, worker_main
    from uav_testgen.work.process import start_worker

    soak = int(request.config.getoption("--soak"))
    previews = 10 * soak if soak else 40
    worker = start_worker(worker_main)
    try:
        assert worker.pipe.recv()[1] == "ready"
        before = (0, 0, 0)
        for number in range(2 * previews):
            if number == previews:
                before = held_by(worker.process.pid)
            scenario = make_scenario(make_box(20.0 + 0.01 * number, -10.0))
            worker.pipe.send(("job", number, Job("run", {}, scenario, is_preview=True)))
            assert worker.pipe.recv()[:2] == (number, "done")
        after = held_by(worker.process.pid)
    finally:
        worker.end(5.0)
    assert after[1:] == before[1:]
    assert after[0] - before[0] < MOST_GROWTH_KB, (before, after)
    counts["previews of one studio worker"] += 2 * previews


@pytest.mark.parametrize("what", ["check", "fly", "campaign"])
def test_commands_in_one_process_leave_no_descriptor_open(
    what: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from uav_testgen.cli.main import main
    from uav_testgen.core.resources import config_folder
    from uav_testgen.testing.commands import trial

    scene = str(config_folder() / "scenarios" / "two_walls.yaml")

    def once() -> None:
        folder = tmp_path_factory.mktemp("once")
        words = {
            "check": ["check", scene, str(folder / "absent.yaml")],
            "fly": ["fly", scene, "--backend", "still", "--out", str(folder / "out")],
            "campaign": ["campaign", str(trial(folder, 4)), "--out", str(folder / "out"), "--jobs", "0"],
        }
        assert main(words[what]) in (0, 1, 2)

    once()
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        once()
    assert len(os.listdir("/proc/self/fd")) <= len(before)
