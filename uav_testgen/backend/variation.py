"""What differs between two real flights of one test, as seeded changes of the test and of the simulator.

The take-off spot, the heading and the error of the position estimate belong to the test, so they vary on
every backend. Sensor noise, timing and whether the speed lock catches belong to the low-fidelity simulator.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.core.rng import stream
from uav_testgen.scenario.model import Obstacle, Point, Scenario
from uav_testgen.sensing.camera import CameraRig
from uav_testgen.vehicle.px4.preset import ScatterConfig


class Difference(NamedTuple):
    """How one run differs from the undisturbed one."""

    start_east_m: float
    start_north_m: float
    turn_rad: float
    shift_east_m: float
    shift_north_m: float
    later_s: float
    """By how much images and plans are older."""
    tilt_factor: float
    lock_draw: float


def difference(scatter: ScatterConfig, seed: int, run: int) -> Difference:
    """The difference of run number `run`; it depends on nothing else, so any worker may fly it."""
    random = stream(seed, "ensemble", run)
    east, north, turn = (float(value) for value in random.normal(0.0, 1.0, 3))
    shift_east, shift_north = (float(value) for value in random.normal(0.0, 1.0, 2))
    return Difference(
        start_east_m=scatter.start_m * east,
        start_north_m=scatter.start_m * north,
        turn_rad=scatter.heading_rad * turn,
        shift_east_m=scatter.frame_m * shift_east,
        shift_north_m=scatter.frame_m * shift_north,
        later_s=scatter.timing_s * float(random.uniform(-1.0, 1.0)),
        tilt_factor=1.0 + scatter.tilt_error * float(random.uniform(-1.0, 1.0)),
        lock_draw=float(random.uniform()),
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


def disturbed_config(config: LfsConfig, scatter: ScatterConfig, difference: Difference) -> LfsConfig:
    """The simulator with a noisy camera and, for the PX4 vehicle, other timing."""
    changes: dict[str, Any] = {"camera": _noisy(config.rig, scatter.range_noise_m)}
    if config.vehicle == "px4":
        vehicle = config.px4_vehicle
        changes["px4_vehicle"] = vehicle.model_copy(
            update={
                "image_age_s": max(vehicle.image_age_s + difference.later_s, 0.0),
                "plan_age_s": max(vehicle.plan_age_s + difference.later_s, vehicle.planning_s),
                "tilt_error_growth_mps3": vehicle.tilt_error_growth_mps3 * difference.tilt_factor,
                "speed_lock": vehicle.speed_lock and difference.lock_draw >= scatter.free_share,
            }
        )
    return config.model_copy(update=changes)


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
