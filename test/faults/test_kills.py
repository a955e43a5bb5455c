"""kill -9 of drivers, workers and whole machines at random moments, seeded; `make soak` does it 50 times."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.testing.commands import is_alive, start, stored_lines, wait_until

from .torment import SIMULATIONS, finish, kill, reference_campaign, stored_numbers, workers_of

pytestmark = pytest.mark.timeout(7200)


def test_killed_drivers_lose_nothing(
    tmp_path: Path, undisturbed: dict[str, bytes], rounds: int, counts: Counter[str]
) -> None:
    dice = random.Random(1)
    killed, lives = 0, 0
    while killed < rounds:
        folder = tmp_path / str(lives)
        folder.mkdir()
        config, out = reference_campaign(folder), folder / "out"
        safe: list[int] = []
        for _ in range(dice.randint(1, 3)):
            process = start("campaign", config, "--out", out, "--resume", "--jobs", "2")
            # Half of them while they start, or write results; half of them while they fly.
            if dice.random() < 0.5:
                target = len(safe) + dice.randint(1, 6)
                wait_until(lambda: stored_lines(out) > target or process.poll() is not None, "flights")  # noqa: B023
            time.sleep(dice.random() * 2.0)
            killed += process.poll() is None
            kill(process)
            now = stored_numbers(out)
            assert now[: len(safe)] == safe, "an acknowledged evaluation was lost"
            safe = now
        assert finish(config, out, "--jobs", str(dice.randint(0, 2))) == undisturbed
        lives += 1
    counts["drivers killed"] += killed
    counts["campaigns that were compared byte by byte"] += lives


def test_killed_workers_lose_nothing(
    tmp_path: Path, undisturbed: dict[str, bytes], rounds: int, counts: Counter[str]
) -> None:
    dice = random.Random(2)
    killed, lives = 0, 0
    while killed < rounds:
        folder = tmp_path / str(lives)
        folder.mkdir()
        config, out = reference_campaign(folder), folder / "out"
        process = start("campaign", config, "--out", out, "--jobs", "2")
        for _ in range(3):
            wait_until(lambda: bool(workers_of(process.pid)) or process.poll() is not None, "workers")  # noqa: B023
            time.sleep(dice.random() * 0.4)
            victims = workers_of(process.pid)
            if victims and process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(dice.choice(victims), signal.SIGKILL)
                    killed += 1
        _, stderr = process.communicate(timeout=240)
        assert process.returncode == 0, stderr
        assert finish(config, out) == undisturbed
        lives += 1
    counts["workers killed"] += killed
    counts["campaigns that were compared byte by byte"] += lives


@pytest.mark.xdist_group("ray")
def test_killed_machines_lose_nothing(
    tmp_path: Path, undisturbed: dict[str, bytes], rounds: int, counts: Counter[str], ray_cluster: Any
) -> None:
    dice = random.Random(3)
    for life in range(rounds):
        folder = tmp_path / str(life)
        folder.mkdir()
        config, out = reference_campaign(folder), folder / "out"
        words = ["--executor", "ray", "--address", ray_cluster.address]
        process = start("campaign", config, "--out", out, *words)
        target = dice.randint(1, SIMULATIONS // 2)
        wait_until(lambda: stored_lines(out) > target or process.poll() is not None, "flights on the cluster")  # noqa: B023
        time.sleep(dice.random() * 0.2)
        assert process.poll() is None, process.communicate()[1]
        ray_cluster.kill_node(dice.choice(ray_cluster.nodes))
        # The rest is flown by the other node, while a new machine joins.
        ray_cluster.add_nodes(1)
        _, stderr = process.communicate(timeout=240)
        assert process.returncode == 0, stderr
        assert finish(config, out) == undisturbed
    counts["machines killed"] += rounds
    counts["campaigns that were compared byte by byte"] += rounds


@pytest.mark.xdist_group("ray")
def test_a_driver_killed_on_the_cluster_is_resumed_anywhere(
    tmp_path: Path, undisturbed: dict[str, bytes], rounds: int, counts: Counter[str], ray_cluster: Any
) -> None:
    dice = random.Random(4)
    for life in range(max(1, rounds // 5)):
        folder = tmp_path / str(life)
        folder.mkdir()
        config, out = reference_campaign(folder), folder / "out"
        words = ["--executor", "ray", "--address", ray_cluster.address]
        process = start("campaign", config, "--out", out, *words)
        target = dice.randint(1, SIMULATIONS // 2)
        wait_until(lambda: stored_lines(out) > target or process.poll() is not None, "flights on the cluster")  # noqa: B023
        assert process.poll() is None, process.communicate()[1]
        kill(process)
        safe = stored_numbers(out)
        assert finish(config, out, *(words if life % 2 else ["--jobs", "1"])) == undisturbed
        assert stored_numbers(out)[: len(safe)] == safe
    counts["drivers killed"] += max(1, rounds // 5)


def test_a_planner_that_hangs_ends_with_whoever_asked_it(tmp_path: Path) -> None:
    """It has ten minutes for its answer, and the process that waits for it is killed."""
    (tmp_path / "hangs.py").write_text(
        "import os, time\n"
        "class Hangs:\n"
        "    def reset(self, setup): pass\n"
        "    def plan(self, observation):\n"
        f"        open({str(tmp_path / 'pid')!r}, 'w').write(f'{{os.getpid()}} ')\n"
        "        time.sleep(1000)\n"
    )
    (tmp_path / "settings.yaml").write_text("planner_timeout_s: 600\n")
    fly = start(
        "fly", "two_walls", "--backend", "lfs", "--settings", tmp_path / "settings.yaml", "--out", tmp_path / "out",
        "--planner", f"{tmp_path / 'hangs.py'}:Hangs", "--runs", "1",
    )  # fmt: skip
    noted = tmp_path / "pid"
    wait_until(lambda: (noted.exists() and noted.read_text() != "") or fly.poll() is not None, "the planner")
    fly.kill()
    fly.communicate()
    pid = int(noted.read_text())
    wait_until(lambda: not is_alive(pid), "the end of the planner's process", 60.0)
