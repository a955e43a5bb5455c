"""The robustness is that of the definition, also for samples that are not evenly spaced."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.core.rng import stream
from uav_testgen.oracle.stl.formula import Comparison, Signal
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.oracle.stl.robustness import Courses, robustness

from .formulas import UNITS, by_definition, random_formula, random_signals


@pytest.mark.parametrize("seed", range(30))
def test_equals_the_definition(seed: int) -> None:
    random = stream(seed, "formula")
    formula = parse(random_formula(random, 2), UNITS)
    t_s, signals = random_signals(seed, 17)
    if seed % 2:
        t_s = np.cumsum(random.uniform(0.05, 0.3, len(t_s)))
    expected = [by_definition(formula, t_s, signals, at) for at in range(len(t_s))]
    assert robustness(formula, t_s, signals) == pytest.approx(expected, abs=1e-12), str(formula)


def test_the_printed_form_means_the_same() -> None:
    t_s, signals = random_signals(1, 40)
    for seed in range(40):
        formula = parse(random_formula(stream(seed, "printed"), 3), UNITS)
        again = parse(str(formula), UNITS)
        assert np.array_equal(robustness(formula, t_s, signals), robustness(again, t_s, signals))


def test_one_sample() -> None:
    signals = {"distance": np.array([2.0])}
    t_s = np.array([0.0])
    for text, value in (
        ("always distance > 1.5", 0.5),
        ("eventually[1,2] distance > 1.5", -np.inf),
        ("always[1,2] distance > 1.5", np.inf),
        ("distance > 3 until distance > 1.5", 0.5),
    ):
        assert robustness(parse(text), t_s, signals)[0] == value


def test_the_deciding_sample_and_comparison() -> None:
    t_s = 0.1 * np.arange(5)
    signals = {"distance": np.array([4.0, 3.0, 1.0, 2.0, 5.0]), "speed": np.array([1.0, 1.0, 1.0, 1.0, 3.0])}
    text = "always (distance > 1.5 and speed < 4)"
    sample, comparison = Courses(t_s, signals).deciding(parse(text))
    assert sample == 2
    assert isinstance(comparison, Comparison) and comparison.left == Signal("distance", UNITS["distance"])
    sample, comparison = Courses(t_s, signals).deciding(parse("not eventually speed > 2"))
    assert (sample, str(comparison)) == (4, "(speed > 2)")
