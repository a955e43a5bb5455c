"""QGroundControl `.plan` missions to and from local ENU metres.

A plan is JSON with latitude, longitude and altitude per item. Positions become local on a sphere,
around the home of PX4's simulator unless another home is given: the same equirectangular formula
Aerialist's users work with. Landing items carry altitude 0, but the vehicle flies to the landing point
at the height it has, so the last waypoint gets the height of the item before it.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from uav_testgen.core.config import describe_problems, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.core.files import write_text
from uav_testgen.scenario.model import Mission, Waypoint

SITL_HOME = (47.397742, 8.545594, 488.0)
EARTH_RADIUS_M = 6_371_000.0
MAX_PLAN_ITEMS = 1000

_TAKEOFF, _WAYPOINT, _LAND = 22, 16, 21
# Items that steer a camera, a gimbal or the speed: they do not move the route.
_IGNORED = {112, 115, 178, 183, 201, 203, 205, 206, 530, 531, 532, 2000, 2001, 2500, 2501}
_RETURN_HOME = 20
_RELATIVE_ALTITUDE_FRAMES = {3, 6, 10, 11}

GeoPoint = tuple[float, float, float]


def to_local_enu_m(
    latitude_deg: float, longitude_deg: float, home: GeoPoint = SITL_HOME
) -> tuple[float, float]:
    """(east, north) of a point on the globe, metres from home."""
    north = math.radians(latitude_deg - home[0]) * EARTH_RADIUS_M
    east = math.radians(longitude_deg - home[1]) * EARTH_RADIUS_M * math.cos(math.radians(home[0]))
    return (east, north)


def to_global_deg(east_m: float, north_m: float, home: GeoPoint = SITL_HOME) -> tuple[float, float]:
    """Inverse of `to_local_enu_m`: (latitude, longitude)."""
    latitude = home[0] + math.degrees(north_m / EARTH_RADIUS_M)
    longitude = home[1] + math.degrees(east_m / (EARTH_RADIUS_M * math.cos(math.radians(home[0]))))
    return (latitude, longitude)


def load_plan(path: Path, home: GeoPoint = SITL_HOME) -> Mission:
    """Read a `.plan` file; InputFileError names the item and the rule."""
    return parse_plan(path, read_yaml(path), home)


def parse_plan(path: Path, data: Any, home: GeoPoint = SITL_HOME) -> Mission:
    """The mission in an already parsed plan."""
    items = _items(path, data)
    waypoints: list[Waypoint] = []
    takeoff, land, height_m = False, False, 0.0
    takeoff_altitude_m = 0.0
    for number, item in enumerate(items):
        where = f"{path}: mission item {number + 1}"
        command = _command(where, item)
        if command in _IGNORED:
            continue
        if land:
            raise InputFileError(f"{where}: comes after landing; a mission ends where it lands")
        if command == _RETURN_HOME:
            waypoints.append(_waypoint(where, 0.0, 0.0, height_m))
            land = True
            continue
        if command not in (_TAKEOFF, _WAYPOINT, _LAND):
            raise InputFileError(
                f"{where}: command {command} is not supported (known: take-off 22, waypoint 16, land 21, "
                "return 20; camera and gimbal commands are skipped)"
            )
        latitude, longitude, altitude = _position(where, item)
        east, north = to_local_enu_m(latitude, longitude, home)
        if _whole_number(where, item, "frame", 3) not in _RELATIVE_ALTITUDE_FRAMES:
            altitude -= home[2]
        if command == _TAKEOFF:
            if waypoints or takeoff:
                raise InputFileError(f"{where}: a second take-off or one in mid-mission is not supported")
            takeoff, takeoff_altitude_m, height_m = True, altitude, altitude
            continue
        land = command == _LAND
        height_m = height_m if land else altitude
        waypoints.append(_waypoint(where, east, north, height_m))
    if not waypoints:
        raise InputFileError(f"{path}: no waypoint and no landing point; a mission has at least one")
    return _mission(path, waypoints, takeoff, takeoff_altitude_m, land)


def save_plan(path: Path, mission: Mission, home: GeoPoint = SITL_HOME) -> None:
    """Write a mission as a `.plan` that PX4 and Aerialist fly."""
    write_text(path, _plan_text(mission, home))


def save_plan_beside(test: Path, mission: Mission) -> Path:
    """Write the plan of a test beside it, under the mission's name or the test's; never over another mission.

    ConfigError where both names are taken by other missions.
    """
    text = _plan_text(mission)
    places = [
        test.with_name(f"{name}.plan") for name in dict.fromkeys((mission.name or test.stem, test.stem))
    ]
    for place in places:
        if place.exists():
            if place.is_file() and place.read_bytes() == text.encode():
                return place
            continue
        write_text(place, text)
        return place
    raise ConfigError(
        f"{places[-1]}: it holds another mission and is not replaced; choose another name for {test.name}"
    )


def _plan_text(mission: Mission, home: GeoPoint = SITL_HOME) -> str:
    return json.dumps(plan_data(mission, home), indent=2) + "\n"


def survives_plan(mission: Mission) -> bool:
    """Is the mission the same after it was written as a plan? A plan has no heading, speed or start in the air."""
    read_back = parse_plan(Path("mission.plan"), plan_data(mission))
    return read_back.model_copy(update={"name": mission.name}) == mission


def plan_data(mission: Mission, home: GeoPoint = SITL_HOME) -> dict[str, Any]:
    """The JSON content of a plan: take-off over home, the waypoints, landing at the last one."""
    items: list[dict[str, Any]] = []

    def add(command: int, east_m: float, north_m: float, altitude_m: float) -> None:
        latitude, longitude = to_global_deg(east_m, north_m, home)
        items.append(
            {
                "type": "SimpleItem",
                "autoContinue": True,
                "doJumpId": len(items) + 1,
                "command": command,
                "frame": 3,
                "Altitude": altitude_m,
                "AltitudeMode": 1,
                "params": [0, 0, 0, None, latitude, longitude, altitude_m],
            }
        )

    if mission.takeoff:
        add(_TAKEOFF, mission.home_enu_m[0], mission.home_enu_m[1], mission.takeoff_altitude_m)
    last = len(mission.waypoints) - 1
    for number, waypoint in enumerate(mission.waypoints):
        east, north, up = waypoint.position_enu_m
        landing = mission.land and number == last
        add(_LAND if landing else _WAYPOINT, east, north, 0.0 if landing else up)
    return {
        "fileType": "Plan",
        "version": 1,
        "groundStation": "QGroundControl",
        "geoFence": {"circles": [], "polygons": [], "version": 2},
        "rallyPoints": {"points": [], "version": 2},
        "mission": {
            "version": 2,
            "firmwareType": 12,
            "vehicleType": 2,
            "cruiseSpeed": 15,
            "hoverSpeed": mission.speed_mps or 5,
            "globalPlanAltitudeMode": 1,
            "plannedHomePosition": list(home),
            "items": items,
        },
    }


def _items(path: Path, data: Any) -> list[dict[str, Any]]:
    mission = data.get("mission") if isinstance(data, dict) else None
    items = mission.get("items") if isinstance(mission, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InputFileError(
            f"{path}: not a QGroundControl plan (mission.items, a list of objects, is missing)"
        )
    if len(items) > MAX_PLAN_ITEMS:
        raise InputFileError(f"{path}: {len(items)} mission items, at most {MAX_PLAN_ITEMS} are accepted")
    return items


def _command(where: str, item: dict[str, Any]) -> int:
    if item.get("type", "SimpleItem") != "SimpleItem":
        raise InputFileError(
            f"{where}: type {str(item['type'])[:40]!r}; only SimpleItem (no survey patterns) is read"
        )
    return _whole_number(where, item, "command", None)


def _whole_number(where: str, item: dict[str, Any], field: str, default: int | None) -> int:
    value = item.get(field, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputFileError(f"{where}: field '{field}' must be a whole number")
    return value


def _position(where: str, item: dict[str, Any]) -> tuple[float, float, float]:
    params = item.get("params")
    if not isinstance(params, list) or len(params) != 7:
        raise InputFileError(f"{where}: field 'params' must be a list of 7 values")
    limits = (("latitude", 90.0), ("longitude", 180.0), ("altitude", 10_000.0))
    values = []
    for (name, limit), value in zip(limits, params[4:], strict=True):
        # Not-a-number fails the comparison, too, so this one test refuses null, text, NaN and infinity.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= limit:
            raise InputFileError(
                f"{where}: {name} must be a number within ±{limit:g} (got {str(value)[:40]})"
            )
        values.append(float(value))
    return (values[0], values[1], values[2])


def _waypoint(where: str, east_m: float, north_m: float, up_m: float) -> Waypoint:
    try:
        # Rounded to a micrometre, so that a mission written as degrees and read back is the same mission.
        return Waypoint(position_enu_m=(round(east_m, 6), round(north_m, 6), round(up_m, 6)))
    except ValidationError:
        raise InputFileError(
            f"{where}: {east_m:.0f} m east, {north_m:.0f} m north, {up_m:.0f} m up of home; at most 10 km "
            "are accepted (is the home position of the simulation right?)"
        ) from None


def _mission(
    path: Path, waypoints: list[Waypoint], takeoff: bool, takeoff_altitude_m: float, land: bool
) -> Mission:
    try:
        return Mission(
            waypoints=tuple(waypoints),
            takeoff=takeoff,
            takeoff_altitude_m=takeoff_altitude_m,
            land=land,
            name=path.stem[:200],
        )
    except ValidationError as error:
        raise InputFileError(f"{path}: " + "; ".join(describe_problems(error, Mission))) from None
