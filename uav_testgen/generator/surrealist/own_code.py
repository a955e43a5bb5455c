"""Fitness functions and mutators that the user wrote: `file.py:name` or `package.module:name`.

A fitness function maximises, as Algorithm 1 of the paper does (section 3.1.4): it gets the flights of one test
and returns a number, higher is better. A mutator is a class with a name, a first step and `apply`.
"""

from __future__ import annotations

import inspect
import math
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.plugin import load_plugin
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.generator.surrealist.greedy import Mutator
from uav_testgen.scenario.model import Scenario

_FITNESS_FORM = "def fitness(flights), (flights, scenario) or (flights, scenario, log)"
_MUTATOR_FORM = "a class with name, first_step and apply(scenario, by)"


@dataclass(frozen=True, slots=True)
class OwnFitness:
    """Which function judges the flights of a test; `log` is the flight to be replicated, if there is one.

    Plain data, so that workers load the function themselves.
    """

    name: str
    log: Trajectory | None = None

    def measure(self, flights: Sequence[Flight], scenario: Scenario) -> dict[str, Any]:
        """`fitness`, and where that is None `no_fitness` with the reason, file and line."""
        function = load_fitness(self.name)
        given = (list(flights), scenario, self.log)[: _arguments(function)]
        try:
            value = function(*given)
        except Exception as error:  # whatever the user's code does, the search goes on
            return {"fitness": None, "no_fitness": _blame(self.name, error)}
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            reason = f"{_place(function)}: fitness '{self.name}' returned {value!r:.80}, no finite number"
            return {"fitness": None, "no_fitness": reason}
        return {"fitness": number}


def load_fitness(name: str) -> Callable[..., Any]:
    """The function; ConfigError where it is none, or takes other arguments."""
    found = load_plugin("fitness", name)
    if not callable(found) or not 1 <= _arguments(found) <= 3:
        raise ConfigError(f"fitness '{name}': not a function {_FITNESS_FORM}")
    return found  # type: ignore[no-any-return]


def load_mutator(name: str) -> Mutator[Scenario]:
    """An instance of the user's class; ConfigError says what it lacks."""
    kind = load_plugin("mutator", name)
    try:
        own = kind() if inspect.isclass(kind) else kind
    except Exception as error:
        raise ConfigError(f"mutator '{name}': {_blame(name, error)}") from error
    label, step, apply = (getattr(own, part, None) for part in ("name", "first_step", "apply"))
    if not isinstance(label, str) or not label or not callable(apply):
        raise ConfigError(f"mutator '{name}': not {_MUTATOR_FORM}")
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not 0.0 < step < math.inf:
        raise ConfigError(f"mutator '{name}': first_step is {step!r:.40}, a number above 0 is expected")
    return Mutator(label[:100], float(step), partial(_applied, name, apply))


def _applied(
    name: str, apply: Callable[[Scenario, float], Any], scenario: Scenario, by: float
) -> Scenario | None:
    try:
        changed = apply(scenario, by)
    except Exception as error:
        raise ConfigError(f"mutator '{name}': {_blame(name, error)}") from error
    if changed is not None and not isinstance(changed, Scenario):
        raise ConfigError(
            f"mutator '{name}': {_place(apply)}: apply returned {type(changed).__name__}, a Scenario or None "
            "is expected"
        )
    return changed


def _arguments(function: Callable[..., Any]) -> int:
    """How many positional arguments it takes, three at most; 0 where it cannot be called with flights."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 3
    given = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = [one for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    return 0 if len(needed) > 3 else min(len(given), 3)


def _blame(name: str, error: Exception) -> str:
    """The innermost line of the user's file, and what went wrong there."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__]
    file = name.rpartition(":")[0]
    mine = [frame for frame in own if frame.filename.endswith(file.rpartition("/")[2])] or own
    text = f"{type(error).__name__}: {str(error)[:200]}"
    return f"{mine[-1].filename}:{mine[-1].lineno}: {text}" if mine else text


def _place(function: Callable[..., Any]) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return "somewhere" if code is None else f"{code.co_filename}:{code.co_firstlineno}"
