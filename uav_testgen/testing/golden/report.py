"""Comparison of numbers with recorded ones, and the report over many cases.

A case is one sample in a unit file, one stage file, one sequence file, or one of the two runs (free,
teacher-forced) of a closed-loop file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

KINDS: Final = ("unit", "stage", "sequence", "closed_loop")


@dataclass(frozen=True, slots=True)
class Deviation:
    """The largest distance from a recorded quantity, relative to what is tolerated."""

    quantity: str
    value: float
    """Deviation in the quantity's unit; infinite when the shapes or the NaN cells differ."""
    tolerance: float
    case: str
    detail: str = ""

    @property
    def ratio(self) -> float:
        """More than 1 fails."""
        if self.value == 0:
            return 0.0
        return self.value / self.tolerance if self.tolerance > 0 else math.inf

    def as_json(self) -> dict[str, Any]:
        """Plain data; an infinite deviation is null."""
        return {
            "case": self.case,
            "quantity": self.quantity,
            "deviation": self.value if math.isfinite(self.value) else None,
            "tolerance": self.tolerance,
            "detail": self.detail,
        }


@dataclass(slots=True)
class CaseCheck:
    """Collects the comparisons of one case; the worst deviation of each quantity is kept."""

    case: str
    worst: dict[str, Deviation] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[Deviation]:
        """Quantities out of tolerance."""
        return [deviation for deviation in self.worst.values() if deviation.ratio > 1]

    def close(
        self,
        quantity: str,
        actual: npt.ArrayLike,
        expected: npt.ArrayLike,
        *,
        absolute: float = 0.0,
        relative: float = 0.0,
        at: str = "",
    ) -> None:
        """Numbers within max(absolute, relative * |expected|); NaN must meet NaN, inf must meet inf."""
        got = np.atleast_1d(np.asarray(actual, np.float64))
        wanted = np.atleast_1d(np.asarray(expected, np.float64))
        if got.shape != wanted.shape:
            self._differs(quantity, absolute or relative, f"shape {got.shape}, recorded {wanted.shape}", at)
            return
        with np.errstate(invalid="ignore"):
            difference = np.abs(got - wanted)
        difference[np.isnan(got) & np.isnan(wanted) | (got == wanted)] = 0.0
        difference[np.isnan(difference)] = math.inf
        magnitude = np.where(np.isfinite(wanted), np.abs(wanted), 0.0)
        allowed = np.maximum(absolute, relative * magnitude)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(difference == 0, 0.0, difference / allowed)
        if ratio.size == 0:
            self._keep(Deviation(quantity, 0.0, absolute or relative, self.case))
            return
        index = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
        detail = f"got {got[index]:.9g}, recorded {wanted[index]:.9g}{at and ' ' + at}"
        self._keep(Deviation(quantity, float(difference[index]), float(allowed[index]), self.case, detail))

    def same(self, quantity: str, actual: Any, expected: Any, at: str = "") -> None:
        """Equal values; deviation counts as infinite otherwise."""
        if isinstance(actual, np.ndarray):
            equal = np.array_equal(actual, expected)
        else:
            equal = actual == expected
        if equal:
            self._keep(Deviation(quantity, 0.0, 0.0, self.case))
        else:
            self._differs(quantity, 0.0, f"got {_short(actual)}, recorded {_short(expected)}", at)

    def _differs(self, quantity: str, tolerance: float, detail: str, at: str) -> None:
        self._keep(Deviation(quantity, math.inf, tolerance, self.case, f"{detail}{at and ' ' + at}"))

    def _keep(self, deviation: Deviation) -> None:
        known = self.worst.get(deviation.quantity)
        if known is None or deviation.ratio > known.ratio:
            self.worst[deviation.quantity] = deviation


def _short(value: Any) -> str:
    text = str(np.asarray(value).tolist()) if isinstance(value, (np.ndarray, list)) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."


@dataclass(slots=True)
class KindResult:
    """All cases of one kind."""

    passed: int = 0
    total: int = 0
    failures: list[Deviation] = field(default_factory=list)
    worst: dict[str, Deviation] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, check: CaseCheck) -> None:
        """Count one case."""
        self.total += 1
        self.passed += not check.failures
        self.failures += check.failures
        self.notes += [f"{check.case}: {note}" for note in check.notes]
        for quantity, deviation in check.worst.items():
            known = self.worst.get(quantity)
            if known is None or deviation.ratio > known.ratio:
                self.worst[quantity] = deviation

    @property
    def worst_deviation(self) -> Deviation | None:
        """The deviation nearest to (or farthest beyond) its tolerance."""
        return max(self.worst.values(), key=lambda deviation: deviation.ratio, default=None)


@dataclass(slots=True)
class GoldenReport:
    """The result of replaying a folder."""

    implementation: str
    kinds: dict[str, KindResult] = field(default_factory=lambda: {kind: KindResult() for kind in KINDS})

    @property
    def ok(self) -> bool:
        """True when every case passed."""
        return all(result.passed == result.total for result in self.kinds.values())

    def as_json(self) -> dict[str, Any]:
        """Counts per kind, failures, worst deviation per kind and per quantity."""
        data: dict[str, Any] = {"implementation": self.implementation}
        for kind, result in self.kinds.items():
            data[kind] = {"passed": result.passed, "total": result.total}
        data["failures"] = [
            {"kind": kind, **failure.as_json()}
            for kind, result in self.kinds.items()
            for failure in result.failures
        ]
        data["worst"] = {
            kind: worst.as_json()
            for kind, result in self.kinds.items()
            if (worst := result.worst_deviation) is not None
        }
        data["deviations"] = {
            kind: {quantity: deviation.as_json() for quantity, deviation in sorted(result.worst.items())}
            for kind, result in self.kinds.items()
        }
        data["notes"] = [note for result in self.kinds.values() for note in result.notes]
        return data
