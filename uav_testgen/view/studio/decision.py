"""The costs that decided a step: of the way it took, of the cheapest directions, of the straight way to the goal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from uav_testgen.planner.vfh3d.base import CELL_DEG

if TYPE_CHECKING:
    from uav_testgen.view.studio.recording import Moment

MOST_CANDIDATES = 8
_LEAST_WAY_M = 0.3
"""Nodes of the path nearer than this are the vehicle itself."""


def decision_json(moment: Moment) -> dict[str, Any]:
    """Directions with their costs: what the way itself costs, and what obstacles there and beside it add."""
    candidates = [
        _priced(moment, elevation, azimuth, cost)
        for cost, elevation, azimuth in moment.candidates[:MOST_CANDIDATES]
    ]
    return {
        "candidates": candidates,
        "chosen": _towards(moment, _first_node(moment)),
        "to_goal": _towards(moment, moment.goal_enu_m),
    }


def _first_node(moment: Moment) -> Sequence[float] | None:
    """The first node of the chosen path away from the vehicle."""
    way = np.asarray(moment.path_enu_m, dtype=float) - np.asarray(moment.position_enu_m)
    lengths = np.linalg.norm(way, axis=1) if len(way) else np.zeros(0)
    far = np.flatnonzero(lengths > _LEAST_WAY_M)
    if not len(far):
        return None
    nearest = far[np.argmin(lengths[far])]
    return [float(value) for value in moment.path_enu_m[nearest]]


def _towards(moment: Moment, point_enu_m: Sequence[float] | None) -> dict[str, float | None] | None:
    if point_enu_m is None or moment.costs is None:
        return None
    east, north, up = (float(to) - at for to, at in zip(point_enu_m, moment.position_enu_m, strict=True))
    elevation_deg = math.degrees(math.atan2(up, math.hypot(east, north)))
    azimuth_deg = math.degrees(math.atan2(east, north))  # clockwise from north, as the planner counts
    return _priced(moment, elevation_deg, azimuth_deg)


def _priced(
    moment: Moment, elevation_deg: float, azimuth_deg: float, cost: float | None = None
) -> dict[str, float | None]:
    found: dict[str, float | None] = {
        "elevation_deg": round(elevation_deg, 1),
        "azimuth_deg": round(azimuth_deg, 1),
    }
    if moment.costs is None or moment.way_costs is None:
        return {**found, "cost": cost, "obstacles": None, "way": None}
    rows, columns = moment.costs.shape
    row = min(max(int((elevation_deg + 90.0) // CELL_DEG), 0), rows - 1)
    column = int((azimuth_deg + 180.0) // CELL_DEG) % columns
    total = float(moment.costs[row, column]) if cost is None else cost
    way = float(moment.way_costs[row, column])
    # The planner smooths over neighbouring directions, so the obstacles beside a direction count as well.
    return {**found, "cost": _finite(total), "obstacles": _finite(max(0.0, total - way)), "way": _finite(way)}


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None
