"""Dynamic time warping and discrete Fréchet distance between two paths, compiled.

DTW is the sum of point distances along the cheapest monotone matching of two paths (not normalised),
Fréchet the largest of them along the best matching: the definitions Aerialist uses, time ignored.

Cells of one anti-diagonal do not depend on each other, so walking diagonal by diagonal lets the
compiler use whole vectors of float32; with one path stored backwards all accesses are contiguous.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from uav_testgen.core.kernel import allocating_kernel, kernel_with

Float32 = NDArray[np.float32]

_FAST = {"nnan", "nsz", "contract", "reassoc"}


def dtw_m(one: ArrayLike, other: ArrayLike) -> float:
    """DTW distance of two paths (n, 3) and (m, 3) in metres."""
    return float(_diagonals(*_prepared(one, other), False))


def dtw_mean_m(one: ArrayLike, other: ArrayLike) -> float:
    """DTW divided by the number of points of the longer path: a typical distance in metres."""
    return dtw_m(one, other) / max(len(np.asarray(one)), len(np.asarray(other)))


def frechet_m(one: ArrayLike, other: ArrayLike) -> float:
    """Discrete Fréchet distance of two paths in metres."""
    return float(_diagonals(*_prepared(one, other), True))


def _prepared(one: ArrayLike, other: ArrayLike) -> tuple[Float32, Float32]:
    """Both paths as rows of coordinates around a common origin, the second one backwards."""
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    for path in (a, b):
        if path.ndim != 2 or path.shape[0] == 0 or path.shape[1] not in (2, 3):
            raise ValueError(f"a path is an array (points, 2 or 3), got shape {path.shape}")
        if not np.all(np.isfinite(path)):
            raise ValueError("a path has no NaN or infinite coordinate")
    if a.shape[1] != b.shape[1]:
        raise ValueError("both paths must have the same number of coordinates")
    # float32 keeps millimetres only near its origin, wherever on the map the flight was.
    origin = a[0]
    return _columns(a - origin), _columns((b - origin)[::-1])


def _columns(path: NDArray[np.float64]) -> Float32:
    columns = np.zeros((3, len(path)), dtype=np.float32)
    columns[: path.shape[1]] = path.T
    return columns


@kernel_with(fastmath=_FAST)
def _fill_diagonal(
    ax: Float32,
    ay: Float32,
    az: Float32,
    bx: Float32,
    by: Float32,
    bz: Float32,
    last: Float32,
    before: Float32,
    here: Float32,
    use_largest: bool,
) -> None:
    """All cells of one diagonal: `last` holds one entry more, the neighbour of the first cell."""
    # Contiguous rows, counted from 0 to a length: that is what the compiler turns into vectors.
    if use_largest:
        for i in range(here.shape[0]):
            dx, dy, dz = ax[i] - bx[i], ay[i] - by[i], az[i] - bz[i]
            step = last[i] if last[i] < last[i + 1] else last[i + 1]
            step = step if step < before[i] else before[i]
            cost = np.sqrt(dx * dx + dy * dy + dz * dz)
            here[i] = step if step > cost else cost
    else:
        for i in range(here.shape[0]):
            dx, dy, dz = ax[i] - bx[i], ay[i] - by[i], az[i] - bz[i]
            step = last[i] if last[i] < last[i + 1] else last[i + 1]
            step = step if step < before[i] else before[i]
            here[i] = step + np.sqrt(dx * dx + dy * dy + dz * dz)


@allocating_kernel
def _diagonals(a: Float32, b_backwards: Float32, use_largest: bool) -> float:
    """Walk the table of partial costs by anti-diagonals k = i + j."""
    n, m = a.shape[1], b_backwards.shape[1]
    infinity = np.float32(math.inf)
    # Index i + 1 holds row i, so that row -1 is a border of infinities.
    before = np.full(n + 2, infinity, dtype=np.float32)
    last = np.full(n + 2, infinity, dtype=np.float32)
    here = np.full(n + 2, infinity, dtype=np.float32)
    before[0] = 0.0  # the empty matching that the first cell continues
    for k in range(n + m - 1):
        low, high = max(0, k - m + 1), min(n - 1, k)
        start = low + m - 1 - k
        count = high + 1 - low
        _fill_diagonal(
            a[0, low : low + count],
            a[1, low : low + count],
            a[2, low : low + count],
            b_backwards[0, start : start + count],
            b_backwards[1, start : start + count],
            b_backwards[2, start : start + count],
            last[low : low + count + 1],
            before[low : low + count],
            here[low + 1 : low + 1 + count],
            use_largest,
        )
        # Rows just outside this diagonal must not be read as if they belonged to it.
        here[low] = infinity
        here[high + 2] = infinity
        before, last, here = last, here, before
    return float(last[n])


@allocating_kernel
def _matching(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.int64]:
    """Index pairs (i, j) of the cheapest monotone matching by squared distance, from start to end."""
    n, m = a.shape[0], b.shape[0]
    total = np.full((n + 1, m + 1), math.inf)
    total[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            square = 0.0
            for axis in range(a.shape[1]):
                square += (a[i, axis] - b[j, axis]) ** 2
            total[i + 1, j + 1] = square + min(total[i, j], total[i, j + 1], total[i + 1, j])
    pairs = np.empty((n + m, 2), dtype=np.int64)
    count, i, j = 0, n, m
    while i > 0 and j > 0:
        pairs[count, 0], pairs[count, 1] = i - 1, j - 1
        count += 1
        diagonal, up, left = total[i - 1, j - 1], total[i - 1, j], total[i, j - 1]
        if diagonal <= up and diagonal <= left:
            i, j = i - 1, j - 1
        elif up <= left:
            i -= 1
        else:
            j -= 1
    return np.asarray(pairs[:count][::-1].copy())


def matching(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.int64]:
    """Which point of one path corresponds to which point of the other, as index pairs (k, 2)."""
    return np.asarray(_matching(np.ascontiguousarray(one), np.ascontiguousarray(other)))
