"""What the report of a large campaign costs: CPU time and memory of `uav-testgen report`.

    python benchmarks/report.py                       # 100 000 evaluations, made in half a minute
    python benchmarks/report.py --evaluations 1000 10000 100000

A small campaign with a drone that sees nothing is flown; its evaluations are then stored again and again under new
numbers, each with its obstacles elsewhere, so the file is as large and as varied as that of a campaign of days.
"""

from __future__ import annotations

import argparse
import copy
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from uav_testgen.scenario.model import Scenario
from uav_testgen.work.store import FILE_NAME, Store

PROGRAM = (sys.executable, "-m", "uav_testgen.cli.main")
FLOWN = 400
AT_ONCE = 5000
SETTINGS = f"""
name: large
case: mission2
generator: random
seed: 5
budget: {{simulations: {FLOWN}}}
screening: {{backend: still, repeats: 3, settings: {{drift_m: 0.8}}}}
ranking: {{suite_size: 20}}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evaluations", type=int, nargs="+", default=[100_000], metavar="N")
    arguments = parser.parse_args()
    print(" evaluations   file [MB]   making [s]   report: CPU [s]   wall [s]   peak [MB]")
    with tempfile.TemporaryDirectory(prefix="large_campaign_") as name:
        for count in arguments.evaluations:
            begin_s = time.monotonic()
            out = large_campaign(Path(name) / str(count), count)
            made_s = time.monotonic() - begin_s
            size_mb = (out / FILE_NAME).stat().st_size / 1e6
            cpu_s, wall_s, peak_mb = report_of(out)
            print(
                f"{count:12d} {size_mb:11.0f} {made_s:12.0f} {cpu_s:17.1f} {wall_s:10.1f} {peak_mb:11.0f}",
                flush=True,
            )
    return 0


def large_campaign(folder: Path, count: int) -> Path:
    """The output folder of a campaign with so many evaluations."""
    folder.mkdir()
    (folder / "campaign.yaml").write_text(SETTINGS)
    small, large = folder / "small", folder / "large"
    words = ["campaign", str(folder / "campaign.yaml"), "--out", str(small), "--jobs", "0"]
    subprocess.run([*PROGRAM, *words], check=True, capture_output=True)
    records = list(Store(small).read())
    header = copy.deepcopy(records[0].body)
    header["config"]["budget"]["simulations"] = max(count, 1)
    flown = [record.body for record in records if record.kind == "evaluation"]
    shutil.copytree(small, large)
    (large / FILE_NAME).unlink()
    with Store(large) as store:
        store.open()
        store.append([(records[0].kind, header)])
        for first in range(0, count, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, count))
            store.append(
                [("evaluation", elsewhere(flown[number % len(flown)], number)) for number in numbers]
            )
    return large


def elsewhere(body: dict[str, Any], number: int) -> dict[str, Any]:
    """The same evaluation of another scene."""
    moved = {**body, "number": number, "scenario": copy.deepcopy(body["scenario"])}
    for obstacle in moved["scenario"]["obstacles"]:
        obstacle["center_enu_m"][0] += 0.0001 * (number // FLOWN)
    moved["scenario_id"] = Scenario.model_validate(moved["scenario"]).id
    return moved


def report_of(out: Path) -> tuple[float, float, float]:
    """CPU time [s], time on the clock [s] and greatest resident memory [MB] of a process that writes the report."""
    begin_s = time.monotonic()
    words = [*PROGRAM, "report", str(out), "--jobs", "0"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"the report of {out} failed")
    return used.ru_utime + used.ru_stime, time.monotonic() - begin_s, used.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
