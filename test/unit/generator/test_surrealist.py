"""Mutators, seeds, fitness and state of the `surrealist` generator."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from uav_testgen.core.errors import ConfigError, InvalidScenario
from uav_testgen.generator.registry import build_generator
from uav_testgen.generator.surrealist.config import SurrealistConfig
from uav_testgen.generator.surrealist.fitness import danger, distances, most_dangerous, series
from uav_testgen.generator.surrealist.generator import SurrealistGenerator
from uav_testgen.generator.surrealist.mutators import (
    flown_form,
    obstacle_mutators,
    scene_mutators,
    waypoint_mutators,
)
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.footprint import gap_m
from uav_testgen.scenario.model import Obstacle, Scenario, Shape
from uav_testgen.testing.factories import (
    make_box,
    make_evaluation,
    make_mission,
    make_scenario,
    make_trajectory,
)

pytestmark = pytest.mark.unit

STEPS = SurrealistConfig().steps()
LINE = tuple((float(east), 0.0, 10.0) for east in range(0, 50, 2))


def mutated(scenario: Scenario, label: str, by: float, *names: Any) -> Scenario | None:
    """The scenario after one mutator, found by its label."""
    found = obstacle_mutators(0, scenario.obstacles[0], names, STEPS) + scene_mutators(names, STEPS, 3.0)
    return next(mutator for mutator in found if mutator.name.endswith(label)).apply(scenario, by)


def test_waypoints_are_mutated_in_three_directions() -> None:
    """Surrealist, mutation operators: the mission's waypoints beside obstacles, speed and wind."""
    scenario = make_scenario()
    found = waypoint_mutators(scenario.mission, ("waypoints",), STEPS)
    assert len(found) == 3 * len(scenario.mission.waypoints)
    assert waypoint_mutators(scenario.mission, ("move",), STEPS) == []
    east, north, up = scenario.mission.waypoints[0].position_enu_m
    for mutator, moved in zip(
        found, ((east, north + 2, up), (east + 2, north, up), (east, north, up + 2)), strict=False
    ):
        changed = mutator.apply(scenario, 2.0)
        assert changed is not None
        assert changed.mission.waypoints[0].position_enu_m == pytest.approx(moved)
        assert changed.mission.waypoints[1:] == scenario.mission.waypoints[1:]
        assert changed.obstacles == scenario.obstacles
    assert found[2].apply(scenario, -up) is None


def test_commands_are_mutated() -> None:
    """Surrealist, section 3: runtime commands are test properties beside configuration and environment."""
    scenario = make_scenario(mission=make_mission())
    higher, faster = scene_mutators(("commands",), STEPS, 3.0)
    assert (higher.name, higher.default_step, faster.name) == ("take-off altitude", 2.0, "mission speed")
    changed = higher.apply(scenario, 2.0)
    assert changed is not None and changed.mission.takeoff_altitude_m == 12.0
    assert changed.mission.waypoints == scenario.mission.waypoints and changed.id != scenario.id
    assert higher.apply(scenario, -9.6) is None, "a take-off goes up"
    in_the_air = scenario.model_copy(
        update={"mission": scenario.mission.model_copy(update={"takeoff": False})}
    )
    assert higher.apply(in_the_air, 2.0) is None
    both = scene_mutators(("commands", "speed"), STEPS, 3.0)
    assert [mutator.name for mutator in both] == ["take-off altitude", "mission speed"]


def test_the_search_uses_waypoint_mutators_on_request() -> None:
    generator = SurrealistGenerator(make_scenario(), SurrealistConfig(mutators=("waypoints",)), seed=1)
    (seed,) = generator.ask(10)
    assert {mutator.name.split()[0] for mutator in generator._mutators(seed)} == {"waypoint"}


def test_table_1_is_the_default() -> None:
    generation = SurrealistConfig().greedy()
    replication = SurrealistConfig(fitness="replication", target=LINE).greedy()
    assert (generation.budget, generation.min_rounds) == (50, 2)
    assert (replication.budget, replication.min_rounds) == (200, 4)
    assert (replication.max_it, replication.max_seq, replication.epsilon) == (5, 5, 0.0)
    assert (STEPS["move"], STEPS["resize"], STEPS["rotate"]) == (4.0, 4.0, 30.0)


def test_mutators_come_in_the_papers_order() -> None:
    names = ("move", "resize", "rotate", "z")
    found = obstacle_mutators(0, make_box(), names, STEPS)
    assert [mutator.name.removeprefix("obstacle 1 ") for mutator in found] == [
        "north", "east", "length", "width", "height", "rotation", "height above ground",
    ]  # fmt: skip
    round_one = Obstacle(center_enu_m=(0, 0, 5), size_m=(2, 2, 10), shape=Shape.CYLINDER)
    assert [m.name for m in obstacle_mutators(1, round_one, names[:3], STEPS)][2:] == [
        "obstacle 2 diameter",
        "obstacle 2 height",
    ]


