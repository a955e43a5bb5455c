"""`uav-testgen calibrate DIR`: find the settings of a PX4 vehicle from recorded flights."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from uav_testgen.cli._calibrate_intervals import run_intervals
from uav_testgen.cli._calibrate_offboard import add_offboard_options, calibrated, print_offboard
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._records import add_plans_option, add_record_options, chosen_records
from uav_testgen.cli.fidelity import positive, progress_line
from uav_testgen.core.defaults import DEFAULT_SYSTEM

_HEADER = """\
# A system under test, written by `uav-testgen calibrate`. Values that are not named here are defaults
# (docs/reference/parameters.md); `calibration` tells how the fitted ones were found.
"""


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "calibrate",
        help="fit the PX4 vehicle to recorded flights",
        description="Fit the simulated PX4 to recorded flights: the records in DIR, or your own PX4 logs (NAME.ulg "
        "with the scene NAME.yaml, or NAME.plan and the obstacles in NAME.yaml, beside it). Other values of each "
        "effect of the vehicle are tried; one is kept if it improves predictions of flights that it was not chosen on. "
        "Then bias and spread are fitted, and the system is written as a preset, with a report of what these flights "
        "decide. With --system "
        "px4_offboard, DIR holds logs of a live PX4 in offboard mode (docs/explanation/fidelity_offboard.md): "
        "airframe, estimator's error and delay are fitted, and each flight is predicted by a fit without it.",
    )
    add_record_options(parser)
    add_plans_option(parser)
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the runs")
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="worker processes (default: all cores)"
    )
    parser.add_argument(
        "--every", type=positive, default=1, metavar="N",
        help="try the effects on every N-th record only (bias and spread are fitted on all)",
    )  # fmt: skip
    parser.add_argument(
        "--effect",
        action="append",
        default=[],
        metavar="NAME",
        help="try only this effect; may be repeated (default: all)",
    )
    parser.add_argument(
        "--flown",
        type=Path,
        metavar="DIR",
        help="keep finished flights in this folder and go on after an interruption",
    )
    parser.add_argument(
        "--from", "--system", dest="system", metavar="NAME|FILE",
        help=f"system to start from (default: {DEFAULT_SYSTEM})",
    )  # fmt: skip
    parser.add_argument(
        "--intervals", action="store_true",
        help="keep the vehicle as it is and fit only how far real flights are from its predictions: the intervals and "
        "failure probabilities that every prediction shows",
    )  # fmt: skip
    parser.add_argument(
        "--predicted", type=Path, metavar="DIR",
        help="with --intervals: use the predictions that `fidelity --out DIR` wrote instead of flying again",
    )  # fmt: skip
    add_offboard_options(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", default=Path("calibrated.yaml"),
        help="preset to write",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="print the table, write nothing")
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Calibrate, print, write."""
    from uav_testgen.core.errors import InputFileError
    from uav_testgen.fidelity.calibration import EFFECTS, calibrate
    from uav_testgen.fidelity.decided import LEAST_GROUPS, enough_groups
    from uav_testgen.fidelity.flown_before import FlownBefore
    from uav_testgen.loop.system import named_system
    from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig
    from uav_testgen.work.folder import output_folder
    from uav_testgen.work.store import Store

    start = named_system(arguments.system or DEFAULT_SYSTEM)
    if isinstance(start.vehicle, Px4OffboardConfig) and not arguments.intervals:
        return _run_offboard(arguments, start)
    if arguments.intervals:
        return run_intervals(arguments, start, write_preset)
    unknown = [name for name in arguments.effect if name not in EFFECTS]
    if unknown:
        raise InputFileError(f"--effect {unknown[0]}: not one of {', '.join(EFFECTS)}")
    chosen = chosen_records(arguments)
    records, skipped = chosen.load()
    if not enough_groups(records[:: arguments.every]):
        raise InputFileError(
            f"{arguments.folder}: {len(records)} usable records; flights of at least {LEAST_GROUPS} scenes are needed, "
            f"so that some can be left out{_first_reasons(skipped)}"
        )
    with ExitStack() as held:
        store = None
        if arguments.flown:
            folder = held.enter_context(output_folder(arguments.flown, resume=True))
            store = held.enter_context(Store(folder))
        preset, report = calibrate(
            records, start, arguments.every,
            arguments.effect or tuple(EFFECTS), FlownBefore(store),
            arguments.seed, arguments.jobs, progress_line("calibration flights"),
        )  # fmt: skip
    report["skipped"] = [asdict(one) for one in skipped]
    report |= chosen.to_json()
    target = arguments.out
    if not arguments.dry_run:
        write_preset(target, preset)
        report["written"] = str(target)
    if arguments.json:
        print_json(report)
    else:
        print_report(report)
    return 0


