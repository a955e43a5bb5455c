"""What the search may change, one number each: obstacles, waypoints, commands, speed, wind, PX4 parameters.

Directions are those of the paper's frame (first north, then east), rotations are clockwise seen from
above. Obstacles keep the form they were given while the search works on them; only what is flown is
brought into the arena's canonical form (`flown_form`), so that "length" means the same side in every
round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from uav_testgen.generator.surrealist.greedy import Mutator
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Shape
from uav_testgen.shape.forms import FORMS
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.parameters import parameter_fields, usual_value, with_values

MUTATOR_NAMES = ("move", "resize", "rotate", "z", "speed", "wind", "waypoints", "commands", "parameters")
PAPER_MUTATORS = ("move", "resize", "rotate")

# A tenth of a millimetre survives a text file; the search never gets that fine by itself.
_DECIMALS = 4
_MIN_SIDE_M = 0.1
_LEAST_TAKEOFF_M = 0.5
_EAST, _NORTH, _UP = 0, 1, 2
_OWN_X, _OWN_Y, _OWN_Z = 0, 1, 2

Change = Callable[[Obstacle, float], Obstacle | None]
Part = TypeVar("Part", bound=BaseModel)


def obstacle_mutators(
    index: int, obstacle: Obstacle, names: Sequence[str], steps: dict[str, float]
) -> list[Mutator[Scenario]]:
    """The mutators of one obstacle, in the paper's order: move, resize, rotate, then z."""
    changes: list[tuple[str, str, Change]] = []
    if "move" in names:
        changes += [("north", "move", partial(_moved, _NORTH)), ("east", "move", partial(_moved, _EAST))]
    if "resize" in names:
        changes += [(label, "resize", partial(_resized, axes)) for label, axes in _sides(obstacle.shape)]
    if "rotate" in names and FORMS[obstacle.shape].turns:
        changes.append(("rotation", "rotate", _turned))
    if "z" in names:
        changes.append(("height above ground", "z", partial(_moved, _UP)))
    return [
        Mutator(f"obstacle {index + 1} {label}", steps[kind], partial(_with_obstacle, index, change))
        for label, kind, change in changes
    ]


def scene_mutators(
    names: Sequence[str], steps: dict[str, float], usual_speed_mps: float
) -> list[Mutator[Scenario]]:
    """What the mission commands beside its waypoints (take-off altitude, speed), and runtime wind."""
    found: list[Mutator[Scenario]] = []
    if "commands" in names:
        found.append(Mutator("take-off altitude", steps["commands"], _taken_off_higher))
    if "speed" in names or "commands" in names:
        found.append(Mutator("mission speed", steps["speed"], partial(_faster, usual_speed_mps)))
    if "wind" in names:
        found += [
            Mutator("wind north", steps["wind"], partial(_windier, _NORTH)),
            Mutator("wind east", steps["wind"], partial(_windier, _EAST)),
        ]
    return found


def waypoint_mutators(
    mission: Mission, names: Sequence[str], steps: dict[str, float]
) -> list[Mutator[Scenario]]:
    """Every waypoint of the mission, moved north, east and up."""
    if "waypoints" not in names:
        return []
    return [
        Mutator(f"waypoint {index} {label}", steps["waypoints"], partial(_with_waypoint, index, axis))
        for index in range(len(mission.waypoints))
        for label, axis in (("north", _NORTH), ("east", _EAST), ("height", _UP))
    ]


def parameter_mutators(names: Sequence[str], parameter_steps: Mapping[str, float]) -> list[Mutator[Scenario]]:
    """The named parameters of the autopilot, one after the other."""
    if "parameters" not in names:
        return []
    return [
        Mutator(f"PX4 parameter {name}", step, partial(_tuned, name))
        for name, step in parameter_steps.items()
    ]


def flown_form(scenario: Scenario) -> Scenario:
    """The same scene with every box in canonical form (rotation within a right angle)."""
    return scenario.with_obstacles(tuple(_canonical(obstacle) for obstacle in scenario.obstacles))


def _canonical(obstacle: Obstacle) -> Obstacle:
    if obstacle.shape is not Shape.BOX:
        return obstacle
    east, north, up = obstacle.center_enu_m
    x_m, y_m, z_m = obstacle.size_m
    turned = wall((east, north), obstacle.yaw_rad, x_m, y_m, z_m, obstacle.name)
    center = (*turned.center_enu_m[:2], up)
    return turned.model_copy(update={"center_enu_m": center, "motion": obstacle.motion})


