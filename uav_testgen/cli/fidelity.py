"""`uav-testgen fidelity DIR`: fly recorded high-fidelity flights in the simulator and compare."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._records import add_plans_option, add_record_options, chosen_records
from uav_testgen.cli._system import add_system_options, chosen_system


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "fidelity",
        help="compare predictions with recorded high-fidelity flights",
        description="Fly every record of DIR in the simulator (lfs) and compare the least distance, by Aerialist's "
        "definition, with the measured one. Records are lines of flights.jsonl and layouts.jsonl, and your own "
        "PX4 logs (NAME.ulg with the scene NAME.yaml beside it).",
    )
    add_record_options(parser)
    add_system_options(parser)
    parser.add_argument(
        "--runs",
        type=positive,
        metavar="N",
        help="drawn runs per record, besides the nominal one (default: 5)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the drawn runs")
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="worker processes (default: all cores)"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for plots, predictions and summary")
    parser.add_argument(
        "--every", type=positive, default=1, metavar="N", help="use only every N-th record (a quick look)"
    )
    parser.add_argument(
        "--links", action="store_true",
        help="DIR holds tables of flights with waypoints, set-points and truth (docs/howto/calibrate.md): compare the "
        "planner's waypoint, PX4's set-point and the motion, each fed with what was recorded before it",
    )  # fmt: skip
    add_plans_option(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def positive(text: str) -> int:
    """An integer from 1."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is expected, got '{text}'")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Fly, compare, print."""
    from uav_testgen.fidelity.compare import compare
    from uav_testgen.predict.runs import DEFAULT_RUNS

    if arguments.links:
        from uav_testgen.cli._fidelity_links import run_links

        return run_links(arguments, progress_line("flights"))
    comparison = compare(
        chosen_records(arguments), chosen_system(arguments), arguments.runs or DEFAULT_RUNS, arguments.seed,
        arguments.jobs, arguments.every, progress_line("flights"),
    )  # fmt: skip
    summary = comparison.summary
    if arguments.out is not None:
        from uav_testgen.core.errors import StoreError
        from uav_testgen.fidelity.plots import write_plots

        written = write_plots(arguments.out, comparison.predictions, summary)
        try:
            (arguments.out / "summary.json").write_text(json.dumps(summary, indent=2, allow_nan=False))
            lines = [json.dumps(row, allow_nan=False) for row in comparison.rows()]
            (arguments.out / "predictions.jsonl").write_text("\n".join(lines) + "\n")
        except OSError as error:
            raise StoreError(
                f"{arguments.out}: cannot be written ({error.strerror}); choose another --out"
            ) from None
        print(f"wrote {', '.join(p.name for p in written)} to {arguments.out}", file=sys.stderr)
    if arguments.json:
        print_json(summary)
    else:
        print_summary(summary)
    return 0


def progress_line(what: str) -> Callable[[int, int], None]:
    """A line on stderr now and then."""
    last = [time.monotonic()]

    def show(done: int, total: int) -> None:
        now = time.monotonic()
        if now - last[0] >= 5.0 or done == total:
            last[0] = now
            print(f"{done}/{total} {what}", file=sys.stderr, flush=True)

    return show


def _text(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def print_summary(summary: dict[str, Any]) -> None:
    """Figures for people."""
    sure = summary["confidence_95"]

    def line(name: str, key: str) -> None:
        span = sure.get(key)
        band = f"  [{_text(span[0])}, {_text(span[1])}]" if span else ""
        print(f"{name:<34}{_text(summary[key])}{band}")

    print(
        f"{summary['n']} records, system {summary['system']}, {summary['runs']} drawn runs each; predictions\n"
    )
    for name, key in (
        ("Spearman", "spearman"), ("Pearson", "pearson"), ("median |error| [m]", "median_abs_error_m"),
        ("bias (median) [m]", "bias_m"), ("RMSE [m]", "rmse_m"), ("ROC-AUC < 1.5 m", "auc_1_5m"),
        ("precision < 1.5 m", "precision_1_5m"), ("recall < 1.5 m", "recall_1_5m"), ("F1 < 1.5 m", "f1_1_5m"),
        ("ROC-AUC < 1.0 m", "auc_1_0m"), ("precision < 1.0 m", "precision_1_0m"),
        ("recall < 1.0 m", "recall_1_0m"), ("F1 < 1.0 m", "f1_1_0m"), ("Brier score < 1.5 m", "brier"),
        ("path error, median [m]", "median_path_error_m"), ("same side", "same_side"),
        ("duration error, median [s]", "median_duration_error_s"),
        ("duration |error|, median [s]", "median_abs_duration_error_s"),
        ("duration, Spearman", "duration_spearman"),
    ):  # fmt: skip
        line(name, key)
    print("\npredicted probability of < 1.5 m    n   predicted  observed")
    for row in summary["reliability"]:
        print(f"  {row['from']:.1f} to {row['to']:.1f} {row['n']:>22} {_text(row['predicted']):>10} "
              f"{_text(row['observed']):>9}")  # fmt: skip
    for title, key in (("mission", "per_mission"), ("source", "per_source")):
        print(
            f"\n{title:<10}{'n':>5}{'Spearman':>10}{'AUC<1.5':>9}{'|error|':>9}{'bias':>8}{'path':>7}{'side':>7}"
        )
        for name, row in summary[key].items():
            print(f"{name:<10}{row['n']:>5}{_text(row['spearman']):>10}{_text(row['auc_1_5m']):>9}"
                  f"{_text(row['median_abs_error_m']):>9}{_text(row['bias_m'], 2):>8}"
                  f"{_text(row['median_path_error_m'], 2):>7}{_text(row['same_side'], 2):>7}")  # fmt: skip
    print_left_out(summary["missions_left_out"])
    for title, key in (
        ("those of the preset", "preset"),
        ("each tenth of the records by the others", "left_out"),
        ("each mission by the others", "new_missions"),
    ):
        if summary["intervals"][key] is not None:
            print_coverage(title, summary["intervals"][key])
    print_reliability(summary["intervals"]["probability"])
    if summary["skipped"]:
        print(f"\n{len(summary['skipped'])} records skipped:")
        for row in summary["skipped"]:
            print(f"  {row['where']} {row['id']}: {row['reason']}")


def print_left_out(found: dict[str, dict[str, Any]]) -> None:
    """Missions with bias and spread fitted on the others; nothing where there is one mission only."""
    if not found:
        return
    print("\nbias and spread fitted on the other missions")
    print(
        f"{'':<10}{'n':>5}{'Spearman':>10}{'AUC<1.5':>9}{'|error|':>9}{'Brier':>8}{'added':>8}{'spread':>8}"
    )
    for name, row in found.items():
        print(f"{name:<10}{row['n']:>5}{_text(row['spearman']):>10}{_text(row['auc_1_5m']):>9}"
              f"{_text(row['median_abs_error_m']):>9}{_text(row['brier']):>8}{row['added_m']:>+8.2f}"
              f"{row['spread_m']:>8.2f}")  # fmt: skip


def print_coverage(title: str, found: dict[str, Any]) -> None:
    """How often intervals held, beside what may be expected of as many flights."""
    print(
        f"\n{found['coverage']:.0%} intervals of the distance, {title} (median width {found['median_width_m']:.2f} m)"
    )
    print(f"{'':<14}{'n':>5}{'covered':>9}   99 % band")
    for name, row in (("all", found["all"]), *found["per_mission"].items(), *found["per_distance"].items()):
        low, high = row["band"]
        outside = "" if row["inside"] else "  outside"
        print(f"{name:<14}{row['records']:>5}{row['covered']:>9.3f}   {low:.3f} to {high:.3f}{outside}")


def print_reliability(rows: list[dict[str, Any]]) -> None:
    """Failure probabilities beside how many real flights failed, and how many may."""
    print("\nfailure probability      n   failed   99 % band")
    for row in rows:
        low, high = row["band"]
        outside = "" if row["inside"] else "  outside"
        words = f"{row['from']:.2f} to {row['to']:.2f}"
        print(f"  {words:<16}{row['records']:>7}{row['failed']:>9}   {low} to {high}{outside}")
