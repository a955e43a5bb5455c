"""What `fly` tells a shell: when a prediction is safe, and when flown flights are."""

from __future__ import annotations

import pytest

from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.prediction import PredictedRun, Prediction
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario

SCENARIO = make_scenario(make_box(), mission=make_mission())
ENDINGS = {"hit": Ending.COLLISION, "waits": Ending.TIME_LIMIT}
DISTANCES_M = {"hit": 0.0, "waits": 5.0, "near": 1.0, "safe": 2.0}


def run(number: int, what: str) -> PredictedRun:
    path = [(0.25 * step, -10.0, 10.0) for step in range(100)]
    flight = make_flight(SCENARIO, path, ending=ENDINGS.get(what, Ending.GOAL_REACHED))
    return PredictedRun(number, flight, judge(SCENARIO, flight), DISTANCES_M[what])


def is_unsafe(evidence: Evidence, *runs: str) -> bool:
    nominal, *drawn = (run(number, what) for number, what in enumerate(("safe", *runs)))
    return Prediction(
        scenario=SCENARIO, backend="any", evidence=evidence, system="made", preset_version=1, calibrated=True,
        seed=1, nominal=nominal, runs=tuple(drawn), error=ModelError(0.0),
    ).is_unsafe  # fmt: skip


@pytest.mark.parametrize(
    ("runs", "predicted", "flown"),
    [
        (("safe", "safe", "safe"), False, False),
        (("near", "safe", "safe"), False, True),
        (("near", "near", "safe"), True, True),
        (("waits", "safe", "safe"), False, True),
        (("waits", "near", "safe"), True, True),
        (("hit", "safe", "safe"), True, True),
    ],
)
def test_flown_flights_must_all_be_safe_and_no_run_may_collide(
    runs: tuple[str, ...], predicted: bool, flown: bool
) -> None:
    assert is_unsafe(Evidence.PREDICTED, *runs) is predicted
    assert is_unsafe(Evidence.GAZEBO, *runs) is flown
