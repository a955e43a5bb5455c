"""Distances and motion by hand: cases whose answer is known without computing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.scenario.model import (
    LinearMotion,
    Mission,
    MotionMode,
    Obstacle,
    Scenario,
    Shape,
    Waypoint,
    obstacle_on_ground,
)
from uav_testgen.world.layout import MODE, STATIC
from uav_testgen.world.motion import centres_at, next_kink_s
from uav_testgen.world.packed import pack, pack_obstacles
from uav_testgen.world.scene import Scene, outline_enu_m

pytestmark = pytest.mark.unit

MISSION = Mission(waypoints=(Waypoint(position_enu_m=(50.0, 0.0, 10.0)),))


def scene_of(*obstacles: Obstacle) -> Scene:
    return Scene.of(Scenario(mission=MISSION, obstacles=obstacles))


def mover(mode: MotionMode, *, speed: float = 2.0, start: float = 1.0) -> Obstacle:
    motion = LinearMotion(to_enu_m=(10.0, 0.0, 5.0), speed_mps=speed, start_s=start, mode=mode)
    return Obstacle(center_enu_m=(0.0, 0.0, 5.0), size_m=(2.0, 2.0, 2.0), shape=Shape.SPHERE, motion=motion)


def test_distance_to_a_turned_box() -> None:
    scene = scene_of(obstacle_on_ground(0.0, 0.0, (2.0, 2.0, 10.0), yaw_deg=45.0))
    assert scene.distances_m((3.0, 0.0, 5.0), 0.0)[0, 0] == pytest.approx(3.0 - math.sqrt(2.0))


def test_distance_above_a_corner_is_three_dimensional_and_plan_view_is_not() -> None:
    scene = scene_of(obstacle_on_ground(0.0, 0.0, (2.0, 2.0, 10.0)))
    above = (4.0, 5.0, 22.0)
    assert scene.distances_m(above, 0.0)[0, 0] == pytest.approx(13.0)
    assert scene.distances_m(above, 0.0, horizontal=True)[0, 0] == pytest.approx(5.0)


def test_inside_is_zero_and_contained() -> None:
    scene = scene_of(obstacle_on_ground(0.0, 0.0, (2.0, 2.0, 10.0)))
    assert scene.contains((0.5, 0.5, 5.0), 0.0).tolist() == [True]
    assert scene.contains((0.5, 0.5, 11.0), 0.0).tolist() == [False]


def test_once_waits_moves_and_stops() -> None:
    packed = pack_obstacles([mover(MotionMode.ONCE)])
    assert [centres_at(packed, t)[0, 0] for t in (0.0, 1.0, 2.0, 6.0, 100.0)] == [0.0, 0.0, 2.0, 10.0, 10.0]
    assert [next_kink_s(packed[0], t) for t in (0.0, 1.0, 6.0)] == [1.0, 6.0, math.inf]


def test_back_and_forth_returns() -> None:
    packed = pack_obstacles([mover(MotionMode.BACK_AND_FORTH)])
    assert [centres_at(packed, t)[0, 0] for t in (1.0, 6.0, 7.0, 11.0, 12.0)] == [0.0, 10.0, 8.0, 0.0, 2.0]
    assert [next_kink_s(packed[0], t) for t in (0.0, 1.0, 6.0, 10.9)] == [1.0, 6.0, 11.0, 11.0]


def test_motion_to_its_own_place_is_no_motion() -> None:
    motion = LinearMotion(to_enu_m=(0.0, 0.0, 5.0), speed_mps=50.0)
    still = Obstacle(center_enu_m=(0.0, 0.0, 5.0), size_m=(1.0, 1.0, 1.0), motion=motion)
    packed = pack_obstacles([still])
    assert packed[0, MODE] == STATIC
    assert scene_of(still).closest([0.0, 1e6], [(5, 0, 5), (5, 0, 5)])[0].distance_m == pytest.approx(4.5)


def test_passing_between_two_samples_is_seen() -> None:
    scene = scene_of(obstacle_on_ground(0.0, 0.0, (2.0, 2.0, 10.0)))
    ((distance, when),) = scene.closest([0.0, 1.0], [(-5.0, 1.5, 5.0), (5.0, 1.5, 5.0)])
    assert distance == pytest.approx(0.5)
    assert when == pytest.approx(0.4)  # first touches the shadow of the face, not its middle


def test_obstacle_that_dashes_through_between_two_samples_is_seen() -> None:
    # It is far away at both samples: only its motion in between comes near.
    motion = LinearMotion(to_enu_m=(10.0, 0.0, 5.0), speed_mps=20.0, mode=MotionMode.BACK_AND_FORTH)
    obstacle = Obstacle(
        center_enu_m=(0.0, 0.0, 5.0), size_m=(2.0, 2.0, 2.0), shape=Shape.SPHERE, motion=motion
    )
    ((distance, when),) = scene_of(obstacle).closest([0.0, 1.0], [(11.5, 0.0, 5.0)] * 2)
    assert distance == pytest.approx(0.5)
    assert when == pytest.approx(0.5)


def test_collision_time_is_the_first_contact() -> None:
    scene = scene_of(
        obstacle_on_ground(0.0, 0.0, (2.0, 2.0, 10.0)),
        Obstacle(center_enu_m=(0.0, 0.0, 5.0), size_m=(2.0, 2.0, 2.0), shape=Shape.SPHERE),
        Obstacle(center_enu_m=(0.0, 0.0, 5.0), size_m=(2.0, 2.0, 2.0), shape=Shape.CYLINDER),
    )
    for distance, when in scene.closest([0.0, 1.0], [(-5.0, 0.0, 5.0), (5.0, 0.0, 5.0)]):
        assert distance == pytest.approx(0.0, abs=1e-9)
        assert when == pytest.approx(0.4)


def test_least_distance_names_the_obstacle() -> None:
    scene = scene_of(
        obstacle_on_ground(0.0, 9.0, (2.0, 2.0, 10.0)), obstacle_on_ground(0.0, -4.0, (2.0, 2.0, 9.0))
    )
    distance, when, index = scene.least_distance_m([0.0, 1.0], [(-5.0, 0.0, 5.0), (5.0, 0.0, 5.0)])
    assert (distance, index) == (pytest.approx(3.0), 1)
    assert 0.0 <= when <= 1.0
    empty = scene_of()
    assert empty.least_distance_m([0.0], [(0.0, 0.0, 0.0)])[2] == -1


def test_bad_trajectories_are_refused_and_nan_samples_passed_over() -> None:
    scene = scene_of(obstacle_on_ground(0.0, 0.0, (2.0, 2.0, 10.0)), mover(MotionMode.BACK_AND_FORTH))
    with pytest.raises(ValueError, match="must not decrease"):
        scene.closest([1.0, 0.0], [(0, 0, 0), (1, 1, 1)])
    with pytest.raises(ValueError, match="finite"):
        scene.closest([0.0, math.nan], [(0, 0, 0), (1, 1, 1)])
    with pytest.raises(ValueError, match="do not fit"):
        scene.closest([0.0], [(0, 0, 0), (1, 1, 1)])
    with_gap = [(5.0, 0.0, 5.0), (math.nan, 0.0, 5.0), (7.0, 0.0, 5.0)]
    assert scene.closest([0.0, 1.0, 2.0], with_gap)[0].distance_m == pytest.approx(4.0)


def test_outline_has_the_size_and_place_of_the_box() -> None:
    row = pack_obstacles([obstacle_on_ground(3.0, 4.0, (6.0, 2.0, 10.0), yaw_deg=90.0)])[0]
    outline = outline_enu_m(row)
    assert outline.min(axis=0) == pytest.approx([2.0, 1.0])
    assert outline.max(axis=0) == pytest.approx([4.0, 7.0])


def test_pack_of_a_scenario_without_obstacles_has_the_flat_default_ground() -> None:
    world = pack(Scenario(mission=MISSION))
    assert world.obstacles.shape == (0, 17)
    assert not world.moving
    assert not world.ground.has_grid
    assert np.isclose(Scene(world).ground_height_m(3.0, 4.0), 0.0)