def test_each_mutator_changes_one_thing() -> None:
    base = make_scenario(make_box(25.0, 0.0, (4.0, 6.0, 20.0)))
    north = mutated(base, "north", 4.0, "move")
    assert north is not None and north.obstacles[0].center_enu_m == (25.0, 4.0, 10.0)
    wide = mutated(base, "width", -1.0, "resize")
    assert wide is not None and wide.obstacles[0].size_m == (3.0, 6.0, 20.0)
    long = mutated(base, "length", 2.0, "resize")
    assert long is not None and long.obstacles[0].size_m == (4.0, 8.0, 20.0)
    tall = mutated(base, "height", 4.0, "resize")
    assert tall is not None
    assert (tall.obstacles[0].size_m[2], tall.obstacles[0].bottom_m) == (24.0, 0.0), "it stays on the ground"
    turned = mutated(base, "rotation", 30.0, "rotate")
    assert turned is not None and math.isclose(math.degrees(turned.obstacles[0].yaw_rad), -30.0)
    raised = mutated(base, "above ground", 2.0, "z")
    assert raised is not None and raised.obstacles[0].bottom_m == 2.0
    fast = mutated(base, "speed", 1.0, "speed")
    assert fast is not None and fast.mission.speed_mps == 4.0


def test_wind_is_a_vector() -> None:
    base = make_scenario(make_box())
    north = mutated(base, "wind north", 3.0, "wind")
    assert north is not None
    both = mutated(north, "wind east", -4.0, "wind")
    assert both is not None
    assert both.wind.velocity_mean_mps == 5.0
    assert both.wind.direction_enu == pytest.approx((-0.8, 0.6, 0.0))


@pytest.mark.parametrize(
    ("label", "by", "names"),
    [
        ("width", -4.0, "resize"),
        ("height", -30.0, "resize"),
        ("speed", -3.0, "speed"),
        ("north", 1e6, "move"),
    ],
)
def test_what_cannot_exist_is_none(label: str, by: float, names: str) -> None:
    assert mutated(make_scenario(make_box()), label, by, names) is None


def test_flown_form_is_the_same_box_within_a_right_angle() -> None:
    box = make_box(20.0, 0.0, (4.0, 6.0, 20.0), yaw_deg=-120.0)
    (flown,) = flown_form(make_scenario(box)).obstacles
    assert (flown.size_m, round(math.degrees(-flown.yaw_rad), 6)) == ((6.0, 4.0, 20.0), 30.0)
    floating = box.model_copy(update={"center_enu_m": (20.0, 0.0, 12.0)})
    assert flown_form(make_scenario(floating)).obstacles[0].bottom_m == 2.0


def test_equation_2() -> None:
    """Two boxes on both sides of a straight flight: 2 m to one, 5 m to the other at the same moment."""
    scenario = make_scenario(
        make_box(20.0, 5.0, (4.0, 6.0, 20.0)), make_box(20.0, -8.0, (4.0, 6.0, 20.0)), mission=make_mission()
    )
    flight = make_trajectory([(0.5 * step, 0.0, 10.0) for step in range(100)], period_s=0.25)
    sum_m, min_m = distances(scenario, flight)
    assert (sum_m, min_m) == pytest.approx((7.0, 2.0))
    assert danger(scenario, flight) == pytest.approx(-11.0)


def test_the_most_dangerous_run_counts() -> None:
    scenario = make_scenario(make_box(20.0, 5.0), mission=make_mission())
    far, near = (
        make_trajectory([(float(step), north, 10.0) for step in range(50)], period_s=0.5)
        for north in (-3.0, 1.0)
    )
    assert most_dangerous(scenario, [far, near, far]) == 1


def test_speed_is_compared_as_horizontal_and_vertical_speed() -> None:
    climbing = make_trajectory([(0.3 * step, 0.4 * step, 0.1 * step) for step in range(50)])
    assert series(climbing, "speed")[3:-3] == pytest.approx(np.tile([5.0, 1.0], (4, 1)), abs=1e-6)


def test_added_obstacle_stands_beside_the_first_and_is_the_only_one_that_changes() -> None:
    first = make_box(25.0, 5.0, (5.0, 8.0, 20.0))
    base = make_scenario(first, mission=make_mission())
    generator = SurrealistGenerator(base, SurrealistConfig(mutators=("move",)))
    (seed,) = generator.ask(4)
    assert len(seed.obstacles) == 2
    assert gap_m(*seed.obstacles) == pytest.approx(15.0)
    assert seed.obstacles[1].center_enu_m[1] < first.center_enu_m[1], "to the right when flying east"
    generator.tell([make_evaluation(0, seed, 3.0)])
    for scenario in generator.ask(4):
        assert scenario.obstacles[0] == flown_form(base).obstacles[0]
        assert scenario.obstacles[1] != seed.obstacles[1]


