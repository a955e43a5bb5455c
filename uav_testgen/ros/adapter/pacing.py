"""Simulated time by the wall's clock, and where the vehicle is between two steps. Pure: no ROS, no sleeping."""

from __future__ import annotations

import math
from collections import deque
from typing import Final

from uav_testgen.ros.convert.motion import Motion, Vector

_KEPT: Final = 16
CATCHES_UP_S: Final = 0.05


class PacedClock:
    """Simulated time that runs `speed` times as fast as the wall's, but never beyond what is known.

    At the horizon it waits. A short wait, such as the graph needs from one step to the next, is made up for
    afterwards; a longer one is not: the planner would see time jump.
    """

    def __init__(self, start_ns: int, wall_s: float, speed: float) -> None:
        self._start_ns, self._wall_s, self._speed = start_ns, wall_s, speed
        self._now_ns = start_ns
        self.slipped_s = 0.0
        """How much later than at the asked speed it is, because the graph was not ready [s of the wall]."""

    def now_ns(self, wall_s: float, horizon_ns: int) -> int:
        """The time it is."""
        wanted_ns = self._start_ns + round((wall_s - self._wall_s) * self._speed * 1e9)
        behind_s = (wanted_ns - horizon_ns) * 1e-9 / self._speed
        if behind_s > CATCHES_UP_S:
            lost_s = behind_s - CATCHES_UP_S
            self.slipped_s += lost_s
            self._wall_s += lost_s
        self._now_ns = max(self._now_ns, min(wanted_ns, horizon_ns))
        return self._now_ns


class MotionTrack:
    """Motions at known times, and smooth ones between them."""

    def __init__(self) -> None:
        self._known: deque[tuple[int, Motion]] = deque(maxlen=_KEPT)

    def add(self, at_ns: int, motion: Motion) -> None:
        """A motion that is known; what was known for the same time or later is replaced."""
        while self._known and self._known[-1][0] >= at_ns:
            self._known.pop()
        self._known.append((at_ns, motion))

    def at(self, at_ns: int) -> Motion:
        """The motion at a time; before the first and after the last the nearest one."""
        later = next((item for item in self._known if item[0] >= at_ns), self._known[-1])
        earlier = next((item for item in reversed(self._known) if item[0] <= at_ns), self._known[0])
        if later[0] <= earlier[0]:
            return later[1] if at_ns >= later[0] else earlier[1]
        return between(earlier[1], later[1], (later[0] - earlier[0]) * 1e-9, (at_ns - earlier[0]) * 1e-9)


def between(first: Motion, last: Motion, length_s: float, at_s: float) -> Motion:
    """Cubic in position, so that it fits both velocities; linear in velocity and angles."""
    share = at_s / length_s
    h00 = 2 * share**3 - 3 * share**2 + 1
    h10 = share**3 - 2 * share**2 + share
    h01, h11 = 1.0 - h00, share**3 - share**2
    position = _each(
        lambda a, va, b, vb: h00 * a + h10 * length_s * va + h01 * b + h11 * length_s * vb,
        first.position_enu_m, first.velocity_enu_mps, last.position_enu_m, last.velocity_enu_mps,
    )  # fmt: skip
    velocity = _each(lambda a, b: a + share * (b - a), first.velocity_enu_mps, last.velocity_enu_mps)
    attitude = _each(lambda a, b: a + share * _shortest(b - a), first.attitude_rad, last.attitude_rad)
    return first._replace(position_enu_m=position, velocity_enu_mps=velocity, attitude_rad=attitude)


def _each(function: object, *vectors: Vector) -> Vector:
    assert callable(function)
    x, y, z = (float(function(*numbers)) for numbers in zip(*vectors, strict=True))
    return (x, y, z)


def _shortest(angle_rad: float) -> float:
    return math.remainder(angle_rad, 2.0 * math.pi)
