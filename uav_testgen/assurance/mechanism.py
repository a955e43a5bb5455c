"""How a flight came too close, in one word: rules over its circumstances, the most specific first.

Rules instead of a cluster analysis: the same failure gets the same name in every campaign, under every seed that does
not change what happened, and everybody can read why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

from uav_testgen.assurance.circumstances import Circumstances

_GAP_M = 4.0
_CORNER_M = 0.75
_UNSEEN = 0.5
_HOVER_S = 6.0
_TURNS = 4


class Mechanism(str, Enum):
    """What happened."""

    TAKE_OFF = "take-off"
    UNSEEN_MOVING = "moving obstacle from outside the view"
    MOVING = "moving obstacle"
    HOVER_AND_ESCAPE = "hover and escape"
    OSCILLATION = "oscillation"
    SQUEEZE = "squeeze between"
    RETURN_LEG = "return leg"
    LATE_SIGHT = "late sight because of the heading"
    CUT_CORNER = "cut corner behind wall end"
    ALONGSIDE = "passed alongside"


MEANINGS: Final[dict[Mechanism, str]] = {
    Mechanism.TAKE_OFF: "it came closest while still climbing",
    Mechanism.UNSEEN_MOVING: "the obstacle moved towards it from where the camera does not look",
    Mechanism.MOVING: "the obstacle moved towards it in full view",
    Mechanism.HOVER_AND_ESCAPE: "it hovered before the obstacle, then found a tight way",
    Mechanism.OSCILLATION: "it turned to and fro before it decided",
    Mechanism.SQUEEZE: "it flew through a gap with an obstacle on either side",
    Mechanism.RETURN_LEG: "it met an obstacle again that it had passed on an earlier leg",
    Mechanism.LATE_SIGHT: "the nearest part of the obstacle was outside the camera's view because of the heading",
    Mechanism.CUT_CORNER: "it rounded the end of a wall too tightly",
    Mechanism.ALONGSIDE: "it flew along the face of an obstacle too near",
}
_RULES: Final[Sequence[tuple[Mechanism, Callable[[Circumstances], bool]]]] = (
    (Mechanism.UNSEEN_MOVING, lambda one: one.is_moving and one.unseen_share > _UNSEEN),
    (Mechanism.MOVING, lambda one: one.is_moving),
    (Mechanism.TAKE_OFF, lambda one: one.leg == 1 and one.altitude_share < 0.9),
    (Mechanism.HOVER_AND_ESCAPE, lambda one: one.hovered_s > _HOVER_S),
    (Mechanism.SQUEEZE, lambda one: one.other_side_m < _GAP_M),
    (Mechanism.OSCILLATION, lambda one: one.turns >= _TURNS),
    (Mechanism.RETURN_LEG, lambda one: one.passed_before),
    (Mechanism.CUT_CORNER, lambda one: one.to_corner_m < _CORNER_M),
    (Mechanism.LATE_SIGHT, lambda one: one.unseen_share > _UNSEEN),
)


def mechanism_of(facts: Circumstances) -> Mechanism:
    """The first rule that fits."""
    return next((name for name, fits in _RULES if fits(facts)), Mechanism.ALONGSIDE)
