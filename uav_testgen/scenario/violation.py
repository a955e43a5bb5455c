"""What a scenario can break, and one broken rule with its numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Rule(str, Enum):
    """What a scenario can break."""

    COUNT = "count"
    CONTAINED = "contained"
    APART = "apart"
    ON_GROUND = "on_ground"
    SIDES = "sides"
    HEIGHT = "height"
    ROTATION = "rotation"
    FEASIBLE = "feasible"
    CONFORMS = "conforms"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: what, where, by how much, and how to mend it."""

    rule: Rule
    message: str
    way_out: str
    obstacle_index: int | None = None
    other_index: int | None = None
    numbers: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.rule.value}: {self.message}; {self.way_out}"

    def to_json(self) -> dict[str, Any]:
        """Plain data for the command line."""
        return {
            "rule": self.rule.value,
            "obstacle": self.obstacle_index,
            "other_obstacle": self.other_index,
            "message": self.message,
            "way_out": self.way_out,
            "numbers": self.numbers,
        }
