"""Ten short scenes, resting and moving, for comparisons between backends."""

from __future__ import annotations

from uav_testgen.scenario.model import (
    LinearMotion,
    Mission,
    MotionMode,
    Obstacle,
    Scenario,
    Shape,
    Waypoint,
    obstacle_on_ground,
)


def mission(*points: tuple[float, float, float], takeoff: bool = False, land: bool = False) -> Mission:
    waypoints = tuple(Waypoint(position_enu_m=point) for point in points or ((24.0, 0.0, 6.0),))
    home = (0.0, 0.0, 0.0) if takeoff else (0.0, 0.0, 6.0)
    return Mission(waypoints=waypoints, home_enu_m=home, takeoff=takeoff, takeoff_altitude_m=3.0, land=land)


def box(
    x: float, y: float, yaw_deg: float = 0.0, size: tuple[float, float, float] = (3.0, 3.0, 12.0)
) -> Obstacle:
    return obstacle_on_ground(x, y, size, yaw_deg)


def moving(x: float, y: float, to: tuple[float, float, float], speed: float, **more: object) -> Obstacle:
    motion = LinearMotion(to_enu_m=to, speed_mps=speed, **more)
    return Obstacle(center_enu_m=(x, y, 6.0), size_m=(2.0, 2.0, 8.0), motion=motion)


def short_scene() -> Scenario:
    """One box in the way of 24 m."""
    return Scenario(mission=mission(), obstacles=(box(12.0, 0.6),))


def long_scene() -> Scenario:
    """A flight that lasts long enough to be disturbed."""
    return Scenario(mission=mission((400.0, 0.0, 6.0)), obstacles=(box(12.0, 0.6),))


TEN_SCENES = {
    "empty": Scenario(mission=mission((8.0, 0.0, 6.0))),
    "one box": short_scene(),
    "turned box": Scenario(mission=mission(), obstacles=(box(12.0, -0.4, 35.0),)),
    "two boxes": Scenario(mission=mission(), obstacles=(box(9.0, 1.5), box(16.0, -1.8, 10.0))),
    "cylinder and sphere": Scenario(
        mission=mission(),
        obstacles=(
            Obstacle(center_enu_m=(10.0, 1.0, 6.0), size_m=(3.0, 3.0, 12.0), shape=Shape.CYLINDER),
            Obstacle(center_enu_m=(18.0, -2.0, 6.0), size_m=(4.0, 4.0, 4.0), shape=Shape.SPHERE),
        ),
    ),
    "take-off, corner and landing": Scenario(
        mission=mission((10.0, 0.0, 3.0), (10.0, 12.0, 3.0), takeoff=True, land=True),
        obstacles=(box(7.0, 6.0),),
    ),
    "crossing": Scenario(mission=mission(), obstacles=(moving(12.0, -6.0, (12.0, 6.0, 6.0), 1.0),)),
    "back and forth": Scenario(mission=mission(), obstacles=(moving(11.0, -3.0, (13.0, 3.0, 6.0), 2.0),)),
    "once, later": Scenario(
        mission=mission(),
        obstacles=(
            box(17.0, 2.5),
            moving(10.0, 4.0, (10.0, 0.0, 6.0), 1.5, start_s=1.0, mode=MotionMode.ONCE),
        ),
    ),
    "coming closer": Scenario(mission=mission(), obstacles=(moving(22.0, 0.5, (6.0, 0.5, 6.0), 1.0),)),
}
