"""The requirement `formula`: a formula of signal temporal logic judges the flight."""

from __future__ import annotations

import re
from typing import Final

from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.finding import Finding
from uav_testgen.oracle.stl.judgement import judge_formula
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.scenario.model import Scenario

NAME: Final = "formula"
_BEGINS = re.compile(r"\s*(\(|(always|eventually|once|historically|not|abs)\b(?!\.py\b))")
_COMPARES = re.compile(r"[<>]|==|!=")
_CALL = re.compile(r"\s*[\w./:\\-]+\(\s*\w+\s*=(?!=)")
_LONGEST_NAME = 60


def is_formula(text: str) -> bool:
    """Is a requirement written as a formula, rather than as the name of one with its arguments?"""
    return _CALL.match(text) is None and bool(_BEGINS.match(text) or _COMPARES.search(text))


class Formula:
    """What a formula says holds, such as `always (distance > 1.5)`; docs/reference/formulas.md has the language."""

    def __init__(self, text: str = f"always (distance > {SAFE_DISTANCE_M:g})") -> None:
        if not isinstance(text, str):
            raise ConfigError(f"text must be a formula, got {str(text)[:60]!r}")
        self._formula = parse(text)
        words = " ".join(text.split())
        self.name = words if len(words) <= _LONGEST_NAME else words[: _LONGEST_NAME - 1] + "…"

    def judge(self, scenario: Scenario, flight: Flight) -> Finding:
        """The robustness is the margin."""
        found = judge_formula(self._formula, scenario, flight)
        return Finding(self.name, found.robustness, found.unit, found.moment_s, found.sentence)
