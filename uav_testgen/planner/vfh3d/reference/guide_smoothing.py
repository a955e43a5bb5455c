"""Smoothing of yaw, speed and position between one waypoint and the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import FieldOfView, Float32Array
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.planner.vfh3d.reference import polar
from uav_testgen.planner.vfh3d.reference import view as fov
from uav_testgen.planner.vfh3d.reference.c_library import arctan2

_NEVER_S: Final = 99999.0
"""Both clocks start here, so the first step of a clock below it counts as 0.1 ms."""
_SHORTEST_STEP_S: Final = F32(0.0001)
_SPEED_TIME_CONSTANT_S: Final = F32(0.9)
_DEFAULT_SPEED_MPS: Final = F32(2.0)
_AT_GOAL_M: Final = F32(1.0)
_SMALL_M: Final = F32(0.1)
_OFF: Final = F32(0.01)


@dataclass(frozen=True, slots=True)
class Situation:
    """What the smoothing needs to know in one cycle."""

    position: Float32Array
    velocity: Float32Array
    goal: Float32Array
    yaw_rad: np.float32
    pitch_deg: np.float32
    changing_altitude: bool
    cruise_mps: np.float32
    fovs: Sequence[FieldOfView]


class SetpointSmoother:
    """Second-order filters (critically damped) for yaw and position, first-order for speed."""

    def __init__(self, config: PlannerConfig) -> None:
        self._gain_xy = F32(config.smoothing_speed_xy)
        self._gain_z = F32(config.smoothing_speed_z)
        self._location = np.full(3, np.nan, F32)
        self._location_velocity = np.zeros(3, F32)
        self._heading_at_goal_rad = F32(np.nan)
        self._last_time_s = _NEVER_S
        self.current_time_s = _NEVER_S
        self.yaw_rad = F32(0)
        self.yaw_rate_radps = F32(0)
        self.speed_mps = F32(0)

    def is_finite(self) -> bool:
        """False before the first start and after a NaN slipped in."""
        return bool(np.isfinite(self._location).all() and np.isfinite(self._location_velocity).all())

    def restart(self, position: Float32Array, yaw_rad: np.float32) -> None:
        """Stand still at the vehicle's pose."""
        self.restart_location(position)
        self.yaw_rad = yaw_rad
        self.yaw_rate_radps = F32(0)

    def restart_location(self, position: Float32Array) -> None:
        """Stand still at the vehicle's position; yaw goes on."""
        self._location = position
        self._location_velocity = np.zeros(3, F32)

    def advance_clock(self, time_s: float) -> None:
        """A new cycle begins."""
        self._last_time_s, self.current_time_s = self.current_time_s, time_s

    @property
    def _step_s(self) -> np.float32:
        step: np.float32 = F32(self.current_time_s - self._last_time_s)
        if not step > 0:
            step = _SHORTEST_STEP_S
        return step

    def turn(self, now: Situation, goto: Float32Array, change_yaw_rad: np.float32) -> None:
        """Turn towards ``goto``; PX4, not this filter, limits the yaw rate."""
        offset = goto[:2] - now.position[:2]
        if now.changing_altitude:
            desired = change_yaw_rad
        elif polar.norm(offset) > _SMALL_M:
            desired = F32(arctan2(offset[1], offset[0]))
        else:
            desired = now.yaw_rad
        if self._gain_xy <= _OFF:
            self.yaw_rad = desired
            return
        damping = F32(2) * np.sqrt(self._gain_xy)
        error = polar.wrap_pi(desired - self.yaw_rad) if np.isfinite(desired) else F32(0)
        self.yaw_rate_radps = F32(
            self.yaw_rate_radps + (self._gain_xy * error - damping * self.yaw_rate_radps) * self._step_s
        )
        self.yaw_rad = F32(polar.wrap_pi(self.yaw_rad + self.yaw_rate_radps * self._step_s))

    def adapt_speed(self, now: Situation, goto: Float32Array) -> tuple[Float32Array, Float32Array]:
        """(goto, adapted): slower where the camera does not look and near the goal."""
        to_goal_m = polar.norm(now.goal - now.position)
        target = now.cruise_mps if math.isfinite(now.cruise_mps) else _DEFAULT_SPEED_MPS
        if to_goal_m < _AT_GOAL_M:
            goto = now.goal
            target = F32(to_goal_m)
            if math.isnan(self._heading_at_goal_rad):
                self._heading_at_goal_rad = now.yaw_rad
            self.yaw_rad = self._heading_at_goal_rad
        else:
            if not now.changing_altitude:
                yaw_deg = F32(now.yaw_rad * polar.RAD_TO_DEG)
                _, azimuth = fov.relative_to_body(goto, now.position, yaw_deg, now.pitch_deg)
                target = F32(target * fov.scale_to_fov(now.fovs, float(azimuth)))
            self._heading_at_goal_rad = F32(np.nan)
        share = self._step_s / (_SPEED_TIME_CONSTANT_S + self._step_s)
        speed = F32(share * target + (F32(1) - share) * self.speed_mps)
        self.speed_mps = F32(to_goal_m) if to_goal_m < speed else speed
        step = goto - now.position
        if polar.norm(step) > _SMALL_M:
            step = polar.unit(step)
        return goto, np.asarray(now.position + step * self.speed_mps, F32)

    def move(self, now: Situation, adapted: Float32Array) -> Float32Array:
        """The smoothed location, following ``adapted`` and the vehicle's own velocity."""
        if self._gain_xy < _OFF or self._gain_z < _OFF:
            return adapted
        gain = np.array([self._gain_xy, self._gain_xy, self._gain_z], F32)
        damping = F32(2) * np.sqrt(gain)
        at_goal = polar.norm(adapted - now.goal) < _SMALL_M
        desired_velocity = np.zeros(3, F32) if at_goal else now.velocity
        location_error = _zero_unless_finite(adapted - self._location)
        velocity_error = _zero_unless_finite(desired_velocity - self._location_velocity)
        acceleration = gain * location_error + damping * velocity_error
        self._location_velocity = self._location_velocity + acceleration * self._step_s
        self._location = self._location + self._location_velocity * self._step_s
        return self._location


def _zero_unless_finite(vector: Float32Array) -> Float32Array:
    return vector if np.isfinite(vector).all() else np.zeros(3, F32)
