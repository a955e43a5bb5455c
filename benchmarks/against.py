"""Is this tree faster than an older one? Both fly the same tests, turn by turn, on the same machine.

    .venv/bin/python benchmarks/against.py REVISION [--tests 6] [--rounds 7]

The older tree is taken from git into a temporary folder and flown with the packages of this environment. Every round
flies all tests with both trees, so that a busy moment hits both. The ratio is the older CPU time over the newer one:
above 1, this tree is faster. Trajectories are compared to the last bit. Exit code 1 if one differs.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import yaml

from uav_testgen.cli._bench_scenes import campaign_scenes

HERE = Path(__file__).resolve().parents[1]
FLYER = Path(__file__).with_name("fly_tests.py")


class Side:
    """A tree whose simulator is loaded and waits to fly."""

    def __init__(self, tree: Path, tests: Path, cache: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": str(cache)}
        self._process = subprocess.Popen(
            [sys.executable, str(FLYER), str(tests)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=tree,
        )  # fmt: skip

    def wait_until_ready(self) -> None:
        """Compiled and loaded."""
        if self._line() != "ready":
            raise SystemExit("against: a tree did not start; its error is above")

    def fly(self) -> dict[str, Any]:
        """All tests once."""
        assert self._process.stdin is not None
        self._process.stdin.write("fly\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._line())
        return answer

    def end(self) -> None:
        """Leave."""
        self._process.communicate()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise SystemExit("against: a tree ended early; its error is above")
        return line


def unpack(revision: str, folder: Path) -> Path:
    """The tree of a revision."""
    archive = subprocess.run(["git", "archive", revision], cwd=HERE, capture_output=True, check=False)
    if archive.returncode:
        raise SystemExit(f"against: {archive.stderr.decode().strip()}; give a commit, a branch or a tag")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        # Python before 3.10.12 and 3.11.4 has no filters; there the attribute means nothing.
        packed.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        packed.extractall(folder)
    return folder


def main() -> int:
    """Fly, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("revision", help="the older tree: a commit, a branch or a tag")
    parser.add_argument("--tests", type=int, default=6, help="tests of the shipped campaign (default: 6)")
    parser.add_argument("--rounds", type=int, default=7, help="how often each tree flies them (default: 7)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tests = folder / "tests"
        tests.mkdir()
        for number, scene in enumerate(campaign_scenes(options.tests)):
            # only what is set: an older tree does not know the keys that came later
            plain = scene.model_dump(mode="json", exclude_defaults=True)
            (tests / f"{number:03d}.yaml").write_text(yaml.safe_dump(plain), encoding="utf-8")
        old_tree = unpack(options.revision, folder / "old")
        sides = [Side(tree, tests, folder / f"cache{k}") for k, tree in enumerate((old_tree, HERE))]
        try:
            for side in sides:
                side.wait_until_ready()
            answers = [tuple(side.fly() for side in sides) for _ in range(options.rounds)]
        finally:
            for side in sides:
                side.end()
    figures = summary(answers, options.tests)
    if options.json:
        print(json.dumps(figures))
    else:
        for key, value in figures.items():
            print(f"{key:24} {value}")
    return 0 if figures["differing_tests"] == 0 else 1


def summary(answers: list[tuple[dict[str, Any], ...]], tests: int) -> dict[str, Any]:
    """Ratio of each round, their median and range, and both speeds."""
    ratios = [old["cpu_s"] / new["cpu_s"] for old, new in answers]
    old_s, new_s = (statistics.median(answer[k]["cpu_s"] for answer in answers) for k in (0, 1))
    old, new = answers[0]
    return {
        "ratio": round(statistics.median(ratios), 3),
        "least_ratio": round(min(ratios), 3),
        "greatest_ratio": round(max(ratios), 3),
        "old_flights_per_s": round(tests / old_s, 2),
        "new_flights_per_s": round(tests / new_s, 2),
        "old_step_us": round(1e6 * old_s / old["steps"], 2),
        "new_step_us": round(1e6 * new_s / new["steps"], 2),
        "differing_tests": sum(a != b for a, b in zip(old["checksums"], new["checksums"], strict=True)),
    }


if __name__ == "__main__":
    raise SystemExit(main())
