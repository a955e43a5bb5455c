"""Smoothing of the obstacle costs: a triangular window, first over rows, then over columns.

Sums are taken in the order of the original, so that results agree to the last bit. Functions work on one row
at a time; the kernels of the default radius are written out.
"""

from __future__ import annotations

import numpy as np

from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.planner.vfh3d.compiled.grid import (
    BLOCKS,
    COLUMN_BLOCK,
    COLUMNS,
    LEFT,
    PADDED,
    ROWS,
    STRIDE,
    U64,
    ZERO,
)

DEFAULT_RADIUS = 7
"""Smoothing radius of the default margin of 40 degrees; the kernels for it are written out."""
DEFAULT_KERNEL = (np.arange(1, DEFAULT_RADIUS + 2) / (DEFAULT_RADIUS + 1)).astype(np.float32)
"""The rising half of its weights: 1/8, 2/8 … 1."""
MAX_RADIUS = 15
COLUMN_WINDOW = np.array(
    [
        [
            sum({1 << (c % COLUMNS) for c in range(b * COLUMN_BLOCK - r, (b + 1) * COLUMN_BLOCK + r)})
            for b in range(BLOCKS)
        ]
        for r in range(MAX_RADIUS + 1)
    ],
    np.int64,
)
"""[radius, block] -> bits of the columns whose obstacles reach into the block."""
MARGIN = STRIDE
"""Floats left of column 0 in the vertically smoothed row; the largest radius (15) fits on both sides."""
TERMS = 144
"""Where the terms of a sum stand in that row's buffer, behind its columns."""


@kernel
def _lane_sum(buffer, n):
    """Sum of the terms at the end of a row buffer.

    The order is that of the original's reduction: four lanes, two accumulators, then the rest.
    """
    in_lanes = n // 4 * 4
    if in_lanes == 0:
        total = buffer[TERMS + 0]
        for i in range(1, n):
            total += buffer[TERMS + i]
        return total
    groups = in_lanes // 4
    paired = groups // 2 * 2
    total = ZERO
    lanes = (ZERO, ZERO, ZERO, ZERO)
    for lane in range(4):
        value = buffer[TERMS + lane]
        if paired:
            for group in range(2, paired, 2):
                value += buffer[TERMS + 4 * group + lane]
            second = buffer[TERMS + 4 + lane]
            for group in range(3, paired, 2):
                second += buffer[TERMS + 4 * group + lane]
            value += second
            for group in range(paired, groups):
                value += buffer[TERMS + 4 * group + lane]
        if lane == 0:
            lanes = (value, ZERO, ZERO, ZERO)
        elif lane == 1:
            lanes = (lanes[0], value, ZERO, ZERO)
        elif lane == 2:
            lanes = (lanes[0], lanes[1], value, ZERO)
        else:
            lanes = (lanes[0], lanes[1], lanes[2], value)
    total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    for i in range(in_lanes, n):
        total += buffer[TERMS + i]
    return total


@inlined
def _sum_15(t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14):
    """`_lane_sum` of 15 terms, written out so that it stays in registers."""
    even = ((t0 + t4) + t8) + ((t2 + t6) + t10)
    odd = ((t1 + t5) + t9) + ((t3 + t7) + t11)
    return ((even + odd) + t12) + t13 + t14


@kernel
def smooth_vertically(obstacle, rows, row, kernel, radius, out):
    """One row of the vertical pass with `radius` cyclic columns on both sides; False if all is zero.

    Beyond a pole the mirrored row is read half a turn away.
    """
    first = row - radius
    last = row + radius
    if first >= 0 and last < ROWS:
        reached = ((1 << (2 * radius + 1)) - 1) << first
    else:
        reached = 0
        for i in range(2 * radius + 1):
            source = first + i
            source = -1 - source if source < 0 else (2 * ROWS - 1 - source if source >= ROWS else source)
            reached |= 1 << source
    if not rows & reached:
        return False
    if radius == DEFAULT_RADIUS and first >= 0 and last < ROWS:
        _vertical_15(obstacle, U64(first * PADDED + LEFT), STRIDE, kernel, out, U64(MARGIN))
    else:
        _vertical_any(obstacle, first, kernel, radius, out)
    for k in range(radius):
        out[MARGIN - 1 - k] = out[MARGIN + COLUMNS - 1 - k]
        out[MARGIN + COLUMNS + k] = out[MARGIN + k]
    return True


