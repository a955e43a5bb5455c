"""Everything PX4 told about its refusal to fly, as one sentence."""

from __future__ import annotations

from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.compat import NAV_NAMES
from uav_testgen.ros.px4.offboard_view import View


def why_not_armable(view: View) -> str:
    """Which check, which answer, which mode."""
    reasons = []
    if view.failing:
        reasons.append("checks not passed: " + ", ".join(view.failing))
    elif not view.checks_pass:
        reasons.append("pre_flight_checks_pass is false and PX4 names no check")
    if view.armed:
        reasons.append("it is armed and does not come down")
    elif not view.landed:
        reasons.append("the land detector says it is in the air")
    for command, name in ((176, "set mode OFFBOARD"), (400, "arm")):
        result = view.answers.get(command)
        if result:
            reasons.append(f"{name} was {compat.RESULT_NAMES.get(result, result)}")
    mode = NAV_NAMES.get(view.nav_state, str(view.nav_state))
    return "; ".join(reasons or ["no answer to our commands"]) + f" (mode {mode})"
