"""`uav-testgen calibrate DIR --system px4_offboard`: from logs of a live PX4, with tables of how good the fit is."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uav_testgen.fidelity.offboard.calibration import OffboardCalibration
    from uav_testgen.loop.system import System

DEFAULT_RUNS = 20


def add_offboard_options(parser: argparse.ArgumentParser) -> None:
    """What only logs of a live PX4 need."""
    from uav_testgen.cli.fidelity import positive

    parser.add_argument(
        "--runs", type=positive, metavar="N",
        help=f"with px4_offboard: drawn runs per flight of the closed loop (default: {DEFAULT_RUNS})",
    )  # fmt: skip


def calibrated(arguments: argparse.Namespace, start: System) -> OffboardCalibration:
    """Read the logs of the folder and fit."""
    from uav_testgen.cli.fidelity import progress_line
    from uav_testgen.core.errors import InputFileError
    from uav_testgen.fidelity.offboard.calibration import calibrate_offboard
    from uav_testgen.fidelity.offboard.logs import load_logs

    for option in ("without", "as_mission", "measure_of", "keep_impossible", "effect", "flown"):
        if getattr(arguments, option):
            raise InputFileError(
                f"--{option.replace('_', '-')} goes with records of missions, not with {start.name}"
            )
    logs = load_logs(Path(arguments.folder), arguments.plans)
    return calibrate_offboard(
        logs, start, arguments.runs or DEFAULT_RUNS, arguments.seed, progress_line("fits and their flights")
    )


def print_offboard(found: OffboardCalibration) -> None:
    """Each flight as predicted by a system that was fitted without it, then what was fitted on all."""
    print("Recorded set-points replayed (each flight left out of the fit) [m, rms]")
    print(
        f"{'flight':<18}{'path':>8}{'moment':>8}{'height':>8}{'yaw [deg]':>11}{'to truth':>10}{'error given':>13}"
    )
    for one in found.replays:
        print(
            f"{one.name:<18}{one.path_rms_m:>8.3f}{one.moment_rms_m:>8.3f}{one.height_rms_m:>8.3f}"
            f"{one.yaw_rms_deg:>11.2f}{one.truth_path_rms_m:>10.3f}{one.path_rms_given_error_m:>13.3f}"
        )
    for name, row in found.step_errors.items():
        print(
            f"steps {name}: velocity {row['velocity_rms_mps']:.3f} m/s, height {row['height_rms_m']:.3f} m, "
            f"yaw {row['yaw_rms_deg']:.1f} deg"
        )
    print("\nPlanner in the loop (each flight left out of the fit) [m]")
    print(
        f"{'flight':<18}{'measured':>9}{'truth':>8}{'nominal':>9}{'80 % interval':>17}{'':>8}{'side':>7}{'path':>7}"
    )
    for case in found.comparisons:
        high = f"{case.high_m:.2f}" if math.isfinite(case.high_m) else "-"
        print(
            f"{case.name:<18}{case.measured_m:>9.2f}{case.measured_truth_m:>8.2f}{case.nominal_m:>9.2f}"
            f"{f'{case.low_m:.2f} to {high}':>17}{'inside' if case.inside else 'outside':>8}"
            f"{f'{case.same_side}/{case.passes}':>7}{case.path_m:>7.2f}"
        )
    print("\nSides: share of the drawn runs on the recorded side of each obstacle in the way")
    print(
        f"{'flight':<18}{'predicted':<18}{'error of the velocity estimate given':<38}{'nominal':>9}{'path':>7}"
    )
    for case in found.comparisons:
        if case.given is not None and case.passes:
            print(
                f"{case.name:<18}{_shares(case.same_side_runs):<18}{_shares(case.given.same_side_runs):<38}"
                f"{case.given.nominal_m:>9.2f}{case.given.path_m:>7.2f}"
            )
    figures: dict[str, Any] = found.figures()
    vehicle, scatter = found.system.vehicle, found.system.scatter
    print(
        f"\npath {figures['left_out_path_rms_m']:.3f} m rms over all flights, measured distance inside the interval in "
        f"{figures['inside_80']} of {figures['flights']}, same side in {figures['same_side']} of "
        f"{figures['passes']} passes\n"
        f"fitted on all: drag {vehicle.drag_per_s:g} /s, tilt rate lag {vehicle.tilt_rate_lag_s:g} s, "  # type: ignore[union-attr]
        f"yaw rate lag {vehicle.yaw_rate_lag_s:g} s, set-point delay {vehicle.setpoint_delay_s:g} s, "  # type: ignore[union-attr]
        f"velocity error {scatter.velocity_error_mps:g} m/s, spread {scatter.model_m:g} m"
    )


def _shares(found: Sequence[float]) -> str:
    return ", ".join(f"{share:.2f}" for share in found)
