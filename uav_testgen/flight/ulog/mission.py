"""The mission a log tells of: the set-points PX4's navigator published, in double precision.

The logged mission items themselves hold latitude and longitude as float32, a metre off; the set-point
triplet has the same places exactly.
"""

from __future__ import annotations

import math

import numpy as np
from pydantic import ValidationError

from uav_testgen.flight.ulog.topics import Columns
from uav_testgen.scenario.formats.plan_file import GeoPoint, to_local_enu_m
from uav_testgen.scenario.model import Mission, Waypoint

_POSITION, _TAKEOFF, _LAND = 0, 3, 4
_SAME_PLACE_M = 0.5


def logged_mission(triplet: Columns | None, home: GeoPoint) -> Mission | None:
    """Waypoints in the order flown, around `home`; None where the log does not tell."""
    names = ("current.valid", "current.type", "current.lat", "current.lon", "current.alt")
    if triplet is None or any(name not in triplet for name in names):
        return None
    points: list[tuple[float, float, float]] = []
    takeoff_m, land = 0.0, False
    for valid, kind, latitude, longitude, altitude in np.column_stack([triplet[name] for name in names]):
        finite = math.isfinite(latitude) and math.isfinite(longitude) and math.isfinite(altitude)
        if valid < 0.5 or not finite or kind not in (_POSITION, _TAKEOFF, _LAND) or land:
            continue
        east, north = to_local_enu_m(float(latitude), float(longitude), home)
        up = float(altitude) - home[2]
        if kind == _TAKEOFF:
            takeoff_m = max(takeoff_m, up)
            continue
        land = kind == _LAND
        # The vehicle flies to the landing point at the height it has.
        up = up if not land else (points[-1][2] if points else takeoff_m)
        at_home = not points and math.hypot(east, north) < _SAME_PLACE_M
        if at_home and not land:
            takeoff_m = takeoff_m or up
            continue
        if not points or math.dist(points[-1], (east, north, up)) >= _SAME_PLACE_M:
            points.append((east, north, up))
    try:
        waypoints = tuple(
            Waypoint(position_enu_m=(round(east, 3), round(north, 3), round(up, 3)))
            for east, north, up in points
        )
        height_m = takeoff_m or (points[0][2] if points else 0.0)
        return Mission(
            waypoints=waypoints, takeoff_altitude_m=round(max(height_m, 0.0), 3), land=land, name="logged"
        )
    except ValidationError:
        return None
