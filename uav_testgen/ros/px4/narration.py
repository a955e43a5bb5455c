"""What a person who waits is told while PX4 is looked for, flies and lands: one line for each change."""

from __future__ import annotations

from uav_testgen.core.body import LAND, LEG, TAKEOFF
from uav_testgen.ros.px4.external import ExternalSystem
from uav_testgen.ros.px4.mission_flight import MissionFlight
from uav_testgen.ros.px4.offboard import Offboard
from uav_testgen.ros.px4.offboard_view import OffboardConfig, Stage, View


def waiting(stage: Stage, view: View, config: OffboardConfig) -> str:
    """What is waited for before a flight, and for how long at most; "" where nothing is."""
    if stage is Stage.CONNECTING:
        what = "odometry and status of PX4" if view.agent else f"PX4 and its agent{view.place}"
        return f"waiting for {what}, at most {config.connect_timeout_s:.0f} s"
    if stage is Stage.SETTLING:
        first = "PX4 is armed and is told to land first; " if view.armed else ""
        return (
            f"{first}waiting until PX4 stands on the ground and passes its checks, "
            f"at most {config.armable_timeout_s:.0f} s"
        )
    return ""


def flying(machine: Offboard, flight: MissionFlight) -> str:
    """Where the flight is; "" where nothing new can be said."""
    if machine.stage is Stage.ENGAGING and isinstance(machine, ExternalSystem):
        return machine.doing
    if machine.stage is Stage.ENGAGING:
        return "switching to OFFBOARD and arming"
    if machine.stage is Stage.LANDING:
        why = f" ({machine.failure})" if machine.failure else ""
        return f"landing{why}"
    if machine.stage is not Stage.FLYING:
        return ""
    if flight.phase == TAKEOFF and isinstance(machine, ExternalSystem):
        return "the node under test flies"
    if flight.phase == TAKEOFF:
        return f"taking off to {float(flight.goal[2]):.1f} m"
    legs = len(flight.scenario.mission.waypoints)
    if flight.phase == LEG:
        return f"leg {min(max(flight.goal_index, 1), legs)} of {legs}"
    return "landing" if flight.phase == LAND else ""


def over(machine: Offboard) -> str:
    """How it is with the vehicle after the flight."""
    return ended(str(machine.left_armed) if machine.left_armed else None)


def ended(left_armed: str | None) -> str:
    """The last line about a flight."""
    return left_armed or "disarmed"
