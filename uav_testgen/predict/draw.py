"""What differs between two real flights of one test, as a function of a vector u of numbers between 0 and 1.

A seed only makes u. So the same differences can be drawn at random, searched, or pushed towards rare failures.
The take-off spot, the heading and the error of the position estimate belong to the test, so they vary on every
simulator. Sensor noise, timing and whether PX4's speed lock catches belong to the simulated system.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from scipy.special import ndtri

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import stream
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.loop.system import System
from uav_testgen.scenario.model import Obstacle, Point, Scenario
from uav_testgen.sensing.camera import CameraRig
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig

NAMES: Final = (
    "start_east", "start_north", "heading", "frame_east", "frame_north", "timing", "tilt_error", "speed_lock",
)  # fmt: skip
"""Components of u, in order."""
SIZE: Final = len(NAMES)


class Difference(NamedTuple):
    """How one run differs from the nominal one."""

    start_east_m: float
    start_north_m: float
    turn_rad: float
    shift_east_m: float
    shift_north_m: float
    later_s: float
    """By how much images and plans are older."""
    tilt_factor: float
    is_free: bool
    """Without PX4's speed lock."""
    error_seed: int = 0
    """Of the wandering velocity error; a vehicle without the tilt error draws it from the same number."""


def draw_u(seed: int, run: int) -> FloatArray:
    """The vector of run number `run`; it depends on nothing else, so any worker may fly it."""
    return np.asarray(stream(seed, "u", run).uniform(0.0, 1.0, SIZE))


def difference(scatter: ScatterConfig, u: FloatArray) -> Difference:
    """The difference a vector stands for."""
    low, high = 1e-12, 1.0 - 1e-12
    normal = ndtri(np.clip(u[:5], low, high))
    return Difference(
        start_east_m=float(scatter.start_m * normal[0]),
        start_north_m=float(scatter.start_m * normal[1]),
        turn_rad=float(scatter.heading_rad * normal[2]),
        shift_east_m=float(scatter.frame_m * normal[3]),
        shift_north_m=float(scatter.frame_m * normal[4]),
        later_s=float(scatter.timing_s * (2.0 * u[5] - 1.0)),
        tilt_factor=float(1.0 + scatter.tilt_error * (2.0 * u[6] - 1.0)),
        is_free=bool(u[7] < scatter.free_share),
        error_seed=int(u[6] * 2**31),
    )


def disturbed_scenario(scenario: Scenario, difference: Difference) -> Scenario:
    """The same test from another spot, with a position estimate that is off."""
    x, y, z = scenario.mission.home_enu_m
    mission = scenario.mission.model_copy(
        update={
            "home_enu_m": (x + difference.start_east_m, y + difference.start_north_m, z),
            "home_yaw_rad": scenario.mission.home_yaw_rad + difference.turn_rad,
        }
    )
    # An error of the position estimate moves the world against the mission, not the mission itself.
    obstacles = tuple(_shifted(obstacle, difference) for obstacle in scenario.obstacles)
    return scenario.model_copy(update={"mission": mission, "obstacles": obstacles})


def disturbed_system(system: System, scatter: ScatterConfig, difference: Difference) -> System:
    """The system with a noisy camera and other timing; PX4 may lose its speed lock."""
    timing = system.timing
    if difference.is_free and has_lock(system):
        system = without_lock(system, scatter)
    changes: dict[str, Any] = {
        "camera": _noisy(system.rig, scatter.range_noise_m),
        "timing": timing.model_copy(
            update={
                "image_age_s": max(timing.image_age_s + difference.later_s, 0.0),
                "plan_age_s": max(timing.plan_age_s + difference.later_s, timing.planning_s),
            }
        ),
    }
    vehicle = system.vehicle
    if isinstance(vehicle, Px4VehicleConfig):
        changes["vehicle"] = vehicle.model_copy(
            update={"tilt_error_growth_mps3": vehicle.tilt_error_growth_mps3 * difference.tilt_factor}
        )
    if isinstance(vehicle, Px4OffboardConfig):
        changes["vehicle"] = vehicle.model_copy(
            update={
                "velocity_error_mps": scatter.velocity_error_mps,
                "velocity_error_seed": difference.error_seed,
                "setpoint_delay_s": max(vehicle.setpoint_delay_s + difference.later_s, 0.0),
            }
        )
    return system.model_copy(update=changes)


def has_lock(system: System) -> bool:
    """Does the vehicle have PX4's speed lock, which a run may lose?"""
    return isinstance(system.vehicle, Px4VehicleConfig) and system.vehicle.speed_lock


def without_lock(system: System, scatter: ScatterConfig) -> System:
    """The same system without PX4's speed lock, not faster than runs without it may be.

    What a real drone does whose lock does not catch: it keeps the limit of straight flight, also where it turns and
    the waypoint would allow more. The planner reads the autopilot's own parameters, as before.
    """
    vehicle = system.vehicle
    assert isinstance(vehicle, Px4VehicleConfig)
    changes: dict[str, Any] = {"speed_lock": False}
    planner = system.planner
    if scatter.free_speed_mps is not None:
        changes["mpc_xy_cruise_mps"] = min(vehicle.mpc_xy_cruise_mps, scatter.free_speed_mps)
        planner = planner.model_copy(update={"autopilot": system.autopilot})
    return system.model_copy(update={"vehicle": vehicle.model_copy(update=changes), "planner": planner})


def _shifted(obstacle: Obstacle, difference: Difference) -> Obstacle:
    def moved(point: Point) -> Point:
        return (point[0] + difference.shift_east_m, point[1] + difference.shift_north_m, point[2])

    changes: dict[str, Any] = {"center_enu_m": moved(obstacle.center_enu_m)}
    if obstacle.motion is not None:
        to, via = obstacle.motion.to_enu_m, obstacle.motion.via_enu_m
        corners = {"to_enu_m": moved(to), "via_enu_m": tuple(moved(corner) for corner in via)}
        changes["motion"] = obstacle.motion.model_copy(update=corners)
    return obstacle.model_copy(update=changes)


def _noisy(rig: CameraRig, std_m: float) -> CameraRig:
    cameras = tuple(
        camera.model_copy(update={"noise": camera.noise.model_copy(update={"range_std_m": std_m})})
        for camera in rig.cameras
    )
    return rig.model_copy(update={"cameras": cameras})
