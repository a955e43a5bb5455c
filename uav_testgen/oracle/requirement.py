"""What must hold in every flight: requirements by name, by code, or as objects.

A requirement is any object with a name and `judge(scenario, flight) -> Finding`:

    class Quick:
        name = "quick"

        def __init__(self, limit_s: float = 60.0) -> None:
            self.limit_s = limit_s

        def judge(self, scenario, flight):
            return Finding(self.name, self.limit_s - flight.duration_s, "s", sentence="...")

It is pure: the same scenario and flight always give the same finding. On the command line and in files it is
written as its name with arguments: `max_altitude(limit_m=12)`, `mine.py:Quick(limit_s=45)`; in a YAML list also as
`max_altitude: {limit_m: 12}`. A formula (`oracle/stl`) stands for itself: `always (distance > 1.5)`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np

from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.core.own_line import line_of_method, making, said_of
from uav_testgen.core.plugin import name_of
from uav_testgen.core.registry import Registry
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.finding import Finding
from uav_testgen.oracle.stl.requirement import NAME as FORMULA
from uav_testgen.oracle.stl.requirement import is_formula
from uav_testgen.oracle.stl.words import FormulaError
from uav_testgen.scenario.model import Scenario

MOST_REQUIREMENTS = 100
_LONGEST = 4000


@runtime_checkable
class Requirement(Protocol):
    """Judges flights by one rule."""

    name: str

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """Was it kept, and by how much?"""
        ...


REQUIREMENTS = Registry(
    "requirement",
    {
        "separation": "uav_testgen.oracle.keep_distance:Separation",
        "mission_completed": "uav_testgen.oracle.flight_limits:MissionCompleted",
        "min_altitude": "uav_testgen.oracle.flight_limits:MinAltitude",
        "max_altitude": "uav_testgen.oracle.flight_limits:MaxAltitude",
        "max_tilt": "uav_testgen.oracle.flight_limits:MaxTilt",
        "max_speed": "uav_testgen.oracle.flight_limits:MaxSpeed",
        "max_duration": "uav_testgen.oracle.flight_limits:MaxDuration",
        "geofence": "uav_testgen.oracle.flight_limits:Geofence",
        FORMULA: "uav_testgen.oracle.stl.requirement:Formula",
    },
)


class RequirementError(BackendError):
    """A requirement of the user's raised an exception or gave no finding: the flight cannot be judged."""


