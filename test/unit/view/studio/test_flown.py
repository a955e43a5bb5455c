"""A flown run as the studio's page draws it."""

from __future__ import annotations

import numpy as np

from uav_testgen.flight.model import Ending
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.prediction import PredictedRun
from uav_testgen.testing.factories import make_box, make_flight, make_scenario
from uav_testgen.view.studio.flown import path_json

SCENARIO = make_scenario(make_box(20.0, 4.0))
PATH = np.column_stack((np.arange(0.0, 40.0, 0.1), np.zeros(400), np.full(400, 5.0)))


def test_its_sentence_says_which_of_two_distances_is_the_judged_one() -> None:
    flight = make_flight(SCENARIO, PATH, ending=Ending.GOAL_REACHED)
    verdict = judge(SCENARIO, flight)
    flown_m = verdict.min_distance_aerialist_m
    assert flown_m is not None
    run = PredictedRun(0, flight, verdict, flown_m + 0.07)
    assert (
        path_json(SCENARIO, run)["sentence"]
        == f"{verdict.sentence} (as simulated; corrected {flown_m + 0.07:.2f} m)"
    )