def _sides(shape: Shape) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Which sizes change together. The paper's length lies along north of an unturned box: our own y."""
    form = FORMS[shape]
    if not form.turns:
        return form.sides
    return (("length", (_OWN_Y,)), ("width", (_OWN_X,)), ("height", (_OWN_Z,)))


def _with_obstacle(index: int, change: Change, scenario: Scenario, by: float) -> Scenario | None:
    changed = change(scenario.obstacles[index], by)
    if changed is None:
        return None
    obstacles = list(scenario.obstacles)
    obstacles[index] = changed
    return scenario.with_obstacles(tuple(obstacles))


def _moved(axis: int, obstacle: Obstacle, by_m: float) -> Obstacle | None:
    center = list(obstacle.center_enu_m)
    center[axis] = round(center[axis] + by_m, _DECIMALS)
    return _valid(obstacle, center_enu_m=tuple(center))


def _resized(axes: tuple[int, ...], obstacle: Obstacle, by_m: float) -> Obstacle | None:
    """In place: the middle of the footprint and the base stay where they are."""
    size = list(obstacle.size_m)
    for axis in axes:
        size[axis] = round(size[axis] + by_m, _DECIMALS)
    if min(size) < _MIN_SIDE_M:
        return None
    east, north, _ = obstacle.center_enu_m
    up = round(obstacle.bottom_m + 0.5 * size[_OWN_Z], 2 * _DECIMALS)
    return _valid(obstacle, size_m=tuple(size), center_enu_m=(east, north, up))


def _turned(obstacle: Obstacle, clockwise_deg: float) -> Obstacle | None:
    yaw_deg = round(math.degrees(obstacle.yaw_rad) - clockwise_deg, _DECIMALS)
    return _valid(obstacle, yaw_rad=math.radians(yaw_deg))


def _faster(usual_mps: float, scenario: Scenario, by_mps: float) -> Scenario | None:
    speed_mps = round((scenario.mission.speed_mps or usual_mps) + by_mps, _DECIMALS)
    mission = _valid(scenario.mission, speed_mps=speed_mps)
    return None if mission is None else scenario.model_copy(update={"mission": mission})


def _taken_off_higher(scenario: Scenario, by_m: float) -> Scenario | None:
    height_m = round(scenario.mission.takeoff_altitude_m + by_m, _DECIMALS)
    if not scenario.mission.takeoff or height_m < _LEAST_TAKEOFF_M:
        return None
    mission = _valid(scenario.mission, takeoff_altitude_m=height_m)
    return None if mission is None else scenario.model_copy(update={"mission": mission})


def _tuned(name: str, scenario: Scenario, by: float) -> Scenario | None:
    known = scenario.parameters.get(name)
    value = round((usual_value(name) if known is None else known) + by, _DECIMALS)
    if name in parameter_fields():
        try:
            with_values(Px4VehicleConfig(), {name: value})
        except ValueError:
            return None
    changed = {**scenario.parameters, name: value}
    return scenario.model_copy(update={"parameters": changed})


def _with_waypoint(index: int, axis: int, scenario: Scenario, by_m: float) -> Scenario | None:
    waypoints = list(scenario.mission.waypoints)
    place = list(waypoints[index].position_enu_m)
    place[axis] = round(place[axis] + by_m, _DECIMALS)
    # A mission below the ground is none.
    changed = _valid(waypoints[index], position_enu_m=tuple(place)) if place[_UP] > 0.0 else None
    if changed is None:
        return None
    waypoints[index] = changed
    mission = scenario.mission.model_copy(update={"waypoints": tuple(waypoints)})
    return scenario.model_copy(update={"mission": mission})


def _windier(axis: int, scenario: Scenario, by_mps: float) -> Scenario | None:
    wind = scenario.wind
    length = math.hypot(*wind.direction_enu) or 1.0
    blow = [wind.velocity_mean_mps * part / length for part in wind.direction_enu]
    blow[axis] += by_mps
    mean_mps = round(math.hypot(*blow), _DECIMALS)
    direction = tuple(round(part / mean_mps, 6) for part in blow) if mean_mps > 0.0 else (1.0, 0.0, 0.0)
    changed = _valid(wind, velocity_mean_mps=mean_mps, direction_enu=direction)
    return None if changed is None else scenario.model_copy(update={"wind": changed})


def _valid(value: Part, **changes: Any) -> Part | None:
    """The changed value if it can exist; None where a limit of the model is broken."""
    kind = type(value)
    try:
        return kind.model_validate({**{name: getattr(value, name) for name in kind.model_fields}, **changes})
    except ValidationError:
        return None
