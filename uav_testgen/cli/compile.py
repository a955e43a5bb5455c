"""`uav-testgen compile`: compile the simulators now instead of at the first flight."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.exit_codes import ExitCode


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "compile",
        help="compile the simulators for this machine now",
        description="Compile the simulator of each shipped system, and the comparison of flown paths, and keep them "
        "for later runs. make setup does this; without it, the first flight of a system compiles and says so.",
    )
    parser.add_argument(
        "--system",
        action="append",
        metavar="NAME|FILE",
        help="only this system, a preset or a .yaml file; may be given several times (default: all shipped)",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fly one scene with each system, compiled and step by step; 0 all are ready."""
    from uav_testgen.api import predict
    from uav_testgen.backend.lfs import LfsConfig
    from uav_testgen.core.compile_watch import WATCH
    from uav_testgen.core.defaults import DEFAULT_SYSTEM
    from uav_testgen.loop.system import system_names

    # The one that most people fly first: it can be used while the others are compiled.
    shipped = sorted(system_names(), key=lambda name: (name != DEFAULT_SYSTEM, name))
    names: list[str] = args.system or shipped
    for name in names:  # a wrong name is found before anything is compiled
        LfsConfig(system=name)
    WATCH.quiet = True  # this command says the same in its own words
    rows = []
    for number, name in enumerate(names, start=1):
        if not args.json:
            print(f"system '{name}' ({number} of {len(names)}) ...", end=" ", flush=True)
        began_s, compiled_s = time.monotonic(), WATCH.seconds
        predict("two_walls", runs=1, system=name)
        _fly_stepwise(name)
        took_s = round(WATCH.seconds - compiled_s, 1)
        rows.append({"system": name, "compiled_s": took_s, "wall_s": round(time.monotonic() - began_s, 1)})
        if not args.json:
            print(_word(took_s), flush=True)
    if not args.json:
        print("comparison of paths ...", end=" ", flush=True)
    compiled_s = WATCH.seconds
    _compare_paths()
    comparison_s = round(WATCH.seconds - compiled_s, 1)
    folder = os.environ.get("NUMBA_CACHE_DIR", "")
    if args.json:
        print_json({"systems": rows, "comparison_s": comparison_s, "folder": folder})
    else:
        print(_word(comparison_s), flush=True)
        print(f"kept in {folder}" if folder else "no folder to keep them in: they are compiled in each run")
    return ExitCode.DONE


def _word(compiled_s: float) -> str:
    return f"compiled in {compiled_s} s" if compiled_s else "compiled before"


def _compare_paths() -> None:
    """What searches, rankings and replications compare flights with."""
    import numpy as np

    from uav_testgen.flight.similarity import dtw_m, matching

    path = np.zeros((2, 3))
    dtw_m(path, path)
    matching(path, path)


def _fly_stepwise(system: str) -> None:
    """Nodes and planners in Python call parts of the simulator one by one."""
    from uav_testgen.backend.lfs import LfsBackend, LfsConfig
    from uav_testgen.flight.sample import sample_scenario

    LfsBackend(LfsConfig(system=system, stepwise=True)).fly(sample_scenario())
