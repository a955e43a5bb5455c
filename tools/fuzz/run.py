"""Fuzz every parser and print the account; exit 1 if anything but our own errors came out."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from targets import TARGETS  # noqa: E402


def main() -> int:
    """All targets, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each parser (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("targets", nargs="*", metavar="PARSER", help=f"any of {', '.join(TARGETS)}")
    arguments = parser.parse_args()
    unknown = set(arguments.targets) - set(TARGETS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(TARGETS)}")
    print(f"{'parser':16} {'guided':>7} {'tried':>9} {'accepted':>9} {'refused':>9} {'crashes':>8}")
    crashes = 0
    for name in arguments.targets or TARGETS:
        crashes += fuzz(name, arguments.seconds, arguments.seed)
    return 1 if crashes else 0


def fuzz(name: str, seconds: int, seed: int) -> int:
    """One target in a process of its own; returns the number of different crashes."""
    account = Path(tempfile.mkdtemp(prefix="fuzz-account-")) / f"{name}.json"
    words = [sys.executable, str(HERE / "one.py"), name, str(seconds), str(account), str(seed)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds * 3 + 600)
    if not account.exists():
        print(f"{name:16} could not start: {done.stderr[-2000:]}")
        return 1
    data = json.loads(account.read_text())
    died = done.returncode != 0
    guided = "yes" if data["guided"] else "no"
    found = len(data["crashes"]) + died
    print(
        f"{name:16} {guided:>7} {data['tried']:9d} {data['accepted']:9d} {data['refused']:9d} {found:8d}",
        flush=True,
    )
    for place, crash in data["crashes"].items():
        print(f"    {place}: {crash['text'][:120]} ({crash['count']} times); input {crash['input'][:200]}")
    if died:
        print(f"    the process ended with {done.returncode}: {done.stderr[-1500:]}")
    return found


if __name__ == "__main__":
    sys.exit(main())