def test_last_obstacle_of_a_given_pair_can_be_the_added_one() -> None:
    base = make_scenario(make_box(25.0, 8.0), make_box(25.0, -12.0), mission=make_mission())
    generator = SurrealistGenerator(base, SurrealistConfig(added_obstacle=False, mutators=("move",)))
    (seed,) = generator.ask(1)
    assert seed.id == flown_form(base).id


def test_replication_mutates_every_obstacle_and_finds_the_target() -> None:
    """Flights are faked: the path shifts with the first box, so the best place of the box is known."""
    arena = Arena(min_height_m=0.0)
    base = Scenario(mission=make_mission(), obstacles=(make_box(25.0, 12.0),), arena=arena)
    target = tuple((float(east), 7.0, 10.0) for east in range(0, 50, 2))
    config = SurrealistConfig(fitness="replication", target=target, mutators=("move",), budget=60)
    generator = SurrealistGenerator(base, config)
    number = 0
    while asked := generator.ask(2):
        told = []
        for scenario in asked:
            north = scenario.obstacles[0].center_enu_m[1]
            path = make_trajectory([(float(east), north, 10.0) for east in range(0, 50, 2)], period_s=0.5)
            told.append(Evaluation(number, scenario, EvaluationStatus.VALID, trajectory=path))
            number += 1
        generator.tell(told)
    assert generator.search.best.properties.obstacles[0].center_enu_m[1] == pytest.approx(7.0, abs=0.3)
    assert generator.search.evaluations <= 60


def test_invalid_mutants_are_not_proposed() -> None:
    """A box at the border of the arena: the half of a pair that leaves it is refused, not flown."""
    base = make_scenario(make_box(25.0, 26.0, (4.0, 6.0, 20.0)), mission=make_mission())
    config = SurrealistConfig(fitness="replication", target=LINE, mutators=("move",))
    generator = SurrealistGenerator(base, config)
    generator.tell([make_evaluation(0, generator.ask(2)[0])])
    asked = generator.ask(2)
    assert [scenario.obstacles[0].center_enu_m[1] for scenario in asked] == [22.0]
    assert generator.search.refused == 1


def test_trouble_is_no_fitness() -> None:
    generator = SurrealistGenerator(make_scenario(make_box(25.0, 8.0), mission=make_mission()))
    for status in (EvaluationStatus.TIMEOUT, EvaluationStatus.BACKEND_ERROR):
        assert generator.fitness(make_evaluation(0, make_scenario(make_box()), status=status)) is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fitness": "replication"}, "needs a target"),
        ({"fitness": "replication", "target": [[1.0, 2.0]]}, "3 numbers"),
        ({"fitness": "replication", "variable": "speed", "target": [[1.0, 2.0, 3.0]]}, "2 numbers"),
        ({"mutators": ["move", "move"]}, "twice"),
        ({"mutators": ["mvoe"]}, "mutators"),
        ({"mutators": []}, "mutators"),
        ({"seed_size_m": [0.0, 1.0, 1.0]}, "above 0"),
        ({"budgte": 3}, "budget"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build_generator("surrealist", make_scenario(), settings)


def test_seed_that_breaks_a_rule_is_refused_with_the_rule() -> None:
    outside = make_scenario(make_box(0.0, 0.0), mission=make_mission())
    with pytest.raises(InvalidScenario, match="border"):
        SurrealistGenerator(outside, SurrealistConfig(fitness="replication", target=LINE))
    wide = make_scenario(wall((25.0, 0.0), 0.0, 5.0, 20.0, 20.0), mission=make_mission())
    with pytest.raises(InvalidScenario, match="beside"):
        SurrealistGenerator(wide, SurrealistConfig(beside_m=60.0))


def test_more_obstacles_than_fit_is_a_clear_error() -> None:
    with pytest.raises(InvalidScenario, match="no valid and feasible seed"):
        SurrealistGenerator(make_scenario(), SurrealistConfig(obstacles=9, max_tries=20))


def test_min_dist_ends_the_search() -> None:
    """Surrealist, section 3.3: the goal of a generation is a distance below the threshold; MIN_DIST stops there."""
    config = SurrealistConfig(stop_at_m=1.0)
    generator = SurrealistGenerator(make_scenario(), config, seed=1)
    (seed,) = generator.ask(2)
    generator.tell([make_evaluation(0, seed, distance_m=3.0)])
    first, second = generator.ask(2)
    assert generator.end_reason == ""
    generator.tell([make_evaluation(1, first, distance_m=2.0), make_evaluation(2, second, distance_m=1.0)])
    assert "1.00 m" in generator.end_reason and "stop_at_m" in generator.end_reason
    assert generator.ask(10) == [] and generator.search.finished, "no new search from another seed either"
    assert generator.search.evaluations == 3


def test_without_min_dist_the_search_goes_on() -> None:
    generator = SurrealistGenerator(make_scenario(), SurrealistConfig(), seed=1)
    (seed,) = generator.ask(2)
    generator.tell([make_evaluation(0, seed, distance_m=0.0)])
    assert generator.ask(2)
