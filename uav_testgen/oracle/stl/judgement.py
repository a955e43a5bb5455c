"""A formula judged on one flight: how much was left, when it broke, and how it went on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.stl.formula import Comparison, Condition, Joined, Temporal, signals_in, unit_of, walk
from uav_testgen.oracle.stl.robustness import Courses
from uav_testgen.oracle.stl.signals import signals_of
from uav_testgen.scenario.model import Scenario


@dataclass(frozen=True, slots=True)
class Judgement:
    """`robustness` is what is left at the beginning of the flight, for all of it; negative means violated.

    It is None where the flight does not tell, and infinite where nothing could break the formula, for example
    without obstacles. `moment_s` is when the least was left, `breaks_s` when it was first broken.
    """

    robustness: float | None
    unit: str
    moment_s: float | None
    breaks_s: float | None
    sentence: str
    t_s: FloatArray
    over_time: FloatArray
    """For `always φ` the robustness of φ at every sample, else of the formula."""

    @property
    def last_broken_s(self) -> float | None:
        """When it was last broken anew before the least was left: `always φ` may be broken, kept and broken again."""
        if self.moment_s is None or not self.violated:
            return None
        before = self.t_s <= self.moment_s
        kept = np.flatnonzero(before & (self.over_time >= 0.0))
        if not np.any(self.over_time[before] < 0.0) or not len(kept):
            return self.breaks_s
        return float(self.t_s[min(int(kept[-1]) + 1, len(self.t_s) - 1)])

    @property
    def violated(self) -> bool:
        """Was the formula broken?"""
        return self.robustness is not None and self.robustness < 0.0


def judge_formula(formula: Condition, scenario: Scenario, flight: Flight) -> Judgement:
    """The judgement on one flight."""
    flown = flight.trajectory
    names = signals_in(formula)
    unit = unit_of(formula)
    shown = "" if unit is None else str(unit)
    nothing = np.empty(0)
    if len(flown) == 0:
        return Judgement(None, shown, None, None, "No usable trajectory.", nothing, nothing)
    signals = signals_of(scenario, flight, names)
    untold = [name for name in names if np.any(np.isnan(signals[name]))]
    if untold:
        sentence = f"The flight does not tell its {untold[0].replace('_', ' ')}."
        return Judgement(None, shown, None, None, sentence, nothing, nothing)
    t_s = np.asarray(flown.t_s - flown.t_s[0])
    courses = Courses(t_s, signals)
    value = float(courses.of(formula)[0])
    # Of `always φ` the course of φ tells more than how much is left from each moment on.
    inner = formula.parts[0] if isinstance(formula, Temporal) and formula.word == "always" else formula
    over_time = courses.of(inner)
    if math.isnan(value):
        sentence = "The formula has no value for this flight (a division by 0, or infinite less infinite)."
        return Judgement(None, shown, None, None, sentence, t_s, over_time)
    sample, deciding = courses.deciding(formula)
    moment_s = float(t_s[sample])
    breaks_s = _breaks_s(formula, t_s, over_time, moment_s) if value < 0.0 else None
    # Of different things the margin is that of the comparison that decides; of `iff` it is a mixture.
    mixed = any(isinstance(one, Joined) and one.word == "iff" for one in walk(formula))
    amount_unit = shown or ("" if mixed else str(deciding.unit))
    sentence = _sentence(deciding, value, amount_unit, moment_s, breaks_s)
    return Judgement(value, shown, moment_s, breaks_s, sentence, t_s, over_time)


def _breaks_s(formula: Condition, t_s: FloatArray, over_time: FloatArray, moment_s: float) -> float:
    """First violation inside the window of an outer `always`; for other formulas when it was decided."""
    if not isinstance(formula, Temporal) or formula.word != "always":
        return moment_s
    inside = (t_s >= formula.low_s - 1e-6) & (t_s <= formula.high_s + 1e-6) & (over_time < 0.0)
    return float(t_s[np.flatnonzero(inside)[0]])


def _sentence(deciding: Comparison, value: float, unit: str, moment_s: float, breaks_s: float | None) -> str:
    amount = f"{abs(value):.2f} {unit}".strip() if unit != "1" else f"{abs(value):g}"
    what = str(deciding)[1:-1]
    if math.isinf(value):
        return "Nothing in this flight could break it." if value > 0 else "It never could be fulfilled."
    if breaks_s is None:
        return f"Kept with {amount} left; tightest after {moment_s:.1f} s ({what})."
    first = f" Broken first after {breaks_s:.1f} s." if breaks_s < moment_s - 1e-6 else ""
    return f"Violated by {amount} after {moment_s:.1f} s ({what}).{first}"
