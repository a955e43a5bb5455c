"""The ways a flight with a live PX4 can go wrong, by name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from uav_testgen.flight.model import Ending
from uav_testgen.ros.planner_fault import planner_fault


class FailureKind(str, Enum):
    """Names a user can search for; docs/howto/px4.md says what to do about each."""

    NO_AGENT = "no agent"
    NO_ODOMETRY = "no odometry"
    VERSION_MISMATCH = "version mismatch"
    NOT_ARMABLE = "not armable"
    OFFBOARD_LOST = "offboard lost"
    TIME_JUMP = "time jump"
    ESTIMATOR_RESET = "estimator reset"
    LANDED_EARLY = "landed early"
    STUCK = "stuck"
    NO_SYSTEM = "no node under test"
    TIME_OUT = "time-out"
    PLANNER_ERROR = "planner error"
    PLANNER_LATE = "planner late"
    LEFT_ARMED = "left armed"
    STOPPED = "stopped"


ENDINGS = {
    FailureKind.OFFBOARD_LOST: Ending.OFFBOARD_LOST,
    FailureKind.LANDED_EARLY: Ending.LANDED_EARLY,
    FailureKind.STUCK: Ending.STUCK,
    FailureKind.TIME_OUT: Ending.TIME_LIMIT,
    FailureKind.PLANNER_ERROR: Ending.PLANNER_ERROR,
    FailureKind.PLANNER_LATE: Ending.PLANNER_LATE,
}
"""Failures that say something about the flight; all others abort it without a verdict."""


_NOBODY_THERE = (FailureKind.NO_AGENT, FailureKind.NO_ODOMETRY, FailureKind.VERSION_MISMATCH)


def nobody_there(sentence: str, *, starts_node: bool) -> str:
    """The part of a sentence about one flight that holds for any other flight, too; empty if none does.

    `starts_node`: each flight starts the node under test anew, so the next one may have it.
    """
    kinds = _NOBODY_THERE if starts_node else (*_NOBODY_THERE, FailureKind.NO_SYSTEM)
    found = [sentence.find(f"{kind.value}: ") for kind in kinds]
    return sentence[min(at for at in found if at >= 0) :] if max(found) >= 0 else ""


def stopped(reason: str) -> Failure:
    """Told to stop: by the planner's side because of the planner, or by somebody else."""
    fault = planner_fault(reason)
    if fault is None:
        return Failure(FailureKind.STOPPED, reason or "told to stop")
    ending, sentence = fault
    kind = FailureKind.PLANNER_ERROR if ending is Ending.PLANNER_ERROR else FailureKind.PLANNER_LATE
    return Failure(kind, sentence)


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, as a name and a sentence."""

    kind: FailureKind
    message: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.message}"

    @property
    def ending(self) -> Ending:
        """How a flight is over that ended like this."""
        return ENDINGS.get(self.kind, Ending.ABORTED)
