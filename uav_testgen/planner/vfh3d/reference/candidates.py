"""The cheapest directions, chosen with the very heap of the original so that equal costs come out alike."""

from __future__ import annotations

import numpy as np

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, Candidate, Float32Array
from uav_testgen.planner.vfh3d.reference import polar

Entry = tuple[float, int]
"""(cost, flat cell index)."""


def heap_push(heap: list[Entry], entry: Entry) -> None:
    """Append and sift up while the parent is strictly cheaper (largest cost at the root)."""
    heap.append(entry)
    _sift_up(heap, len(heap) - 1, entry)


def heap_pop(heap: list[Entry]) -> Entry:
    """Remove the root: promote the larger child down to a leaf, then sift the last element up from there.

    Of two equal children the right one is promoted; that decides which of two ties survives.
    """
    root, last = heap[0], heap.pop()
    size = len(heap)
    if size == 0:
        return root
    hole = 0
    while (right := 2 * hole + 2) < size:
        child = right - 1 if heap[right][0] < heap[right - 1][0] else right
        heap[hole] = heap[child]
        hole = child
    if 2 * hole + 1 < size:
        heap[hole] = heap[2 * hole + 1]
        hole = 2 * hole + 1
    _sift_up(heap, hole, last)
    return root


def _sift_up(heap: list[Entry], hole: int, entry: Entry) -> None:
    while hole > 0 and heap[(hole - 1) // 2][0] < entry[0]:
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = entry


def best_cells(cost: Float32Array, count: int) -> list[Entry]:
    """Up to ``count`` cheapest cells, ascending.

    When the cheapest costs are all different there is only one answer and a partial sort finds it; only ties
    need the heap.
    """
    if count <= 0:
        return []
    flat = cost.ravel()
    if count < flat.size and not np.isnan(flat).any():
        cells = np.argpartition(flat, count)[: count + 1]
        cells = cells[np.argsort(flat[cells])]
        costs = flat[cells]
        if (costs[1:] > costs[:-1]).all():
            return list(zip(costs[:count].tolist(), cells[:count].tolist(), strict=True))
    return best_cells_by_heap(flat, count)


def best_cells_by_heap(flat_cost: Float32Array, count: int) -> list[Entry]:
    """The same by the original's method: scan row by row, later equal costs do not enter a full heap."""
    heap: list[Entry] = []
    for cell, value in enumerate(flat_cost.tolist()):
        if len(heap) < count:
            heap_push(heap, (value, cell))
        elif value < heap[0][0]:
            heap_push(heap, (value, cell))
            heap_pop(heap)
    return [heap_pop(heap) for _ in range(len(heap))][::-1]


def best_candidates(cost: Float32Array, count: int) -> tuple[Candidate, ...]:
    """The cheapest directions of a cost matrix, ascending."""
    chosen = best_cells(cost, count)
    rows, columns = np.divmod(np.array([cell for _, cell in chosen], np.int64), AZIMUTH_COLUMNS)
    elevation, azimuth = polar.cell_centre_deg(rows, columns)
    return tuple(
        Candidate(value, float(e), float(z))
        for (value, _), e, z in zip(chosen, elevation, azimuth, strict=True)
    )
