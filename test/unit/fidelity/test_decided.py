"""What made-up predictions decide about the numbers of a vehicle."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.fidelity.calibration import EFFECTS, alternatives
from uav_testgen.fidelity.decided import (
    decide,
    decide_fitted,
    enough_groups,
    groups_of,
    numeric_path,
    undecided_after,
)
from uav_testgen.fidelity.records import Record, parse_record
from uav_testgen.loop.system import named_system

RANDOM = np.random.default_rng(4)
GROUPS = [f"mission{1 + k % 4}" for k in range(200)]
DRAG = "vehicle.drag_per_s"
VALUES = [{DRAG: 0.3}, {DRAG: 0.0}, {DRAG: 0.37}]


def score(mean: float) -> np.ndarray:
    return np.asarray(mean + RANDOM.normal(0.0, 0.01, 200))


def test_what_scores_worse_everywhere_is_excluded() -> None:
    found = decide("rotor drag", VALUES, [score(0.05), score(0.09), score(0.08)], 0, GROUPS, 1)
    assert (found.before, found.after, found.interval, found.decided) == (0.3, 0.3, (0.3, 0.3), True)
    assert found.gain < 0.0 and found.chance == 0.0


def test_a_value_that_is_as_good_stays_open_and_spans_the_interval() -> None:
    same = score(0.05)
    found = decide("rotor drag", VALUES, [same, score(0.09), same], 0, GROUPS, 1)
    assert not found.decided and found.interval == (0.3, 0.37)
    ranges = undecided_after(
        {DRAG: (0.0, 0.5), "timing.plan_age_s": (0.1, 0.2)}, [found], {"rotor drag": DRAG}
    )
    assert ranges == {DRAG: (0.3, 0.37), "timing.plan_age_s": (0.1, 0.2)}


def test_a_better_value_is_told_with_its_gain() -> None:
    found = decide("rotor drag", VALUES, [score(0.08), score(0.09), score(0.05)], 2, GROUPS, 1)
    assert (found.before, found.after, found.decided) == (0.3, 0.37, True)
    assert found.gain == pytest.approx(0.03, abs=0.005) and found.chance == 1.0
    assert undecided_after({DRAG: (0.0, 0.5)}, [found], {"rotor drag": DRAG}) == {}


def test_nothing_to_try_decides_nothing() -> None:
    found = decide("rotor drag", VALUES[:1], [score(0.08)], 0, GROUPS, 1)
    assert (found.gain, found.chance, found.decided) == (0.0, None, False)


def test_a_fitted_number_is_decided_by_many_flights_and_not_by_few() -> None:
    errors = RANDOM.normal(0.1, 0.3, 200)

    def fitted(rows: np.ndarray) -> float:
        return float(np.median(errors[rows]))

    by_flight = [str(number) for number in range(200)]
    many = decide_fitted("bias [m]", 0.0, 0.1, fitted, by_flight, 0.2, 0.01, 0.95, 1)
    few = decide_fitted(
        "bias [m]", 0.0, 0.1, lambda rows: fitted(rows % 4), by_flight[:4], 0.2, 0.01, 0.95, 1
    )
    assert many.decided and many.interval is not None and many.interval[0] < 0.1 < many.interval[1]
    assert not few.decided


def test_switches_have_no_interval() -> None:
    assert numeric_path([{"vehicle.tilt": True}, {"vehicle.tilt": False}]) is None
    assert numeric_path(VALUES) == DRAG
    assert (
        decide("tilt", [{"a": True}, {"a": False}], [score(0.1), score(0.2)], 0, GROUPS, 1).interval is None
    )


def test_the_value_in_force_is_not_tried_again() -> None:
    assert alternatives(named_system(), "image age") == [
        {"timing.image_age_s": 0.0},
        {"timing.image_age_s": 0.08},
    ]
    for effect, tried in EFFECTS.items():
        assert len(alternatives(named_system(), effect)) == len(tried) - 1, effect


def record(name: str, mission: str, x: float) -> Record:
    box = {"x": x, "y": 20.0, "l": 4.0, "w": 8.0, "h": 20.0, "r": 0.0}
    return parse_record({"id": name, "mission": mission, "obstacles": [box], "min_distance_m": 1.0})


def test_missions_are_left_out_or_scenes_where_there_are_few_missions() -> None:
    many = [record("S-1", f"mission{number}", 0.0) for number in range(1, 6)]
    assert groups_of(many) == [f"mission{number}" for number in range(1, 6)] and enough_groups(many)
    few = [record("S-1", "mission1", 0.0), record("S-1_r2", "mission1", 0.0), record("S-2", "mission2", 0.0)]
    groups = groups_of(few)
    assert groups[0] == groups[1] != groups[2]
    assert not enough_groups(few)
    assert enough_groups([*few, record("S-3", "mission1", 9.0)])
