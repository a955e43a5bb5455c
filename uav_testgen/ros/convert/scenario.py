"""Scenario and its parts to messages and back."""

from __future__ import annotations

from typing import Any, Final

from uav_testgen_msgs.msg import Arena as ArenaMsg
from uav_testgen_msgs.msg import Mission as MissionMsg
from uav_testgen_msgs.msg import Obstacle as ObstacleMsg
from uav_testgen_msgs.msg import Scenario as ScenarioMsg
from uav_testgen_msgs.msg import Terrain as TerrainMsg
from uav_testgen_msgs.msg import Wind as WindMsg

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.ros.convert.parts import choice, header, point_to_msg, value, vector_to_msg, xyz_from_msg
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.model import (
    Landform,
    LinearMotion,
    Mission,
    MotionMode,
    Obstacle,
    Scenario,
    Shape,
    Surface,
    Terrain,
    Visibility,
    Waypoint,
    Wind,
)

SHAPES: Final = {
    Shape.BOX: ObstacleMsg.BOX,
    Shape.CYLINDER: ObstacleMsg.CYLINDER,
    Shape.SPHERE: ObstacleMsg.SPHERE,
}
MOTION_MODES: Final = {
    MotionMode.ONCE: ObstacleMsg.ONCE,
    MotionMode.BACK_AND_FORTH: ObstacleMsg.BACK_AND_FORTH,
}
LANDFORMS: Final = {
    Landform.FLAT: TerrainMsg.FLAT,
    Landform.DEPRESSION: TerrainMsg.DEPRESSION,
    Landform.ELEVATION: TerrainMsg.ELEVATION,
    Landform.STEEP_TRANSITION: TerrainMsg.STEEP_TRANSITION,
}
SURFACES: Final = {
    Surface.LAND: TerrainMsg.LAND,
    Surface.WATER: TerrainMsg.WATER,
    Surface.MIXTURE: TerrainMsg.MIXTURE,
}


def obstacle_to_msg(obstacle: Obstacle) -> ObstacleMsg:
    """Obstacle to message; InvalidScenario for what messages have no room for."""
    if obstacle.shape not in SHAPES:
        raise InvalidScenario(
            f"obstacle '{obstacle.name}' is a {obstacle.shape.value}; messages carry "
            f"{', '.join(shape.value for shape in SHAPES)} only, fly it with backend lfs"
        )
    message = ObstacleMsg(
        name=obstacle.name,
        shape=SHAPES[obstacle.shape],
        center=point_to_msg(obstacle.center_enu_m),
        size=vector_to_msg(obstacle.size_m),
        yaw=obstacle.yaw_rad,
        moves=obstacle.motion is not None,
    )
    if obstacle.motion is not None:
        _carry(message, "motion_via", [point_to_msg(corner) for corner in obstacle.motion.via_enu_m])
        message.motion_to = point_to_msg(obstacle.motion.to_enu_m)
        message.motion_speed = obstacle.motion.speed_mps
        message.motion_start = obstacle.motion.start_s
        message.motion_mode = MOTION_MODES[obstacle.motion.mode]
    return message


def obstacle_from_msg(message: ObstacleMsg) -> Obstacle:
    """Message to obstacle."""
    motion = None
    if message.moves:
        motion = value(
            LinearMotion,
            via_enu_m=tuple(xyz_from_msg(corner) for corner in getattr(message, "motion_via", ())),
            to_enu_m=xyz_from_msg(message.motion_to),
            speed_mps=message.motion_speed,
            start_s=message.motion_start,
            mode=choice(MOTION_MODES, message.motion_mode, "motion_mode"),
        )
    return value(
        Obstacle,
        name=message.name,
        shape=choice(SHAPES, message.shape, "shape"),
        center_enu_m=xyz_from_msg(message.center),
        size_m=xyz_from_msg(message.size),
        yaw_rad=message.yaw,
        motion=motion,
    )


def mission_to_msg(mission: Mission) -> MissionMsg:
    """Mission to message."""
    return MissionMsg(
        name=mission.name,
        waypoints=[point_to_msg(waypoint.position_enu_m) for waypoint in mission.waypoints],
        home=point_to_msg(mission.home_enu_m),
        home_yaw=mission.home_yaw_rad,
        takeoff=mission.takeoff,
        takeoff_altitude=mission.takeoff_altitude_m,
        land=mission.land,
        speed=mission.speed_mps or 0.0,
    )


