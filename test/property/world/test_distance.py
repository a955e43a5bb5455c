"""Distances against brute force and against shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.scenario.footprint import distance_to_point_m
from uav_testgen.scenario.model import LinearMotion, MotionMode, Obstacle, Shape
from uav_testgen.testing.factories import GATE, TETRAHEDRON
from uav_testgen.world.distance import point_distance, sweep_distance
from uav_testgen.world.motion import centres_at
from uav_testgen.world.packed import PackedWorld, pack_obstacles
from uav_testgen.world.scene import Scene, outline_enu_m
from uav_testgen.world.terrain import flat_ground

pytestmark = pytest.mark.property

coordinate = st.floats(-20.0, 20.0)
point = st.tuples(coordinate, coordinate, coordinate)
size = st.floats(0.1, 12.0)


@st.composite
def obstacles(draw: st.DrawFn, *, moving: bool = False) -> Obstacle:
    shape = draw(st.sampled_from(list(Shape)))
    x, y, z = draw(size), draw(size), draw(size)
    if shape in (Shape.CYLINDER, Shape.SPHERE):
        y = x
    if shape is Shape.SPHERE:
        z = x
    motion = None
    if moving:
        motion = LinearMotion(
            to_enu_m=draw(point),
            speed_mps=draw(st.floats(0.1, 30.0)),
            start_s=draw(st.floats(0.0, 3.0)),
            mode=draw(st.sampled_from(list(MotionMode))),
        )
    return Obstacle(
        center_enu_m=draw(point),
        size_m=(x, y, z),
        yaw_rad=draw(st.floats(-4.0, 4.0)),
        shape=shape,
        motion=motion,
        triangles=draw(st.sampled_from([TETRAHEDRON, GATE])) if shape is Shape.MESH else (),
    )


def scene_of(*items: Obstacle) -> Scene:
    return Scene(PackedWorld(pack_obstacles(items), flat_ground()))


@settings(deadline=None)  # the first call compiles
@given(obstacles(), point, st.booleans())
def test_compiled_and_readable_point_distance_agree(
    obstacle: Obstacle, where: tuple[float, float, float], horizontal: bool
) -> None:
    scene = scene_of(obstacle)
    compiled = point_distance(scene.world.obstacles[0], *where, horizontal)
    readable = scene.distances_m(where, 0.0, horizontal=horizontal)[0, 0]
    assert compiled == pytest.approx(readable, abs=1e-12)


@settings(deadline=None)  # the first call compiles
@given(obstacles(), point)
def test_horizontal_distance_is_shapelys(obstacle: Obstacle, where: tuple[float, float, float]) -> None:
    row = pack_obstacles([obstacle])[0]
    if obstacle.shape is Shape.BOX:
        expected = shapely.distance(shapely.Polygon(outline_enu_m(row)), shapely.Point(where[:2]))
    elif obstacle.shape is Shape.MESH:
        expected = distance_to_point_m(obstacle, *where[:2])
    else:
        centre = shapely.Point(obstacle.center_enu_m[:2])
        expected = max(centre.distance(shapely.Point(where[:2])) - 0.5 * obstacle.size_m[0], 0.0)
    assert point_distance(row, *where, True) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(obstacles(moving=True), point, point, st.floats(0.0, 5.0), st.floats(0.01, 4.0), st.booleans())
def test_moving_closest_approach_is_not_above_and_not_below_dense_sampling(
    obstacle: Obstacle,
    start: tuple[float, float, float],
    end: tuple[float, float, float],
    t0: float,
    duration: float,
    horizontal: bool,
) -> None:
    scene = scene_of(obstacle)
    row = scene.world.obstacles[0]
    p0, p1 = np.array(start), np.array(end)
    distance, when = sweep_distance(row, t0, p0, t0 + duration, p1, horizontal)
    times = np.linspace(t0, t0 + duration, 501)
    positions = p0 + ((times - t0) / duration)[:, np.newaxis] * (p1 - p0)
    # It moves without turning: seen from the obstacle, the point moves instead. One call measures all samples.
    centres = np.array([scene.centres_enu_m(t)[0] for t in times])
    sampled = scene.distances_m(positions - (centres - centres[0]), t0, horizontal=horizontal).min()
    speed = np.linalg.norm(p1 - p0) / duration + obstacle.motion.speed_mps
    assert distance <= sampled + 1e-9
    assert distance >= sampled - speed * (times[1] - times[0]) - 1e-9
    assert t0 <= when <= t0 + duration + 1e-12
    share = (when - t0) / duration
    at_closest = scene.distances_m(p0 + share * (p1 - p0), when, horizontal=horizontal)[0, 0]
    assert at_closest == pytest.approx(distance, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(obstacles(moving=True), st.integers(0, 2**32 - 1), st.booleans())
def test_trajectory_minimum_is_the_minimum_of_its_intervals(
    obstacle: Obstacle, seed: int, horizontal: bool
) -> None:
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.05, 0.5, 12))
    positions = np.cumsum(rng.normal(0.0, 1.5, (12, 3)), axis=0)
    scene = scene_of(obstacle)
    row = scene.world.obstacles[0]
    expected = min(
        sweep_distance(row, times[k], positions[k], times[k + 1], positions[k + 1], horizontal)[0]
        for k in range(11)
    )
    assert scene.closest(times, positions, horizontal=horizontal)[0].distance_m == pytest.approx(
        expected, abs=1e-12
    )


@settings(deadline=None)
@given(obstacles(moving=True), st.floats(0.0, 50.0))
def test_both_motion_formulas_agree_and_stay_on_the_line(obstacle: Obstacle, t: float) -> None:
    packed = pack_obstacles([obstacle])
    world = PackedWorld(packed, flat_ground())
    placed = world.placed_at(t)[0, 1:4]
    assert placed.tolist() == centres_at(packed, t)[0].tolist()
    a, b = np.array(obstacle.center_enu_m), np.array(obstacle.motion.to_enu_m)
    assert np.linalg.norm(placed - a) + np.linalg.norm(placed - b) == pytest.approx(math.dist(a, b), abs=1e-9)
