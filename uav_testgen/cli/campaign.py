"""`uav-testgen campaign CONFIG.yaml --out DIR`: search for failing tests, rank and report them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from uav_testgen.cli._forms import add_form_option, form_words
from uav_testgen.cli._hasty import leaving_at_once
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._requirements import add_requirement_option, checked_requirements, requirement_words
from uav_testgen.cli._system import add_system_options, system_settings, system_words


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    from uav_testgen.cli._campaign import add_executor_options, add_keep_all_option, add_run_options
    from uav_testgen.cli._generator_settings import add_setting_option

    parser = subparsers.add_parser(
        "campaign",
        help="search a mission for failing tests, all settings in a file",
        description="Search a mission for failing tests. Every evaluation is on the disk before it counts: "
        "killed at any moment, the campaign goes on with --resume and gives the same result.",
    )
    parser.add_argument("config", type=Path, metavar="CONFIG.yaml", help="settings, see config/campaign/")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="output folder")
    parser.add_argument("--generator", metavar="NAME", help="test generator (default: the file's)")
    parser.add_argument(
        "--backend", metavar="NAME", help="simulator used for prediction (default: the file's)"
    )
    add_requirement_option(parser)
    add_system_options(parser)
    add_setting_option(parser)
    add_run_options(parser)
    add_keep_all_option(parser)
    add_executor_options(parser)
    add_json_option(parser)
    add_form_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run or resume one campaign."""
    with leaving_at_once():
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from uav_testgen.campaign.case import load_case
    from uav_testgen.campaign.config import load_campaign
    from uav_testgen.cli._campaign import print_summary, run_and_report
    from uav_testgen.cli._generator_settings import merged, parse_settings, setting_words
    from uav_testgen.generator.registry import starts_from_a_test

    settings = parse_settings(arguments.generator_setting)
    checked_requirements(arguments)
    config = load_campaign(arguments.config, seed=arguments.seed, replaced=_replaced(arguments))
    if settings:
        config = config.model_copy(update={"generator_settings": merged(config.generator_settings, settings)})
    case = load_case(
        config.case,
        arguments.config.parent,
        config.arena,
        keep_obstacles=starts_from_a_test(config.generator),
    )
    again = ["campaign", str(arguments.config), "--out", str(arguments.out)]
    if arguments.seed is not None:
        again += ["--seed", str(arguments.seed)]
    again += [word for name in ("generator", "backend") if getattr(arguments, name) is not None
              for word in (f"--{name}", getattr(arguments, name))]  # fmt: skip
    again += [*system_words(arguments), *requirement_words(arguments)]
    again += form_words(arguments)
    again += setting_words(arguments)
    code, summary = run_and_report(config, case, arguments, again)
    if arguments.json:
        print_json(summary)
    else:
        print_summary(summary, arguments.out)
    return code


def _replaced(arguments: argparse.Namespace) -> dict[str, Any]:
    """Parts named on the command line, instead of those of the file."""
    parts: dict[str, Any] = system_settings(arguments)
    if arguments.requirement:
        parts["requirements"] = list(arguments.requirement)
    named = {name: getattr(arguments, name) for name in ("generator", "backend")}
    return parts | {name: value for name, value in named.items() if value is not None}