def mission_from_msg(message: MissionMsg) -> Mission:
    """Message to mission."""
    return value(
        Mission,
        name=message.name,
        waypoints=tuple(value(Waypoint, position_enu_m=xyz_from_msg(point)) for point in message.waypoints),
        home_enu_m=xyz_from_msg(message.home),
        home_yaw_rad=message.home_yaw,
        takeoff=message.takeoff,
        takeoff_altitude_m=message.takeoff_altitude,
        land=message.land,
        speed_mps=message.speed if message.speed != 0.0 else None,
    )


def arena_to_msg(arena: Arena) -> ArenaMsg:
    """Arena to message; field names differ only by their unit."""
    return ArenaMsg(**{_without_unit(name): value for name, value in arena.model_dump().items()})


def arena_from_msg(message: ArenaMsg) -> Arena:
    """Message to arena."""
    return value(Arena, **{name: getattr(message, _without_unit(name)) for name in Arena.model_fields})


def wind_to_msg(wind: Wind) -> WindMsg:
    """Wind to message; field names differ only by unit and frame."""
    values = wind.model_dump()
    vectors = {name: vector_to_msg(values[name]) for name in ("direction_enu", "gust_direction_enu")}
    return WindMsg(**{_without_unit(name): value for name, value in {**values, **vectors}.items()})


def wind_from_msg(message: WindMsg) -> Wind:
    """Message to wind."""
    values = {name: getattr(message, _without_unit(name)) for name in Wind.model_fields}
    vectors = {name: xyz_from_msg(values[name]) for name in ("direction_enu", "gust_direction_enu")}
    return value(Wind, **{**values, **vectors})


def _without_unit(name: str) -> str:
    """Message fields carry unit and frame in their comment, core fields in their name."""
    for ending in ("_mps", "_deg", "_enu", "_m", "_s"):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return name


def terrain_to_msg(terrain: Terrain) -> TerrainMsg:
    """Terrain to message."""
    return TerrainMsg(
        landform=LANDFORMS[terrain.landform],
        surface=SURFACES[terrain.surface],
        height=terrain.height_m,
        center_east=terrain.center_enu_m[0],
        center_north=terrain.center_enu_m[1],
        radius=terrain.radius_m,
    )


def terrain_from_msg(message: TerrainMsg) -> Terrain:
    """Message to terrain."""
    return value(
        Terrain,
        landform=choice(LANDFORMS, message.landform, "landform"),
        surface=choice(SURFACES, message.surface, "surface"),
        height_m=message.height,
        center_enu_m=(message.center_east, message.center_north),
        radius_m=message.radius,
    )


def scenario_to_msg(scenario: Scenario, time_s: float = 0.0) -> ScenarioMsg:
    """Scenario to message, stamped with the time it is announced."""
    message = ScenarioMsg(
        header=header(time_s),
        id=scenario.id,
        name=scenario.name,
        mission=mission_to_msg(scenario.mission),
        obstacles=[obstacle_to_msg(obstacle) for obstacle in scenario.obstacles],
        arena=arena_to_msg(scenario.arena),
        wind=wind_to_msg(scenario.wind),
        visibility_range=scenario.visibility.range_m,
        visibility_contrast_loss=scenario.visibility.contrast_loss,
        terrain=terrain_to_msg(scenario.terrain),
        seed=scenario.seed,
    )
    _carry(message, "parameter_names", list(scenario.parameters))
    _carry(message, "parameter_values", list(scenario.parameters.values()))
    return message


def scenario_from_msg(message: ScenarioMsg) -> Scenario:
    """Message to scenario; the id is computed from the content, whatever the sender wrote."""
    visibility = value(
        Visibility, range_m=message.visibility_range, contrast_loss=message.visibility_contrast_loss
    )
    return value(
        Scenario,
        name=message.name,
        mission=mission_from_msg(message.mission),
        obstacles=tuple(obstacle_from_msg(obstacle) for obstacle in message.obstacles),
        arena=arena_from_msg(message.arena),
        wind=wind_from_msg(message.wind),
        visibility=visibility,
        terrain=terrain_from_msg(message.terrain),
        parameters=_parameters(message),
        seed=message.seed,
    )


def _carry(message: Any, field: str, content: list[Any]) -> None:
    """Fill a field that messages built from an older release do not have; a workspace may still hold those."""
    if hasattr(message, field):
        setattr(message, field, content)
    elif content:
        raise InvalidScenario(
            f"uav_testgen_msgs is older than this program and has no field '{field}'; build it again (make setup)"
        )


def _parameters(message: ScenarioMsg) -> dict[str, float]:
    names = list(getattr(message, "parameter_names", ()))
    values = list(getattr(message, "parameter_values", ()))
    if len(names) != len(values) or len(set(names)) != len(names):
        raise InvalidScenario("parameter_names and parameter_values: one value for each name, each name once")
    return dict(zip(names, values, strict=True))