def _run_offboard(arguments: argparse.Namespace, start: Any) -> int:
    found = calibrated(arguments, start)
    if not arguments.dry_run:
        write_preset(arguments.out, found.system)
    if arguments.json:
        print_json({**found.to_json(), **({} if arguments.dry_run else {"written": str(arguments.out)})})
        return 0
    print_offboard(found)
    if not arguments.dry_run:
        print(f"wrote {arguments.out}")
    return 0


def write_preset(path: Path, preset: Any) -> None:
    """YAML with only what differs from the defaults."""
    import yaml

    from uav_testgen.core.errors import StoreError

    data = json.loads(preset.model_dump_json(exclude_defaults=True))
    data["vehicle"] = {"model": preset.vehicle.model, **data.get("vehicle", {})}
    text = _HEADER + yaml.safe_dump(data, sort_keys=False, width=100)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}); choose another file") from None


def print_report(report: dict[str, Any]) -> None:
    """The table of effects, then what was fitted."""
    print(
        f"{report['records']} records, effects tried on {report['records_for_effects']}; "
        f"score on {report['left_out']} left out (lower is better)\n"
    )
    print(
        f"{'effect':<16}{'variant':<34}{'score':>8}{'chance':>8}{'AUC<1.5':>9}{'Spearman':>10}{'|error|':>9}"
    )
    for row in report["variants"]:
        auc = "-" if row["auc_1_5m"] is None else f"{row['auc_1_5m']:.3f}"
        chance = "-" if row["chance_of_gain"] is None else f"{row['chance_of_gain']:.2f}"
        taken = "  taken" if row["taken"] else ""
        print(
            f"{row['effect']:<16}{row['variant']:<34}{row['left_out_score']:>8.4f}{chance:>8}{auc:>9}"
            f"{row['spearman']:>10.3f}{row['median_abs_error_m']:>9.3f}{taken}"
        )
    print_decisions(report["decisions"])
    before = report["left_out_score_before"]
    print(
        f"\nleft-out score {report['left_out_score']:.4f}"
        + ("" if before is None else f" (with the bias and spread of the preset: {before:.4f})")
        + f"; {report['open_flights']} flights without an end"
    )
    if report["repeat_difference_m"] is not None and report["scatter_difference_m"] is not None:
        print(
            f"real repeats differ by {report['repeat_difference_m']:.3f} m (median of {report['repeat_pairs']} pairs), "
            f"disturbed runs by {report['scatter_difference_m']:.3f} m"
        )
    else:
        print(f"{report['repeat_pairs']} pairs of repeated flights are too few to tell how far they differ")
    for row in report["skipped"]:
        print(f"skipped {row['where']} {row['id']}: {row['reason']}")
    if "written" in report:
        print(
            f"wrote {report['written']}; `calibrate --intervals --from {report['written']}` fits its intervals"
        )


def print_decisions(decisions: list[dict[str, Any]]) -> None:
    """What the flights say about each number."""
    print(f"\n{'':<20}{'before':>28}{'after':>28}{'gain':>9}{'chance':>8}{'interval':>16}")
    for row in decisions:
        chance = "-" if row["chance"] is None else f"{row['chance']:.2f}"
        span = "-" if row["interval"] is None else "{:g} to {:g}".format(*row["interval"])
        said = "decided" if row["decided"] else "not decided by these data"
        values = f"{row['before']!s:>28}{row['after']!s:>28}"
        print(f"{row['name']:<20}{values}{row['gain']:>9.4f}{chance:>8}{span:>16}  {said}")


def _first_reasons(skipped: list[Any]) -> str:
    reasons = "; ".join(f"{one.where} {one.reason}" for one in skipped[:3])
    return f" (skipped: {reasons})" if reasons else ""
