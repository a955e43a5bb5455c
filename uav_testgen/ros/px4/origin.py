"""Where PX4's local origin lies in the mission's frame, and whether the estimator was reset.

The origin of the estimate is not the spawn point: a vehicle at rest reports a position some decimetres off.
The mean of what it reports on the ground is the launch point of the mission.
"""

from __future__ import annotations

import math
from collections import deque

from uav_testgen.core.frames import Vector3
from uav_testgen.ros.px4.frames import Estimate

_AT_REST_MPS = 0.5


class Origin:
    """Offset between PX4's ENU and the mission's ENU, averaged over the newest samples on the ground."""

    def __init__(self, samples: int = 100) -> None:
        self._recent: deque[Vector3] = deque(maxlen=samples)
        self.offset_m: Vector3 = (0.0, 0.0, 0.0)

    def see(self, estimate: Estimate) -> None:
        """A sample of a vehicle on the ground."""
        if math.hypot(*estimate.velocity_enu_mps) < _AT_REST_MPS:
            self._recent.append(estimate.position_enu_m)

    def forget(self) -> None:
        """The vehicle may have been moved: only samples from now on count."""
        self._recent.clear()

    def settle(self, launch_enu_m: Vector3) -> Vector3:
        """The vehicle stands on the launch point; returns what PX4 reported there."""
        if not self._recent:
            return (math.nan, math.nan, math.nan)
        count = len(self._recent)
        mean = tuple(sum(sample[axis] for sample in self._recent) / count for axis in range(3))
        self.offset_m = tuple(launch_enu_m[axis] - mean[axis] for axis in range(3))  # type: ignore[assignment]
        return mean  # type: ignore[return-value]

    def to_mission(self, position_px4_enu_m: Vector3) -> Vector3:
        """PX4's position in the mission's frame."""
        x, y, z = position_px4_enu_m
        return (x + self.offset_m[0], y + self.offset_m[1], z + self.offset_m[2])

    def to_px4(self, position_enu_m: Vector3) -> Vector3:
        """A position of the mission as PX4 is told it."""
        x, y, z = position_enu_m
        return (x - self.offset_m[0], y - self.offset_m[1], z - self.offset_m[2])


class ResetWatch:
    """Measures how far the estimate jumps when the reset counter changes.

    PX4 resets its height by a centimetre or two in every take-off: the size decides, not the counter.
    """

    def __init__(self) -> None:
        self._last: tuple[float, int, Estimate] | None = None
        self.resets = 0
        self.largest_m = 0.0

    def see(self, counter: int, estimate: Estimate, now_s: float) -> float:
        """Length of the jump in metres; 0 where nothing was reset."""
        last, self._last = self._last, (now_s, counter, estimate)
        if last is None or last[1] == counter:
            return 0.0
        then_s, _, before = last
        dt_s = min(max(now_s - then_s, 0.0), 0.2)
        jump_m = math.dist(
            estimate.position_enu_m,
            [before.position_enu_m[axis] + dt_s * before.velocity_enu_mps[axis] for axis in range(3)],
        )
        self.resets += 1
        self.largest_m = max(self.largest_m, jump_m)
        return jump_m
