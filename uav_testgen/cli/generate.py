"""`uav-testgen generate CASE.yaml BUDGET`: the contract of the testing competition."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._backend_settings import add_backend_settings_option, backend_settings, settings_words
from uav_testgen.cli._flying import add_flying_options, flying_of, flying_words
from uav_testgen.cli._forms import add_form_option, form_words
from uav_testgen.cli._hasty import leaving_at_once
from uav_testgen.cli._neighbours import add_neighbour_options, neighbour_settings, neighbour_words
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._repetitions import (
    add_repetition_options,
    check_repetitions,
    folder_of,
    write_statistics,
)
from uav_testgen.cli._requirements import add_requirement_option, checked_requirements, requirement_words
from uav_testgen.cli._system import add_system_options, system_settings, system_words
from uav_testgen.core.defaults import DEFAULT_BACKEND

if TYPE_CHECKING:
    from uav_testgen.campaign.case import CaseStudy
    from uav_testgen.campaign.config import CampaignConfig


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
        help="search a mission for failing tests within a budget, all settings on the command line",
        description="Evaluate at most BUDGET scenarios on a mission and write the failing ones as Aerialist YAML, best "
        "first, with plots and a report. Obstacles that the case study holds are left out, except with generator "
        "surrealist, which starts from them.",
    )
    parser.add_argument(
        "case",
        metavar="CASE.yaml",
        help="mission: a shipped name such as mission2, an Aerialist test or a .plan",
    )
    parser.add_argument(
        "budget",
        type=lambda text: whole_number(text, 1, "BUDGET"),
        metavar="BUDGET",
        help="number of evaluations at most; with --evaluate-with: of real flights",
    )
    parser.add_argument(
        "--generator",
        default="prgen",
        metavar="NAME",
        help="test generator; uav-testgen list generators shows them",
    )
    add_neighbour_options(parser)
    parser.add_argument(
        "--backend",
        default=DEFAULT_BACKEND,
        metavar="NAME",
        help="simulator of the search: lfs predicts; px4, aerialist, folder and command fly every test",
    )
    add_backend_settings_option(parser)
    add_flying_options(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/<case>-<generator>-<seed>)"
    )
    add_requirement_option(parser)
    add_system_options(parser)
    add_setting_option(parser)
    add_settings_file_option(parser)
    add_run_options(parser)
    add_repetition_options(parser)
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
    from uav_testgen.campaign.generate import default_folder, generate_config
    from uav_testgen.cli._campaign import print_summary, run_and_report
    from uav_testgen.cli._generator_settings import merged, setting_words, settings_given
    from uav_testgen.generator.registry import starts_from_a_test

    _check_stats(arguments)
    seed = 1 if arguments.seed is None else arguments.seed
    given = merged(settings_given(arguments), neighbour_settings(arguments))
    config = generate_config(
        arguments.case,
        arguments.budget,
        arguments.generator,
        seed,
        arguments.backend,
        given,
        backend_settings(arguments),
        flying_of(arguments),
        parts=system_settings(arguments),
        requirements=checked_requirements(arguments),
    )
    case = load_case(config.case, Path(), config.arena, keep_obstacles=starts_from_a_test(config.generator))
    if arguments.out is None:
        arguments.out = default_folder(case, config.generator, seed)
    again = ["generate", arguments.case, str(arguments.budget), "--generator", arguments.generator]
    again += neighbour_words(arguments)
    again += ["--seed", str(seed), "--out", str(arguments.out)]
    again += ["--backend", arguments.backend] if arguments.backend != DEFAULT_BACKEND else []
    again += [*system_words(arguments), *requirement_words(arguments)]
    again += [*settings_words(arguments), *flying_words(arguments)]
    again += form_words(arguments)
    again += setting_words(arguments)
    if arguments.repetitions > 1:
        return _repeated(arguments, seed, config, case, again)
    code, summary = run_and_report(config, case, arguments, again)
    if arguments.json:
        print_json(summary)
    else:
        print_summary(summary, arguments.out)
    return code


def _check_stats(arguments: argparse.Namespace) -> None:
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.generator.registry import starts_from_a_test

    check_repetitions(arguments)
    if arguments.stats and not starts_from_a_test(arguments.generator):
        raise ConfigError(
            f"--stats compares the seed of a search with its best; generator '{arguments.generator}' has no seed: "
            "use --generator surrealist, or `compare` for several generators"
        )


def _repeated(
    arguments: argparse.Namespace, seed: int, config: CampaignConfig, case: CaseStudy, again: list[str]
) -> int:
    """One campaign for each seed in a folder of its own, then the table over all (RQ2 of Surrealist)."""
    from uav_testgen.campaign.repetition import generation_of
    from uav_testgen.cli._campaign import print_summary, run_and_report
    from uav_testgen.view.repetitions import generation_statistics_of, generation_text

    again = [*again, "--repetitions", str(arguments.repetitions), *(["--stats"] if arguments.stats else [])]
    codes: list[int] = []
    rows: list[dict[str, Any]] = []
    for number in range(arguments.repetitions):
        folder = folder_of(arguments.out, number, arguments.repetitions)
        one = config.model_copy(update={"seed": seed + number})
        own = argparse.Namespace(**{**vars(arguments), "out": folder})
        code, summary = run_and_report(one, case, own, again)
        codes.append(code)
        if arguments.stats:
            rows.append(generation_of(folder, one, case))
        if not arguments.json:
            print_summary(summary, folder)
    found = generation_statistics_of(rows) if arguments.stats else None
    files: list[Path] = []
    if found is not None:
        columns = [[float(row[f"{end}_min_dist"]) for row in rows] for end in ("seed", "best")]
        boxes = {"min-dist": ("least distance to an obstacle [m]", columns[0], columns[1])}
        files = write_statistics(arguments.out, found, boxes, case.name)
    if arguments.json:
        print_json({"repetitions": rows, "statistics": found})
    elif found is not None:
        print(generation_text(found))
        for path in files:
            print(f"  {path}")
    return max(codes)
