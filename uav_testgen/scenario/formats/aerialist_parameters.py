"""Autopilot parameters of an Aerialist file: what a test sets beyond what every case study sets."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from uav_testgen.scenario.formats.aerialist_schema import CASE_STUDY_PARAMETERS

_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,15}")
_MOST = 1e9


def own_parameters(params: Mapping[str, Any]) -> dict[str, float]:
    """Numbers by PX4's names; what the case studies set alike is no part of a test."""
    return {
        name: float(value)
        for name, value in params.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and abs(value) <= _MOST
        and _NAME.fullmatch(str(name))
        and CASE_STUDY_PARAMETERS.get(name) != value
    }
