"""The same robustness as rtamt, an independent library, to 1e-9, on random signals and on a recorded flight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import stream
from uav_testgen.oracle.stl.formula import Condition, signals_in
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.oracle.stl.robustness import robustness
from uav_testgen.oracle.stl.signals import signals_of
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario

from .formulas import UNITS, random_formula, random_signals

# Its grammar needs a runtime of Python below 3.13; test_robustness.py checks the same by definition everywhere.
rtamt = pytest.importorskip("rtamt", reason="rtamt is not installed for this Python")


def by_rtamt(formula: Condition, t_s: FloatArray, signals: dict[str, FloatArray]) -> FloatArray:
    specification: Any = rtamt.StlDiscreteTimeSpecification()
    specification.set_sampling_period(100, "ms", 0.1)
    used = signals_in(formula)
    for name in used:
        specification.declare_var(name, "float")
    specification.spec = str(formula)
    specification.parse()
    data = {"time": [float(round(t, 6)) for t in t_s], **{name: signals[name].tolist() for name in used}}
    return np.array([value for _, value in specification.evaluate(data)])


@pytest.mark.parametrize("seed", range(25))
def test_random_formulas_and_signals(seed: int) -> None:
    formula = parse(random_formula(stream(seed, "rtamt"), 3), UNITS)
    t_s, signals = random_signals(seed, 60)
    assert robustness(formula, t_s, signals) == pytest.approx(by_rtamt(formula, t_s, signals), abs=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        "always (distance > 1.5)",
        "eventually[0,12] (goal_distance < 1)",
        "always (distance < 3 implies eventually[0,5] speed < 1)",
        "(leg < 2) until[0,8] (distance_1 < 6 or altitude > 9)",
        "historically[0,2] (vertical_speed > -1 and abs(yaw_rate) < 90)",
    ],
)
def test_a_flight(text: str) -> None:
    scenario = make_scenario(make_box(), mission=make_mission())
    points = [(0.4 * k, 4.0 + np.sin(0.1 * k), 10.0 + 0.3 * np.cos(0.2 * k)) for k in range(125)]
    formula = parse(text)
    flight = make_flight(scenario, points)
    signals = signals_of(scenario, flight, signals_in(formula))
    t_s = flight.trajectory.t_s
    assert robustness(formula, t_s, signals) == pytest.approx(by_rtamt(formula, t_s, signals), abs=1e-9)
