"""Choosing effects and fitting spread, on made-up predictions."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.fidelity.bootstrap import interval
from uav_testgen.fidelity.calibration import Variant, choose, cost, fit_spread, repeat_differences_m
from uav_testgen.fidelity.records import parse_record

RANDOM = np.random.default_rng(5)
MEASURED = RANDOM.uniform(0.2, 4.0, 300)
MISSIONS = [f"mission{1 + k % 3}" for k in range(300)]
NOISE = RANDOM.normal(0.0, 1.0, 300)


def variant(change: dict[str, object], spread_m: float) -> Variant:
    return Variant("effect" if change else "", change, MEASURED - 0.2 + spread_m * NOISE)


def test_better_alternative_is_taken_and_worse_is_not() -> None:
    rows = choose([variant({}, 0.4), variant({"a": 1}, 0.2), variant({"b": 1}, 0.5)], MEASURED, MISSIONS)
    assert [row["taken"] for row in rows] == [False, True, False]


def test_alternative_that_helps_one_mission_only_is_not_taken() -> None:
    lucky = MEASURED - 0.2 + np.where(np.array(MISSIONS) == "mission1", 0.0, 0.42) * NOISE
    rows = choose([variant({}, 0.4), Variant("effect", {"a": 1}, lucky)], MEASURED, MISSIONS)
    assert rows[1]["taken"] is False


def test_cost_ignores_a_common_offset_and_caps_outliers() -> None:
    assert cost(MEASURED - 0.7, MEASURED) == pytest.approx(0.0, abs=1e-12)
    off = MEASURED.copy()
    off[0] += 50.0
    assert cost(off, MEASURED) == pytest.approx(1.0 / 300)


def test_spread_grows_with_the_error() -> None:
    narrow = fit_spread(MEASURED - 0.2 + 0.2 * NOISE, MEASURED, MISSIONS)
    wide = fit_spread(MEASURED - 0.2 + 0.8 * NOISE, MEASURED, MISSIONS)
    assert narrow[0] == pytest.approx(0.2, abs=0.05)
    assert narrow[1] < wide[1]
    assert narrow[2] < wide[2]


def test_repeats_are_found_by_their_boxes() -> None:
    def flight(x: float, distance_m: float):  # type: ignore[no-untyped-def]
        box = {"x": x, "y": 20.0, "l": 4.0, "w": 8.0, "h": 20.0, "r": 0.0}
        return parse_record(
            {"id": "S-1", "mission": "mission1", "obstacles": [box], "min_distance_m": distance_m}
        )

    found = repeat_differences_m([flight(0.0, 1.0), flight(0.1, 1.3), flight(9.0, 5.0)])
    assert found.tolist() == pytest.approx([0.3])


def test_bootstrap_interval_holds_the_mean() -> None:
    low, high = interval(lambda chosen: float(np.mean(MEASURED[chosen])), 300, np.random.default_rng(1))  # type: ignore[misc]
    assert low < float(np.mean(MEASURED)) < high
    assert interval(lambda chosen: None, 300, np.random.default_rng(1)) is None
