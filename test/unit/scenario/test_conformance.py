"""Instances of a logical scenario are accepted, everything else is refused with its numbers."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.conformance import nonconformities
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.logical.landform import ground_height_m, lowest_ground_m
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import (
    LinearMotion,
    Obstacle,
    Scenario,
    Shape,
    Surface,
    Terrain,
    Visibility,
    Wind,
)
from uav_testgen.scenario.validity import Rule, violations
from uav_testgen.world.ground import height_at
from uav_testgen.world.terrain import build_ground


def stage(name: str = "scenario-09") -> Scenario:
    return load_scenario(config_folder("stella/scenarios") / f"{name}.json")


def instance(name: str = "scenario-09") -> Scenario:
    """The first valid instance of a fixed random sequence."""
    space, rng = LogicalSpace(stage(name)), np.random.default_rng(4)
    for _ in range(1000):
        scenario = space.decode(rng.random(space.dimension))
        if not problems(scenario):
            return scenario
    raise AssertionError("no valid instance")


def with_obstacle(scenario: Scenario, index: int, **changes: object) -> Scenario:
    obstacles = list(scenario.obstacles)
    obstacles[index] = Obstacle.model_validate({**obstacles[index].model_dump(), **changes})
    return scenario.with_obstacles(tuple(obstacles))


def test_an_instance_conforms_and_survives_its_file(tmp_path) -> None:
    scenario = instance()
    assert nonconformities(scenario) == ()
    save_scenario(tmp_path / "one.yaml", scenario)
    again = load_scenario(tmp_path / "one.yaml")
    assert again.id == scenario.id
    assert again.logical == scenario.logical
    assert problems(again) == ()


def test_rules_do_not_change_the_id() -> None:
    scenario = instance()
    assert scenario.model_copy(update={"logical": None}).id == scenario.id


def test_every_difference_is_refused() -> None:
    good = instance()
    moving = next(i for i, o in enumerate(good.obstacles) if o.motion and o.shape is Shape.SPHERE)
    motion = good.obstacles[moving].motion
    assert motion is not None
    centre = good.obstacles[moving].center_enu_m
    near_start = LinearMotion(to_enu_m=(1.0, 0.0, 5.0), speed_mps=1.0)
    wrong = {
        "count": good.with_obstacles(good.obstacles[:-1]),
        "surface": good.model_copy(update={"terrain": Terrain(surface=Surface.LAND)}),
        "height": good.model_copy(update={"terrain": good.terrain.model_copy(update={"height_m": 3.0})}),
        "wind": good.model_copy(update={"wind": Wind(velocity_mean_mps=9.0)}),
        "calm": good.model_copy(update={"wind": Wind()}),
        "clear": good.model_copy(update={"visibility": Visibility()}),
        "contrast": good.model_copy(
            update={"visibility": Visibility(range_m=good.visibility.range_m, contrast_loss=0.9)}
        ),
        "shape": with_obstacle(good, moving, shape=Shape.BOX),
        "size": with_obstacle(good, moving, size_m=(12.0, 12.0, 12.0)),
        "rests": with_obstacle(good, moving, motion=None),
        "speed": with_obstacle(good, moving, motion={**motion.model_dump(), "speed_mps": 9.0}),
        "way": with_obstacle(
            good, moving, motion=LinearMotion(to_enu_m=(centre[0] + 1.0, *centre[1:]), speed_mps=1.0)
        ),
        "start": with_obstacle(good, moving, motion=near_start),
    }
    for what, scenario in wrong.items():
        assert Rule.CONFORMS in {one.rule for one in violations(scenario)}, what


def test_without_a_logical_scenario_nothing_is_asked() -> None:
    good = instance().model_copy(update={"logical": None})
    assert nonconformities(good) == ()


def test_spheres_float_only_in_logical_scenarios() -> None:
    good = instance()
    sphere = next(i for i, o in enumerate(good.obstacles) if o.shape is Shape.SPHERE and not o.motion)
    east, north, z = good.obstacles[sphere].center_enu_m
    raised = with_obstacle(good, sphere, center_enu_m=(east, north, z + 1.0))
    assert Rule.ON_GROUND not in {one.rule for one in violations(raised)}
    plain = raised.model_copy(update={"logical": None})
    assert Rule.ON_GROUND in {one.rule for one in violations(plain)}


def test_ways_may_cross_but_starts_may_not_overlap() -> None:
    good = instance("scenario-31")
    first, second = good.obstacles
    east, north, z = second.center_enu_m
    crossing = LinearMotion(to_enu_m=(east, north, first.center_enu_m[2]), speed_mps=1.0)
    crossed = with_obstacle(good, 0, motion=crossing)
    assert Rule.APART not in {one.rule for one in violations(crossed)}
    assert Rule.APART in {one.rule for one in violations(crossed.model_copy(update={"logical": None}))}
    same_place = with_obstacle(good, 0, center_enu_m=(east, north, z))
    assert Rule.APART in {one.rule for one in violations(same_place)}


@pytest.mark.parametrize("landform", ["flat", "depression", "elevation", "steep_transition"])
def test_heights_are_those_of_the_rendered_ground(landform: str) -> None:
    terrain = Terrain(landform=landform, height_m=4.0, center_enu_m=(40.0, 2.0), radius_m=90.0)
    ground = build_ground(terrain, (0.0, -40.0), (80.0, 40.0))
    dice = np.random.default_rng(5)
    for x, y in dice.uniform((1.0, -39.0), (79.0, 39.0), size=(200, 2)):
        rendered = height_at(ground.vector, ground.heights, x, y)
        assert rendered == pytest.approx(ground_height_m(terrain, x, y), abs=0.3), (x, y)


def test_standing_on_a_slope() -> None:
    terrain = Terrain(landform="elevation", height_m=4.0, center_enu_m=(40.0, 0.0), radius_m=30.0)
    box = Obstacle(center_enu_m=(25.0, 0.0, 0.0), size_m=(6.0, 2.0, 5.0))
    lowest = lowest_ground_m(terrain, box)
    assert lowest == pytest.approx(ground_height_m(terrain, 22.0, 1.0))
    base = stage("scenario-13").model_copy(update={"terrain": terrain, "logical": None})

    def rules(bottom_m: float) -> set[Rule]:
        standing = box.model_copy(update={"center_enu_m": (25.0, 0.0, bottom_m + 2.5)})
        return {one.rule for one in violations(base.with_obstacles((standing,)))}

    assert Rule.ON_GROUND not in rules(lowest)
    assert Rule.ON_GROUND in rules(ground_height_m(terrain, 25.0, 0.0) + 0.1)
