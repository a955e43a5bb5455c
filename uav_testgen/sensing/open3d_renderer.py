"""The reference renderer: Open3D's RaycastingScene on meshes of ground and obstacles.

Open3D decides which surface every pixel shows; the depth of that surface is then computed by the same
float64 formulas as in the analytic renderer (see `refine`). `pure=True` gives Open3D's own float32
depth instead, to check one renderer against the other. The only file that imports Open3D, and only
when a renderer is made: the import takes seconds.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import MissingDependency
from uav_testgen.core.extras import way_to_get
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import PackedCamera, camera_pose
from uav_testgen.sensing.casting import accept_hits, fill_rays
from uav_testgen.sensing.meshes import PLANE_HALF_SIZE_M, ground_mesh, obstacle_mesh
from uav_testgen.sensing.refine import GROUND, NOTHING, exact_depth
from uav_testgen.shape.base import Mesh
from uav_testgen.world.layout import CX, CZ, GROUND_KIND, GROUND_WATER, NO_GROUND
from uav_testgen.world.packed import PackedWorld

_WAY_OUT = (
    f"{way_to_get('open3d')}; a missing libusb-1.0 comes with: apt install libusb-1.0-0; "
    "the analytic renderer needs neither"
)
_BEYOND_FAR_M = 0.05  # surfaces this far out of range are nothing; nearer ones are decided exactly
_STEP_BEYOND_M = 1e-4  # a ray goes on this far behind a surface that does not count


def _load_open3d() -> Any:
    try:
        return importlib.import_module("open3d")
    except (ImportError, OSError) as first:
        # A wheel may carry the one system library Open3D misses; loading it first satisfies the linker.
        spec = importlib.util.find_spec("libusb_package")
        if "libusb" not in str(first) or spec is None or spec.origin is None:
            raise MissingDependency(f"Open3D cannot be loaded ({first}); {_WAY_OUT}") from first
    try:
        ctypes.CDLL(str(Path(spec.origin).parent / "libusb-1.0.so"), mode=ctypes.RTLD_GLOBAL)
        return importlib.import_module("open3d")
    except (ImportError, OSError) as error:
        raise MissingDependency(f"Open3D cannot be loaded ({error}); {_WAY_OUT}") from error


class Open3DRenderer:
    """Ray casting on meshes. Keeps the scene as long as nothing moves."""

    def __init__(self, *, pure: bool = False, tolerance_m: float | None = None, threads: int = 1) -> None:
        self._o3d = _load_open3d()
        self.pure = pure
        # Round bodies are decided exactly afterwards, so a coarse mesh is enough unless depth is taken raw.
        self._tolerance_m = tolerance_m if tolerance_m is not None else (2e-4 if pure else 1e-2)
        self._threads = threads
        self._world: PackedWorld | None = None
        self._placed: FloatArray | None = None
        self._anchor = np.zeros(3)
        self._scene: Any = None
        self._meshes: list[Mesh] = []
        self._surface_of: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.decided_pixels = 0

    @property
    def name(self) -> str:
        """Name in reports."""
        return "open3d_pure" if self.pure else "open3d"

    def depth(self, world: PackedWorld, t_s: float, camera: PackedCamera, pose: Pose) -> FloatArray:
        """Depth image of the world at time t; all +inf for a pose with NaN or infinity."""
        origin, rotation = np.empty(3), np.empty((3, 3))
        camera_pose(
            np.array(pose.position_enu_m, dtype=np.float64), pose.rotation(),
            camera.mount_m, camera.mount_rotation, origin, rotation,
        )  # fmt: skip
        if not (np.all(np.isfinite(origin)) and np.all(np.isfinite(rotation))):
            return np.full(camera.shape, math.inf)
        placed = world.placed_at(t_s) if world.moving else world.obstacles
        self._prepare(world, placed, origin)
        rays = np.empty((camera.shape[0] * camera.shape[1], 6), dtype=np.float32)
        fill_rays(camera.column_slopes, camera.row_slopes, origin - self._anchor, rotation, rays)
        ids, raw, primitives, doubtful = self._cast(rays, camera.shape, camera.near_m)
        if self.pure:
            return self._raw_depth(ids, raw, primitives, world, camera.far_m)
        ids[raw > camera.far_m + _BEYOND_FAR_M] = NOTHING
        depth = np.empty(camera.shape)
        ground = world.ground
        self.decided_pixels = exact_depth(
            ids, doubtful, placed, ground.vector, ground.heights, ground.water,
            camera.column_slopes, camera.row_slopes, origin, rotation, camera.near_m, camera.far_m, depth,
        )  # fmt: skip
        return depth

    def _prepare(self, world: PackedWorld, placed: FloatArray, origin: FloatArray) -> None:
        """Build the scene, unless the one at hand shows the same things in the same places."""
        far_from_anchor = np.max(np.abs(origin - self._anchor)) > 0.5 * PLANE_HALF_SIZE_M
        if world is not self._world:
            self._meshes = [obstacle_mesh(row, self._tolerance_m) for row in world.obstacles]
        elif not far_from_anchor and self._placed is not None and np.array_equal(placed, self._placed):
            return
        if world is not self._world or far_from_anchor:
            self._anchor = np.round(origin)
        scene = self._o3d.t.geometry.RaycastingScene(nthreads=self._threads)
        surfaces = []
        if world.ground.vector[GROUND_KIND] != NO_GROUND:
            centre = (float(self._anchor[0]), float(self._anchor[1]))
            self._add(scene, ground_mesh(world.ground, centre), -self._anchor)
            surfaces.append(GROUND)
        for k, (mesh, row) in enumerate(zip(self._meshes, placed, strict=True)):
            self._add(scene, mesh, row[CX : CZ + 1] - self._anchor)
            surfaces.append(k + 1)
        self._surface_of = np.array(surfaces, dtype=np.int64)
        self._scene, self._world, self._placed = scene, world, placed

    def _add(self, scene: Any, mesh: Mesh, offset_m: FloatArray) -> None:
        tensor = self._o3d.core.Tensor
        scene.add_triangles(
            tensor.from_numpy(np.ascontiguousarray(mesh.vertices + offset_m, dtype=np.float32)),
            tensor.from_numpy(np.ascontiguousarray(mesh.triangles)),
        )

    def _cast(
        self, rays: NDArray[np.float32], shape: tuple[int, int], near_m: float
    ) -> tuple[NDArray[np.int64], FloatArray, NDArray[np.int64], NDArray[np.uint8]]:
        """Surface id, depth and triangle per pixel: the first surface entered from outside at >= near.

        Pixels whose ray had to be continued behind a surface are marked as doubtful: two surfaces that
        coincide (a box stands on the ground, the camera is in the box) are stepped over together.
        """
        count = len(rays)
        ids = np.full(count, NOTHING, dtype=np.int64)
        depth = np.full(count, math.inf)
        primitives = np.full(count, -1, dtype=np.int64)
        doubtful = np.zeros(count, dtype=np.uint8)
        begun = np.zeros(count)
        waiting = np.arange(count)
        left = count if len(self._surface_of) else 0
        now = rays
        for _ in range(2 * len(self._surface_of) + 2):
            if left == 0:
                break
            answer = self._scene.cast_rays(self._o3d.core.Tensor.from_numpy(now), nthreads=self._threads)
            left = accept_hits(
                rays, waiting, answer["t_hit"].numpy(), answer["geometry_ids"].numpy(),
                answer["primitive_ids"].numpy(), answer["primitive_normals"].numpy(), self._surface_of,
                near_m, _STEP_BEYOND_M, begun, ids, depth, primitives, doubtful,
            )  # fmt: skip
            if left:
                now = rays[waiting[:left]]
                now[:, :3] += begun[waiting[:left], np.newaxis] * now[:, 3:]
        return ids.reshape(shape), depth.reshape(shape), primitives.reshape(shape), doubtful.reshape(shape)

    @staticmethod
    def _raw_depth(
        ids: NDArray[np.int64],
        depth: FloatArray,
        primitives: NDArray[np.int64],
        world: PackedWorld,
        far_m: float,
    ) -> FloatArray:
        on_ground = ids == GROUND
        if world.ground.has_grid:
            cells = np.where(on_ground, primitives // 2, 0)
            wet = on_ground & (world.ground.water.ravel()[cells] != 0)
        else:
            wet = on_ground & bool(world.ground.vector[GROUND_WATER])
        return np.where(wet | (depth > far_m), math.inf, depth)
