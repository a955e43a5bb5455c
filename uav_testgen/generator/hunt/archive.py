"""The elites: of each kind of layout the best that was flown, and how high the bar is for a place in the suite.

Cells are a leg, a place along it, a number of boxes and a direction: layouts of different cells cover different
ground, which is what the competition calls diverse, so a full archive is a diverse suite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from uav_testgen.generator.hunt.idea import Idea

_DIRECTIONS = 4
"""Sectors of the half circle in which the longest box may lie."""


@dataclass(frozen=True, slots=True)
class Elite:
    """A flown idea with its worth."""

    idea: Idea
    worth: float
    """Expected score by the competition's formula."""
    points: float
    """Expected points of a flight, whatever it cost."""
    number: int


class Elites:
    """The best idea of every cell."""

    def __init__(self, cell_m: float) -> None:
        self._cell_m = cell_m
        self._cells: dict[tuple[int, int, int, int], Elite] = {}

    def __len__(self) -> int:
        return len(self._cells)

    def add(self, elite: Elite) -> float:
        """Put an idea into its cell if it is better than what is there; returns by how much."""
        cell = self._cell(elite.idea)
        before = self._cells.get(cell)
        gain = elite.worth - (0.0 if before is None else before.worth)
        if gain <= 0.0:
            return 0.0
        self._cells[cell] = elite
        return gain

    def best(self) -> list[Elite]:
        """All elites, those with the highest score first."""
        return sorted(self._cells.values(), key=lambda elite: (-elite.worth, elite.number))

    def hardest(self) -> list[Elite]:
        """All elites, those with the most points first."""
        return sorted(self._cells.values(), key=lambda elite: (-elite.points, elite.number))

    def bar(self, places: int) -> float:
        """What a test must be worth to be among the first `places`; 0 while there are places free."""
        ranked = self.best()
        return ranked[places - 1].worth if len(ranked) >= places else 0.0

    def _cell(self, idea: Idea) -> tuple[int, int, int, int]:
        longest = max(idea.boxes, key=lambda box: max(box.length_m, box.width_m))
        turn_rad = longest.turn_rad + (0.0 if longest.length_m >= longest.width_m else 0.5 * math.pi)
        sector = int(_DIRECTIONS * ((turn_rad / math.pi) % 1.0))
        return (idea.leg, math.floor(idea.along_m / self._cell_m), len(idea.boxes), sector)
