"""A mission's figures with bias and spread of the others: on made-up records whose errors are known."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.fidelity.flown import FlownRecord
from uav_testgen.fidelity.missions_left_out import missions_left_out
from uav_testgen.fidelity.records import parse_record
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError
from uav_testgen.predict.distribution import Distribution, Run


def flown(mission: str, number: int, predicted_m: float, measured_m: float) -> FlownRecord:
    box = {"x": 10.0, "y": 20.0, "l": 4.0, "w": 4.0, "h": 20.0, "r": 0.0}
    record = parse_record(
        {"id": f"{mission}-{number}", "mission": mission, "obstacles": [box], "min_distance_m": measured_m}
    )
    distribution = Distribution((Run(predicted_m, 60.0, Ending.GOAL_REACHED),), ModelError(0.3))
    return FlownRecord(record, number, distribution, np.zeros((0, 4)), Ending.GOAL_REACHED)


def records(offsets: dict[str, float], spread_m: float = 0.0) -> list[FlownRecord]:
    random = np.random.default_rng(3)
    found = []
    for mission, offset_m in offsets.items():
        for number, predicted_m in enumerate(np.linspace(0.5, 3.5, 60)):
            measured_m = max(float(predicted_m + offset_m + spread_m * random.normal()), 0.0)
            found.append(flown(mission, number, float(predicted_m), measured_m))
    return found


def test_the_others_say_what_is_added() -> None:
    found = missions_left_out(records({"mission1": 0.2, "mission2": 0.2, "mission3": 1.0}))
    assert found["mission3"]["added_m"] == pytest.approx(0.2)
    assert found["mission3"]["median_abs_error_m"] == pytest.approx(0.8), "its own records were not looked at"
    assert found["mission3"]["n"] == 60 and found["mission3"]["spearman"] == pytest.approx(1.0)


def test_the_spread_is_that_of_the_others() -> None:
    narrow = missions_left_out(records({"mission1": 0.0, "mission2": 0.0}, spread_m=0.15))
    wide = missions_left_out(records({"mission1": 0.0, "mission2": 0.0}, spread_m=0.8))
    assert narrow["mission1"]["spread_m"] < 0.3 < 0.6 < wide["mission1"]["spread_m"]


def test_one_mission_alone_has_no_others() -> None:
    assert missions_left_out(records({"mission1": 0.2})) == {}


def test_a_touch_stays_one() -> None:
    touching = [flown("mission2", 60, 0.0, 0.0)]
    found = missions_left_out([*records({"mission1": 0.5}), *touching])
    assert found["mission2"]["median_abs_error_m"] == 0.0
