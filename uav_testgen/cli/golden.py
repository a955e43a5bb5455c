"""`uav-testgen golden`: replay vectors recorded from the real planner."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._streams import Terminal
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.plain_text import printable

if TYPE_CHECKING:
    from uav_testgen.testing.golden.report import GoldenReport


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "golden",
        help="replay vectors recorded from the real planner",
        description="Replay a folder of vectors (unit/, stage/, sequence/, closed_loop/, any subset) "
        "recorded from the real planner and compare. One case is a unit sample, a stage file, a "
        "sequence file, or one of the two runs (free, teacher-forced) of a closed-loop file.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of vectors")
    parser.add_argument(
        "--implementation",
        choices=("reference", "compiled"),
        default="reference",
        help="planner to check (default: %(default)s)",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay and print; 0 all passed, 1 some failed."""
    from uav_testgen.testing.golden.replay import replay_folder

    show, terminal = sys.stderr.isatty(), Terminal(sys.stderr)

    def progress(text: str) -> None:
        if show:
            print(f"\r\x1b[K{printable(text)}", end="", file=terminal, flush=True)

    report = replay_folder(args.folder, args.implementation, progress)
    progress("")
    if args.json:
        print_json(report.as_json())
    else:
        _print_text(report)
    return ExitCode.DONE if report.ok else ExitCode.VIOLATED


def _print_text(report: GoldenReport) -> None:
    print(f"implementation {report.implementation}")
    for kind, result in report.kinds.items():
        worst = result.worst_deviation
        line = f"{kind:12} {result.passed} / {result.total} passed"
        if worst is not None:
            line += (
                f"   worst {worst.quantity} {worst.value:.3g} (tolerance {worst.tolerance:.3g}, {worst.case})"
            )
        print(line)
    for result in report.kinds.values():
        for failure in result.failures:
            print(
                f"FAILED {failure.case}: {failure.quantity} deviates by {failure.value:.3g}, "
                f"tolerance {failure.tolerance:.3g}: {failure.detail}"
            )
        for note in result.notes:
            print(f"note   {note}")
