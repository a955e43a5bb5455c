"""Who flew: the autopilot on a mission, or a person with the sticks."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.ulog.topics import Columns

# PX4's navigation states in which the sticks decide where the vehicle goes.
BY_HAND = {0: "MANUAL", 1: "ALTCTL", 2: "POSCTL", 10: "ACRO", 15: "STAB"}
# Taking off or landing by hand is usual; a log flown by hand for longer than this share is no mission.
MOST_BY_HAND = 0.5


def refuse_flight_by_hand(source: str, status: Columns | None, first_us: float, last_us: float) -> None:
    """InputFileError if a person flew most of the time between two time stamps."""
    states = None if status is None else status.get("nav_state")
    if status is None or states is None or len(states) == 0 or not last_us > first_us:
        return
    # A state holds until the next one is logged; the first one also before.
    borders = np.clip(np.append(status["timestamp"], np.inf), first_us, last_us)
    borders[0] = first_us
    lasting = np.diff(borders)
    shares = {state: float(np.sum(lasting[states == state]) / (last_us - first_us)) for state in BY_HAND}
    total = sum(shares.values())
    if total <= MOST_BY_HAND:
        return
    names = ", ".join(name for state, name in BY_HAND.items() if shares[state] > 0.0)
    raise InputFileError(
        f"{source}: flown by hand ({total:.0%} of the flight in {names}); only missions that the autopilot "
        "flew can be replicated, because the simulated vehicle is given a mission. To replay the sticks, the "
        "log would have to hold manual_control_setpoint and a backend would have to take it; none here does"
    )
