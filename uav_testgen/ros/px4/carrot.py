"""The set-point the bridge streams: `vehicle.px4_offboard.carrot`, which the simulated PX4 is steered by, too."""

from __future__ import annotations

from uav_testgen.core.frames import Vector3
from uav_testgen.vehicle.px4_offboard import carrot
from uav_testgen.vehicle.px4_offboard.carrot import CarrotConfig as CarrotConfig


def draw_near(
    position_enu_m: Vector3, waypoint_enu_m: Vector3, cruise_mps: float, config: CarrotConfig
) -> Vector3:
    """A point on the way to the waypoint (or the waypoint itself if it is near)."""
    x, y, z = carrot.draw_near(*position_enu_m, *waypoint_enu_m, config.numbers(cruise_mps))
    return x, y, z


def turn_towards(yaw_rad: float, wanted_rad: float, dt_s: float, config: CarrotConfig) -> float:
    """The heading setpoint after a time step; a demand that is not finite keeps it."""
    return float(carrot.turn_towards(yaw_rad, wanted_rad, dt_s, config.numbers()))
