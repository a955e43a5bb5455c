"""The same robustness as rtamt, an independent library, to 1e-9: random signals, random and recorded flights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.resources import config_folder
from uav_testgen.core.rng import stream
from uav_testgen.fidelity.records import load_records
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.stl.formula import Condition, signals_in
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.oracle.stl.robustness import robustness
from uav_testgen.oracle.stl.signals import signals_of
from uav_testgen.scenario.model import LinearMotion, Scenario
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario

from .formulas import UNITS, random_formula, random_signals

# Its grammar needs a runtime of Python below 3.13; test_robustness.py checks the same by definition everywhere.
rtamt = pytest.importorskip("rtamt", reason="rtamt is not installed for this Python")


def by_rtamt(
    formula: Condition, t_s: FloatArray, signals: dict[str, FloatArray], period_ms: int = 100
) -> FloatArray:
    specification: Any = rtamt.StlDiscreteTimeSpecification()
    specification.set_sampling_period(period_ms, "ms", 0.1)
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


FORMULAS = (
    "always (distance > 1.5)",
    "eventually[0,120] (goal_distance < 1)",
    "always (distance < 3 implies eventually[0,5] speed < 1)",
    "(leg < 2) until[0,8] (distance_1 < 6 or altitude > 9)",
    "(speed > 0.2 since[2,30] distance < 8) iff (altitude > 5 or ground_speed < 1)",
    "historically[0,2] (vertical_speed > -1 and abs(yaw_rate) < 90)",
    "always (once[5,40] leg == 1 -> (distance > 2 or plan_distance > 1) until[10,60] goal_distance < 40)",
)


def agree(scenario: Scenario, flight: Flight, text: str, period_s: float) -> None:
    formula = parse(text)
    signals = signals_of(scenario, flight, signals_in(formula))
    t_s = period_s * np.arange(len(flight.trajectory))
    theirs = by_rtamt(formula, t_s, signals, round(1000 * period_s))
    assert robustness(formula, t_s, signals) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("seed", range(3))
def test_random_flights(text: str, seed: int) -> None:
    random = stream(seed, "random flight")
    motion = LinearMotion(to_enu_m=(25.0, 30.0, 10.0), speed_mps=1.0)
    moving = make_box().model_copy(update={"motion": motion})
    scenario = make_scenario(moving, make_box(40.0), mission=make_mission())
    walk = np.array([0.0, 4.0, 10.0]) + np.cumsum(random.normal((0.3, 0.0, 0.0), 0.3, (150, 3)), axis=0)
    agree(scenario, make_flight(scenario, [(x, y, z) for x, y, z in walk.tolist()]), text, 0.1)


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("number", [0, 4, 7])
def test_recorded_flights(text: str, number: int) -> None:
    record = load_records(config_folder("flights"))[0][number]
    points = [(x, y, z) for _, x, y, z in record.path_txyz.tolist()]
    assert np.ptp(np.diff(record.path_txyz[:, 0])) < 1e-6, "rtamt wants even samples"
    agree(record.scenario, make_flight(record.scenario, points, period_s=0.5), text, 0.5)
