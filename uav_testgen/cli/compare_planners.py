"""`uav-testgen compare-planners A B --campaign FILE`: the same scenes with each planner, all on one vehicle."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from uav_testgen.cli._forms import add_form_option, form_words
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._requirements import add_requirement_option, checked_requirements, requirement_words
from uav_testgen.core.exit_codes import ExitCode


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    from uav_testgen.cli._campaign import add_executor_options, add_run_options, whole_number

    parser = subparsers.add_parser(
        "compare-planners",
        help="fly the same scenes with several planners on one vehicle",
        description="Fly every scene that the campaign's generator proposes with each planner, all on one vehicle, "
        "and compare: failure rates with intervals, distances, durations, and the scenes that only one planner "
        "fails. The generator is told the worst of each scene. Killed at any moment, it goes on with --resume.",
    )
    parser.add_argument(
        "planners", nargs="+", metavar="PLANNER", help="a name (uav-testgen list planners) or file.py:Class"
    )
    parser.add_argument(
        "--campaign",
        type=Path,
        required=True,
        metavar="FILE",
        help="campaign file: gives mission, generator, budget and system",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/planners/<campaign>)"
    )
    parser.add_argument("--generator", metavar="NAME", help="test generator (default: the file's)")
    parser.add_argument(
        "--budget",
        type=lambda text: whole_number(text, 1, "--budget"),
        metavar="N",
        help="maximum number of scenes (default: the file's)",
    )
    parser.add_argument(
        "--system",
        metavar="NAME|FILE",
        help="vehicle and cameras for all planners (default: the file's)",
    )
    parser.add_argument("--vehicle", metavar="NAME", help="vehicle for all planners (default: the system's)")
    parser.add_argument("--backend", metavar="NAME", help="simulator (default: the file's)")
    add_requirement_option(parser)
    add_run_options(parser)
    add_executor_options(parser)
    add_form_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run or resume one comparison."""
    from uav_testgen.campaign.case import load_case
    from uav_testgen.campaign.config import load_campaign
    from uav_testgen.campaign.planners.runner import run_planner_comparison
    from uav_testgen.campaign.result import Options
    from uav_testgen.cli._campaign import default_jobs, placement
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.generator.registry import starts_from_a_test
    from uav_testgen.view.planner_comparison import publish_planners, text_of
    from uav_testgen.work.stop import Interrupted, StopRequest

    checked_requirements(arguments)
    config = load_campaign(arguments.campaign, seed=arguments.seed, replaced=_replaced(arguments))
    if arguments.budget is not None:
        config = config.model_copy(
            update={"budget": config.budget.model_copy(update={"simulations": arguments.budget})}
        )
    case = load_case(
        config.case,
        arguments.campaign.parent,
        config.arena,
        keep_obstacles=starts_from_a_test(config.generator),
    )
    jobs = default_jobs() if arguments.jobs is None else arguments.jobs
    out = arguments.out or Path("results") / "planners" / arguments.campaign.stem
    options = Options(out=out, resume=arguments.resume, jobs=jobs, cluster=placement(arguments))
    farewell = f"interrupted; everything flown so far is safe. Resume with: {_again(arguments, out)}"
    try:
        with StopRequest(farewell) as stop, make_progress() as observer:
            result = run_planner_comparison(config, case, arguments.planners, options, observer, stop)
            observer.phase("writing the results")
            data = publish_planners(result)
    except Interrupted:
        print(farewell, file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ExitCode.INTERRUPTED)  # workers stop by themselves
    if arguments.json:
        print_json(data)
    else:
        print(text_of(data))
        print(f"report: {out / 'report.html'}")
    return ExitCode.DONE if all(one["scenes"] for one in data["planners"]) else ExitCode.UNFINISHED


def _replaced(arguments: argparse.Namespace) -> dict[str, Any]:
    """Parts named on the command line, instead of those of the file."""
    named = {name: getattr(arguments, name) for name in ("generator", "backend", "system", "vehicle")}
    parts = {name: value for name, value in named.items() if value is not None}
    return parts | ({"requirements": list(arguments.requirement)} if arguments.requirement else {})


def _again(arguments: argparse.Namespace, out: Path) -> str:
    words = ["uav-testgen", "compare-planners", *arguments.planners, "--campaign", str(arguments.campaign)]
    words += ["--out", str(out)]
    for name in ("generator", "budget", "system", "vehicle", "backend", "seed", "address"):
        if getattr(arguments, name) is not None:
            words += [f"--{name}", str(getattr(arguments, name))]
    words += ["--executor", arguments.executor] if arguments.executor != "local" else []
    return shlex.join([*words, *requirement_words(arguments), *form_words(arguments), "--resume"])
