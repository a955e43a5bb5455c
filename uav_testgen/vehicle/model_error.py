"""How far the predictions of a vehicle model may be off, in the two numbers the oracle needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelError:
    """A spread, and what becomes of runs that hover without an end.

    Of these `escape_share` go on in reality, with a least distance anywhere between 0 and `escape_m`. Nothing
    farther than `reach_m`, the range of the planner's sensor, can hold a vehicle up.
    """

    spread_m: float
    escape_share: float = 0.0
    escape_m: float = 2.0
    reach_m: float = 15.0
