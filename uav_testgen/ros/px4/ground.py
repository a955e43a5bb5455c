"""On the ground or in the air, told from the odometry: PX4 1.15 does not offer its land detector.

Coarser than PX4's own: the ground is where the vehicle stood when it was last seen disarmed, so a landing on
another level is noticed only when PX4 disarms.
"""

from __future__ import annotations

import math

from uav_testgen.ros.px4.frames import Estimate

_OFF_THE_GROUND_M = 0.5
_NEAR_THE_GROUND_M = 0.3
_AT_REST_MPS = 0.3
_REST_FOR_S = 1.5


class GroundWatch:
    """Follows height and speed; `landed` is the best guess."""

    def __init__(self) -> None:
        self.landed = True
        self._ground_m: float | None = None
        self._rest_since_s: float | None = None

    def see(self, estimate: Estimate, armed: bool, now_s: float) -> None:
        """A sample of the odometry."""
        height_m = estimate.position_enu_m[2]
        if not armed or self._ground_m is None:
            self._ground_m, self._rest_since_s, self.landed = height_m, None, True
            return
        above_m = height_m - self._ground_m
        if above_m > _OFF_THE_GROUND_M:
            self.landed = False
        at_rest = math.hypot(*estimate.velocity_enu_mps) < _AT_REST_MPS
        if above_m > _NEAR_THE_GROUND_M or not at_rest:
            self._rest_since_s = None
        elif self._rest_since_s is None:
            self._rest_since_s = now_s
        elif now_s - self._rest_since_s > _REST_FOR_S:
            self.landed = True
