"""A long campaign with a stand-in for the simulator: killed at random, resumed, equal, and within its memory.

`make soak` runs it with a million evaluations (KILLS=50), the suite with a few hundred.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.campaign.search import KIND
from uav_testgen.testing.commands import command, results
from uav_testgen.work.store import FILE_NAME, Store

pytestmark = pytest.mark.timeout(8 * 3600)
PER_ROUND = 20_000
IN_SHORT = 400
KILLS = 3
SAMPLE = 500
# What a process has before its first evaluation, and what each one adds; docs/explanation/reliability.md says the same.
BASE_MB = 450
PER_EVALUATION_KB = 5
SETTINGS = """
name: load
case: mission2
generator: random
seed: 11
batch_size: 100
budget: {simulations: %d}
stored_period_s: 60.0
screening:
  backend: still
  repeats: %d
  settings: {drift_m: 0.8}
ranking: {suite_size: 2, min_path_distance_m: 0}
"""


def run(config: Path, out: Path, kill_at_bytes: int | None = None) -> int:
    """Run or resume; the largest memory of the process [MB]. Killed when the store has that size."""
    log = config.with_suffix(".log")
    words = command("campaign", config, "--out", out, "--resume", "--jobs", "0")
    with log.open("wb") as stream:  # no pipe: nobody reads it while the campaign runs
        process = subprocess.Popen(words, stdout=stream, stderr=stream)
    most_kb = 0
    while process.poll() is None:
        most_kb = max(most_kb, _peak_kb(process.pid))
        if kill_at_bytes is not None and _size(out) >= kill_at_bytes:
            process.kill()
            process.wait()
            return most_kb // 1024
        time.sleep(0.02)
    assert process.returncode == 0, log.read_text()[-2000:]
    return most_kb // 1024


def _size(out: Path) -> int:
    path = out / FILE_NAME
    return path.stat().st_size if path.exists() else 0


def _peak_kb(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM")), 0)


def sampled(out: Path, numbers: set[int]) -> dict[int, dict[str, Any]]:
    """Evaluations by number, without what the computer's speed decides; every number occurs once."""
    found: dict[int, dict[str, Any]] = {}
    seen = 0
    for record in Store(out).read():
        if record.kind != KIND:
            continue
        seen += 1
        number = int(record.body["number"])
        if number in numbers:
            assert number not in found, "an evaluation is stored twice"
            body = json.loads(json.dumps(record.body))
            body.pop("elapsed_s")
            for timing in ("cpu_s", "wall_s"):
                body["details"].pop(timing, None)
            found[number] = body
    return {**found, -1: {"evaluations": seen}}


def test_a_long_campaign(tmp_path: Path, request: pytest.FixtureRequest, counts: Counter[str]) -> None:
    evaluations = int(request.config.getoption("--soak")) * PER_ROUND or IN_SHORT
    dice = random.Random(evaluations)
    config = tmp_path / "load.yaml"
    # Of a million only the number is tried: one flight each.
    config.write_text(SETTINGS % (evaluations, 0 if evaluations > IN_SHORT else 5))
    smooth, troubled = tmp_path / "smooth", tmp_path / "troubled"
    most_mb = [run(config, smooth)]
    for kill_at_bytes in sorted(dice.randrange(_size(smooth)) for _ in range(KILLS)):
        most_mb.append(run(config, troubled, kill_at_bytes))
    most_mb.append(run(config, troubled))
    numbers = set(dice.sample(range(evaluations), min(SAMPLE, evaluations)))
    assert sampled(smooth, numbers) == sampled(troubled, numbers)
    assert results(smooth) == results(troubled)
    assert max(most_mb) < BASE_MB + evaluations * PER_EVALUATION_KB / 1024, most_mb
    counts["evaluations of a long campaign, killed and resumed"] += evaluations
