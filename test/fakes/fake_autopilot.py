"""The behaviour of PX4 1.16 in SITL as far as an offboard client sees it, without ROS.

Every trait comes from flights of the real thing: modes and answers, the failsafe after a lost stream,
set-points that are obeyed in every mode (a vehicle told to land does not come down while somebody still sends
them), OFFBOARD that is neither armed in nor entered in flight without its stream, the position controller
(gain 1.07, lag 0.62 s, at most 6 m/s^2) that takes positions, velocities, accelerations, headings and turns, NaN
being no demand, and hovers where nothing is demanded; the landing, the origin that is not the spawn point, the small
height reset in the climb, the stamps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

OFFBOARD, POSCTL, LOITER, AUTO_TAKEOFF, AUTO_LAND = 14, 2, 4, 17, 18
EXTERNAL = range(23, 31)
TAKEOFF_HEIGHT_M = 2.5
ACCEPTED, TEMPORARILY_REJECTED, DENIED = 0, 1, 2
STREAM_TIMEOUT_S = 1.1
SETPOINT_TIMEOUT_S = 0.5
SPOOL_UP_S = 1.0
DISARM_AFTER_LANDING_S = 2.0
ORIGIN_NED = (0.35, 0.02, -0.43)
NOTHING = (math.nan, math.nan, math.nan)
KP, TAU_S, MAX_ACCELERATION = 1.07, 0.62, 6.0


@dataclass
class FakeAutopilot:
    """State in NED, relative to where the vehicle stood first; `position` adds the offset of the origin."""

    origin_ned_m: tuple[float, float, float] = ORIGIN_NED
    failing: tuple[str, ...] = ()
    obeys_mode: bool = True
    obeys_land: bool = True
    obeys_selection: bool = True
    can_take_off: bool = True
    t_s: float = 0.0
    armed: bool = False
    nav_state: int = LOITER
    failsafe: bool = False
    landed: bool = True
    reset_counter: int = 13
    yaw: float = 0.0
    place: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    velocity: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    shift: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    modes: dict[int, str] = field(default_factory=dict)
    """External modes by nav_state, in the order of their registration."""
    runnable: set[int] = field(default_factory=set)
    """Those that have said that they could run."""
    setpoint: tuple[float, float, float] | None = None
    """Position demanded last; NaN on axes without one."""
    velocity_setpoint: Sequence[float] = NOTHING
    acceleration_setpoint: Sequence[float] = NOTHING
    yaw_setpoint: float = math.nan
    yaw_rate_setpoint: float = math.nan
    _stream_s: float = -math.inf
    _setpoint_s: float = -math.inf
    _armed_s: float = 0.0
    _down_s: float = 0.0
    _height_reset_done: bool = False
    _mode_after_disarming: int = LOITER

    @property
    def position(self) -> list[float]:
        """What the estimator reports."""
        return [self.place[i] + self.origin_ned_m[i] + self.shift[i] for i in range(3)]

    @property
    def stream_alive(self) -> bool:
        return self.t_s - self._stream_s < STREAM_TIMEOUT_S

    @property
    def checks_pass(self) -> bool:
        """Those of the present mode; AUTO_LAND cannot be armed in."""
        if self.failing or (self.nav_state == AUTO_LAND and not self.armed):
            return False
        return self.nav_state != OFFBOARD or self.stream_alive

    def hear_stream(self) -> None:
        self._stream_s = self.t_s

    def hear_setpoint(
        self,
        position: Sequence[float],
        yaw: float,
        velocity: Sequence[float] = NOTHING,
        acceleration: Sequence[float] = NOTHING,
        yaw_rate: float = math.nan,
    ) -> None:
        """A TrajectorySetpoint: all of the one before is forgotten."""
        self.setpoint = (position[0], position[1], position[2])
        self.velocity_setpoint, self.acceleration_setpoint = velocity, acceleration
        self.yaw_setpoint, self.yaw_rate_setpoint = yaw, yaw_rate
        self._setpoint_s = self.t_s

    def command(self, number: int, param1: float, param2: float, param3: float) -> int:
        if number == 176 and (param1, param2) == (1.0, 6.0):
            if not self.obeys_mode or (self.armed and not self.stream_alive):
                return TEMPORARILY_REJECTED
            self.nav_state, self.failsafe = OFFBOARD, False
            self._mode_after_disarming = OFFBOARD
            return ACCEPTED
        if number == 21 or (number == 176 and (param2, param3) == (4.0, 6.0)):
            if not self.obeys_land:
                return TEMPORARILY_REJECTED
            self.nav_state = AUTO_LAND
            return ACCEPTED
        if number == 22:
            if not self.armed:
                return DENIED
            self.nav_state, self.failsafe = AUTO_TAKEOFF, False
            return ACCEPTED
        if number == 100000:
            mode = int(param1)
            if mode not in self.runnable or not self.obeys_selection:
                return TEMPORARILY_REJECTED
            self.nav_state, self.failsafe = mode, False
            return ACCEPTED
        if number == 400:
            return self._arm() if param1 == 1.0 else self._disarm()
        return 3

    def register(self, name: str) -> int:
        """nav_state of the mode, the same if it is known already; -1 if all are taken."""
        for mode, known in self.modes.items():
            if known == name:
                return mode
        free = [mode for mode in EXTERNAL if mode not in self.modes]
        if not free:
            return -1
        self.modes[free[0]] = name
        return free[0]

    def unregister(self, mode: int) -> None:
        """The mode is gone; a vehicle that flies in it holds."""
        self.modes.pop(mode, None)
        self.runnable.discard(mode)
        if self.nav_state == mode:
            self.nav_state, self.failsafe = LOITER, self.armed

    def _arm(self) -> int:
        if not self.checks_pass:
            return TEMPORARILY_REJECTED
        if not self.armed:
            self.armed, self._armed_s = True, self.t_s
        return ACCEPTED

    def _disarm(self) -> int:
        if not self.landed:
            return DENIED
        self.motors_off()
        return ACCEPTED

    def motors_off(self) -> None:
        """Disarmed, and in the newest mode that can be armed in."""
        self.armed, self.nav_state = False, self._mode_after_disarming

    def advance(self, dt_s: float) -> None:
        """The simulation goes on."""
        self.t_s += dt_s
        if self.armed and self.nav_state == OFFBOARD and not self.stream_alive:
            self.nav_state, self.failsafe = POSCTL, True
        if not self.armed:
            self.velocity = [0.0, 0.0, 0.0]
            return
        if self.t_s - self._armed_s < SPOOL_UP_S or not self.can_take_off:
            return
        self._move(self._wanted_velocity(), dt_s)
        self._watch_ground(dt_s)

    def _wanted_velocity(self) -> list[float]:
        steered = self.t_s - self._setpoint_s < SETPOINT_TIMEOUT_S
        if self.nav_state == AUTO_LAND and not steered:
            return [0.0, 0.0, 1.5 if -self.place[2] > 5.0 else 0.7]
        if self.nav_state == AUTO_TAKEOFF and not steered:
            if -self.place[2] < TAKEOFF_HEIGHT_M:
                return [0.0, 0.0, -1.5]
            self.nav_state = LOITER
        if self.setpoint is None or (self.nav_state != OFFBOARD and not steered):
            return [0.0, 0.0, 0.0]
        wanted = [self._demanded(i) for i in range(3)]
        speed = math.hypot(wanted[0], wanted[1])
        if speed > 12.0:
            wanted[0], wanted[1] = 12.0 * wanted[0] / speed, 12.0 * wanted[1] / speed
        wanted[2] = max(-3.0, min(1.5, wanted[2]))
        return wanted

    def _demanded(self, i: int) -> float:
        """Velocity on one axis: what the position error asks for, and the demanded velocity or acceleration."""
        assert self.setpoint is not None
        error_m, velocity = self.setpoint[i] - self.position[i], self.velocity_setpoint[i]
        acceleration = self.acceleration_setpoint[i]
        forward = 0.0 if math.isnan(acceleration) else TAU_S * acceleration
        if math.isnan(error_m) and math.isnan(velocity):
            return self.velocity[i] + forward if not math.isnan(acceleration) else 0.0
        parts = (KP * error_m, velocity, forward)
        return sum(part for part in parts if not math.isnan(part))

    def _move(self, wanted: list[float], dt_s: float) -> None:
        for i in range(3):
            acceleration = (wanted[i] - self.velocity[i]) / TAU_S
            acceleration = max(-MAX_ACCELERATION, min(MAX_ACCELERATION, acceleration))
            self.velocity[i] += acceleration * dt_s
            self.place[i] += self.velocity[i] * dt_s
        if math.isfinite(self.yaw_setpoint):
            error = math.remainder(self.yaw_setpoint - self.yaw, 2.0 * math.pi)
            self.yaw += error * min(1.0, dt_s / 0.4)
        if math.isfinite(self.yaw_rate_setpoint):
            self.yaw += self.yaw_rate_setpoint * dt_s

    def _watch_ground(self, dt_s: float) -> None:
        if self.place[2] >= 0.0:
            self.place[2] = 0.0
            self.velocity[2] = min(0.0, self.velocity[2])
            if self.velocity[2] == 0.0 and not self.landed:
                self._down_s += dt_s
        else:
            self._down_s = 0.0
        if self.place[2] < -0.3:
            self.landed = False
        elif self._down_s > 1.0 and self.nav_state != OFFBOARD:
            self.landed = True
        if self.landed and self.place[2] >= 0.0 and self.nav_state == AUTO_LAND:
            self._down_s += dt_s
            if self._down_s > 1.0 + DISARM_AFTER_LANDING_S:
                self.motors_off()
        if not self._height_reset_done and self.place[2] < -1.5:
            self._height_reset_done = True
            self.reset(0.0, 0.0, -0.015)

    def reset(self, north: float, east: float, down: float) -> None:
        """The estimator changes its mind."""
        self.reset_counter += 1
        for i, by in enumerate((north, east, down)):
            self.shift[i] += by
