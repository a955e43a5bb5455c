"""Fields of view: rows of (yaw, pitch, horizontal, vertical) degrees, body convention."""

from __future__ import annotations

from uav_testgen.core.kernel import kernel
from uav_testgen.planner.vfh3d.compiled.grid import F32, FULL_TURN, ONE, TWO, ZERO
from uav_testgen.planner.vfh3d.compiled.polar import wrap_180

_EDGE_DEG = F32(3.0)


@kernel
def inside_yaw(fovs, k, z):
    """Is an azimuth in camera k's horizontal interval? Never, if the interval crosses +-180."""
    half = fovs[k, 2] / TWO
    return z <= wrap_180(fovs[k, 0] + half) and z >= wrap_180(fovs[k, 0] - half)


@kernel
def inside_any(fovs, e, z):
    """Is a direction seen by any camera?"""
    for k in range(fovs.shape[0]):
        half = fovs[k, 3] / TWO
        if inside_yaw(fovs, k, z) and e >= fovs[k, 1] - half and e <= fovs[k, 1] + half:
            return True
    return False


@kernel
def scale_to_fov(fovs, z):
    """Speed factor: 1 inside the view, falling to 0 towards an edge that no other camera covers."""
    seen_by = 0
    camera = -1
    for k in range(fovs.shape[0]):
        if inside_yaw(fovs, k, z):
            seen_by += 1
            camera = k
    if seen_by == 0:
        return ZERO
    if seen_by > 1:
        return ONE
    yaw = fovs[camera, 0]
    half = fovs[camera, 2] / TWO
    if wrap_180(z - yaw) > ZERO:
        beyond = wrap_180(yaw + half + _EDGE_DEG)
    else:
        beyond = wrap_180(yaw - half - _EDGE_DEG)
    for k in range(fovs.shape[0]):
        if inside_yaw(fovs, k, beyond):
            return ONE
    a = abs(yaw - z)
    other = abs(FULL_TURN - a)
    a = other if other < a else a
    a = half if half < a else a
    return ONE - TWO * a / fovs[camera, 2]
