"""Whole campaigns in processes of their own, as a user runs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from uav_testgen.testing.patience import patience

TRIAL = """
name: trial
case: mission2
generator: random
seed: 5
batch_size: 8
budget: {simulations: %d}
screening:
  backend: still
  repeats: 3
  settings: {drift_m: 0.8, work_s: %g}
ranking: {suite_size: 4, min_path_distance_m: 0}
"""


def trial(folder: Path, simulations: int = 24, work_s: float = 0.0, extra: str = "") -> Path:
    """A campaign file: random boxes, a blind drone, seconds."""
    path = folder / "trial.yaml"
    path.write_text(TRIAL % (simulations, work_s) + extra)
    return path


def command(*words: str | Path) -> list[str]:
    """The words that start the command line in a process of its own."""
    return [sys.executable, "-m", "uav_testgen.cli.main", *map(str, words)]


def start(*words: str | Path) -> subprocess.Popen[str]:
    """Start a command that hears Ctrl-C, also where a shell in the background made its children deaf."""
    return subprocess.Popen(
        command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_until(condition: Callable[[], bool], what: str, timeout_s: float = 200.0) -> None:
    """Wait for a condition; fails with what was waited for."""
    end = time.monotonic() + timeout_s * patience()
    while not condition():
        assert time.monotonic() < end, f"waited {timeout_s} s for {what}"
        time.sleep(0.01)


def stored_lines(out: Path) -> int:
    """Records in the store of an output folder."""
    path = out / "evaluations.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def results(out: Path) -> dict[str, bytes]:
    """Every file that must not depend on how the campaign was run."""
    files = [*out.glob("tests/*"), *out.glob("flights/*"), *out.glob("plots/*")]
    files += [out / "evaluations.csv", out / "junit.xml", out / "campaign.yaml"]
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(files)}


def is_alive(pid: int) -> bool:
    """True while a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
