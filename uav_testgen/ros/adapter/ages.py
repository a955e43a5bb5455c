"""How old a planner's answers were when they were flown, and what that says about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

_KEEPS_UP: Final = 0.05
"""Share of steps in which an answer may be late without a word about it."""


@dataclass
class AnswerAges:
    """One flight's bookkeeping. An age is the time from an answer's arrival to the set-point made of it."""

    warn_s: float
    ages_s: list[float] = field(default_factory=list)
    answers: int = 0
    """Messages that could be flown."""
    unused: int = 0
    """Steps flown on an answer that had been flown already."""
    stale: int = 0
    """Lock-step: answers that belong to an earlier step."""
    _flown: int = -1

    def flown(self, age_s: float) -> None:
        """A step uses the newest answer, of this age."""
        self.ages_s.append(age_s)
        self.unused += self._flown == self.answers
        self._flown = self.answers

    @property
    def late(self) -> int:
        """Steps flown on an answer older than the profile wants."""
        return sum(age > self.warn_s for age in self.ages_s)

    @property
    def warning(self) -> str:
        """A sentence where the planner cannot keep up; empty where it does."""
        if self.late <= _KEEPS_UP * len(self.ages_s):
            return ""
        return (
            f"the planner cannot keep up: in {self.late} of {len(self.ages_s)} steps its newest answer was older than "
            f"{self.warn_s:g} s ({max(self.ages_s):.2f} s at most); a smaller time.speed, or lock_step, gives it time"
        )

    def to_json(self) -> dict[str, Any]:
        """For the record of the flight."""
        ages = np.array(self.ages_s or [np.nan])
        told = {
            "median": float(np.median(ages)),
            "p95": float(np.quantile(ages, 0.95)),
            "max": float(ages.max()),
        }
        return {
            "answers": self.answers,
            "steps_flown": len(self.ages_s),
            "answer_age_s": {name: round(value, 4) for name, value in told.items()} if self.ages_s else None,
            "late_steps": self.late,
            "steps_without_new_answer": self.unused,
            "stale_answers": self.stale,
        }
