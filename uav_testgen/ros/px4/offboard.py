"""Connects to PX4, arms it, keeps it in OFFBOARD and brings it down: a state machine without ROS.

    CONNECTING -> SETTLING -> READY -> ENGAGING -> FLYING <-> HOLDING -> LANDING -> OVER

`tick` gets what is known of the autopilot and answers with the commands to send now. Whatever happens after
the first command to arm, the way out leads through LANDING.

Two streams go to PX4, by two rules. `offboard_control_mode` announces that OFFBOARD is possible: without
it PX4 neither arms in OFFBOARD nor enters it in flight, so it runs from SETTLING on, also while recovering
from a failsafe, until LAND is commanded or a person chooses a mode. `trajectory_setpoint` moves the vehicle
in every mode, also against a landing: it is sent in OFFBOARD only.
"""

from __future__ import annotations

import math

from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.compat import NAV_COMING_DOWN, NAV_NAMES, NAV_OFFBOARD, CommandWords
from uav_testgen.ros.px4.failures import Failure, FailureKind
from uav_testgen.ros.px4.offboard_view import OffboardConfig, Stage, View
from uav_testgen.ros.px4.refusal import why_not_armable

__all__ = ["Offboard", "OffboardConfig", "Stage", "View"]

_MISMATCH_GRACE_S = 2.0
_OTHER_MODE_GRACE_S = 2.0
_LAND_TRIES_BEFORE_MODE = 3
_ARMING_TAKES_S = 1.0


