"""What a planner is: it sees what the drone sees and says where to fly. Any class with these methods will do.

    class Straight:
        def reset(self, setup): ...
        def plan(self, observation):
            return Plan(position_enu_m=observation.goal_enu_m)

`plan` is called once per step. Its answer is a set-point with the meaning of PX4's TrajectorySetpoint, or a path,
which `planner.follow` turns into set-points. A planner that wants to steer by itself has a third method,
`guide(plan, pose, t_s)`, which the loop calls with the newest pose shortly before the set-point is sent.

Frames: ENU metres, yaw counter-clockwise from east. A planner never sees the scene, only the camera's view of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from uav_testgen.core.arrays import Float32Array, FloatArray
from uav_testgen.core.body import (
    SET_ACCELERATION,
    SET_POSITION,
    SET_VELOCITY,
    SET_YAW,
    SET_YAW_RATE,
    SETPOINT_SIZE,
)
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.camera import Camera

Vector = npt.ArrayLike


class FieldOfView(NamedTuple):
    """One camera's view in the body frame; yaw counter-clockwise from forward, pitch positive down."""

    yaw_deg: float
    pitch_deg: float
    h_fov_deg: float
    v_fov_deg: float


class Pose(NamedTuple):
    """Where the vehicle is and how it moves: (3,) arrays, ENU; attitude is roll, pitch, yaw."""

    position_enu_m: FloatArray
    velocity_enu_mps: FloatArray
    attitude_rad: FloatArray


@dataclass(frozen=True)
class PlannerSetup:
    """What a planner is told before a flight."""

    dt_s: float
    """Time between two calls of `plan`."""
    seed: int
    """For planners that draw random numbers."""
    cruise_mps: float
    """Speed the mission is meant to be flown at."""
    views: tuple[FieldOfView, ...] = ()
    """What the planner is told about its cameras."""
    camera_frames: tuple[str, ...] = ()
    """The optical frame of each camera, as `Observation.cameras` and tf name it."""


@dataclass(frozen=True)
class Observation:
    """What a planner sees in one step."""

    t_s: float
    position_enu_m: FloatArray
    velocity_enu_mps: FloatArray
    attitude_rad: FloatArray
    """Roll, pitch, yaw."""
    goal_enu_m: FloatArray
    previous_enu_m: FloatArray
    """Start of the leg that leads to the goal."""
    clouds_enu_m: tuple[Float32Array, ...]
    """One (n, 3) cloud per camera in the map frame; they may be a little older than the pose."""
    phase: int = 1
    """0 take-off, 1 leg, 2 landing."""
    take_cameras: Callable[[], tuple[Camera, ...]] = field(default=tuple, repr=False)
    """Makes `cameras`; a planner has no need of it."""

    @property
    def cloud_enu_m(self) -> Float32Array:
        """All points in one (n, 3) array."""
        if len(self.clouds_enu_m) == 1:
            return self.clouds_enu_m[0]
        return np.concatenate([*self.clouds_enu_m, np.zeros((0, 3), np.float32)])

    @cached_property
    def cameras(self) -> tuple[Camera, ...]:
        """Each camera: pixels, range, and where it was when its image was taken; made when asked for."""
        return self.take_cameras()

    @cached_property
    def depth_m(self) -> tuple[Float32Array, ...]:
        """One (height, width) depth image per camera, made when asked for; NaN where nothing was measured.

        The image is that of the camera's cloud, so what a pixel shows is in the cloud, and every way to fly
        gives the same image. Clouds that nobody has told apart are seen by every camera.
        """
        clouds = self.clouds_enu_m
        if len(clouds) != len(self.cameras):
            clouds = (self.cloud_enu_m,) * len(self.cameras)
        return tuple(camera.depth_image_m(cloud) for camera, cloud in zip(self.cameras, clouds, strict=True))


@dataclass(frozen=True)
class Plan:
    """A path, or a set-point. What is None demands nothing."""

    path_enu_m: Vector | None = None
    """(n, 3) points to fly along, nearest first."""
    position_enu_m: Vector | None = None
    velocity_enu_mps: Vector | None = None
    acceleration_enu_mps2: Vector | None = None
    yaw_rad: float | None = None
    yaw_rate_radps: float | None = None
    details: Any = None
    """Whatever the planner wants to hand to its own `guide` or to a viewer."""

    def setpoint(self) -> FloatArray:
        """The set-point part as one vector (`core.body`); PlannerInputError names what is wrong."""
        vector = np.full(SETPOINT_SIZE, np.nan)
        for name, slot in (
            ("position_enu_m", SET_POSITION),
            ("velocity_enu_mps", SET_VELOCITY),
            ("acceleration_enu_mps2", SET_ACCELERATION),
        ):
            value = getattr(self, name)
            if value is not None:
                vector[slot : slot + 3] = _three(value, name)
        for name, slot in (("yaw_rad", SET_YAW), ("yaw_rate_radps", SET_YAW_RATE)):
            value = getattr(self, name)
            if value is not None:
                vector[slot] = float(value)
        return vector


def refuse_nothing_but_nan(plan: Plan) -> None:
    """PlannerInputError for a plan that gives numbers, all of them NaN: most likely a computation went wrong.

    NaN in one axis demands nothing there, as for PX4. Flying to the goal instead would judge the planner by what it
    has not said.
    """
    given = [
        name
        for name in (
            "position_enu_m",
            "velocity_enu_mps",
            "acceleration_enu_mps2",
            "yaw_rad",
            "yaw_rate_radps",
        )
        if getattr(plan, name) is not None
    ]
    if given and plan.path_enu_m is None and np.isnan(plan.setpoint()).all():
        raise PlannerInputError(
            f"Plan.{' and Plan.'.join(given)}: every number is NaN; leave a field out to demand nothing"
        )


def _three(value: Vector, name: str) -> FloatArray:
    vector = np.asarray(value, dtype=np.float64)
    if vector.shape != (3,):
        raise PlannerInputError(f"Plan.{name} must have 3 numbers, not shape {vector.shape}")
    return vector


class Planner(Protocol):
    """A local planner."""

    def reset(self, setup: PlannerSetup) -> None:
        """A flight begins: forget everything of the one before."""
        ...

    def plan(self, observation: Observation) -> Plan:
        """Where to fly now."""
        ...


@runtime_checkable
class Guide(Protocol):
    """The optional third method of a planner."""

    def guide(self, plan: Plan, pose: Pose, t_s: float) -> FloatArray | Plan:
        """The set-point for the newest pose; `t_s` is the time it is sent."""
        ...
