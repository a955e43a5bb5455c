"""`uav-testgen confirm DIR`: fly the ranked tests of a campaign again with a higher-fidelity backend."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from uav_testgen.cli._campaign import add_code_option, whole_number
from uav_testgen.cli._live import add_live_options, live_settings
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.exit_codes import ExitCode


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "confirm",
        help="fly the ranked tests of a campaign again with px4 or aerialist",
        description="Fly the best tests of a campaign again, add predicted and confirmed distance, "
        "agreement and confusion table to its report, and rank confirmed tests first. Flights are judged "
        "as the campaign judged its predictions: by its list of requirements, else by the distance. "
        "The same command continues after an interruption and flies nothing twice with the same backend.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="output folder of a campaign")
    parser.add_argument(
        "--backend",
        required=True,
        metavar="NAME",
        help="simulator or autopilot: px4, aerialist, command, folder (workers) or graph",
    )
    parser.add_argument(
        "--runs",
        type=lambda text: whole_number(text, 1, "--runs"),
        default=1,
        metavar="N",
        help="flights of each test",
    )
    parser.add_argument(
        "--tests",
        type=lambda text: whole_number(text, 1, "--tests"),
        default=5,
        metavar="N",
        help="how many of the best tests to fly",
    )
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="YAML file with settings of the backend"
    )
    add_live_options(parser)
    parser.add_argument(
        "--jobs",
        type=lambda text: whole_number(text, 0, "--jobs"),
        default=1,
        metavar="N",
        help="with folder: jobs sent at a time, one for each worker (default: 1)",
    )
    add_code_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Confirm and write the outputs again."""
    from uav_testgen.campaign.config import ConfirmationConfig
    from uav_testgen.campaign.result import Options
    from uav_testgen.campaign.runner import republish
    from uav_testgen.cli._campaign import exit_code_of, print_summary, read_summary
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.core.config import parse_config
    from uav_testgen.view.publish import publish
    from uav_testgen.work.stop import Interrupted, StopRequest

    wish = parse_config(
        ConfirmationConfig,
        {
            "backend": arguments.backend,
            "settings": _settings(arguments),
            "tests": arguments.tests,
            "repeats": arguments.runs,
        },
        source="options of confirm",
    )
    options = Options(out=arguments.folder, resume=True, jobs=arguments.jobs, code=tuple(arguments.code))
    farewell = "interrupted; the flights flown so far are kept, run the command again to go on"
    try:
        with StopRequest(farewell) as stop, make_progress() as observer:
            republish(options, observer, stop, publish, confirmation=wish)
    except Interrupted:
        print(farewell, file=sys.stderr)
        return ExitCode.INTERRUPTED
    summary = read_summary(arguments.folder)
    if arguments.json:
        print_json(summary)
        return exit_code_of(summary)
    print_summary(summary, arguments.folder)
    if summary["flown_again"] is None:
        print("no test was flown again: the campaign has none, or none was chosen")
    _print_agreement(summary["agreement"])
    return exit_code_of(summary)


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import ConfigError

    settings = read_yaml(arguments.settings) if arguments.settings else {}
    if not isinstance(settings, dict):
        raise ConfigError(f"{arguments.settings}: a mapping of settings is expected")
    settings |= live_settings(arguments, arguments.backend)
    return settings


def _print_agreement(found: dict[str, Any] | None) -> None:
    if found is None:  # a check over ROS topics says nothing about reality
        return
    table = found["confusion"]
    if "predicted_for" in found:
        print(
            f"predictions here are for '{found['predicted_for']}', which flew; the campaign predicted another system"
        )
    print(f"{'':24}{'flown: fails':>14}{'flown: passes':>15}")
    print(f"{'predicted: fails':24}{table['both_fail']:>14}{table['only_predicted']:>15}")
    print(f"{'predicted: passes':24}{table['only_confirmed']:>14}{table['both_pass']:>15}")
    share = "-" if found["agreement"] is None else f"{100 * found['agreement']:.0f} %"
    error = "-" if found["mean_absolute_error_m"] is None else f"{found['mean_absolute_error_m']:.2f} m"
    print(f"agreement {share}, mean absolute error of the distance {error}, not flown {found['not_flown']}")
