"""`uav-testgen generate CASE.yaml BUDGET`: the contract of the testing competition."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from uav_testgen.cli._forms import add_form_option, form_words
from uav_testgen.cli._hasty import leaving_at_once
from uav_testgen.cli._neighbours import add_neighbour_options, neighbour_settings, neighbour_words
from uav_testgen.cli._output import add_json_option, print_json


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    from uav_testgen.cli._campaign import (
        add_executor_options,
        add_keep_all_option,
        add_run_options,
        whole_number,
    )
    from uav_testgen.cli._generator_settings import add_setting_option, add_settings_file_option

    parser = subparsers.add_parser(
        "generate",
        help="spend a budget on a case study and write the failing tests, best first",
        description="Read a case study (Aerialist YAML without obstacles, or a .plan), evaluate at most "
        "BUDGET scenarios and write the failing ones as Aerialist YAML, best first, with plots.",
    )
    parser.add_argument("case", metavar="CASE.yaml", help="case study")
    parser.add_argument(
        "budget",
        type=lambda text: whole_number(text, 1, "BUDGET"),
        metavar="BUDGET",
        help="evaluations at most",
    )
    parser.add_argument("--generator", default="prgen", metavar="NAME", help="who proposes (default: prgen)")
    add_neighbour_options(parser)
    parser.add_argument("--backend", default="lfs", metavar="NAME", help="who predicts (default: lfs)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/<case>-<seed>)"
    )
    add_setting_option(parser)
    add_settings_file_option(parser)
    add_run_options(parser)
    add_keep_all_option(parser)
    add_executor_options(parser)
    add_json_option(parser)
    add_form_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Generate tests for one case study."""
    with leaving_at_once():
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from uav_testgen.campaign.case import load_case
    from uav_testgen.campaign.generate import generate_config
    from uav_testgen.cli._campaign import print_summary, run_and_report
    from uav_testgen.cli._generator_settings import merged, setting_words, settings_given
    from uav_testgen.generator.registry import starts_from_a_test

    seed = 1 if arguments.seed is None else arguments.seed
    given = merged(settings_given(arguments), neighbour_settings(arguments))
    config = generate_config(
        arguments.case, arguments.budget, arguments.generator, seed, arguments.backend, given
    )
    case = load_case(config.case, Path(), config.arena, keep_obstacles=starts_from_a_test(config.generator))
    if arguments.out is None:
        arguments.out = Path("results") / f"{case.name}-{seed}"
    again = ["generate", arguments.case, str(arguments.budget), "--generator", arguments.generator]
    again += neighbour_words(arguments)
    again += ["--seed", str(seed), "--out", str(arguments.out)]
    again += form_words(arguments)
    again += setting_words(arguments)
    code, summary = run_and_report(config, case, arguments, again)
    if arguments.json:
        print_json(summary)
    else:
        print_summary(summary, arguments.out)
    return code
