"""How far each link is from what was recorded behind it, per flight and per leg."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import PITCH, ROLL, YAW
from uav_testgen.fidelity.links.recording import STEP_S, LinkRecording
from uav_testgen.fidelity.links.replay import at_rows, motion, setpoints, waypoints
from uav_testgen.loop.autopilot import system_for
from uav_testgen.loop.system import System

WRONG_SPEED = 0.3
"""A leg whose median speed differs by more than this share has the wrong speed: crawling, or not."""
_MOVING_MPS = 0.8
_LATE_S = tuple(round(0.01 * step, 2) for step in range(21))


@dataclass(frozen=True, slots=True)
class LegSpeeds:
    """Median horizontal speed of PX4's set-point on one leg."""

    leg: int
    recorded_mps: float
    ours_mps: float

    @property
    def is_wrong(self) -> bool:
        """Another speed than the recorded one."""
        return abs(self.ours_mps - self.recorded_mps) > WRONG_SPEED * self.recorded_mps


@dataclass(frozen=True, slots=True)
class LinkErrors:
    """One flight. Horizontal, on its legs; medians, and what nine of ten rows stay below (`most_`)."""

    name: str
    rows: int
    waypoint_m: float
    most_waypoint_m: float
    waypoint_left_m: float
    """How far our waypoint lies to the left of the recorded one, seen along the flight (median)."""
    waypoint_ahead_m: float
    """How far our waypoint lies ahead of the recorded one (median)."""
    waypoint_late_s: float
    """By how much later the recorded waypoints fit ours best."""
    waypoint_late_m: float
    """What is left of the error then (median)."""
    setpoint_m: float
    most_setpoint_m: float
    setpoint_mps: float
    """Error of the set-point's velocity, root of the mean square."""
    legs: tuple[LegSpeeds, ...]
    motion_m: float
    """Against the truth."""
    most_motion_m: float
    motion_left_m: float
    motion_ahead_m: float
    yaw_deg: float
    """Heading, ours less the recorded one (median), left positive."""
    pitch_deg: float
    """Nose down, ours less the recorded one while cruising (median)."""
    roll_deg: float
    recorded_pitch_deg: float
    """Nose down, as recorded while cruising (median): what `pitch_deg` is to be compared with."""

    def to_json(self) -> dict[str, Any]:
        """Plain data, rounded."""
        data = {
            key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(self).items()
        }
        data["legs"] = [
            {"leg": one.leg, "recorded_mps": round(one.recorded_mps, 3), "ours_mps": round(one.ours_mps, 3),
             "wrong": one.is_wrong}
            for one in self.legs
        ]  # fmt: skip
        return data


def compare_links(
    recordings: Sequence[LinkRecording], system: System, progress: Callable[[int, int], None] | None = None
) -> list[LinkErrors]:
    """The errors of every flight, each with the parameters that its scene sets."""
    found = []
    for number, recording in enumerate(recordings, start=1):
        found.append(link_errors(recording, system_for(system, recording.scenario)))
        if progress is not None:
            progress(number, len(recordings))
    return found


