"""What a ring of horizontal beams sees: the nearest surface in each sector around the vehicle."""

from __future__ import annotations

from typing import Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.model import Scenario
from uav_testgen.world.layout import HZ
from uav_testgen.world.packed import pack
from uav_testgen.world.scene import Scene, outline_enu_m

SECTOR_COUNT: Final = 72
NOTHING_IN_RANGE: Final = np.inf


def sector_distances_m(
    scenario: Scenario, position_enu_m: FloatArray, yaw_rad: FloatArray, t_s: FloatArray, range_m: float
) -> FloatArray:
    """(samples, SECTOR_COUNT) distances, clockwise from the nose; obstacles above or below are not seen."""
    found = np.full((len(position_enu_m), SECTOR_COUNT), NOTHING_IN_RANGE)
    rows = pack(scenario).obstacles
    if not len(rows):
        return found
    # Clockwise bearings are negative angles in ENU.
    angle = yaw_rad[:, None] - np.arange(SECTOR_COUNT) * (2.0 * np.pi / SECTOR_COUNT)
    beams = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    scene = Scene.of(scenario)
    centres = np.array([scene.centres_enu_m(float(time_s)) for time_s in t_s])
    for number, row in enumerate(rows):
        centre = centres[:, number]
        level = np.flatnonzero(np.abs(position_enu_m[:, 2] - centre[:, 2]) <= row[HZ])
        if len(level):
            outline = outline_enu_m(row, np.zeros(3))
            corners = outline[None] + (centre[level, None, :2] - position_enu_m[level, None, :2])
            found[level] = np.minimum(found[level], _ring(corners, beams[level]))
    found[found > range_m] = NOTHING_IN_RANGE
    return found


def _ring(corners: FloatArray, beams: FloatArray) -> FloatArray:
    """(samples, beams) distance from the origin to a closed polygon (samples, k, 2); infinite where it misses."""
    edges = np.roll(corners, -1, axis=1) - corners
    a, e, b = corners[:, None], edges[:, None], beams[:, :, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        determinant = _cross(b, e)
        along, across = _cross(a, e) / determinant, _cross(a, b) / determinant
    hits = np.isfinite(along) & (along >= 0.0) & (across >= 0.0) & (across <= 1.0)
    return np.asarray(np.where(hits, along, np.inf).min(axis=2))


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
