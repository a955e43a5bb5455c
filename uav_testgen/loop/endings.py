"""Codes of the loop as endings with a sentence."""

from __future__ import annotations

from uav_testgen.flight.model import Ending
from uav_testgen.vehicle import mission

ENDINGS: dict[int, tuple[Ending, str]] = {
    mission.REACHED: (Ending.GOAL_REACHED, "the mission was completed"),
    mission.STUCK: (Ending.STUCK, "the vehicle stayed in one place too long"),
    mission.TIME_UP: (Ending.TIME_LIMIT, "the time limit was reached before the goal"),
    mission.HIT_OBSTACLE: (Ending.COLLISION, "the vehicle flew into an obstacle"),
    mission.HIT_GROUND: (Ending.COLLISION, "the vehicle flew into the ground"),
    mission.STARTS_INSIDE: (Ending.COLLISION, "the flight starts inside an obstacle"),
    mission.BROKEN: (Ending.ABORTED, "the state of the vehicle became infinite or undefined"),
    mission.STOPPED: (Ending.ABORTED, "the flight was stopped"),
    mission.PLANNER_FAILED: (Ending.PLANNER_ERROR, "the planner failed"),
    mission.PLANNER_LATE: (Ending.PLANNER_LATE, "the planner did not answer in time"),
}
