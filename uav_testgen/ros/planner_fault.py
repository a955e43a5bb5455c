"""How a planner's side ends its flight: a command to stop whose reason names the ending, `planner_error: sentence`."""

from __future__ import annotations

from uav_testgen.flight.model import Ending

_FAULTS = {ending.value: ending for ending in (Ending.PLANNER_ERROR, Ending.PLANNER_LATE)}


def stop_reason(ending: Ending, sentence: str) -> str:
    """The reason that has the flight recorded with that ending."""
    return f"{ending.value}: {sentence}"


def planner_fault(reason: str) -> tuple[Ending, str] | None:
    """The ending that a planner's side asks for; None for any other reason to stop."""
    name, colon, sentence = reason.partition(": ")
    return (_FAULTS[name], sentence) if colon and name in _FAULTS else None
