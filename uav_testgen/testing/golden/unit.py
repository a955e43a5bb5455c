"""Replay of the unit samples: small functions, one case per sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from uav_testgen.planner.vfh3d.base import Float32Array
from uav_testgen.testing.golden.records import Record, sparse_matrix
from uav_testgen.testing.golden.report import CaseCheck
from uav_testgen.testing.golden.unit_helpers import CostSample, UnitHelpers

# Angles near 180 deg and coordinates near 20 m have float32 steps of 1.5e-5 and 2e-6; a few steps are left
# to other C libraries and compilers. Cell indices are exact: a flipped cell is a different plan.
ANGLE_DEG: Final = 1e-4
LENGTH_M: Final = 1e-4
COST_RELATIVE: Final = 1e-4
COST_FLOOR: Final = 0.01


def _f32(record: Record, name: str, length: int = 3) -> Float32Array:
    return record.array(name, (length,)).astype(np.float32)


def _number(record: Record, name: str) -> float:
    """A float32 number as a Python float."""
    return float(np.float32(record.number(name)))


def _cartesian_to_polar(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    point, origin = _f32(sample, "point"), _f32(sample, "origin")
    for name, got in (
        ("hist_e_z_r", helpers.cartesian_to_polar(point, origin)),
        ("fcu_e_z_r", helpers.cartesian_to_polar_fcu(point, origin)),
    ):
        check.close(f"cartesian_to_polar.{name}", got, _f32(sample, name), absolute=ANGLE_DEG)


def _polar_to_cartesian(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    got = helpers.polar_to_cartesian(_f32(sample, "e_z_r"), _f32(sample, "origin"))
    check.close("polar_hist_to_cartesian.point", got, _f32(sample, "point"), absolute=LENGTH_M)


def _wrap_polar_and_index(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    elevation, azimuth = map(float, _f32(sample, "e_z", 2))
    wrapped = helpers.wrap_polar(elevation, azimuth)
    check.close("wrap_polar.wrapped_e_z", wrapped, _f32(sample, "wrapped_e_z", 2), absolute=ANGLE_DEG)
    for cell_deg in (6, 2):
        index = [int(i) for i in helpers.polar_to_index(elevation, azimuth, cell_deg)]
        check.same(f"polar_to_index.{cell_deg}deg", index, sample.integers(f"index{cell_deg}_e_z").tolist())


def _angles(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    a, b = _number(sample, "a"), _number(sample, "b")
    fiftieth = float(np.float32(a) / np.float32(50))
    for name, got in (
        ("angle_difference", helpers.angle_difference(a, b)),
        ("wrap180_a", helpers.wrap_180(a)),
        ("wrap_pi_of_a_over_50", helpers.wrap_pi(fiftieth)),
    ):
        check.close(f"angles.{name}", got, _number(sample, name), absolute=ANGLE_DEG)


def _fov(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    fovs = sample.fields_of_view()
    elevation, azimuth = map(float, _f32(sample, "e_z", 2))
    scale = helpers.scale_to_fov(fovs, elevation, azimuth)
    check.close("fov.scale", scale, _number(sample, "scale"), absolute=1e-5)
    check.same("fov.inside", bool(helpers.inside_fov(fovs, elevation, azimuth)), sample.flag("inside"))


def _setpoint_from_path(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    valid, setpoint = helpers.setpoint_from_path(
        sample.array("path", (None, 3)).astype(np.float32),
        sample.number("path_time"),
        sample.number("now"),
        _number(sample, "velocity"),
        _f32(sample, "initial_setpoint"),
    )
    check.same("setpoint_from_path.valid", bool(valid), sample.flag("valid"))
    check.close("setpoint_from_path.setpoint", setpoint, _f32(sample, "setpoint"), absolute=LENGTH_M)


def _smoothing(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    radius = int(sample.number("radius"))
    matrix = sample.matrix("matrix").astype(np.float32)
    padded = sparse_matrix(
        sample.array("padded", (None, 3)), (30 + 2 * radius, 60 + 2 * radius), f"{sample.where}: padded"
    )
    check.close("smoothing.padded", helpers.pad_matrix(matrix, radius), padded.astype(np.float32))
    smoothed = sample.array("smoothed", (30, 60)).astype(np.float32)
    got = helpers.smooth_matrix(matrix, radius)
    check.close("smoothing.smoothed", got, smoothed, absolute=COST_FLOOR, relative=COST_RELATIVE)


def _cost_function(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    obstacle, other = helpers.cost_function(
        CostSample(
            elevation_deg=_number(sample, "e"),
            azimuth_deg=_number(sample, "z"),
            obstacle_distance_m=_number(sample, "obstacle_distance"),
            goal=_f32(sample, "goal"),
            position=_f32(sample, "position"),
            velocity=_f32(sample, "velocity"),
            closest_point=_f32(sample, "closest_point"),
            facing=sample.flag("facing"),
            pitch_cost_param=_number(sample, "pitch_w"),
            yaw_cost_param=_number(sample, "yaw_w"),
            velocity_cost_param=_number(sample, "velocity_w"),
            obstacle_cost_param_m=_number(sample, "obstacle_w"),
        )
    )
    for name, got in (("obstacle_cost", obstacle), ("other_cost", other)):
        recorded = _number(sample, name)
        check.close(f"cost_function.{name}", got, recorded, absolute=COST_FLOOR, relative=COST_RELATIVE)


def _best_candidates(helpers: UnitHelpers, sample: Record, check: CaseCheck) -> None:
    matrix = sample.array("matrix", (30, 60)).astype(np.float32)
    expected = sample.array("candidates", (None, 3)).astype(np.float32)
    got = helpers.best_candidates(matrix, int(sample.number("k")))
    # The costs here are given, not computed, so ties too have one right order.
    check.close("best_candidates", got, expected, absolute=1e-6)


SAMPLE_LISTS: Final[dict[str, Callable[[UnitHelpers, Record, CaseCheck], None]]] = {
    "cartesian_to_polar": _cartesian_to_polar,
    "polar_hist_to_cartesian": _polar_to_cartesian,
    "wrap_polar_and_index": _wrap_polar_and_index,
    "angles": _angles,
    "fov": _fov,
    "setpoint_from_path": _setpoint_from_path,
    "smoothing_30x60": _smoothing,
    "cost_function": _cost_function,
    "best_candidates": _best_candidates,
}
"""Name of a list in the file -> how one sample of it is checked."""


def replay_unit(record: Record, name: str, helpers: UnitHelpers) -> Iterator[CaseCheck]:
    """Check every sample of every list the file has."""
    for list_name, compare in SAMPLE_LISTS.items():
        if list_name not in record:
            continue
        for index, sample in enumerate(record.records(list_name)):
            check = CaseCheck(f"{name} {list_name}[{index}]")
            compare(helpers, sample, check)
            yield check
