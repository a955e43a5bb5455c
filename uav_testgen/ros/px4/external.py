"""A flight in which somebody else's node is the system under test: this side sends no set-point.

The node shows itself in one of two ways. It registers a mode with PX4 (as px4-ros2-interface-lib does):
then PX4 is armed and taken off from here and the mode is selected. Or it flies OFFBOARD on its own: then it
arms the vehicle itself. The flight ends when the mode says that it is done, when the vehicle is on the
ground, some time after the last waypoint, or when the time is up.
"""

from __future__ import annotations

import math

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.compat import CommandWords
from uav_testgen.ros.px4.failures import Failure, FailureKind
from uav_testgen.ros.px4.offboard import Offboard
from uav_testgen.ros.px4.offboard_view import OffboardConfig, Stage, View

_NAV_TAKEOFF, _NAV_LOITER = 17, 4


class ExternalConfig(RoomConfig):
    """How long somebody else's node may take for what."""

    mode_name: str = Field("", max_length=24, description="Name of the registered mode; empty: the first one")
    appear_timeout_s: float = Field(
        60.0, gt=0, le=3600, description="The node must register a mode or arm the vehicle within [s]"
    )
    takeoff_timeout_s: float = Field(
        60.0, gt=0, le=3600, description="Arming, take-off and the change of mode may take this long [s]"
    )
    after_goal_s: float = Field(
        20.0, ge=0, le=3600, description="At its last waypoint the node has this long to end the flight [s]"
    )


class ExternalSystem(Offboard):
    """The same stages; ENGAGING waits for the node and brings its mode into the air."""

    def __init__(self, config: OffboardConfig | None = None, external: ExternalConfig | None = None) -> None:
        super().__init__(config)
        self.external = external or ExternalConfig()
        self.mode: int | None = None
        """nav_state of the node's mode; None while it is unknown, or where the node flies OFFBOARD."""
        self.doing = ""
        """What is waited for, for people."""
        self._took_off = False
        self._appeared_s: float | None = None

    def start(self, now_s: float) -> None:
        """Wait for the node."""
        self.mode, self._took_off, self._appeared_s = None, False, None
        super().start(now_s)

    def _may_announce(self, view: View) -> bool:
        return False

    def _engage(self, view: View) -> list[CommandWords]:
        waited_s = view.now_s - self._since_s
        if lost := self._lost(view):
            self.finish(view.now_s, lost)
            return []
        if self.mode is None:
            self.mode = view.mode_of(self.external.mode_name)
        if self.mode is not None:
            return self._bring_up(view)
        if view.armed and view.status_age_s < waited_s:
            self.events.append("the node under test armed the vehicle itself")
            self._enter(Stage.FLYING, view.now_s)
        elif waited_s > self.external.appear_timeout_s:
            wanted = f" '{self.external.mode_name}'" if self.external.mode_name else ""
            self.finish(
                view.now_s,
                Failure(
                    FailureKind.NO_SYSTEM,
                    f"the node under test neither registered a mode{wanted} nor armed the vehicle within "
                    f"{waited_s:.0f} s; does it run, in the same ROS domain?",
                ),
            )
        limit_s = self.external.appear_timeout_s
        self.doing = f"waiting for the node under test to register or arm, at most {limit_s:.0f} s"
        return []

    def _bring_up(self, view: View) -> list[CommandWords]:
        """Arm, take off, select the mode."""
        assert self.mode is not None
        name = view.modes.get(self.mode, "") or str(self.mode)
        if self._appeared_s is None:
            self._appeared_s = view.now_s
            self.events.append(f"the node under test registered the mode '{name}'")
        if view.nav_state == self.mode and view.armed:
            self._enter(Stage.FLYING, view.now_s)
            return []
        if view.now_s - self._appeared_s > self.external.takeoff_timeout_s:
            refused = compat.RESULT_NAMES.get(view.answers.get(compat.SET_NAV_STATE, 0), "")
            said = f"; selecting it was {refused}" if refused not in ("", "accepted") else ""
            message = f"the mode '{name}' was not flying within {self.external.takeoff_timeout_s:.0f} s{said}"
            self.finish(view.now_s, Failure(FailureKind.NOT_ARMABLE, message))
            return []
        self.doing = f"taking off for the mode '{name}'"
        if not view.armed:
            return self._repeat(compat.ARM, view.now_s)
        self._took_off = self._took_off or (not view.landed and view.nav_state == _NAV_LOITER)
        if not self._took_off:
            return [] if view.nav_state == _NAV_TAKEOFF else self._repeat(compat.TAKEOFF, view.now_s)
        return self._repeat(compat.select_mode(self.mode), view.now_s)

    def _fly(self, view: View) -> list[CommandWords]:
        if lost := self._lost(view):
            self.finish(view.now_s, lost)
            return []
        self._was_airborne = self._was_airborne or not view.landed
        if self.mode is not None and self.mode in view.completed:
            result = view.completed[self.mode]
            self.events.append(f"the mode is done (result {result})")
            self.finish(view.now_s, self._early(f"the mode ended with result {result}") if result else None)
        elif self._was_airborne and (view.landed or not view.armed):
            self.events.append("the node under test has landed")
            self.finish(view.now_s)
        elif self.mode is not None and view.nav_state != self.mode:
            why = "a failsafe" if view.failsafe else "somebody's choice"
            went = compat.NAV_NAMES.get(view.nav_state, str(view.nav_state))
            message = f"PX4 left the node's mode for {went} by {why}"
            self.finish(view.now_s, Failure(FailureKind.OFFBOARD_LOST, message))
            if not view.failsafe:
                self._theirs_until_s = view.now_s + self.config.takeover_timeout_s
        elif not self._was_airborne and view.now_s - self._since_s > self.config.takeoff_timeout_s:
            waited_s = view.now_s - self._since_s
            message = f"armed, but did not leave the ground within {waited_s:.0f} s"
            self.finish(view.now_s, Failure(FailureKind.STUCK, message))
        return []

    def _early(self, message: str) -> Failure:
        return Failure(FailureKind.LANDED_EARLY, message)

    def is_over(self, at_goal_since_s: float, now_s: float) -> bool:
        """At its last waypoint since then: the node had its time to end the flight."""
        return math.isfinite(at_goal_since_s) and now_s - at_goal_since_s >= self.external.after_goal_s
