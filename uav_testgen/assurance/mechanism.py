"""How a flight came too close, in one word: rules over its circumstances, the most specific first.

Rules instead of a cluster analysis: the same failure gets the same name in every campaign, under every seed that does
not change what happened, and everybody can read why. The failing runs of a test are weighed together.

Almost every failure passes a corner, and always outside the camera's view, which is narrow. What tells them apart is
why the planner did not know better: the place stood behind an obstacle, the camera looked elsewhere, or it had been
seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

from uav_testgen.assurance.circumstances import Circumstances

_GAP_M = 4.0
_CORNER_M = 0.75
_UNSEEN = 0.5
# Of the 20 s that the planner remembers. A place is either never behind an obstacle or for two seconds and more.
_HIDDEN_S = 1.0
_SEEN_WELL_S = 5.0
_HOVER_S = 6.0
_TURNS = 4
_CLEARLY = 2.0 / 3.0


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
    SEEN_CORNER = "cut corner in full view"
    ALONGSIDE = "passed alongside"


MEANINGS: Final[dict[Mechanism, str]] = {
    Mechanism.TAKE_OFF: "it came closest while still climbing",
    Mechanism.UNSEEN_MOVING: "the obstacle moved towards it from where the camera does not look",
    Mechanism.MOVING: "the obstacle moved towards it in full view",
    Mechanism.HOVER_AND_ESCAPE: "it hovered before the obstacle, then found a tight way",
    Mechanism.OSCILLATION: "it turned to and fro before it decided",
    Mechanism.SQUEEZE: "it flew through a gap with an obstacle on either side",
    Mechanism.RETURN_LEG: "it met an obstacle again that it had passed on an earlier leg",
    Mechanism.CUT_CORNER: "it rounded the end of a wall that had stood before that end",
    Mechanism.LATE_SIGHT: "nothing hid the nearest part of the obstacle, but the camera looked elsewhere",
    Mechanism.SEEN_CORNER: "it rounded a corner too tightly although the camera had seen it",
    Mechanism.ALONGSIDE: "it flew along the face of an obstacle too near",
}
_PLACES: Final[Sequence[tuple[Mechanism, Callable[[Circumstances], bool]]]] = (
    (Mechanism.UNSEEN_MOVING, lambda one: one.is_moving and one.unseen_share > _UNSEEN),
    (Mechanism.MOVING, lambda one: one.is_moving),
    (Mechanism.TAKE_OFF, lambda one: one.leg == 1 and one.altitude_share < 0.9),
    (Mechanism.SQUEEZE, lambda one: one.other_side_m < _GAP_M),
    (Mechanism.RETURN_LEG, lambda one: one.passed_before),
    (Mechanism.CUT_CORNER, lambda one: one.to_corner_m < _CORNER_M and one.hidden_s > _HIDDEN_S),
    (Mechanism.LATE_SIGHT, lambda one: one.hidden_s <= _HIDDEN_S and one.in_view_s < _SEEN_WELL_S),
    (Mechanism.SEEN_CORNER, lambda one: one.to_corner_m < _CORNER_M),
    (Mechanism.ALONGSIDE, lambda one: True),
)
"""Where and how it came near; the first that fits a run."""
_ON_THE_WAY: Final[Sequence[tuple[Mechanism, Callable[[Circumstances], bool]]]] = (
    (Mechanism.HOVER_AND_ESCAPE, lambda one: one.hovered_s > _HOVER_S),
    (Mechanism.OSCILLATION, lambda one: one.turns >= _TURNS),
)
_WHATEVER_ITS_WAY: Final = (Mechanism.UNSEEN_MOVING, Mechanism.MOVING, Mechanism.TAKE_OFF)
_ORDER: Final = [name for name, _ in _PLACES]


def mechanism_of(*facts: Circumstances) -> Mechanism:
    """What most runs of a test did; where two names are as frequent, the less specific one.

    What a flight does on the way (it hovers, it turns to and fro) comes and goes with the scatter more than the place
    where it passes. So it names a test only if more than two of three runs show it.
    """
    counts = Counter(_place_of(one) for one in facts)
    most = max(counts, key=lambda name: (counts[name], _ORDER.index(name)))
    if most not in _WHATEVER_ITS_WAY:
        for name, fits in _ON_THE_WAY:
            if sum(map(fits, facts)) > _CLEARLY * len(facts):
                return name
    return most


def _place_of(one: Circumstances) -> Mechanism:
    return next(name for name, fits in _PLACES if fits(one))
