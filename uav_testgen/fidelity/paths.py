"""Agreement of predicted and real paths: distance between them, side of every obstacle, duration."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.scenario.model import Obstacle

SPACING_M = 0.5
FLIGHT_HEIGHT_M = 6.0
"""Take-off and landing below this height are not compared."""
BLOCKING_M = 1.5
"""An obstacle this near to the straight leg has a side to be passed on."""
NEAR_WAYPOINT_M = 2.5


def at_height(path_xyz: FloatArray) -> FloatArray:
    """Plan view of the part flown at height."""
    return np.asarray(path_xyz[path_xyz[:, 2] > FLIGHT_HEIGHT_M][:, :2])


def resample(line: FloatArray, spacing_m: float = SPACING_M) -> FloatArray:
    """Points every `spacing_m` along a line."""
    if len(line) < 2:
        return line
    steps = np.hypot(*np.diff(line, axis=0).T)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    places = np.linspace(0.0, way[-1], max(2, int(way[-1] / spacing_m) + 1))
    return np.column_stack([np.interp(places, way, line[:, axis]) for axis in range(line.shape[1])])


def path_error_m(one: FloatArray, other: FloatArray) -> float | None:
    """Mean distance from points of a line to the other line, averaged over both directions."""
    if len(one) < 2 or len(other) < 2:
        return None
    return 0.5 * (_mean_distance_m(one, other) + _mean_distance_m(other, one))


def _mean_distance_m(line: FloatArray, other: FloatArray) -> float:
    """From points every 0.5 m to the other line, which is sampled so finely that the rest is nothing."""
    points, dense = resample(line), resample(other, 0.1 * SPACING_M)
    nearest = np.empty(len(points))
    for start in range(0, len(points), 128):
        part = points[start : start + 128, None]
        nearest[start : start + 128] = np.hypot(part[..., 0] - dense[:, 0], part[..., 1] - dense[:, 1]).min(
            axis=1
        )
    return float(np.mean(nearest))


def legs_of(line: FloatArray, corners: FloatArray) -> list[FloatArray | None]:
    """The line cut at its passages of the corner points; None for a leg whose end was never reached."""
    legs: list[FloatArray | None] = []
    start = 0
    for corner in corners[1:]:
        distance = np.hypot(*(line[start:] - corner).T) if start < len(line) else np.zeros(0)
        near = np.flatnonzero(distance < NEAR_WAYPOINT_M)
        if len(near) == 0:
            legs.append(None)
            continue
        # The nearest point of the first visit: a later leg may come by again.
        stay = near[: int(np.argmax(np.diff(np.r_[near, near[-1] + 10**6]) > 5)) + 1]
        end = start + int(stay[np.argmin(distance[stay])])
        legs.append(line[start : end + 1] if end > start else None)
        start = end
    return legs


def swept_angle_rad(line: FloatArray, centre: FloatArray) -> float:
    """Angle by which the line goes round a point, counter-clockwise positive."""
    offset = line - centre
    return float(np.sum(np.diff(np.unwrap(np.arctan2(offset[:, 1], offset[:, 0])))))


def sides(
    one: FloatArray, other: FloatArray, corners: FloatArray, obstacles: Sequence[Obstacle]
) -> tuple[int, int]:
    """(obstacles passed on the same side, all compared): over every leg and every obstacle in its way."""
    found = same_side_by_pass(one, other, corners, obstacles)
    return sum(found.values()), len(found)


def same_side_by_pass(
    one: FloatArray, other: FloatArray, corners: FloatArray, obstacles: Sequence[Obstacle]
) -> dict[tuple[int, int], bool]:
    """By (leg, obstacle) from 0, for every leg that both flew and every obstacle in its way."""
    found: dict[tuple[int, int], bool] = {}
    pairs = zip(legs_of(one, corners), legs_of(other, corners), corners[:-1], corners[1:], strict=True)
    for leg, (leg_one, leg_other, begin, end) in enumerate(pairs):
        if leg_one is None or leg_other is None or len(leg_one) < 2 or len(leg_other) < 2:
            continue
        for place, obstacle in enumerate(obstacles):
            if leg_distance_m(obstacle, begin, end) > BLOCKING_M:
                continue
            centre = np.array(obstacle.center_enu_m[:2])
            difference = swept_angle_rad(leg_one, centre) - swept_angle_rad(leg_other, centre)
            found[leg, place] = abs(difference) < math.pi
    return found


def leg_distance_m(obstacle: Obstacle, begin: FloatArray, end: FloatArray) -> float:
    """Distance of a box's footprint from a straight leg, by sampling the leg."""
    points = begin + np.linspace(0.0, 1.0, 400)[:, None] * (end - begin)
    offset = points - np.array(obstacle.center_enu_m[:2])
    cosine, sine = math.cos(obstacle.yaw_rad), math.sin(obstacle.yaw_rad)
    x = np.abs(cosine * offset[:, 0] + sine * offset[:, 1]) - 0.5 * obstacle.size_m[0]
    y = np.abs(cosine * offset[:, 1] - sine * offset[:, 0]) - 0.5 * obstacle.size_m[1]
    return float(np.min(np.hypot(np.maximum(x, 0.0), np.maximum(y, 0.0))))


def airborne_s(t_s: FloatArray, height_m: FloatArray) -> float | None:
    """Time in the air: real records go on for about ten seconds after the landing, simulated flights end with it."""
    up = np.flatnonzero(height_m > 1.0)
    return float(t_s[up[-1]] - t_s[up[0]]) if len(up) else None
