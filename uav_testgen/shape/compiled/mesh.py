"""Points, straight ways and rays against the triangles of a mesh, compiled.

A mesh may have any form, so nothing here relies on convexity of the whole; each triangle is convex. Every query
looks at every triangle: the cost grows in proportion to their number. `flat` measures in plan view: the triangles
and the point are pressed onto the ground, so the distance is that to the footprint.

Two triangles that share an edge test it with the same numbers and opposite signs, so no ray slips between them.
"""

from __future__ import annotations

import math

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.shape.base import Corner
from uav_testgen.shape.row import FORM, HX, HY, HZ, TRIANGLE_COLUMNS

_INSIDE = 2.0 * math.pi  # half the solid angle that a closed surface fills seen from inside


@inlined
def _corner(row: FloatArray, at: int, x: float, y: float, z: float, flat: bool) -> Corner:
    """A corner relative to a point."""
    return row[at] - x, row[at + 1] - y, 0.0 if flat else row[at + 2] - z


@inlined
def _dot(a: Corner, b: Corner) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def _cross(a: Corner, b: Corner) -> Corner:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def _minus(a: Corner, b: Corner) -> Corner:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def face_entry(
    row: FloatArray, at: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> float:
    """Depth at which a ray enters through one triangle from outside; +inf if it does not."""
    d = (dx, dy, dz)
    a = _corner(row, at, ox, oy, oz, False)
    b = _corner(row, at + 3, ox, oy, oz, False)
    c = _corner(row, at + 6, ox, oy, oz, False)
    bc = _cross(b, c)
    weight_a = _dot(d, bc)
    weight_b = _dot(d, _cross(c, a))
    weight_c = _dot(d, _cross(a, b))
    turned = weight_a + weight_b + weight_c  # direction · normal, < 0 from outside
    if not (weight_a <= 0.0 and weight_b <= 0.0 and weight_c <= 0.0 and turned < 0.0):
        return math.inf
    return float(_dot(a, bc) / turned)


@kernel
def mesh_entry(
    row: FloatArray, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, near_m: float
) -> float:
    """First depth of at least `near_m` at which a ray in the mesh's own axes enters it; +inf if nowhere."""
    first = int(row[FORM])
    best = math.inf
    for k in range(int(row[first])):
        value = face_entry(row, first + 1 + TRIANGLE_COLUMNS * k, ox, oy, oz, dx, dy, dz)
        if value >= near_m and value < best:
            best = value
    return best


@kernel
def _edge_square(a: Corner, b: Corner) -> float:
    """Squared distance of the origin from the straight line between two points."""
    way = _minus(b, a)
    square = _dot(way, way)
    share = -_dot(a, way) / square if square > 0.0 else 0.0
    share = min(max(share, 0.0), 1.0)
    p = (a[0] + share * way[0], a[1] + share * way[1], a[2] + share * way[2])
    return float(_dot(p, p))


@kernel
def _face_square(a: Corner, b: Corner, c: Corner) -> float:
    """Squared distance of the origin from a triangle, which may be as thin as a line."""
    normal = _cross(_minus(b, a), _minus(c, a))
    square = _dot(normal, normal)
    if square > 0.0:
        above = (
            _dot(_cross(a, b), normal) >= 0.0
            and _dot(_cross(b, c), normal) >= 0.0
            and _dot(_cross(c, a), normal) >= 0.0
        )
        if above:
            height = _dot(a, normal)
            return float(height * height / square)
    return float(min(_edge_square(a, b), min(_edge_square(b, c), _edge_square(c, a))))


@kernel
def _ways_square(p: Corner, d: Corner, a: Corner, b: Corner) -> tuple[float, float]:
    """Squared distance of the way from p to p + d to the edge a, b; and the share of the way."""
    e, r = _minus(b, a), _minus(p, a)
    dd, ee, er, dr = _dot(d, d), _dot(e, e), _dot(e, r), _dot(d, r)
    de = _dot(d, e)
    spread = dd * ee - de * de
    share = min(max((de * er - dr * ee) / spread, 0.0), 1.0) if spread > 0.0 else 0.0
    on_edge = (de * share + er) / ee if ee > 0.0 else 0.0
    if on_edge < 0.0 or on_edge > 1.0 or not ee > 0.0:
        on_edge = min(max(on_edge, 0.0), 1.0)
        share = min(max((de * on_edge - dr) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    gap = (
        r[0] + share * d[0] - on_edge * e[0],
        r[1] + share * d[1] - on_edge * e[1],
        r[2] + share * d[2] - on_edge * e[2],
    )
    return float(_dot(gap, gap)), share


@kernel
def _way_square(p: Corner, d: Corner, a: Corner, b: Corner, c: Corner) -> tuple[float, float]:
    """Squared distance of a way to a triangle that it does not begin at; and the share of the way."""
    ra, rb, rc = _minus(a, p), _minus(b, p), _minus(c, p)
    bc = _cross(rb, rc)
    weight_a, weight_b, weight_c = _dot(d, bc), _dot(d, _cross(rc, ra)), _dot(d, _cross(ra, rb))
    turned = weight_a + weight_b + weight_c
    through = (weight_a >= 0.0 and weight_b >= 0.0 and weight_c >= 0.0) or (
        weight_a <= 0.0 and weight_b <= 0.0 and weight_c <= 0.0
    )
    if turned != 0.0 and through:
        share = _dot(ra, bc) / turned
        if 0.0 <= share <= 1.0:
            return 0.0, share
    best, best_share = _ways_square(p, d, a, b)
    for k in range(2):
        square, share = _ways_square(p, d, b if k == 0 else c, c if k == 0 else a)
        if square < best or (square == best and share < best_share):
            best, best_share = square, share
    end = (p[0] + d[0], p[1] + d[1], p[2] + d[2])
    square = _face_square(_minus(a, end), _minus(b, end), _minus(c, end))
    return (square, 1.0) if square < best else (best, best_share)


@kernel
def is_inside(row: FloatArray, x: float, y: float, z: float) -> bool:
    """Is a point in the mesh's own axes inside it? By the solid angle that the surface fills, seen from there."""
    if not (abs(x) <= row[HX] and abs(y) <= row[HY] and abs(z) <= row[HZ]):
        return False
    first = int(row[FORM])
    total = 0.0
    for k in range(int(row[first])):
        at = first + 1 + TRIANGLE_COLUMNS * k
        a = _corner(row, at, x, y, z, False)
        b = _corner(row, at + 3, x, y, z, False)
        c = _corner(row, at + 6, x, y, z, False)
        la, lb, lc = math.sqrt(_dot(a, a)), math.sqrt(_dot(b, b)), math.sqrt(_dot(c, c))
        spread = la * lb * lc + _dot(a, b) * lc + _dot(b, c) * la + _dot(c, a) * lb
        total += 2.0 * math.atan2(_dot(a, _cross(b, c)), spread)
    return total > _INSIDE


@kernel
def mesh_distance(row: FloatArray, x: float, y: float, z: float, flat: bool) -> float:
    """Distance of a point in the mesh's own axes; 0 inside."""
    if not flat and is_inside(row, x, y, z):
        return 0.0
    first = int(row[FORM])
    best = math.inf
    for k in range(int(row[first])):
        at = first + 1 + TRIANGLE_COLUMNS * k
        square = _face_square(
            _corner(row, at, x, y, z, flat),
            _corner(row, at + 3, x, y, z, flat),
            _corner(row, at + 6, x, y, z, flat),
        )
        best = min(best, square)
    return math.sqrt(best) if x + y + z == x + y + z else math.nan


@kernel
def mesh_way_distance(row: FloatArray, p: Corner, d: Corner, flat: bool) -> tuple[float, float]:
    """Least distance on the straight way from p to p + d, and the share of the way where it first occurs."""
    best = mesh_distance(row, p[0], p[1], p[2], flat)
    best_share = 0.0
    if not best > 0.0:
        return best, best_share
    best = best * best
    reach = math.sqrt(_dot(d, d))
    first = int(row[FORM])
    for k in range(int(row[first])):
        at = first + 1 + TRIANGLE_COLUMNS * k
        a = _corner(row, at, 0.0, 0.0, 0.0, flat)
        b = _corner(row, at + 3, 0.0, 0.0, 0.0, flat)
        c = _corner(row, at + 6, 0.0, 0.0, 0.0, flat)
        # What is farther from the start than the way is long and the best distance cannot win.
        begin = math.sqrt(_face_square(_minus(a, p), _minus(b, p), _minus(c, p)))
        if begin - reach > math.sqrt(best):
            continue
        square, share = _way_square(p, d, a, b, c)
        if square < best or (square == best and share < best_share):
            best, best_share = square, share
    return math.sqrt(best), best_share