def link_errors(recording: LinkRecording, system: System) -> LinkErrors:
    """All three links of one flight."""
    planned, wanted, flown = (
        waypoints(recording, system),
        setpoints(recording, system),
        motion(recording, system),
    )
    sent = _later(planned, recording.waypoint_age_s)
    legs = recording.legs & np.isfinite(planned[:, 0])
    late_s = min(_LATE_S, key=lambda late_s: float(np.nanmean(_late_m(planned, recording, late_s)[legs])))
    course = _course(recording.setpoint_enu_mps)
    waypoint = _apart(sent, recording.waypoint_enu_m)
    setpoint = _apart(wanted.position_enu_m, recording.setpoint_enu_m)
    off = flown.position_enu_m - recording.truth_enu_m
    moved = np.hypot(off[:, 0], off[:, 1])
    speed_error = _apart(wanted.velocity_enu_mps, recording.setpoint_enu_mps)
    body = recording.body
    cruising = legs & (np.hypot(*recording.setpoint_enu_mps[:, :2].T) > _MOVING_MPS)
    cruising = cruising if np.any(cruising) else legs
    turned = (flown.attitude_rad[:, 2] - body[:, YAW] + np.pi) % (2.0 * np.pi) - np.pi
    ahead, left = _along(sent - recording.waypoint_enu_m, course)
    flown_ahead, flown_left = _along(off, course)
    return LinkErrors(
        name=recording.name,
        rows=int(np.sum(legs)),
        waypoint_m=_median(waypoint[legs]),
        most_waypoint_m=_most(waypoint[legs]),
        waypoint_left_m=_median(left[cruising]),
        waypoint_ahead_m=_median(ahead[cruising]),
        waypoint_late_s=late_s,
        waypoint_late_m=_median(_late_m(planned, recording, late_s)[legs]),
        setpoint_m=_median(setpoint[legs]),
        most_setpoint_m=_most(setpoint[legs]),
        setpoint_mps=float(np.sqrt(np.nanmean(speed_error[legs] ** 2))),
        legs=_leg_speeds(recording, wanted.velocity_enu_mps, legs),
        motion_m=_median(moved[legs]),
        most_motion_m=_most(moved[legs]),
        motion_left_m=_median(flown_left[cruising]),
        motion_ahead_m=_median(flown_ahead[cruising]),
        yaw_deg=_median(np.degrees(turned[legs])),
        pitch_deg=_median(np.degrees(flown.attitude_rad[:, 1] - body[:, PITCH])[cruising]),
        roll_deg=_median(np.degrees(flown.attitude_rad[:, 0] - body[:, ROLL])[cruising]),
        recorded_pitch_deg=_median(np.degrees(body[:, PITCH])[cruising]),
    )


def over_all(errors: Sequence[LinkErrors]) -> dict[str, Any]:
    """Medians over the flights, and how many legs have the wrong speed."""
    names = [name for name, value in asdict(errors[0]).items() if isinstance(value, float)]
    legs = [leg for one in errors for leg in one.legs]
    return {
        "flights": len(errors),
        "rows": sum(one.rows for one in errors),
        **{name: round(float(np.median([getattr(one, name) for one in errors])), 4) for name in names},
        "legs": len(legs),
        "legs_with_wrong_speed": sum(leg.is_wrong for leg in legs),
    }


def _leg_speeds(recording: LinkRecording, ours_mps: FloatArray, legs: FloatArray) -> tuple[LegSpeeds, ...]:
    found = []
    for leg in sorted(set(recording.goal_index[legs].tolist())):
        rows = legs & (recording.goal_index == leg)
        recorded, ours = (
            float(np.median(np.hypot(*velocity[rows, :2].T)))
            for velocity in (recording.setpoint_enu_mps, ours_mps)
        )
        found.append(LegSpeeds(int(leg), recorded, ours))
    return tuple(found)


def _later(waypoints_enu_m: FloatArray, age_s: FloatArray) -> FloatArray:
    """The waypoints of some time ago."""
    return at_rows(waypoints_enu_m, np.arange(len(waypoints_enu_m)) - age_s / STEP_S)


def _late_m(waypoints_enu_m: FloatArray, recording: LinkRecording, late_s: float) -> FloatArray:
    return _apart(_later(waypoints_enu_m, recording.waypoint_age_s + late_s), recording.waypoint_enu_m)


def _apart(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(np.hypot(one[:, 0] - other[:, 0], one[:, 1] - other[:, 1]))


def _course(velocity_mps: FloatArray) -> FloatArray:
    return np.asarray(np.arctan2(velocity_mps[:, 1], velocity_mps[:, 0]))


def _along(offset: FloatArray, course_rad: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(ahead, left) parts of horizontal offsets."""
    cosine, sine = np.cos(course_rad), np.sin(course_rad)
    return cosine * offset[:, 0] + sine * offset[:, 1], cosine * offset[:, 1] - sine * offset[:, 0]


def _median(values: FloatArray) -> float:
    return float(np.nanmedian(values))


def _most(values: FloatArray) -> float:
    return float(np.nanpercentile(values, 90.0))
