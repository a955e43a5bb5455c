"""The answer of `certify`: a probability with its interval, what the model's error adds, what it cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtri


@dataclass(frozen=True, slots=True)
class Estimate:
    """A probability and the interval that holds it with the stated confidence."""

    probability: float
    interval: tuple[float, float]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"probability": self.probability, "interval": list(self.interval)}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.probability:.3g} [{low:.3g}, {high:.3g}]"


@dataclass(frozen=True, slots=True)
class Certificate:
    """How likely a requirement fails.

    `simulated` counts flights of the model alone; `real` folds in how far predictions may be off, where that was
    measured on real flights; None where it was not.
    """

    requirement: str
    varies: str
    system: str
    method: str
    confidence: float
    simulated: Estimate
    real: Estimate | None
    flights: int
    failures: int
    """Among the independent flights it began with."""
    independent: int
    uncounted: int
    """Points that were no valid scene, or whose flight says nothing."""
    reached: bool
    """False: no failure was found, only the upper end of the interval means something."""
    levels: tuple[tuple[float, float], ...]
    margins: tuple[float, ...]
    unit: str
    seed: int

    @property
    def monte_carlo_flights(self) -> int | None:
        """How many independent flights an interval as narrow as this would have taken."""
        low, high = self.simulated.interval
        p = self.simulated.probability
        if not self.reached or low <= 0.0 or p <= 0.0 or high <= low:
            return None
        width = math.log(high / low)
        deviations = float(ndtri(0.5 + 0.5 * self.confidence))
        return round((1.0 - p) / p * (2.0 * deviations / width) ** 2)

    def lines(self) -> list[str]:
        """For people."""
        sure = f"{self.confidence:.0%}"
        low, high = self.simulated.interval
        if self.reached:
            found = f"{self.simulated.probability:.3g}, {sure} interval {low:.3g} to {high:.3g}"
        else:
            found = f"no failure found; below {high:.3g} with {sure} confidence"
        lines = [
            f"requirement  {self.requirement}",
            f"varies       {self.varies}",
            f"fails        {found} (simulated flights of {self.system})",
        ]
        if self.real is not None:
            low, high = self.real.interval
            lines.append(
                f"really       {self.real.probability:.3g}, {sure} interval {low:.3g} to {high:.3g} "
                "(with the model's own error)"
            )
        else:
            lines.append("really       not known: the model's error was not measured for this requirement")
        cost = f"{self.flights} flights by {self.method}"
        plain = self.monte_carlo_flights
        if self.method != "monte-carlo" and plain is not None:
            cost += f" (plain Monte Carlo: about {plain} for an interval as narrow)"
        lines.append(f"cost         {cost}")
        if self.uncounted:
            lines.append(f"not counted  {self.uncounted} points without a valid scene or a conclusive flight")
        return lines

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "requirement": self.requirement,
            "varies": self.varies,
            "system": self.system,
            "method": self.method,
            "confidence": self.confidence,
            "simulated": self.simulated.to_json(),
            "real": self.real.to_json() if self.real is not None else None,
            "reached": self.reached,
            "flights": self.flights,
            "independent_flights": self.independent,
            "failures": self.failures,
            "not_counted": self.uncounted,
            "monte_carlo_flights": self.monte_carlo_flights,
            "levels": [{"margin": level, "probability": share} for level, share in self.levels],
            "unit": self.unit,
            "seed": self.seed,
        }
