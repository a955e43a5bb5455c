"""Recorded set-points flown by the simulated PX4, and how far its path is from the recorded one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SET_VELOCITY
from uav_testgen.core.kernel import allocating_kernel
from uav_testgen.fidelity.offboard.logs import OffboardLog
from uav_testgen.fidelity.paths import resample
from uav_testgen.vehicle.px4_offboard.config import OffboardConstants, Px4OffboardConfig
from uav_testgen.vehicle.px4_offboard.control import POS, STATE_SIZE, VEL, WORK_SIZE, YAW, step_airframe

_LONGEST_CYCLE_S = 0.025
_SPACING_M = 0.1


@dataclass(frozen=True, slots=True)
class Replay:
    """How near a replay comes to one recording; horizontal unless said otherwise."""

    name: str
    path_rms_m: float
    """Distance between the two paths, time ignored: the recorded one is PX4's estimate."""
    moment_rms_m: float
    """Distance between the two places at the same moment."""
    height_rms_m: float
    yaw_rms_deg: float
    truth_path_rms_m: float
    """Path against the truth, which PX4 does not know."""
    path_rms_given_error_m: float
    """Path where the recorded error of PX4's velocity estimate is given: what the vehicle itself gets wrong."""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {key: value if key == "name" else round(value, 3) for key, value in asdict(self).items()}


@allocating_kernel
def _fly(
    setpoints: FloatArray, state: FloatArray, constants: OffboardConstants, period_s: float, cycles: int
) -> FloatArray:
    flown = np.empty((len(setpoints), 4))
    wind, work = np.zeros(3), np.zeros(WORK_SIZE)
    for row in range(len(setpoints)):
        for axis in range(3):
            flown[row, axis] = state[POS + axis]
        flown[row, 3] = state[YAW]
        for _ in range(cycles):
            step_airframe(state, work, setpoints[row], constants.vel_up, wind, period_s / cycles, constants)
    return flown


def fly_setpoints(log: OffboardLog, config: Px4OffboardConfig, given_error: bool = False) -> FloatArray:
    """(n, 4) position and heading at the samples of the recording, from its first state on.

    PX4 subtracts its erring velocity estimate from the wanted velocity, so a given error is a demand that is
    missing.
    """
    setpoints = np.array(log.setpoints)
    if given_error:
        demanded = setpoints[:, SET_VELOCITY : SET_VELOCITY + 3]
        setpoints[:, SET_VELOCITY : SET_VELOCITY + 3] = np.nan_to_num(demanded) - log.velocity_error_mps
    state = np.zeros(STATE_SIZE)
    state[POS : POS + 3], state[VEL : VEL + 3] = log.position_enu_m[0], log.velocity_enu_mps[0]
    state[YAW] = log.yaw_rad[0]
    cycles = max(1, int(np.ceil(log.period_s / _LONGEST_CYCLE_S - 1e-9)))
    return np.asarray(_fly(setpoints, state, config.constants(), log.period_s, cycles))


def replay(log: OffboardLog, config: Px4OffboardConfig) -> Replay:
    """The figures of one recording."""
    flown, given = fly_setpoints(log, config), fly_setpoints(log, config, given_error=True)
    apart = flown[:, :3] - log.position_enu_m
    turned = (flown[:, 3] - log.yaw_rad + np.pi) % (2.0 * np.pi) - np.pi
    return Replay(
        name=log.name,
        path_rms_m=path_rms_m(flown[:, :2], log.position_enu_m[:, :2]),
        moment_rms_m=_rms(np.hypot(apart[:, 0], apart[:, 1])),
        height_rms_m=_rms(apart[:, 2]),
        yaw_rms_deg=float(np.degrees(_rms(turned))),
        truth_path_rms_m=path_rms_m(flown[:, :2], log.true_enu_m[:, :2]),
        path_rms_given_error_m=path_rms_m(given[:, :2], log.position_enu_m[:, :2]),
    )


def path_rms_m(one: FloatArray, other: FloatArray) -> float:
    """Root mean square distance from points of each path to the other one, over both directions."""
    a, b = resample(one, _SPACING_M), resample(other, _SPACING_M)
    return float(np.sqrt(0.5 * (_mean_square(a, b) + _mean_square(b, a))))


def _mean_square(points: FloatArray, line: FloatArray) -> float:
    nearest = [
        np.min(np.sum((points[start : start + 128, None] - line) ** 2, axis=2), axis=1)
        for start in range(0, len(points), 128)
    ]
    return float(np.mean(np.concatenate(nearest)))


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values * values)))
