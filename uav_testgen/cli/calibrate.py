"""`uav-testgen calibrate DIR`: find the settings of the PX4 vehicle from recorded flights."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli.fidelity import positive, progress_line

_HEADER = """\
# The PX4 vehicle model, written by `uav-testgen calibrate`. Values that are not named here are the
# defaults of PX4 v1.12 and of the airframe; `calibration` tells how these were found.
"""


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "calibrate",
        help="fit the PX4 vehicle to recorded flights",
        description="Fly the records of DIR with each effect of the PX4 vehicle on and off, keep what helps "
        "on missions it was not chosen on, fit bias and spread, and write config/vehicle/px4.yaml.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder with the records")
    parser.add_argument("--seed", type=int, default=1, help="seed (default 1)")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes (default: one per core)")
    parser.add_argument("--every", type=positive, default=1, metavar="N", help="use only every N-th record")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the preset there instead")
    parser.add_argument("--dry-run", action="store_true", help="print the table, write nothing")
    parser.add_argument(
        "--as-mission", action="append", default=[], metavar="PATTERN=MISSION",
        help="fly records whose id matches on another mission than their label says (repeatable)",
    )  # fmt: skip
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Calibrate, print, write."""
    from uav_testgen.errors import InputFileError
    from uav_testgen.fidelity.calibration import calibrate
    from uav_testgen.fidelity.compare import usable_records
    from uav_testgen.resources import config_folder
    from uav_testgen.vehicle.px4_preset import Px4Preset

    records, skipped = usable_records(arguments.folder, arguments.as_mission)
    records = records[:: arguments.every]
    if len({record.mission for record in records}) < 2:
        raise InputFileError(
            f"{arguments.folder}: records of at least two missions are needed, so that one can be left out"
        )
    preset, report = calibrate(
        records, Px4Preset(), arguments.seed, arguments.jobs, progress_line("calibration flights")
    )
    report["skipped"] = len(skipped)
    report["as_mission"] = arguments.as_mission
    target = arguments.out or config_folder("vehicle") / "px4.yaml"
    if not arguments.dry_run:
        write_preset(target, preset)
        report["written"] = str(target)
    if arguments.json:
        print_json(report)
    else:
        print_report(report)
    return 0


def write_preset(path: Path, preset: Any) -> None:
    """YAML with only what differs from the defaults."""
    import yaml

    from uav_testgen.errors import StoreError

    data = json.loads(preset.model_dump_json(exclude_defaults=True))
    text = _HEADER + yaml.safe_dump({"vehicle": {}, "scatter": {}, **data}, sort_keys=False, width=100)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror})") from None


def print_report(report: dict[str, Any]) -> None:
    """The table of effects, then what was fitted."""
    print(f"{report['records']} records; errors are capped and without bias\n")
    print(
        f"{'effect':<16}{'variant':<36}{'error':>7}{'left out':>10}{'AUC<1.5':>9}{'Spearman':>10}{'wins':>7}"
    )
    for row in report["variants"]:
        auc = "-" if row["auc_1_5m"] is None else f"{row['auc_1_5m']:.3f}"
        taken = "  taken" if row["taken"] else ""
        print(
            f"{row['effect']:<16}{row['variant']:<36}{row['error_m']:>7.3f}{row['left_out_error_m']:>10.3f}"
            f"{auc:>9}{row['spearman']:>10.3f}{row['wins']:>4}/{row['folds']}{taken}"
        )
    print(
        f"\nbias {report['bias_m']:+.3f} m, spread {report['spread_m']:.3f} m, Brier on left-out missions "
        f"{report['left_out_brier']:.4f}\nreal repeats differ by {report['repeat_difference_m']:.3f} m "
        f"(median of {report['repeat_pairs']} pairs), disturbed runs by "
        f"{report['scatter_difference_m']:.3f} m"
    )
    if "written" in report:
        print(f"wrote {report['written']}")
