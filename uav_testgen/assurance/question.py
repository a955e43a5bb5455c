"""The question asked of a flight: which requirement, and how much of it was left.

Without a requirement it is the safety distance, by the corrected distance of predictions. A margin below 0 fails.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.core.plugin import is_plugin
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.model import Outcome
from uav_testgen.oracle.requirement import REQUIREMENTS, find, make_requirement
from uav_testgen.oracle.stl.formula import (
    Comparison,
    Condition,
    Joined,
    Number,
    Signal,
    signals_in,
    unit_of,
)
from uav_testgen.oracle.stl.judgement import judge_formula
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.oracle.stl.requirement import is_formula
from uav_testgen.predict.distribution import Distribution, Run
from uav_testgen.predict.prediction import corrected_m
from uav_testgen.scenario.model import Scenario

_OF_DISTANCE = {"distance", "plan_distance", "clearance"}


class Breach(NamedTuple):
    """Whether and how a flight broke a requirement: since when before the worst of it, and in a sentence."""

    violated: bool
    since_s: float
    sentence: str
    by_obstacle: bool
    """Is it about the distance to an obstacle?"""


class Answer(NamedTuple):
    """What one flight says: `margin` is what was left (below 0: failed), None where it says nothing.

    `real_share` is how likely a real flight of this run fails, with the model's own error; None where that error was
    not measured for this requirement.
    """

    margin: float | None
    real_share: float | None


@lru_cache(maxsize=64)
def _parsed(formula: str) -> Condition:
    return parse(formula)


def came_too_near(scenario: Scenario, flight: Flight, requirements: Sequence[str] = ()) -> bool:
    """Did a flight break what is required of its distance to obstacles? Without any, the safety distance counts.

    Code that a requirement names is not loaded, because reports are written of folders of other people, too; where
    nothing else is required, the safety distance decides.
    """
    known = [
        text
        for text in requirements
        if is_formula(text) or text.partition("(")[0].strip() in REQUIREMENTS.names()
    ]
    if not known:
        return judge(scenario, flight).failed
    breaches = [Question(text).breach(scenario, flight) for text in known]
    return any(one is not None and one.violated and one.by_obstacle for one in breaches)


def _is_named(text: str) -> bool:
    """Is it `name(key=value)` or `file.py:Class(...)`, rather than a formula?"""
    name = text.partition("(")[0].strip()
    return name in REQUIREMENTS.names() or is_plugin(name)


@dataclass(frozen=True, slots=True)
class Question:
    """A requirement as text, or the safety distance. Plain data, so it travels to any worker.

    `formula` may also be a requirement by name, with arguments.
    """

    formula: str | None = None

    def __post_init__(self) -> None:
        if self.formula is None:
            return
        if _is_named(self.formula):
            make_requirement(self.formula)
        else:
            _parsed(self.formula)

    @property
    def text(self) -> str:
        """The requirement in words."""
        return self.formula or f"keep {SAFE_DISTANCE_M:g} m from every obstacle (Aerialist's measure)"

    @property
    def unit(self) -> str:
        """Of the margin; empty where only a flight tells it."""
        if self.formula is None:
            return "m"
        if _is_named(self.formula):
            return ""
        unit = unit_of(_parsed(self.formula))
        return "" if unit is None else str(unit)

    def answer(self, scenario: Scenario, flight: Flight, scatter: ScatterConfig, is_free: bool) -> Answer:
        """What a flight says."""
        if self.formula is None:
            return self._separation(scenario, flight, scatter, is_free)
        if _is_named(self.formula):
            return Answer(self._left(self.formula, scenario, flight), None)
        condition = _parsed(self.formula)
        left = judge_formula(condition, scenario, flight).robustness
        if left is None:
            return Answer(None, None)
        share = None
        sense = sense_of_distance(condition)
        if sense is not None and math.isfinite(left):
            # The bias was measured on distances, too: real ones exceed predicted ones by it.
            left += sense * (scatter.free_bias_m if is_free else scatter.bias_m)
            share = _below(left, scatter.model_m)
        return Answer(left, share)

    def breach(self, scenario: Scenario, flight: Flight) -> Breach | None:
        """When and how a flight broke what was asked for by text; None for the safety distance."""
        if self.formula is None:
            return None
        if _is_named(self.formula):
            found = find(make_requirement(self.formula), scenario, flight)
            by_obstacle = found.obstacle_index is not None
            return Breach(found.violated, found.moment_s or 0.0, found.sentence, by_obstacle)
        condition = _parsed(self.formula)
        judged = judge_formula(condition, scenario, flight)
        names = signals_in(condition)
        by_obstacle = any(name in _OF_DISTANCE or name.startswith("distance_") for name in names)
        return Breach(judged.violated, judged.last_broken_s or 0.0, judged.sentence, by_obstacle)

    def _left(self, text: str, scenario: Scenario, flight: Flight) -> float | None:
        """What a named requirement left; without a measure, endlessly much or just too little."""
        if flight.ending.is_trouble_of_planner:
            return None
        found = find(make_requirement(text), scenario, flight)
        if found.margin is not None or found.holds is None:
            return found.margin
        return math.inf if found.holds else -1.0

    def _separation(
        self, scenario: Scenario, flight: Flight, scatter: ScatterConfig, is_free: bool
    ) -> Answer:
        verdict = judge(scenario, flight)
        if verdict.outcome is Outcome.INCONCLUSIVE:
            return Answer(None, None)
        if scenario.logical is not None:
            exact_m = verdict.min_distance_3d_m
            limit_m = scenario.logical.safety_distance_m
            return Answer(math.inf if exact_m is None else exact_m - limit_m, None)
        distance_m = corrected_m(verdict, scatter, is_free)
        if verdict.ending is Ending.COLLISION:
            distance_m = 0.0
        run = Run(math.inf if distance_m is None else distance_m, verdict.duration_s, verdict.ending)
        share = Distribution((run,), scatter.error).probability_below(SAFE_DISTANCE_M)
        return Answer(run.distance_m - SAFE_DISTANCE_M, share)


def sense_of_distance(condition: Condition) -> int | None:
    """1 for a formula of which a metre more distance leaves a metre more, -1 for one of which it leaves a metre less.

    None where it asks for anything else than how a distance compares with a number, or for near and far at once.
    """
    senses = set(_senses(condition, 1))
    return senses.pop() if len(senses) == 1 else None


def _senses(node: Condition, sense: int) -> Iterator[int | None]:
    if isinstance(node, Comparison):
        yield _sense_of(node, sense)
    elif isinstance(node, Joined) and node.word == "iff":
        yield None
    else:
        turned = {"not": (-1,), "implies": (-1, 1)}.get(node.word, (1,) * len(node.parts))
        for part, turn in zip(node.parts, turned, strict=True):
            yield from _senses(part, sense * turn)


def _sense_of(node: Comparison, sense: int) -> int | None:
    left, right = node.left, node.right
    if node.sign not in ("<", "<=", ">", ">="):
        return None
    greater = sense if node.sign[0] == ">" else -sense
    if isinstance(left, Signal) and left.name in _OF_DISTANCE and isinstance(right, Number):
        return greater
    if isinstance(right, Signal) and right.name in _OF_DISTANCE and isinstance(left, Number):
        return -greater
    return None


def _below(margin: float, spread_m: float) -> float:
    if spread_m <= 0.0:
        return float(margin < 0.0)
    return 0.5 * math.erfc(margin / (spread_m * math.sqrt(2.0)))
