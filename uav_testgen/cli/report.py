"""`uav-testgen report DIR`: write the outputs of a campaign again, finished or still running short."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.exit_codes import ExitCode


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    from uav_testgen.cli._campaign import add_code_option, add_keep_all_option

    parser = subparsers.add_parser(
        "report",
        help="write tests, plots and report.html of a campaign again",
        description="Write all outputs of a campaign again from its stored evaluations. Also for one that "
        "was interrupted: the report then shows what has been found so far.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="output folder of a campaign")
    parser.add_argument(
        "--jobs", type=int, default=None, metavar="N", help="worker processes (default: all cores)"
    )
    add_keep_all_option(parser)
    add_code_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Publish again."""
    import sys

    from uav_testgen.campaign.result import Options
    from uav_testgen.campaign.runner import republish
    from uav_testgen.cli._campaign import default_jobs, print_summary, read_summary
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.view.publish import publish
    from uav_testgen.work.stop import Interrupted, StopRequest

    jobs = default_jobs() if arguments.jobs is None else max(0, arguments.jobs)
    code = tuple(arguments.code)
    options = Options(out=arguments.folder, resume=True, jobs=jobs, keep_all=arguments.keep_all, code=code)
    farewell = "interrupted; the stored evaluations are untouched, run the command again"
    try:
        with StopRequest(farewell) as stop, make_progress() as observer:
            republish(options, observer, stop, publish)
    except Interrupted:
        print(farewell, file=sys.stderr)
        return ExitCode.INTERRUPTED
    summary = read_summary(arguments.folder)
    if arguments.json:
        print_json(summary)
    else:
        print_summary(summary, arguments.folder)
    return 0