class Offboard:
    """One vehicle, one flight after the other."""

    def __init__(self, config: OffboardConfig | None = None) -> None:
        self.config = config or OffboardConfig()
        self.stage = Stage.IDLE
        self.failure: Failure | None = None
        self.left_armed: Failure | None = None
        """Beside `failure`, never behind it: the vehicle was told to land and is still armed."""
        self.events: list[str] = []
        self.holds = 0
        self.announces = self.steers = False
        """Which streams PX4 gets until the next tick: offboard_control_mode, trajectory_setpoint."""
        self._since_s = 0.0
        self._good_since_s: float | None = None
        self._sent_s: dict[CommandWords, float] = {}
        self._land_tries = 0
        self._was_airborne = False
        self._grounded_s: float | None = None
        self._armed_at_s = -math.inf
        self._connect_after_landing = False
        self._by_failsafe = False
        self._held_mode = -1
        """The mode that took OFFBOARD's place: by a failsafe the newest it led to, otherwise a person's choice."""
        self._theirs_until_s = -math.inf

    @property
    def in_control(self) -> bool:
        """Armed or about to be: only LANDING leads out."""
        return self.stage in (Stage.ENGAGING, Stage.FLYING, Stage.HOLDING, Stage.LANDING)

    def connect(self, now_s: float) -> None:
        """A flight is wanted: find the vehicle and see whether it could fly."""
        self.failure, self.left_armed, self.events, self.holds = None, None, [], 0
        self._connect_after_landing = self.stage is Stage.LANDING
        if self.stage is not Stage.LANDING:
            self._enter(Stage.CONNECTING, now_s)

    def start(self, now_s: float) -> None:
        """Take control; only from READY."""
        if self.stage is Stage.READY:
            self._was_airborne = False
            self._enter(Stage.ENGAGING, now_s)

    def finish(self, now_s: float, failure: Failure | None = None) -> None:
        """Nothing more to fly, or a reason to stop: land (if in control) and be over."""
        if failure is not None and self.failure is None:
            self.failure = failure
            self.events.append(str(failure))
        if self.stage is Stage.LANDING:
            return
        self._enter(Stage.LANDING if self.in_control else Stage.OVER, now_s)

    def tick(self, view: View) -> list[CommandWords]:
        """What to send now."""
        work = {
            Stage.CONNECTING: self._connect,
            Stage.SETTLING: self._settle,
            Stage.ENGAGING: self._engage,
            Stage.FLYING: self._fly,
            Stage.HOLDING: self._hold,
            Stage.LANDING: self._land,
            Stage.OVER: self._watch,
        }.get(self.stage)
        sent = work(view) if work else []
        self.announces = self._may_announce(view)
        self.steers = self.announces and view.nav_state == NAV_OFFBOARD
        return sent

    def _may_announce(self, view: View) -> bool:
        if self.stage in (Stage.SETTLING, Stage.READY):
            return not view.armed  # somebody flies it, or it was told to land
        return self.stage in (Stage.ENGAGING, Stage.FLYING) or (
            self.stage is Stage.HOLDING and self._by_failsafe
        )

    def _connect(self, view: View) -> list[CommandWords]:
        waited_s = view.now_s - self._since_s
        heard = view.odometry_age_s <= self.config.odometry_timeout_s and math.isfinite(view.status_age_s)
        if heard and not view.mismatch:
            self._enter(Stage.SETTLING, view.now_s)
        elif view.mismatch and waited_s > _MISMATCH_GRACE_S:
            self.finish(view.now_s, Failure(FailureKind.VERSION_MISMATCH, view.mismatch))
        elif waited_s > self.config.connect_timeout_s:
            self.finish(view.now_s, self._not_heard(view, waited_s))
        return []

    def _not_heard(self, view: View, waited_s: float) -> Failure:
        if not view.agent:
            return Failure(
                FailureKind.NO_AGENT,
                f"nobody offers /fmu/out topics after {waited_s:.0f} s{view.place}; start PX4 and "
                "MicroXRCEAgent in the same ROS domain. If both run here, keep the agent on localhost: start "
                "PX4 with PX4_PARAM_UXRCE_DDS_PTCFG=1, or `param set UXRCE_DDS_PTCFG 1` and restart it",
            )
        missing = "vehicle_status" if math.isinf(view.status_age_s) else "vehicle_odometry"
        if view.odometry_age_s > self.config.odometry_timeout_s:
            missing = "vehicle_odometry"
        return Failure(
            FailureKind.NO_ODOMETRY, f"/fmu/out topics are there, but no {missing} came in {waited_s:.0f} s"
        )

    def _settle(self, view: View) -> list[CommandWords]:
        """On the ground, disarmed and healthy for a while; a vehicle found armed is landed first."""
        waited_s = view.now_s - self._since_s
        if view.odometry_age_s > self.config.odometry_timeout_s:
            self._enter(Stage.CONNECTING, view.now_s)
            return []
        if view.mismatch:
            self.finish(view.now_s, Failure(FailureKind.VERSION_MISMATCH, view.mismatch))
            return []
        good = view.checks_pass and view.landed and not view.armed and view.formats_known
        if not good:
            self._good_since_s = None
        elif self._good_since_s is None:
            self._good_since_s = view.now_s
        elif view.now_s - self._good_since_s >= self.config.settle_s:
            self._enter(Stage.READY, view.now_s)
            return []
        if waited_s > self.config.armable_timeout_s:
            self.finish(view.now_s, Failure(FailureKind.NOT_ARMABLE, why_not_armable(view)))
        if view.armed:
            return self._repeat(compat.LAND, view.now_s)
        # The checks are those of the present mode, and some modes cannot be armed in (LAND, or a manual mode
        # without a remote control). What counts is OFFBOARD, which a disarmed vehicle always accepts.
        if not view.checks_pass and view.nav_state != NAV_OFFBOARD and waited_s > _OTHER_MODE_GRACE_S:
            return self._repeat(compat.SET_OFFBOARD, view.now_s)
        return []

    def _engage(self, view: View) -> list[CommandWords]:
        if view.nav_state == NAV_OFFBOARD and view.armed:
            self._enter(Stage.FLYING, view.now_s)
            return []
        if lost := self._lost(view):
            self.finish(view.now_s, lost)
            return []
        if view.now_s - self._since_s > self.config.engage_timeout_s:
            self.finish(view.now_s, Failure(FailureKind.NOT_ARMABLE, why_not_armable(view)))
            return []
        wanted = compat.ARM if view.nav_state == NAV_OFFBOARD else compat.SET_OFFBOARD
        return self._repeat(wanted, view.now_s)

    def _fly(self, view: View) -> list[CommandWords]:
        if failure := self._lost(view) or self._down(view):
            self.finish(view.now_s, failure)
        elif view.nav_state != NAV_OFFBOARD:
            self.holds += 1
            why = "failsafe" if view.failsafe else "somebody changed the mode"
            self.events.append(
                f"{FailureKind.OFFBOARD_LOST.value}: PX4 went to {_mode(view)} ({why}); no set-points go out"
            )
            self._by_failsafe, self._held_mode = view.failsafe, view.nav_state
            self._enter(Stage.HOLDING, view.now_s)
        return []

    def _hold(self, view: View) -> list[CommandWords]:
        self._see_who_holds(view)
        held_s = view.now_s - self._since_s
        if failure := self._lost(view) or self._down(view):
            self.finish(view.now_s, failure)
        elif view.nav_state == NAV_OFFBOARD:
            self.events.append(f"OFFBOARD recovered after {held_s:.1f} s")
            self._enter(Stage.FLYING, view.now_s)
        elif held_s > self.config.recover_timeout_s:
            asked = "although OFFBOARD was asked for" if self._by_failsafe else "because somebody chose it"
            message = f"PX4 stayed in {_mode(view)} for {held_s:.1f} s {asked}"
            self.finish(view.now_s, Failure(FailureKind.OFFBOARD_LOST, message))
            if not self._by_failsafe:
                self._theirs_until_s = view.now_s + self.config.takeover_timeout_s
        elif self._by_failsafe:
            return self._repeat(compat.SET_OFFBOARD, view.now_s)
        # Without a failsafe somebody else chose the mode (pilot, ground station): that is not fought.
        return []

    def _see_who_holds(self, view: View) -> None:
        """A failsafe in a mode that a person chose stays theirs; a person may take over during a failsafe."""
        if view.failsafe:
            self._by_failsafe = self._by_failsafe or view.nav_state == self._held_mode
            if self._by_failsafe:
                self._held_mode = view.nav_state
        elif self._by_failsafe and view.nav_state not in (NAV_OFFBOARD, self._held_mode):
            self._by_failsafe, self._held_mode = False, view.nav_state
            self._since_s = view.now_s  # their time begins now
            self.events.append(
                f"somebody chose {_mode(view)} during the failsafe; OFFBOARD is no longer asked for"
            )

    def _land(self, view: View) -> list[CommandWords]:
        if self._is_theirs(view):
            return []
        waited_s = view.now_s - self._since_s
        # Only news count: the newest status may be older than our command to arm.
        news = view.status_age_s < min(waited_s, view.now_s - self._armed_at_s - _ARMING_TAKES_S)
        if not view.armed and news:
            self._enter(Stage.CONNECTING if self._connect_after_landing else Stage.OVER, view.now_s)
            self._connect_after_landing = False
            return []
        if view.status_age_s > self.config.lost_timeout_s or waited_s > self.config.land_timeout_s:
            quiet = (
                f"PX4 was silent for {view.status_age_s:.0f} s" if view.status_age_s > 2.0 else "still armed"
            )
            message = f"told to land, {quiet} after {waited_s:.0f} s"
            self.left_armed = Failure(FailureKind.LEFT_ARMED, message)
            self.events.append(str(self.left_armed))
            self._enter(Stage.OVER, view.now_s)
            return []
        if not view.landed:
            self._grounded_s = None
        elif self._grounded_s is None:
            self._grounded_s = view.now_s
        elif view.now_s - self._grounded_s >= self.config.disarm_after_s:
            return self._repeat(compat.DISARM, view.now_s)
        if view.nav_state in NAV_COMING_DOWN:
            return []
        by_mode = self._land_tries >= _LAND_TRIES_BEFORE_MODE and self._land_tries % 2
        sent = self._repeat(compat.SET_LAND_MODE if by_mode else compat.LAND, view.now_s)
        self._land_tries += len(sent)
        return sent

    def _is_theirs(self, view: View) -> bool:
        """A person took over and has the time to bring the vehicle down; LAND's own time begins after it."""
        theirs = view.armed and view.nav_state != NAV_OFFBOARD and view.now_s < self._theirs_until_s
        if theirs and view.status_age_s <= self.config.lost_timeout_s:
            self._since_s = view.now_s
            return True
        self._theirs_until_s = -math.inf
        return False

    def _watch(self, view: View) -> list[CommandWords]:
        """A command to arm that took effect late: down again."""
        if view.armed and view.now_s - self._armed_at_s < self.config.land_timeout_s:
            self._enter(Stage.LANDING, view.now_s)
        return []

    def _lost(self, view: View) -> Failure | None:
        if view.odometry_age_s > self.config.odometry_timeout_s:
            return Failure(
                FailureKind.NO_ODOMETRY, f"vehicle_odometry stopped {view.odometry_age_s:.1f} s ago in flight"
            )
        return None

    def _down(self, view: View) -> Failure | None:
        if not view.landed:
            self._was_airborne = True
        if not view.armed:
            return Failure(FailureKind.LANDED_EARLY, "PX4 disarmed before the mission was over")
        if view.landed and self._was_airborne:
            return Failure(FailureKind.LANDED_EARLY, "PX4 is on the ground before the mission was over")
        if not self._was_airborne and view.now_s - self._since_s > self.config.takeoff_timeout_s:
            waited_s = view.now_s - self._since_s
            return Failure(FailureKind.STUCK, f"armed, but did not leave the ground within {waited_s:.0f} s")
        return None

    def _repeat(self, words: CommandWords, now_s: float) -> list[CommandWords]:
        """The command, unless it was sent a moment ago."""
        if now_s - self._sent_s.get(words, -math.inf) < self.config.command_period_s:
            return []
        self._sent_s[words] = now_s
        if words == compat.ARM:
            self._armed_at_s = now_s
        return [words]

    def _enter(self, stage: Stage, now_s: float) -> None:
        self.stage, self._since_s = stage, now_s
        self._good_since_s = self._grounded_s = None
        self._sent_s.clear()
        self._land_tries = 0
        self._theirs_until_s = -math.inf


def _mode(view: View) -> str:
    return NAV_NAMES.get(view.nav_state, str(view.nav_state))
