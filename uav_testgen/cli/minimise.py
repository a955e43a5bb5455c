"""`uav-testgen minimise TEST`: the simplest scene that still fails."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from uav_testgen.cli._assured import add_test_options, asked_for, flights_line, naming
from uav_testgen.cli._output import print_json
from uav_testgen.core.plain_text import printable


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "minimise",
        help="find the simplest scene that still fails: fewer, smaller, aligned obstacles, round numbers",
        description="Simplify a failing test step by step, as property-testing tools shrink a counter-example: leave "
        "out obstacles, stop and align them, make them smaller, round their numbers. A step is kept if most runs "
        "still violate the requirement and no rule is broken that the test keeps. Writes the scene as YAML.",
    )
    add_test_options(parser)
    parser.add_argument(
        "--runs",
        type=int,
        default=3,
        metavar="N",
        help="drawn runs per scene; 0: only the nominal run (default: 3)",
    )
    parser.add_argument(
        "--flights", type=int, default=600, metavar="N", help="maximum number of flights (default: 600)"
    )
    parser.add_argument("--plot", action="store_true", help="write a picture of both scenes")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Simplify, write, print."""
    from uav_testgen.assurance.failing import Trials
    from uav_testgen.assurance.minimal import minimise, nominal_flights
    from uav_testgen.assurance.question import Question
    from uav_testgen.backend.registry import make_backend
    from uav_testgen.core.defaults import DEFAULT_BACKEND
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.core.files import made_folder, write_text
    from uav_testgen.scenario.formats.scenario_file import save_scenario

    if arguments.runs < 0 or arguments.flights < 10:
        raise ConfigError("--runs must be 0 or more, --flights at least 10")
    asked = asked_for(arguments)
    question = Question(arguments.require)
    folder = made_folder(arguments.out or Path("results") / "minimise" / asked.path.stem)
    with make_backend(DEFAULT_BACKEND, asked.settings) as backend, naming(asked.path):
        trials = Trials(
            backend, question, asked.seed, arguments.runs, asked.scatter, arguments.flights,
            flights_line("steps taken"),
        )  # fmt: skip
        found = minimise(asked.scenario, trials)
        flights = nominal_flights(found, trials) if arguments.plot else None
    target = folder / f"{asked.path.stem}-minimal.yaml"
    save_scenario(target, found.scenario)
    data: dict[str, Any] = {
        "requirement": question.text,
        "obstacles_before": len(found.before.obstacles),
        "obstacles": len(found.scenario.obstacles),
        "failed": found.last.failed,
        "runs": found.last.runs,
        "margin": found.last.margin,
        "unit": question.unit,
        "finished": found.finished,
        "flights": found.flights,
        "steps": [step.to_json() for step in found.steps],
        "scene": str(target),
    }
    write_text(folder / "minimised.json", json.dumps(data, indent=2, allow_nan=False))
    if flights is not None:
        from uav_testgen.view.simplest import plot_minimised

        data["picture"] = str(folder / f"{asked.path.stem}-minimal.png")
        plot_minimised(Path(data["picture"]), found, flights)
    if arguments.json:
        print_json(data)
        return 0
    print(printable(f"{asked.scenario.name or asked.path.stem}: the simplest scene that still fails"))
    print(printable(f"  requirement  {question.text}"))
    for step in found.steps:
        left = "" if step.margin is None else f", {step.margin:+.2f} {question.unit} in the middle"
        print(printable(f"  {step.failed}/{step.runs} fail{left}: {step.what}"))
    rest = "" if found.finished else "; the flights were used up, more may be possible (--flights)"
    print(f"  cost         {found.flights} flights{rest}")
    print(printable(f"  scene        {target}"))
    if "picture" in data:
        print(printable(f"  picture      {data['picture']}"))
    return 0
