"""Thinning of new clouds to one point per 2 degree cell, and the memory of points that left the view."""

from __future__ import annotations

from uav_testgen.core.kernel import kernel
from uav_testgen.planner.vfh3d.compiled.bulk import exact_fine_cell, fill_block, fine_cells
from uav_testgen.planner.vfh3d.compiled.grid import F32, QUARTER_TURN, TWO, ZERO
from uav_testgen.planner.vfh3d.compiled.polar import body_angles, direction_angles, wrap_180, wrap_polar
from uav_testgen.planner.vfh3d.compiled.view import inside_any

CHUNK = 1024
"""Points of a new cloud converted at a time: the scratch stays in the first-level cache."""
# Polynomial error (2.3e-5 deg) and float32 rounding of angles up to 360 deg stay well below this.
_VIEW_MARGIN_DEG = F32(2e-3)
_STEEP_DEG = F32(89.9)


@kernel
def add_cloud(
    points, px, py, pz, parameters, fine_count, fine_touched, n_touched, chunk, out, n_out, kept, first
):
    """Append the points of one camera that are kept; returns (kept points so far, touched cells so far).

    `points` is (n, 3); NaN fails the range test. `kept` receives first + index of each kept point if it has
    room (it is empty when nobody asked).
    """
    min_squared = parameters.min_range * parameters.min_range
    max_squared = parameters.max_range * parameters.max_range
    wanted = parameters.min_points
    total = points.shape[0]
    start = 0
    while start < total:
        size = min(CHUNK, total - start)
        for i in range(size):
            chunk.x[i] = points[start + i, 0]
            chunk.y[i] = points[start + i, 1]
            chunk.z[i] = points[start + i, 2]
        padded = fill_block(chunk.x, chunk.y, chunk.z, size)
        fine_cells(
            chunk.x, chunk.y, chunk.z, padded, px, py, pz, chunk.cell, chunk.squared, chunk.elevation,
            chunk.azimuth,
        )  # fmt: skip
        for i in range(size):
            squared = chunk.squared[i]
            if not (squared > min_squared and squared < max_squared):
                continue
            c = chunk.cell[i]
            if c < 0:
                c = exact_fine_cell(chunk.x[i] - px, chunk.y[i] - py, chunk.z[i] - pz)
            before = fine_count[c]
            if before == 0:
                fine_touched[n_touched] = c
                n_touched += 1
            fine_count[c] = before + 1
            if before + 1 == wanted:
                out.x[n_out], out.y[n_out], out.z[n_out] = chunk.x[i], chunk.y[i], chunk.z[i]
                out.age[n_out] = ZERO
                if n_out < kept.shape[0]:
                    kept[n_out] = first + start + i
                n_out += 1
        start += size
    return n_out, n_touched


@kernel
def _in_view(dx, dy, dz, approximate_e, approximate_z, fovs, yaw, pitch):
    """Is a remembered point in any field of view? The approximate angles decide unless it is a near thing."""
    e = -approximate_e - pitch
    z = wrap_180(QUARTER_TURN - approximate_z - yaw)
    sure = abs(e) < _STEEP_DEG
    inside = False
    for k in range(fovs.shape[0]):
        half = fovs[k, 2] / TWO
        left = z - wrap_180(fovs[k, 0] - half)
        right = wrap_180(fovs[k, 0] + half) - z
        half = fovs[k, 3] / TWO
        low = e - (fovs[k, 1] - half)
        high = fovs[k, 1] + half - e
        nearest = min(min(abs(left), abs(right)), min(abs(low), abs(high)))
        sure = sure and nearest > _VIEW_MARGIN_DEG
        inside = inside or (left > ZERO and right > ZERO and low > ZERO and high > ZERO)
    # near +-180 the wrapped azimuth itself is uncertain
    sure = sure and abs(z) < F32(179.9)
    if sure:
        return inside
    e, z = direction_angles(dx, dy, dz)
    e, z = body_angles(e, z)
    e, z = wrap_polar(e - pitch, z - yaw)
    return inside_any(fovs, e, z)


@kernel
def add_memory(
    memory,
    n_memory,
    px,
    py,
    pz,
    yaw,
    pitch,
    fovs,
    elapsed,
    parameters,
    fine_count,
    fine_touched,
    n_touched,
    chunk,
    out,
    n_out,
    kept,
):
    """Append the remembered points that stay; returns (points, touched cells).

    A point stays while it is in range, young enough, outside every view and alone in its 2 degree cell.
    """
    max_squared = parameters.max_range * parameters.max_range
    wanted = parameters.min_points
    if n_memory == 0:
        return n_out, n_touched
    first = n_out
    padded = fill_block(memory.x, memory.y, memory.z, n_memory)
    fine_cells(
        memory.x, memory.y, memory.z, padded, px, py, pz, chunk.cell, chunk.squared, chunk.elevation,
        chunk.azimuth,
    )  # fmt: skip
    for i in range(n_memory):
        if not chunk.squared[i] < max_squared or not memory.age[i] < parameters.max_age:
            continue
        dx, dy, dz = memory.x[i] - px, memory.y[i] - py, memory.z[i] - pz
        c = chunk.cell[i]
        if c < 0:
            c = exact_fine_cell(dx, dy, dz)
        before = fine_count[c]
        if before >= wanted:
            continue
        if _in_view(dx, dy, dz, chunk.elevation[i], chunk.azimuth[i], fovs, yaw, pitch):
            continue
        if before == 0:
            fine_touched[n_touched] = c
            n_touched += 1
        fine_count[c] = wanted
        out.x[n_out], out.y[n_out], out.z[n_out] = memory.x[i], memory.y[i], memory.z[i]
        out.age[n_out] = memory.age[i] + elapsed
        if n_out - first < kept.shape[0]:
            kept[n_out - first] = i
        n_out += 1
    return n_out, n_touched


@kernel
def clear_fine(fine_count, fine_touched, n_touched):
    """Make the 2 degree counters zero again."""
    for k in range(n_touched):
        fine_count[fine_touched[k]] = 0
