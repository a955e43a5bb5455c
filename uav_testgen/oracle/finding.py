"""What one requirement says about one flight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """Was a requirement kept, by how much, and when was it closest to being broken?

    `margin` is what was left, in `unit`: negative means violated. A requirement that holds without a measure of how
    nearly it was broken has no margin and `holds=True`; without either the flight does not tell.
    """

    name: str
    margin: float | None
    unit: str = ""
    moment_s: float | None = None
    sentence: str = ""
    obstacle_index: int | None = None
    """The obstacle it is about, where it is about one."""
    by_aerialist: bool = False
    """Is the margin one of Aerialist's distance? Predictions then correct it for the model's bias."""
    holds: bool | None = None
    """Counts where there is no margin."""

    @property
    def violated(self) -> bool:
        """Was the requirement broken?"""
        return self.margin < 0.0 if self.margin is not None else self.holds is False

    @property
    def is_known(self) -> bool:
        """Does the flight tell?"""
        return self.margin is not None or self.holds is not None

    def to_json(self) -> dict[str, Any]:
        """Plain data for files and the command line."""
        return {
            "name": self.name,
            "margin": self.margin,
            "unit": self.unit,
            "violated": self.violated,
            "moment_s": self.moment_s,
            "sentence": self.sentence,
            "obstacle_index": self.obstacle_index,
            "by_aerialist": self.by_aerialist,
            "holds": self.holds,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finding:
        """Inverse of `to_json`; ValueError or TypeError where a value is of another kind."""
        found = cls(**{name: value for name, value in data.items() if name != "violated"})
        for value in (found.margin, found.moment_s):
            if value is not None and (isinstance(value, bool) or not math.isfinite(value)):
                raise ValueError(f"a finding holds {str(value)[:40]!r}, a finite number is expected")
        if not all(isinstance(text, str) for text in (found.name, found.unit, found.sentence)):
            raise TypeError("a finding has values of another kind")
        return found


def worst(findings: tuple[Finding, ...] | list[Finding]) -> Finding | None:
    """The finding with the least margin, the first of equals; None where no margin is known."""
    known = [finding for finding in findings if finding.margin is not None]
    return min(known, key=lambda finding: finding.margin or 0.0) if known else None
