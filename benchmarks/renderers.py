"""Renderers: CPU time per frame of the analytic one (level, tilted) and of Open3D, and how often they differ.

python benchmarks/renderers.py [--frames N] [--json]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np
from numba import njit

from uav_testgen.scenario.model import Obstacle, Shape
from uav_testgen.sensing.analytic import cloud_from_depth, image_scratch, render_depth
from uav_testgen.sensing.analytic_renderer import AnalyticRenderer
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import CameraConfig, pack_camera
from uav_testgen.sensing.open3d_renderer import Open3DRenderer
from uav_testgen.testing.factories import GATE
from uav_testgen.world.packed import PackedWorld, pack_obstacles
from uav_testgen.world.terrain import flat_ground

CAMERA = pack_camera(CameraConfig())


@njit(nogil=True)
def _render_many(
    n, placed, ground, heights, water, columns, rows, origins, rotations, near, far, scratch, depth
):
    for k in range(n):
        pick = k % origins.shape[0]
        render_depth(
            placed,
            ground,
            heights,
            water,
            columns,
            rows,
            origins[pick],
            rotations[pick],
            near,
            far,
            scratch,
            depth,
        )


@njit(nogil=True)
def _cloud_many(n, depth, columns, rows, origin, rotation, points):
    total = 0
    for _ in range(n):
        total += cloud_from_depth(depth, columns, rows, origin, rotation, points)
    return total


def best_us(work: Callable[[], None], frames: int, repeats: int = 7) -> float:
    """Least CPU time per frame over several repeats."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1e6 * min(times) / frames


def random_world(rng: np.random.Generator, shapes: list[Shape], count: int) -> PackedWorld:
    obstacles = []
    for _ in range(count):
        shape = shapes[rng.integers(len(shapes))]
        x, y, z = rng.uniform((1.0, 1.0, 6.0), (6.0, 6.0, 12.0))
        size = {Shape.CYLINDER: (x, x, z), Shape.SPHERE: (x, x, x)}.get(shape, (x, y, z))
        east, north = rng.uniform((4.0, -7.0), (16.0, 7.0))
        obstacles.append(
            Obstacle(
                center_enu_m=(east, north, 0.5 * size[2]),
                size_m=size,
                yaw_rad=rng.uniform(-3, 3),
                shape=shape,
                triangles=GATE if shape is Shape.MESH else (),
            )
        )
    return PackedWorld(pack_obstacles(obstacles), flat_ground())


def poses(rng: np.random.Generator, n: int, tilt_rad: float) -> list[Pose]:
    found = []
    for _ in range(n):
        pitch, roll = rng.uniform(-tilt_rad, tilt_rad, 2)
        position = tuple(rng.uniform((-3.0, -3.0, 2.0), (3.0, 3.0, 8.0)).tolist())
        found.append(Pose(position, rng.uniform(-0.6, 0.6), pitch, roll))
    return found


def analytic_us(world: PackedWorld, views: list[Pose], frames: int) -> tuple[float, float]:
    origins = np.array([view.position_enu_m for view in views])
    rotations = np.array([view.rotation() for view in views])
    scratch, depth = image_scratch(CAMERA.shape), np.empty(CAMERA.shape)
    points = np.empty((CAMERA.shape[0] * CAMERA.shape[1], 3), dtype=np.float32)
    scene = (world.obstacles, *world.ground, CAMERA.column_slopes, CAMERA.row_slopes)
    limits = (CAMERA.near_m, CAMERA.far_m)
    _render_many(1, *scene, origins, rotations, *limits, scratch, depth)
    rays = (CAMERA.column_slopes, CAMERA.row_slopes, origins[0], rotations[0])
    _cloud_many(1, depth, *rays, points)
    render = best_us(
        lambda: _render_many(frames, *scene, origins, rotations, *limits, scratch, depth), frames
    )
    cloud = best_us(lambda: _cloud_many(frames, depth, *rays, points), frames)
    return render, cloud


def disagreement(frames: int, shapes: list[Shape], tilt_rad: float) -> dict[str, float]:
    """Share of frames and pixels in which the two renderers are not equal to the last bit."""
    rng = np.random.default_rng(1)
    analytic, meshed = AnalyticRenderer(), Open3DRenderer()
    bad_frames = bad_pixels = 0
    for view in poses(rng, frames, tilt_rad):
        world = random_world(rng, shapes, int(rng.integers(0, 5)))
        differ = analytic.depth(world, 0.0, CAMERA, view) != meshed.depth(world, 0.0, CAMERA, view)
        bad_frames += bool(differ.any())
        bad_pixels += int(differ.sum())
    pixels = frames * CAMERA.shape[0] * CAMERA.shape[1]
    return {
        "frames": frames,
        "frames_differing": bad_frames,
        "pixels_differing": bad_pixels,
        "pixels": pixels,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=2000, help="frames per measurement")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    result: dict[str, object] = {}
    for label, shapes in (
        ("boxes", [Shape.BOX]),
        ("cylinders", [Shape.CYLINDER]),
        ("spheres", [Shape.SPHERE]),
        ("gates of 28 triangles", [Shape.MESH]),
    ):
        world = random_world(rng, shapes, 3)
        for attitude, tilt in (("level", 0.0), ("tilted", 0.2)):
            render, cloud = analytic_us(world, poses(rng, 64, tilt), options.frames)
            result[f"analytic_3_{label}_{attitude}_us"] = round(render, 2)
            result["cloud_us"] = round(cloud, 2)
    world, views = random_world(rng, [Shape.BOX], 3), poses(rng, 64, 0.0)
    for label, renderer in (("open3d", Open3DRenderer()), ("open3d_pure", Open3DRenderer(pure=True))):
        frames = max(options.frames // 20, 20)
        renderer.depth(world, 0.0, CAMERA, views[0])

        def run(renderer: Open3DRenderer = renderer, frames: int = frames) -> None:
            for k in range(frames):
                renderer.depth(world, 0.0, CAMERA, views[k % len(views)])

        result[f"{label}_3_boxes_level_us"] = round(best_us(run, frames, repeats=3), 1)
    result["open3d_over_analytic"] = round(
        float(result["open3d_3_boxes_level_us"]) / float(result["analytic_3_boxes_level_us"]), 1
    )
    result["agreement_boxes_level"] = disagreement(options.frames, [Shape.BOX], 0.0)
    result["agreement_all_shapes_tilted"] = disagreement(max(options.frames // 4, 10), list(Shape), 0.4)
    if options.json:
        print(json.dumps(result))
    else:
        for key, value in result.items():
            print(f"{key:36} {value}")


if __name__ == "__main__":
    main()
