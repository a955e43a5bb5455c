"""What a table of real flights makes of a prediction, and where it stays silent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError
from uav_testgen.loop.system import named_system
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.conformal import (
    KEY,
    ConformalTable,
    DistanceInterval,
    mission_of,
    table_of,
    unlike_records,
)
from uav_testgen.predict.distribution import Distribution, Run
from uav_testgen.predict.prediction import PredictedRun, Prediction
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import LinearMotion, Wind
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario

TABLE = {
    "coverage": 0.8,
    "records": 200,
    "runs": 5,
    "bins": [
        {"below_m": 1.0, "records": 100, "nearer_m": 0.1, "farther_m": 0.4},
        {"below_m": None, "records": 100, "nearer_m": 1.0, "farther_m": 2.0},
    ],
    "missions": {"mission6": {"records": 40, "nearer_m": 0.2, "farther_m": 0.3}},
}
SCENARIO = make_scenario(make_box(), mission=make_mission())


def made(**changes: Any) -> ConformalTable:
    return ConformalTable.model_validate({**TABLE, **changes})


def runs_at(*distances_m: float) -> Distribution:
    return Distribution(tuple(Run(d, 60.0, Ending.GOAL_REACHED) for d in distances_m), ModelError(0.0))


def prediction(count: int = 5, **changes: Any) -> Prediction:
    flight = make_flight(SCENARIO, [(0.25 * step, 0.0, 10.0) for step in range(100)])
    runs = tuple(
        PredictedRun(number, flight, judge(SCENARIO, flight), 0.5 + 0.1 * number)
        for number in range(count + 1)
    )
    known: dict[str, Any] = {
        "scenario": SCENARIO, "backend": "lfs", "evidence": Evidence.PREDICTED, "system": "made",
        "preset_version": 1, "calibrated": True, "seed": 1, "nominal": runs[0], "runs": runs[1:],
        "error": ModelError(0.0), "table": made(),
    }  # fmt: skip
    return Prediction(**{**known, **changes})


def test_each_bin_moves_the_ends_by_its_own_amount() -> None:
    assert made().interval_m(runs_at(0.5, 0.6, 0.7)) == (pytest.approx(0.4), pytest.approx(1.1))
    assert made().interval_m(runs_at(3.0, 3.0, 3.0)) == (pytest.approx(2.0), pytest.approx(5.0))
    assert made().interval_m(runs_at(0.05)) == (0.0, pytest.approx(0.45))
    assert made().interval_m(runs_at(float("inf"))) is None


def test_missions_on_which_it_does_not_hold_have_more() -> None:
    more = made().interval_m(runs_at(0.5, 0.6, 0.7), "mission6")
    assert more == (pytest.approx(0.2), pytest.approx(1.4))
    mission = named_mission("mission6")
    assert mission_of(SCENARIO.model_copy(update={"mission": mission})) == "mission6"
    other = mission.model_copy(update={"waypoints": mission.waypoints[:2]})
    assert mission_of(SCENARIO.model_copy(update={"mission": other})) == "" == mission_of(SCENARIO)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bins": list(reversed(TABLE["bins"]))},  # type: ignore[call-overload]
        {"bins": [{"below_m": 1.0, "records": 9, "nearer_m": 0.0, "farther_m": 0.0}]},
        {"coverage": 1.0},
    ],
)
def test_a_table_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    system = named_system().model_copy(update={"calibration": {KEY: {**TABLE, **wrong}}})
    with pytest.raises(ConfigError, match=f"calibration.{KEY}"):
        table_of(system)


def test_a_prediction_says_where_real_flights_lie() -> None:
    found = prediction().distance_interval
    assert found is not None and str(found) == "0.5–1.4 m in 80 % of flights" == found.sentence
    assert prediction().to_json()["distance_interval"]["guaranteed"] is True
    assert "0.5–1.4 m in 80 % of flights" in prediction()._repr_html_()


def test_a_test_that_a_search_chose_is_not_guaranteed() -> None:
    found = prediction(chosen_by_search=True).distance_interval
    assert found is not None and found.sentence.endswith("(not guaranteed: a search chose this test)")
    assert prediction(chosen_by_search=True).to_json()["distance_interval"]["guaranteed"] is False


def test_scenes_unlike_every_record_are_not_guaranteed() -> None:
    windy = SCENARIO.model_copy(update={"wind": Wind(velocity_mean_mps=3.0)})
    moving = make_box().model_copy(update={"motion": LinearMotion(to_enu_m=(1.0, 1.0, 5.0), speed_mps=1.0)})
    assert unlike_records(SCENARIO) == ""
    assert "wind" in unlike_records(windy)
    assert "moving obstacles" in unlike_records(SCENARIO.with_obstacles((moving,)))
    found = prediction(scenario=windy).distance_interval
    assert found is not None and "wind" in found.sentence


def test_there_is_none_with_fewer_runs_or_without_a_table() -> None:
    assert prediction(4).distance_interval is None
    assert prediction(table=None).distance_interval is None
    assert prediction(table=None).to_json()["distance_interval"] is None


def test_only_calibrated_systems_have_a_table() -> None:
    system = named_system().model_copy(update={"calibration": {KEY: TABLE}})
    assert table_of(system) == made()
    other = system.model_copy(update={"planner": system.planner.model_copy(update={"name": "straight"})})
    assert table_of(other) is None and table_of(None) is None
    assert table_of(system.changed({"vehicle": {"model": "paper"}})) is None
    assert table_of(named_system("paper")) is None


def test_words() -> None:
    interval = DistanceInterval(0.72, 1.31, 0.8)
    assert str(interval) == "0.7–1.3 m in 80 % of flights"
    assert interval.to_json()["text"] == "0.7–1.3 m in 80 % of flights"
    assert str(interval._replace(coverage=0.95)) == "0.7–1.3 m in 95 % of flights"
    assert replace(prediction(), requirements=("separation",)).distance_interval is not None
