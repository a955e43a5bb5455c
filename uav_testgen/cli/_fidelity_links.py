"""`fidelity DIR --links`: each link of the chain against what was recorded behind it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import print_json
from uav_testgen.cli._system import chosen_system

_RECORD_OPTIONS = ("without", "as_mission", "keep_impossible", "runs", "measure_of")


def run_links(arguments: argparse.Namespace, progress: Any) -> int:
    """Read the recordings, replay each link, print; `--out` also keeps links.json."""
    from uav_testgen.core.errors import InputFileError, StoreError
    from uav_testgen.fidelity.links.compare import compare_links, over_all
    from uav_testgen.fidelity.links.recording import load_recordings
    from uav_testgen.fidelity.links.replay import check_links

    for option in _RECORD_OPTIONS:
        if getattr(arguments, option):
            raise InputFileError(f"--{option.replace('_', '-')} goes with records, not with --links")
    system = chosen_system(arguments)
    check_links(system)
    recordings = load_recordings(Path(arguments.folder), arguments.plans)[:: arguments.every]
    errors = compare_links(recordings, system, progress)
    report = {"system": system.name, "preset_version": system.version, "all": over_all(errors),
              "flights": [one.to_json() for one in errors]}  # fmt: skip
    if arguments.out is not None:
        try:
            arguments.out.mkdir(parents=True, exist_ok=True)
            (arguments.out / "links.json").write_text(json.dumps(report, indent=2, allow_nan=False) + "\n")
        except OSError as error:
            raise StoreError(
                f"{arguments.out}: cannot be written ({error.strerror}); choose another --out"
            ) from None
    if arguments.json:
        print_json(report)
    else:
        print_links(report)
    return 0


_PLANNER = (
    ("waypoint_m", "error [m]", 3), ("most_waypoint_m", "9 of 10", 3), ("waypoint_ahead_m", "ahead", 3),
    ("waypoint_left_m", "left", 3), ("waypoint_late_s", "late [s]", 2), ("waypoint_late_m", "then [m]", 3),
)  # fmt: skip
_SETPOINT = (("setpoint_m", "error [m]", 3), ("most_setpoint_m", "9 of 10", 3), ("setpoint_mps", "[m/s]", 3))
_MOTION = (
    ("motion_m", "error [m]", 3), ("most_motion_m", "9 of 10", 3), ("motion_ahead_m", "ahead", 3),
    ("motion_left_m", "left", 3), ("yaw_deg", "yaw [deg]", 2), ("roll_deg", "roll", 2), ("pitch_deg", "pitch", 2),
    ("recorded_pitch_deg", "of", 1),
)  # fmt: skip


def print_links(report: dict[str, Any]) -> None:
    """A table per link, one line per flight, then the legs with the wrong speed."""
    rows = [*report["flights"], {**report["all"], "name": "all (median)"}]
    wide = max(len(row["name"]) for row in rows) + 2
    print(
        f"{len(report['flights'])} flights, system {report['system']}; ours against the recording, on the legs"
    )
    for title, columns in (
        (
            "planner: recorded poses and scene in, waypoint out (late: the recorded one, compared with ours)",
            _PLANNER,
        ),
        ("set-point: recorded waypoints in, PX4's trajectory set-point out", _SETPOINT),
        (
            "motion: recorded set-points in, path and attitude out, against the truth (pitch: nose down)",
            _MOTION,
        ),
    ):
        print(f"\n{title}\n{'flight':<{wide}}" + "".join(f"{words:>10}" for _, words, _ in columns))
        for row in rows:
            print(
                f"{row['name']:<{wide}}" + "".join(f"{row[key]:>10.{digits}f}" for key, _, digits in columns)
            )
    every, wrong = report["all"]["legs"], report["all"]["legs_with_wrong_speed"]
    print(f"\n{wrong} of {every} legs have another speed of the set-point than recorded")
    for row in report["flights"]:
        for leg in row["legs"]:
            if leg["wrong"]:
                speeds = f"{leg['ours_mps']:.2f} instead of {leg['recorded_mps']:.2f} m/s"
                print(f"  {row['name']} leg {leg['leg']}: {speeds}")
