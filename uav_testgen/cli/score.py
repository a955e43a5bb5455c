"""`uav-testgen score DIR --rules YEAR`: what a flown suite earns in the competition."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.core.plain_text import printable

if TYPE_CHECKING:
    from uav_testgen.oracle.competition import SuiteScore


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "score",
        help="compute the competition's scores from flown tests",
        description="Compute failure score and diversity of DIR/tests/*.yaml from DIR/flights/*.json by the "
        "rules of one edition. The first 20 tests count, in the order of their names.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder with tests/ and flights/")
    parser.add_argument(
        "--rules", choices=("2024", "2025", "2026"), default="2025", help="edition of the competition"
    )
    parser.add_argument(
        "--backend", metavar="NAME", help="count only flights of this simulator (default: all)"
    )
    parser.add_argument(
        "--similar-path",
        type=float,
        metavar="M",
        help="metres per point below which two paths count as the same (default: 0.5)",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Judge the flights, score the suite, print it."""
    from uav_testgen.core.config import parse_config
    from uav_testgen.oracle.competition import ScoreConfig, score_suite
    from uav_testgen.oracle.suite_folder import load_suite

    given = {} if arguments.similar_path is None else {"similar_path_m": arguments.similar_path}
    config = parse_config(ScoreConfig, given, source="--similar-path")
    suite = score_suite(load_suite(arguments.folder, arguments.backend), arguments.rules, config)
    if arguments.json:
        print_json({"folder": str(arguments.folder), **suite.to_json()})
    else:
        _print_suite(suite)
    return 0


def _print_suite(suite: SuiteScore) -> None:
    print(f"{'test':<32} {'points':<14} {'mean':>5} {'obst':>4} {'min':>6} {'score':>7}")
    for test in suite.tests:
        earned = " ".join(str(value) for value in test.points) or "not flown"
        remark = "" if test.evaluated else "  not evaluated"
        if test.duplicate_of:
            remark = f"  duplicate of {test.duplicate_of}"
        if test.similar_to:
            remark = f"  flies like {test.similar_to}"
        print(
            f"{printable(test.name)[:32]:<32} {earned[:14]:<14} {test.mean_points:>5.2f} {test.obstacles:>4} "
            f"{test.mean_minutes:>6.2f} {test.score:>7.3f}{remark}"
        )
    diversity = "-" if suite.diversity is None else f"{suite.diversity:.3f}"
    print(f"rules {suite.rules}: failure score {suite.failure_score:.3f}, diversity {diversity}")
    for note in suite.notes:
        print(f"note: {note}")
