"""`uav-testgen calibrate DIR`: find the settings of a PX4 vehicle from recorded flights."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from uav_testgen.cli._calibrate_intervals import run_intervals
from uav_testgen.cli._calibrate_offboard import add_offboard_options, calibrated, print_offboard
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._records import add_record_options, chosen_records
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
        description="Fly the records of DIR with each effect of the PX4 vehicle on and off, keep what helps "
        "on missions it was not chosen on, fit bias and spread, and write the system as a preset. With --system "
        "px4_offboard, DIR holds logs of a live PX4 in offboard mode (docs/explanation/fidelity_offboard.md): "
        "airframe, estimator's error and delay are fitted, and each flight is predicted by a fit without it.",
    )
    add_record_options(parser)
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
    if len({record.mission for record in records[:: arguments.every]}) < 2:
        raise InputFileError(
            f"{arguments.folder}: records of at least two missions are needed, so that one can be left out"
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
    report["skipped"] = len(skipped)
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
        "score on missions left out (lower is better)\n"
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
    print(
        f"\nbias {report['bias_m']:+.3f} m, spread {report['spread_m']:.3f} m, no speed lock in "
        f"{report['free_share']:.0%} of disturbed runs; {report['open_flights']} "
        f"flights without an end, {report['escape_share']:.0%} of the far ones go on in reality\n"
        f"real repeats differ by "
        f"{report['repeat_difference_m']:.3f} m (median of {report['repeat_pairs']} pairs), "
        f"disturbed runs by {report['scatter_difference_m']:.3f} m"
    )
    if "written" in report:
        print(f"wrote {report['written']}")
