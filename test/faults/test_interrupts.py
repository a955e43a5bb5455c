"""Ctrl-C at any stage leaves a resumable campaign; a folder never has two drivers.

How long it takes is measured and shown by `make soak`; it depends on the machine, so no test depends on it.
"""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.testing.commands import start, stored_lines, wait_until

from .torment import SIMULATIONS, command_here, finish, kill, reference_campaign, stored_numbers

# Before the command has installed its own answer to Ctrl-C, Python's ends it.
INTERRUPTED = (130, -signal.SIGINT)


def interrupt(process: Any, longest_s: dict[str, float]) -> str:
    """Send Ctrl-C and wait; returns what was printed."""
    began_s = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    name = "Ctrl-C to the end of the command"
    longest_s[name] = max(longest_s.get(name, 0.0), time.monotonic() - began_s)
    return str(stderr)


@pytest.mark.timeout(7200)
def test_ctrl_c_at_any_moment(
    tmp_path: Path,
    undisturbed: dict[str, bytes],
    rounds: int,
    counts: Counter[str],
    longest_s: dict[str, float],
) -> None:
    dice = random.Random(6)
    interrupted, lives = 0, 0
    while interrupted < rounds:
        folder = tmp_path / str(lives)
        folder.mkdir()
        config, out = reference_campaign(folder), folder / "out"
        safe: list[int] = []
        for _ in range(3):
            process = start("campaign", config, "--out", out, "--resume", "--jobs", str(dice.randint(0, 2)))
            # A third while it is loaded, the others while it flies, chooses or writes.
            if dice.random() < 0.67:
                target = len(safe) + dice.randint(1, SIMULATIONS)
                wait_until(lambda: stored_lines(out) > target or process.poll() is not None, "flights")  # noqa: B023
                time.sleep(dice.random())
            else:
                time.sleep(0.3 + dice.random() * 4.0)
            if process.poll() is not None:
                assert process.communicate()[1] is not None and process.returncode == 0
                break
            stderr = interrupt(process, longest_s)
            if process.returncode == 0:
                break  # it was just finished
            if "Fatal Python error: init_import_site" in stderr:
                continue  # Python itself was still starting; nothing of ours has run, so it does not count
            assert process.returncode in INTERRUPTED, stderr
            interrupted += 1
            now = stored_numbers(out)
            assert now[: len(safe)] == safe
            safe = now
        assert finish(config, out, "--jobs", "1") == undisturbed
        lives += 1
    counts["drivers interrupted with Ctrl-C"] += interrupted


@pytest.mark.xdist_group("ray")
def test_ctrl_c_on_a_cluster(
    tmp_path: Path,
    campaign: Path,
    undisturbed: dict[str, bytes],
    ray_cluster: Any,
    longest_s: dict[str, float],
) -> None:
    out, words = tmp_path / "out", ["--executor", "ray", "--address", ray_cluster.address]
    process = start("campaign", campaign, "--out", out, *words)
    wait_until(lambda: stored_lines(out) > 2 or process.poll() is not None, "flights on the cluster")
    stderr = interrupt(process, longest_s)
    assert process.returncode == 130, stderr
    assert f"--executor ray --address {ray_cluster.address} --resume" in stderr
    assert finish(campaign, out, *words) == undisturbed


def test_two_campaigns_never_share_a_folder(tmp_path: Path, campaign: Path) -> None:
    out = tmp_path / "out"
    first = start("campaign", campaign, "--out", out, "--jobs", "1")
    wait_until(lambda: stored_lines(out) > 0 or first.poll() is not None, "the first campaign")
    assert first.poll() is None, first.communicate()[1]
    code, said = command_here("campaign", str(campaign), "--out", str(out), "--resume", "--jobs", "0")
    assert code == 2
    assert f"another campaign is running in this folder (process {first.pid}" in said
    kill(first)
    # Nobody has to remove a lock file: the crash itself freed the folder.
    finish(campaign, out, "--jobs", "0")