@inlined
def _vertical_15(d, source, width, k, out, target):
    """Vertical pass of the default kernel where no pole is near; rows are 96 floats apart."""
    k0, k1, k2, k3, k4, k5, k6, k7 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
    for i in range(width):
        c = source + U64(i)
        out[target + U64(i)] = _sum_15(
            k0 * d[c], k1 * d[c + U64(96)], k2 * d[c + U64(192)], k3 * d[c + U64(288)], k4 * d[c + U64(384)],
            k5 * d[c + U64(480)], k6 * d[c + U64(576)], k7 * d[c + U64(672)], k6 * d[c + U64(768)],
            k5 * d[c + U64(864)], k4 * d[c + U64(960)], k3 * d[c + U64(1056)], k2 * d[c + U64(1152)],
            k1 * d[c + U64(1248)], k0 * d[c + U64(1344)],
        )  # fmt: skip


@kernel
def _vertical_any(obstacle, first, kernel, radius, out):
    """Vertical pass of any kernel at any row."""
    for c in range(COLUMNS):
        for i in range(2 * radius + 1):
            source = first + i
            column = c
            if source < 0:
                source = -1 - source
                column = (c + COLUMNS // 2) % COLUMNS
            elif source >= ROWS:
                source = 2 * ROWS - 1 - source
                column = (c + COLUMNS // 2) % COLUMNS
            out[TERMS + i] = kernel[i] * obstacle[source * PADDED + LEFT + column]
        out[MARGIN + c] = _lane_sum(out, 2 * radius + 1)


@kernel
def smooth_horizontally(vertical, kernel, radius, out):
    """Horizontal pass over one row."""
    for block in range(BLOCKS):
        smooth_block(vertical, kernel, radius, block, out)


@kernel
def smooth_block(vertical, kernel, radius, block, out):
    """Horizontal pass over 16 columns of a row."""
    first = block * COLUMN_BLOCK
    if radius == DEFAULT_RADIUS:
        _horizontal_15(vertical, U64(MARGIN - DEFAULT_RADIUS + first), kernel, out, U64(first))
        return
    for c in range(first, first + COLUMN_BLOCK):
        for i in range(2 * radius + 1):
            vertical[TERMS + i] = kernel[i] * vertical[MARGIN - radius + c + i]
        out[c] = _lane_sum(vertical, 2 * radius + 1)


@inlined
def _horizontal_15(v, source, k, out, target):
    """Horizontal pass of the default kernel over 16 columns."""
    k0, k1, k2, k3, k4, k5, k6, k7 = k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
    for i in range(COLUMN_BLOCK):
        c = source + U64(i)
        out[target + U64(i)] = _sum_15(
            k0 * v[c], k1 * v[c + U64(1)], k2 * v[c + U64(2)], k3 * v[c + U64(3)], k4 * v[c + U64(4)],
            k5 * v[c + U64(5)], k6 * v[c + U64(6)], k7 * v[c + U64(7)], k6 * v[c + U64(8)],
            k5 * v[c + U64(9)], k4 * v[c + U64(10)], k3 * v[c + U64(11)], k2 * v[c + U64(12)],
            k1 * v[c + U64(13)], k0 * v[c + U64(14)],
        )  # fmt: skip


@inlined
def smooth_near(obstacle, first, vertical, out, target):
    """Both passes of the default kernel for 16 columns away from the poles.

    `first` is the place of the first column in the lowest row that is reached. The vertical pass makes 32
    columns, the horizontal one reads 30 of them.
    """
    _vertical_15(obstacle, first - U64(8), 32, DEFAULT_KERNEL, vertical, U64(0))
    _horizontal_15(vertical, U64(1), DEFAULT_KERNEL, out, target)
