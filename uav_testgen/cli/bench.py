"""`uav-testgen bench`: how fast the planner and the low-fidelity simulator are on this machine."""

from __future__ import annotations

import argparse
import sys

from uav_testgen.cli._output import add_json_option, print_json


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "bench",
        help="measure planner and simulator speed (CPU time)",
        description="Measure on this machine: flights per second, the time of one step and of one planning call, "
        "compiling, start-up and memory. All times are CPU time.",
    )
    parser.add_argument("--quick", action="store_true", help="fewer flights, nothing that takes minutes")
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print; progress goes to stderr."""
    from uav_testgen.cli._measure import measure

    figures = measure(quick=args.quick, say=lambda text: print(f"bench: {text} …", file=sys.stderr))
    if args.json:
        print_json(figures)
        return 0
    for name, value in figures.items():
        if isinstance(value, dict):
            for part, number in value.items():
                print(f"{name}.{part:<24} {number:12.1f}")
        elif isinstance(value, str):
            print(f"{name:<32} {value:>12}")
        elif value is None:
            print(f"{name:<32} not measured")
        else:
            print(f"{name:<32} {value:12.3f}" if isinstance(value, float) else f"{name:<32} {value:12d}")
    print("CPU time; compare machines through calibration_us.")
    return 0
