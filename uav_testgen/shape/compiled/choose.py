"""Distance and ray of a packed obstacle, compiled: the one place where kernels choose by its kind.

A ray's parameter is the depth of the image, because its direction has length 1 along the optical axis. Only the
entry of a solid counts: a camera inside an obstacle does not see it. +inf means "does not enter".

Along a straight line the distance to a convex body is convex, so its minimum is where the slope changes sign: found
exactly for boxes (the slope of the squared distance is piecewise linear), by bisection to the last bit for round
bodies. A mesh need not be convex; its triangles are asked one by one.
"""

from __future__ import annotations

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.shape.base import Corner
from uav_testgen.shape.compiled.box import box_closest_share, box_distance, box_entry, box_slope
from uav_testgen.shape.compiled.cylinder import cylinder_distance, cylinder_entry, cylinder_slope
from uav_testgen.shape.compiled.mesh import mesh_distance, mesh_entry, mesh_way_distance
from uav_testgen.shape.compiled.sphere import sphere_distance, sphere_entry, sphere_slope
from uav_testgen.shape.kinds import BOX, CYLINDER, MESH, SPHERE
from uav_testgen.shape.row import COS_YAW, CX, CY, CZ, HX, HY, HZ, SHAPE, SIN_YAW

_BISECTIONS = 64


@inlined
def to_own_axes(row: FloatArray, x: float, y: float, z: float, horizontal: bool) -> Corner:
    """A centre-relative vector in the obstacle's own axes; flattened if only the plan counts."""
    c, s = row[COS_YAW], row[SIN_YAW]
    return c * x + s * y, c * y - s * x, 0.0 if horizontal else z


@kernel
def body_distance(row: FloatArray, p: Corner, horizontal: bool) -> float:
    """Distance of a point given in the obstacle's own axes; 0 inside."""
    kind = row[SHAPE]
    if kind == BOX:
        return float(box_distance(p[0], p[1], p[2], row[HX], row[HY], row[HZ]))
    if kind == CYLINDER:
        return float(cylinder_distance(p[0], p[1], p[2], row[HX], row[HZ], horizontal))
    if kind == SPHERE:
        return float(sphere_distance(p[0], p[1], p[2], row[HX]))
    if kind == MESH:
        return float(mesh_distance(row, p[0], p[1], p[2], horizontal))
    raise ValueError("an obstacle of unknown kind")


@kernel
def _slope(row: FloatArray, a: Corner, d: Corner, share: float, horizontal: bool) -> float:
    """Half the derivative of the squared distance at a + share·d; never falls as the share grows."""
    p = (a[0] + share * d[0], a[1] + share * d[1], a[2] + share * d[2])
    kind = row[SHAPE]
    if kind == BOX:
        return float(box_slope(p, d, row[HX], row[HY], row[HZ]))
    if kind == CYLINDER:
        return float(cylinder_slope(p, d, row[HX], row[HZ], horizontal))
    if kind == SPHERE:
        return float(sphere_slope(p, d, row[HX]))
    raise ValueError("an obstacle of a kind that is not convex")


@kernel
def way_distance(row: FloatArray, a: Corner, b: Corner, horizontal: bool) -> tuple[float, float]:
    """Least distance on the straight way from a to b, and the share of the way where it first occurs."""
    d = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    if row[SHAPE] == MESH:
        return mesh_way_distance(row, a, d, horizontal)  # type: ignore[no-any-return]
    at_start = body_distance(row, a, horizontal)
    if not _slope(row, a, d, 0.0, horizontal) < 0.0:
        return at_start, 0.0
    if not _slope(row, a, d, 1.0, horizontal) > 0.0 and body_distance(row, b, horizontal) > 0.0:
        return body_distance(row, b, horizontal), 1.0
    if row[SHAPE] == BOX:
        share = box_closest_share(a, d, (row[HX], row[HY], row[HZ]))
    else:
        low, share = 0.0, 1.0
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + share)
            if _slope(row, a, d, middle, horizontal) < 0.0:
                low = middle
            else:
                share = middle
    closest = (a[0] + share * d[0], a[1] + share * d[1], a[2] + share * d[2])
    return body_distance(row, closest, horizontal), share


@kernel
def obstacle_entry(
    row: FloatArray, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, near_m: float
) -> float:
    """Depth at which a world-frame ray enters one placed obstacle; of a mesh the first of at least `near_m`."""
    px, py, pz = ox - row[CX], oy - row[CY], oz - row[CZ]
    kind = row[SHAPE]
    if kind == SPHERE:
        return float(sphere_entry(px, py, pz, dx, dy, dz, row[HX]))
    if kind == CYLINDER:
        return float(cylinder_entry(px, py, pz, dx, dy, dz, row[HX], row[HZ]))
    c, s = row[COS_YAW], row[SIN_YAW]
    ex, ey = c * dx + s * dy, c * dy - s * dx
    if kind == BOX:
        return float(box_entry(c * px + s * py, c * py - s * px, pz, ex, ey, dz, row[HX], row[HY], row[HZ]))
    if kind == MESH:
        return float(mesh_entry(row, c * px + s * py, c * py - s * px, pz, ex, ey, dz, near_m))
    raise ValueError("an obstacle of unknown kind")
