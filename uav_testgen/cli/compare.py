"""`uav-testgen compare CONFIG.yaml`: search algorithms against each other on logical scenarios."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._requirements import add_requirement_option, checked_requirements, requirement_words
from uav_testgen.cli._system import add_system_options, system_settings, system_words
from uav_testgen.core.exit_codes import ExitCode

if TYPE_CHECKING:
    from uav_testgen.campaign.compare.config import CompareConfig


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    from uav_testgen.cli._campaign import add_executor_options, whole_number
    from uav_testgen.cli._generator_settings import add_setting_option

    parser = subparsers.add_parser(
        "compare",
        help="compare search algorithms on logical scenarios",
        description="Run every algorithm on every logical scenario several times and write tables (violations"
        " per run, performance against a baseline with p-value and effect size) and box plots. Killed at any "
        "moment, it goes on with --resume and gives the same tables.",
    )
    parser.add_argument("config", type=Path, metavar="CONFIG.yaml", help="settings, see config/compare/")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/compare/<config>)"
    )
    parser.add_argument(
        "--backend", metavar="NAME", help="simulator used for prediction (default: the file's)"
    )
    add_requirement_option(parser)
    add_system_options(parser)
    add_setting_option(parser, "of an algorithm, e.g. nsga2.crossover_rate=0.8")
    parser.add_argument(
        "--resume", action="store_true", help="resume a previous run in this folder, or start a new one"
    )
    parser.add_argument(
        "--jobs",
        type=lambda text: whole_number(text, 0, "the number of jobs"),
        metavar="N",
        help="worker processes (default: all cores; 0: fly in this process); never changes the result",
    )
    add_executor_options(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run or resume one comparison."""
    from uav_testgen.campaign.compare.config import CompareConfig
    from uav_testgen.campaign.compare.runner import run_comparison
    from uav_testgen.campaign.result import Options
    from uav_testgen.cli._campaign import default_jobs, placement, placement_words
    from uav_testgen.cli._generator_settings import merged, parse_settings, setting_words
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.core.config import load_config, parse_config
    from uav_testgen.view.publish_comparison import publish_comparison
    from uav_testgen.work.stop import Interrupted, StopRequest

    config = _with_parts(load_config(CompareConfig, arguments.config), arguments)
    settings = parse_settings(arguments.generator_setting)
    if settings:
        stated = config.model_dump()
        stated["algorithm_settings"] = merged(config.algorithm_settings, settings)
        config = parse_config(CompareConfig, stated, source="--setting")
    jobs = default_jobs() if arguments.jobs is None else arguments.jobs
    out = arguments.out or Path("results") / "compare" / arguments.config.stem
    options = Options(out=out, resume=arguments.resume, jobs=jobs, cluster=placement(arguments))
    words = [
        "uav-testgen",
        "compare",
        str(arguments.config),
        "--out",
        str(out),
        *(["--backend", arguments.backend] if arguments.backend else []),
        *system_words(arguments),
        *requirement_words(arguments),
        *setting_words(arguments),
        *placement_words(arguments),
        "--resume",
    ]
    farewell = f"interrupted; everything flown so far is safe. Resume with: {shlex.join(words)}"
    try:
        with StopRequest(farewell) as stop, make_progress() as observer:
            result = run_comparison(config, arguments.config.parent, options, observer, stop)
            observer.phase("writing the results")
            data = publish_comparison(result)
    except Interrupted:
        print(farewell, file=sys.stderr)
        return ExitCode.INTERRUPTED
    if arguments.json:
        print_json(data)
    else:
        from uav_testgen.view.comparison_text import markdown

        print(markdown(data))
        print(f"report: {out / 'report.html'}")
    return ExitCode.UNFINISHED if result.failed else ExitCode.DONE


def _with_parts(config: CompareConfig, arguments: argparse.Namespace) -> CompareConfig:
    """The settings with the parts that were named on the command line."""
    from uav_testgen.campaign.compare.config import CompareConfig
    from uav_testgen.core.config import parse_config

    parts, required = system_settings(arguments), checked_requirements(arguments)
    if not (parts or required or arguments.backend):
        return config
    stated = config.model_dump()
    stated["backend"] = arguments.backend or config.backend
    stated["backend_settings"] = {**config.backend_settings, **parts}
    stated["requirements"] = required or config.requirements
    return parse_config(CompareConfig, stated, source="the options of compare")
