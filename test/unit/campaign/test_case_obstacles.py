"""Obstacles of a case study: examples for most generators, the beginning for those that change a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.backend.base import Capabilities
from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.screening import Kept, ScreenTask
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Flight
from uav_testgen.generator.registry import GENERATORS, build_generator, starts_from_a_test
from uav_testgen.predict.stages import stages_of
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.model import Obstacle, Scenario
from uav_testgen.testing.factories import GATE, make_box, make_flight, make_mission, make_scenario

BUILDING = wall((25.0, 0.0), 0.0, 5.0, 8.0, 20.0)


@pytest.fixture
def test_file(tmp_path: Path) -> Path:
    path = tmp_path / "building.yaml"
    save_scenario(path, Scenario(mission=named_mission("mission2"), obstacles=(BUILDING,), arena=Arena()))
    return path


@pytest.mark.parametrize("name", sorted(GENERATORS.names()))
def test_only_surrealist_starts_from_a_test(name: str) -> None:
    assert starts_from_a_test(name) == (name == "surrealist")


def test_the_obstacles_are_left_out_or_kept(test_file: Path) -> None:
    assert load_case(str(test_file), Path(), Arena()).base.obstacles == ()
    assert load_case(str(test_file), Path(), Arena(), keep_obstacles=True).base.obstacles == (BUILDING,)


def test_surrealist_adds_one_obstacle_beside_the_given_one(test_file: Path) -> None:
    base = load_case(str(test_file), Path(), Arena(), keep_obstacles=True).base
    (first,) = build_generator("surrealist", base, {}, 1).ask(1)
    given, added = first.obstacles
    assert given == BUILDING
    assert added.size_m == BUILDING.size_m
    assert added.center_enu_m != BUILDING.center_enu_m


class PassingNearer:
    """Each flight passes the box a metre nearer than the one before."""

    name = "passing"
    capabilities = Capabilities(deterministic=False, evidence=Evidence.PREDICTED)

    def __init__(self) -> None:
        self.flown = 0

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        north_m = 0.5 + self.flown
        self.flown += 1
        return make_flight(scenario, [(float(east), north_m, 10.0) for east in range(50)])


@pytest.mark.parametrize(("keep", "north_m"), [("nominal", 0.5), ("worst", 2.5)])
def test_the_kept_trajectory_is_the_nominal_or_the_most_dangerous_one(keep: Kept, north_m: float) -> None:
    scenario = make_scenario(make_box(20.0, 6.0, (4.0, 4.0, 20.0)), mission=make_mission())
    evaluation = ScreenTask(0, scenario, 1, stages_of(2, 10.0), keep=keep).run(PassingNearer())  # type: ignore[arg-type]
    assert len(evaluation.verdicts) == 3
    assert evaluation.trajectory is not None
    assert set(evaluation.trajectory.position_enu_m[:, 1]) == {north_m}


def test_tests_that_aerialist_cannot_hold_are_written_in_our_own_form(
    test_file: Path, tmp_path: Path
) -> None:
    case = load_case(str(test_file), Path(), Arena(), keep_obstacles=True)
    gate = Obstacle(center_enu_m=(25, 0, 6), size_m=(10, 2, 12), shape="mesh", triangles=GATE)
    ball = Obstacle(center_enu_m=(20, 0, 6), size_m=(5, 5, 5), shape="sphere")
    for obstacle in (gate, ball):
        scenario = case.base.with_obstacles((obstacle,))
        case.write_test(tmp_path / "written.yaml", scenario)
        assert load_scenario(tmp_path / "written.yaml").id == scenario.id
