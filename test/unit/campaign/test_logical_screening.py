"""StellaUAV, equation 1: a campaign judges instances by the 3-D distance their logical scenario wants kept."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.ranking import promising, worth_of
from uav_testgen.campaign.screening import ScreenTask
from uav_testgen.cli._prediction import distance_lines
from uav_testgen.core.defaults import SAFE_DISTANCE_M
from uav_testgen.core.resources import config_folder
from uav_testgen.loop.scatter import ModelError
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.runs import predict
from uav_testgen.predict.stages import stages_of
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario


def below_the_route(gap_m: float) -> Scenario:
    """An instance whose only obstacle moves along the way and ends this far below it."""
    space = LogicalSpace(load_scenario(config_folder("stella/scenarios") / "scenario-05.json"))
    scenario = space.decode(np.full(space.dimension, 0.5))
    (east, north, up), (next_east, next_north, _) = scenario.mission.route_enu_m[:2]
    height = up - gap_m
    middle = ((east + next_east) / 2, (north + next_north) / 2, height / 2)
    motion = LinearMotion(to_enu_m=(next_east, next_north, height / 2), speed_mps=0.5)
    box = Obstacle(center_enu_m=middle, size_m=(3.0, 3.0, height), motion=motion)
    return scenario.model_copy(update={"obstacles": (box,)})


def screened(scenario: Scenario) -> Evaluation:
    with make_backend("still", {}) as backend:
        return ScreenTask(0, scenario, 1, stages_of(2, SAFE_DISTANCE_M)).run(backend)


@pytest.mark.parametrize(("gap_m", "fails"), [(3.0, False), (1.25, False), (0.75, True)])
def test_what_is_flown_over_at_a_distance_is_no_failure(gap_m: float, fails: bool) -> None:
    """Aerialist's distance, for what moves in plan view, is 0 in every case."""
    found = screened(below_the_route(gap_m))
    assert found.verdicts[0].min_distance_aerialist_m == 0.0
    assert found.distance_m == pytest.approx(gap_m, abs=0.3)
    assert bool(promising([found], SAFE_DISTANCE_M)) is fails
    assert len(found.verdicts) == (3 if fails else 1), "only a failure is worth more runs"
    counts = found.counts()
    assert counts["collisions"] == 0
    assert (counts["too_close"] == counts["runs"]) is fails
    worth = worth_of(found, ModelError(0.1))
    assert worth.confirmation_probability == float(fails)


def test_fly_tells_the_distance_that_decides() -> None:
    with make_backend("still", {}) as backend:
        prediction = predict(backend, below_the_route(3.0), 1, 2)
    said = "\n".join(distance_lines(prediction))
    assert "(median of 2 runs; 3-D)" in said
    assert "collides" not in said
    assert list(prediction.to_json()["measures"]) == ["3d"]
