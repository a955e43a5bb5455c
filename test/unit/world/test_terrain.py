"""Landforms, water and rays against the height field."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.scenario.logical.landform import WATER_LEVEL_M
from uav_testgen.scenario.model import Landform, Mission, Scenario, Surface, Terrain, Waypoint
from uav_testgen.sensing.analytic_renderer import AnalyticRenderer
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import CameraConfig, pack_camera
from uav_testgen.world.ground import grid_entry, height_at
from uav_testgen.world.packed import PackedWorld, pack, pack_obstacles
from uav_testgen.world.scene import Scene
from uav_testgen.world.terrain import build_ground, flat_ground, grid_ground

pytestmark = pytest.mark.unit

MISSION = Mission(waypoints=(Waypoint(position_enu_m=(30.0, 0.0, 10.0)),))


def scene_with(landform: Landform, surface: Surface = Surface.LAND) -> Scene:
    terrain = Terrain(
        landform=landform, surface=surface, height_m=6.0, radius_m=20.0, center_enu_m=(15.0, 0.0)
    )
    return Scene.of(Scenario(mission=MISSION, terrain=terrain))


@pytest.mark.parametrize(
    ("landform", "centre_m", "west_m", "east_m"),
    [
        (Landform.FLAT, 0.0, 0.0, 0.0),
        (Landform.ELEVATION, 6.0, 0.0, 0.0),
        (Landform.DEPRESSION, -6.0, 0.0, 0.0),
        (Landform.STEEP_TRANSITION, 3.0, 0.0, 6.0),
    ],
)
def test_heights(landform: Landform, centre_m: float, west_m: float, east_m: float) -> None:
    scene = scene_with(landform)
    assert scene.ground_height_m(15.0, 0.0) == pytest.approx(centre_m, abs=0.05)
    assert scene.ground_height_m(-30.0, 0.0) == pytest.approx(west_m)
    assert scene.ground_height_m(60.0, 0.0) == pytest.approx(east_m)


def test_outside_the_grid_there_is_no_ground() -> None:
    assert math.isnan(scene_with(Landform.ELEVATION).ground_height_m(5000.0, 0.0))


def test_height_is_linear_on_each_triangle_and_exact_at_nodes() -> None:
    heights = np.array([[0.0, 1.0], [2.0, 5.0]])
    ground = grid_ground(heights, corner_m=(10.0, 20.0), cell_m=2.0)
    at = [
        height_at(ground.vector, heights, x, y) for x, y in [(10, 20), (12, 20), (10, 22), (12, 22), (11, 21)]
    ]
    assert at == pytest.approx([0.0, 1.0, 2.0, 5.0, 2.5])
    assert height_at(ground.vector, heights, 11.5, 20.5) == pytest.approx(0.25 * 0 + 0.5 * 1 + 0.25 * 5)


def test_rays_against_the_grid_agree_with_dense_marching() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        heights = rng.uniform(-1.5, 1.5, (14, 17))
        ground = grid_ground(heights, corner_m=(-8.0, -6.0), cell_m=1.1)
        direction = rng.normal(0.0, 1.0, 3)
        direction[2] = -abs(direction[2]) - 0.05
        ray = (*rng.uniform((-6, -5, 1.6), (6, 5, 4.0)).tolist(), *direction.tolist())
        depth, _, _ = grid_entry(ground.vector, ground.heights, ray, 0.0, 18.0)
        steps = np.linspace(0.0, 18.0, 8001)
        above = np.array(
            [
                ray[2]
                + t * ray[5]
                - height_at(ground.vector, heights, ray[0] + t * ray[3], ray[1] + t * ray[4])
                for t in steps
            ]
        )
        below = np.flatnonzero(above <= 0.0)
        if len(below):
            assert depth == pytest.approx(steps[below[0]], abs=1.01 * steps[1])
        else:
            assert math.isinf(depth)


def test_flat_grid_looks_like_the_plane() -> None:
    camera = pack_camera(CameraConfig())
    ground = grid_ground(np.zeros((81, 81)), corner_m=(-40.0, -40.0), cell_m=1.0)
    pose = Pose((0.3, 0.2, 3.0), 0.4, 0.1, 0.05)
    none = pack_obstacles([])
    renderer = AnalyticRenderer()
    grid = renderer.depth(PackedWorld(none, ground), 0.0, camera, pose)
    plane = renderer.depth(PackedWorld(none, flat_ground()), 0.0, camera, pose)
    assert np.array_equal(np.isfinite(grid), np.isfinite(plane))
    seen = np.isfinite(plane)
    assert grid[seen] == pytest.approx(plane[seen], abs=1e-9)


def test_a_vertical_ray_meets_the_ground_below() -> None:
    ground = grid_ground(np.full((5, 5), 1.5), corner_m=(0.0, 0.0), cell_m=1.0)
    depth, row, column = grid_entry(ground.vector, ground.heights, (2.2, 3.3, 4.0, 0.0, 0.0, -1.0), 0.5, 18.0)
    assert (depth, row, column) == (pytest.approx(2.5), 3, 2)


@pytest.mark.parametrize("landform", list(Landform))
def test_a_mixture_has_land_and_water_and_water_is_level(landform: Landform) -> None:
    ground = scene_with(landform, Surface.MIXTURE).world.ground
    assert ground.has_grid
    assert 0.0 < ground.water.mean() < 1.0
    levels = ground.heights[:-1, :-1][ground.water != 0]
    assert np.ptp(levels) <= 0.35  # a lake is level; the shore of an island is a beach


def test_water_everywhere() -> None:
    world = pack(Scenario(mission=MISSION, terrain=Terrain(surface=Surface.WATER)))
    assert not world.ground.has_grid
    depth = AnalyticRenderer().depth(world, 0.0, pack_camera(CameraConfig()), Pose((0.0, 0.0, 5.0)))
    assert np.all(np.isposinf(depth))


@pytest.mark.parametrize("landform", list(Landform))
def test_water_is_a_level_surface_over_every_landform(landform: Landform) -> None:
    """StellaUAV, section IV (the world has a water level): no hill rises out of what is all water."""
    ground = scene_with(landform, Surface.WATER).world.ground
    assert not ground.has_grid
    for east, north in ((0.0, 0.0), (20.0, 0.0), (40.0, 5.0)):
        assert height_at(ground.vector, ground.heights, east, north) == WATER_LEVEL_M


def test_large_worlds_get_coarser_cells_not_more_memory() -> None:
    terrain = Terrain(landform=Landform.ELEVATION, height_m=100.0, radius_m=5000.0)
    ground = build_ground(terrain, (-10.0, -10.0), (10.0, 10.0))
    assert max(ground.heights.shape) <= 402


def test_wrong_grids_are_refused() -> None:
    with pytest.raises(ValueError, match="2 x 2"):
        grid_ground(np.zeros((1, 5)), corner_m=(0.0, 0.0), cell_m=1.0)
    with pytest.raises(ValueError, match="water mask"):
        grid_ground(np.zeros((3, 3)), corner_m=(0.0, 0.0), cell_m=1.0, water=np.zeros((3, 3), dtype=np.uint8))