def split_text(text: str) -> tuple[str, dict[str, Any]]:
    """Name and arguments of `name(key=value, ...)`, or of a formula; ConfigError says what is wrong with it."""
    if is_formula(text):
        return FORMULA, {"text": text}
    name, bracket, _ = text.partition("(")
    if not bracket:
        return text.strip(), {}
    form = f"requirement '{text[:200]}': expected name(key=value, ...), such as max_altitude(limit_m=12)"
    if len(text) > _LONGEST:
        raise ConfigError(f"{form}, at most {_LONGEST} characters")
    try:
        call = ast.parse("f" + text[len(name) :].strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two: nested too deeply
        raise ConfigError(form) from None
    if not isinstance(call, ast.Call) or call.args or any(one.arg is None for one in call.keywords):
        raise ConfigError(form)
    return name.strip(), {str(one.arg): _value(one.value, form) for one in call.keywords}


def _value(node: ast.expr, form: str) -> Any:
    if isinstance(node, ast.Name):  # measure=3d is no Python, but measure=exact is a word and needs no quotes
        return node.id
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise ConfigError(form) from None


def as_text(given: Any) -> str:
    """A requirement of a YAML list, text or `name: {key: value}`, as text."""
    if isinstance(given, str):
        return given
    if isinstance(given, Mapping) and len(given) == 1:
        ((name, arguments),) = given.items()
        if isinstance(name, str) and (arguments is None or isinstance(arguments, Mapping)):
            words = ", ".join(f"{key}={value!r}" for key, value in (arguments or {}).items())
            return f"{name}({words})" if words else name
    raise ConfigError(
        f"requirement {str(given)[:100]!r}: expected text such as max_altitude(limit_m=12), "
        "or max_altitude: {limit_m: 12}"
    )


@lru_cache(maxsize=256)
def make_requirement(text: str) -> Requirement:
    """The requirement behind `name(key=value, ...)`; made once per process, because judging is pure."""
    name, arguments = split_text(text)
    kind = REQUIREMENTS.load(name)
    with making("requirement", text):
        try:
            made = kind(**arguments) if isinstance(kind, type) or not hasattr(kind, "judge") else kind
        except FormulaError:
            raise  # it says where
        except ConfigError as error:
            raise ConfigError(f"requirement '{text[:200]}' cannot be made: {error}") from None
    if not callable(getattr(made, "judge", None)):
        raise ConfigError(
            f"requirement '{name}' has no judge(scenario, flight); docs/howto/requirement.md shows one"
        )
    return made  # type: ignore[no-any-return]


def make_requirements(texts: Sequence[str]) -> tuple[Requirement, ...]:
    """The list of a campaign or command; ConfigError for an unknown or repeated one."""
    if len(texts) > MOST_REQUIREMENTS:
        raise ConfigError(f"{len(texts)} requirements; at most {MOST_REQUIREMENTS} are accepted")
    made = tuple(make_requirement(text) for text in texts)
    for number, text in enumerate(texts):
        if text in texts[:number]:
            raise ConfigError(f"requirement '{text[:200]}' is listed twice")
    return made


def names_of(given: Any) -> tuple[tuple[str, ...], bool]:
    """Names for requirements given as text, classes or objects, and whether other processes can load them all."""
    listed = [given] if isinstance(given, str) or hasattr(given, "judge") else list(given or ())
    names, everywhere = [], True
    for number, part in enumerate(listed):
        if isinstance(part, Mapping):
            part = as_text(part)
        name, loadable = name_of(REQUIREMENTS, part)
        if not loadable:
            # Two objects of one class are two requirements.
            name = f"{name} {number + 1}"
            REQUIREMENTS.add(name, part, listed=False)
            make_requirement.cache_clear()
        names.append(name)
        everywhere = everywhere and loadable
    make_requirements(names)
    return tuple(names), everywhere


def find(requirement: Requirement, scenario: Scenario, flight: Flight) -> Finding:
    """The finding of one requirement; what it does wrong is said of it, with file and line."""
    name = str(getattr(requirement, "name", type(requirement).__name__))
    try:
        found = requirement.judge(scenario, flight)
    except Exception as error:
        raise RequirementError(f"requirement '{name}': {said_of(error)}"[:600]) from error
    if not isinstance(found, Finding):
        raise RequirementError(
            f"requirement '{name}': {line_of_method(requirement, 'judge')}judge() must return a Finding, "
            f"not {type(found).__name__}"
        )
    return _plain(found, name)


def _plain(found: Finding, name: str) -> Finding:
    """With numbers that files can hold; an infinite margin says nothing that could be compared."""
    margin, moment_s = found.margin, found.moment_s
    for value in (margin, moment_s):
        if value is not None and (
            isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number)
        ):
            raise RequirementError(
                f"requirement '{name}': margin and moment_s must be numbers or None, not {value!r}"[:300]
            )
    if margin is not None and math.isnan(margin):
        raise RequirementError(
            f"requirement '{name}': the margin is not a number; None means that it cannot be told"
        )
    return Finding(
        str(found.name or name),
        None if margin is None or not math.isfinite(margin) else float(margin),
        str(found.unit),
        None if moment_s is None or not math.isfinite(moment_s) else float(moment_s),
        str(found.sentence),
        found.obstacle_index,
        bool(found.by_aerialist),
        # Infinitely far from being broken: it holds.
        margin > 0.0 if margin is not None and math.isinf(margin) else found.holds,
    )
