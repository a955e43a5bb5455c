"""Why tests fail, for the report page: mechanisms with a representative each, and how formulas went over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from uav_testgen.assurance.suite import ExplainedTest, explained, grouped
from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.record import sample_indices
from uav_testgen.campaign.result import CampaignResult, SuiteTest
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.flight.model import Flight
from uav_testgen.loop.system import named_system
from uav_testgen.oracle.stl.judgement import judge_formula
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.oracle.stl.requirement import is_formula
from uav_testgen.scenario.model import Scenario

_PERIOD_S = 0.2
_ENDLESS = 1e6
"""Stands for infinite margins, which JSON has no word for."""


def explained_suite(result: CampaignResult) -> list[ExplainedTest | None]:
    """The mechanism of each test of the suite, by its stored runs; None where no run comes too close."""
    screening = result.config.screening
    system = getattr(make_backend(screening.backend, screening.settings), "system", None)
    rig = (system or named_system(DEFAULT_SYSTEM)).rig
    view_rad = max(camera.horizontal_fov_rad for camera in rig.cameras)
    return [_explained(test, view_rad, result.config.requirements) for test in result.suite]


def _explained(test: SuiteTest, view_rad: float, requirements: Sequence[str]) -> ExplainedTest | None:
    flights = [run.flight for run in test.runs if run.flight is not None]
    return explained(test.stem, test.ranked.evaluation.scenario, flights, view_rad, requirements)


def mechanisms(tests: Sequence[ExplainedTest | None]) -> list[dict[str, Any]]:
    """The groups, the largest first."""
    return [group.to_json() for group in grouped([test for test in tests if test is not None])]


def formulas_over_time(
    requirements: Sequence[str], scenario: Scenario, flight: Flight
) -> list[dict[str, Any]]:
    """What was left of each formula at every moment, and when it broke."""
    found = []
    for text in requirements:
        if not is_formula(text):
            continue
        judged = judge_formula(parse(text), scenario, flight)
        if not len(judged.t_s):
            continue
        keep = sample_indices(judged.t_s, _PERIOD_S)
        left = np.clip(
            np.nan_to_num(judged.over_time[keep], posinf=_ENDLESS, neginf=-_ENDLESS), -_ENDLESS, _ENDLESS
        )
        found.append(
            {
                "name": text,
                "unit": judged.unit,
                "robustness": judged.robustness
                if judged.robustness is not None and math.isfinite(judged.robustness)
                else None,
                "breaks_s": judged.breaks_s,
                "sentence": judged.sentence,
                "t": np.round(judged.t_s[keep], 2).tolist(),
                "left": np.round(left, 3).tolist(),
            }
        )
    return found
