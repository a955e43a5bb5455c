"""Requirements as the page chooses and shows them: by name with arguments, or formulas as text."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.requirement import REQUIREMENTS, find, make_requirement, split_text
from uav_testgen.oracle.stl.requirement import NAME as FORMULA
from uav_testgen.scenario.model import Scenario

MOST_AT_ONCE = 12
LONGEST = 1000


@lru_cache(maxsize=1)
def requirement_menu() -> list[dict[str, str]]:
    """Every requirement with what it says and how it is written with its default arguments."""
    menu = []
    for name in REQUIREMENTS.names():
        if name == FORMULA:
            continue
        kind = REQUIREMENTS.load(name)
        about = (inspect.getdoc(kind) or "").split("\n")[0]
        menu.append({"text": _with_defaults(name, kind), "about": about})
    menu.append(
        {"text": "always (distance > 1.5)", "about": "A formula over the flight; see the requirements page."}
    )
    return menu


def _with_defaults(name: str, kind: Any) -> str:
    arguments = inspect.signature(kind).parameters.values() if isinstance(kind, type) else ()
    words = [f"{one.name}={one.default!r}" for one in arguments if isinstance(one.default, int | float | str)]
    return f"{name}({', '.join(words)})" if words else name


def read_requirements(given: Any) -> tuple[str, ...]:
    """The texts a page sent; ConfigError says what is wrong. A page never names code."""
    if given is None:
        return ()
    if not isinstance(given, list) or len(given) > MOST_AT_ONCE:
        raise ConfigError(f"requirements: a list of at most {MOST_AT_ONCE} is expected")
    for text in given:
        if not isinstance(text, str) or not 0 < len(text) <= LONGEST:
            raise ConfigError(f"requirement: a text of at most {LONGEST} characters is expected")
        name = split_text(text)[0]
        if name not in (*REQUIREMENTS.names(), FORMULA):
            raise ConfigError(
                f"requirement '{name[:80]}' is unknown; known: {', '.join(REQUIREMENTS.names())}, or a formula"
            )
        make_requirement(text)
    return tuple(given)


def findings_json(scenario: Scenario, flight: Flight, texts: tuple[str, ...]) -> list[dict[str, Any]]:
    """What each requirement says about one flight: met is true, false or null (cannot be told)."""
    shown = []
    for text in texts:
        found = find(make_requirement(text), scenario, flight)
        value = "" if found.margin is None else f"{found.margin:+.2f} {found.unit}".strip()
        met = None if not found.is_known else not found.violated
        shown.append({"text": text, "met": met, "value": value, "sentence": found.sentence})
    return shown
