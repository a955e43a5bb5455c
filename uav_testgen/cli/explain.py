"""`uav-testgen explain TEST`: why did it fail, and what would have saved it?"""

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
        "explain",
        help="find out why a test fails: the moment, the planner's choice, what would prevent it",
        description="Fly a failing test and tell the moment it became unsafe, where the obstacle was to the camera, "
        "the planner's cheapest directions there, the mechanism, which obstacles matter (each is left out in turn) and "
        "the smallest changes after which it is safe: an obstacle moved, turned or made smaller, another start. Each "
        "change is flown, and flown again with fresh seeds. Given a campaign's folder instead of a test, it counts the "
        "failures of the suite by mechanism, with a representative each, and flies nothing.",
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
    parser.add_argument(
        "--no-planner", action="store_true", help="leave out the directions that the planner found cheapest"
    )
    parser.add_argument("--plot", action="store_true", help="write a picture beside the explanation")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Fly, tell, write."""
    from uav_testgen.assurance.explanation import explain
    from uav_testgen.assurance.failing import Trials
    from uav_testgen.assurance.question import Question
    from uav_testgen.backend.registry import make_backend
    from uav_testgen.core.defaults import DEFAULT_BACKEND
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.core.files import made_folder, write_text

    if arguments.runs < 0 or arguments.flights < 10:
        raise ConfigError("--runs must be 0 or more, --flights at least 10")
    if arguments.scenario.is_dir():
        return _suite(arguments)
    asked = asked_for(arguments)
    question = Question(arguments.require)
    folder = made_folder(arguments.out or Path("results") / "explain" / asked.path.stem)
    with make_backend(DEFAULT_BACKEND, asked.settings) as backend, naming(asked.path):
        trials = Trials(backend, question, asked.seed, arguments.runs, asked.scatter, arguments.flights)
        trials.progress = flights_line("changes tried")
        found = explain(asked.scenario, trials, planner=not arguments.no_planner)
    target = folder / "explanation.json"
    data = {"requirement": question.text, **found.to_json()}
    write_text(target, json.dumps(data, indent=2, allow_nan=False))
    written = {"file": str(target)}
    if arguments.plot:
        from uav_testgen.view.explained import plot_explanation

        written["picture"] = str(folder / "explanation.png")
        plot_explanation(folder / "explanation.png", found)
    if arguments.json:
        print_json({**data, **written})
        return 0
    name = asked.scenario.name or asked.path.stem
    print(printable(f"{name}: {found.trial.failed} of {found.trial.runs} runs fail"))
    files = [f"{name:<12} {file}" for name, file in written.items()]
    for line in (f"requirement  {question.text}", *found.lines(), *files):
        print(printable(f"  {line}"))
    return 0


def _suite(arguments: argparse.Namespace) -> int:
    """The failures of a campaign by mechanism."""
    from uav_testgen.assurance.suite import groups_of

    groups = groups_of(arguments.scenario)
    if arguments.json:
        print_json({"folder": str(arguments.scenario), "groups": [group.to_json() for group in groups]})
        return 0
    print(printable(f"{arguments.scenario}: {sum(len(group.tests) for group in groups)} failing tests"))
    for group in groups:
        first = group.tests[0]
        print(
            printable(
                f"  {len(group.tests):>4}  {group.mechanism.value}: e.g. {first.name}, {first.least_m:.2f} m"
            )
        )
    return 0
