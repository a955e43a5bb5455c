"""`uav-testgen study FILE`: test generators against each other, with statistics and an artefact to repeat it."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from uav_testgen.cli._hasty import leaving_at_once
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.exit_codes import ExitCode

# Keys that only a comparison of algorithms has (config/compare/).
_COMPARISON_KEYS = {"algorithms", "scenarios"}


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    from uav_testgen.cli._campaign import add_executor_options, whole_number

    parser = subparsers.add_parser(
        "study",
        help="compare test generators over missions, seeds and budgets, with statistics",
        description="Run every generator on every case with every seed and budget. Generators are shipped ones, "
        "your own, or any program that uses Aerialist. Suites are judged by flights no search saw. The output folder "
        "holds tables (text, CSV, LaTeX), plots and everything needed to repeat the study. Killed at any moment, it "
        "goes on with --resume and gives the same tables. A file of config/compare/ is run as a comparison.",
    )
    parser.add_argument("config", type=Path, metavar="FILE", help="settings, see config/study/")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/study/<file>)"
    )
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
    """Run or resume one study."""
    from uav_testgen.core.config import read_yaml

    out = arguments.out or Path("results") / "study" / arguments.config.stem
    given = read_yaml(arguments.config)
    if isinstance(given, dict) and _COMPARISON_KEYS & set(given):
        return _compared(arguments, out)
    with leaving_at_once():
        return _run(arguments, out)


def _compared(arguments: argparse.Namespace, out: Path) -> int:
    """The same words for `compare`, with its own defaults for all that a study does not ask."""
    from uav_testgen.cli._campaign import placement_words
    from uav_testgen.cli.main import build_parser

    words = ["compare", str(arguments.config), "--out", str(out), *placement_words(arguments)]
    words += ["--jobs", str(arguments.jobs)] if arguments.jobs is not None else []
    words += ["--resume"] if arguments.resume else []
    words += ["--json"] if arguments.json else []
    asked = build_parser("compare").parse_args(words)
    return int(asked.run(asked))


def _run(arguments: argparse.Namespace, out: Path) -> int:
    from uav_testgen.campaign.result import Options
    from uav_testgen.campaign.study.config import StudyConfig
    from uav_testgen.campaign.study.runner import run_study
    from uav_testgen.cli._campaign import default_jobs, placement, placement_words
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.core.config import load_config, read_text
    from uav_testgen.standin.program_cell import program_checksums, program_task
    from uav_testgen.standin.study_inputs import write_inputs
    from uav_testgen.view.publish_study import publish_study
    from uav_testgen.view.study_text import text
    from uav_testgen.work.stop import Interrupted, StopRequest

    config, folder = load_config(StudyConfig, arguments.config), arguments.config.parent
    jobs = default_jobs() if arguments.jobs is None else arguments.jobs
    options = Options(out=out, resume=arguments.resume, jobs=jobs, cluster=placement(arguments))
    words = ["uav-testgen", "study", str(arguments.config), "--out", str(out), *placement_words(arguments)]
    farewell = (
        f"interrupted; everything flown so far is safe. Resume with: {shlex.join([*words, '--resume'])}"
    )
    try:
        with StopRequest(farewell) as stop, make_progress() as observer:
            sums = program_checksums(config, folder)
            result = run_study(config, folder, options, observer, stop, program_task, sums)
            observer.phase("writing the results")
            given = read_text(arguments.config)
            data = publish_study(result, given, write_inputs(config, folder, out), words)
    except Interrupted:
        print(farewell, file=sys.stderr)
        return ExitCode.INTERRUPTED
    if arguments.json:
        print_json(data)
    else:
        print(text(data))
        print(f"report: {out / 'report.html'}")
    if result.failed:
        again = shlex.join([*words, "--resume"])
        print(
            f"uav-testgen: {len(result.failed)} runs have no result; try them again with: {again}",
            file=sys.stderr,
        )
        return ExitCode.UNFINISHED
    return ExitCode.DONE
