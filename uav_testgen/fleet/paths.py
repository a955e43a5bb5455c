"""Shortest paths on the grid: Dijkstra's cost map, and A* which finds paths of the same cost sooner.

Every move costs the same, so Dijkstra's queue is a wave front: all cells at one cost are entered together,
as arrays, and one byte per cell remembers from where. A map of 7000 x 7000 cells so needs 50 MB and a few
seconds, whether the target can be reached or not. A* is plain Python: with ties broken towards the goal an
open map costs little more than the length of the path.
"""

from __future__ import annotations

import heapq
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from uav_testgen.fleet.cells import MOVES, Cell, distance
from uav_testgen.fleet.world import WALL, CellWorld

# An A* that has looked at this many cells has lost its advantage: the wave front goes on with less memory.
A_STAR_CELLS = 500_000


class PathMethod(str, Enum):
    """How a controller looks for paths; both find shortest ones."""

    DIJKSTRA = "dijkstra"
    A_STAR = "a_star"


def shortest_path(
    world: CellWorld, start: Cell, goal: Cell, method: PathMethod = PathMethod.DIJKSTRA
) -> list[Cell] | None:
    """Cells to enter one after the other (without the start); None where no way exists."""
    if not world.is_free(goal) or not world.contains(start):
        return None
    if start == goal:
        return []
    if method is PathMethod.A_STAR:
        finished, path = _a_star(world, start, goal)
        if finished:
            return path
    return _wave_front(world, start, goal)


def _wave_front(world: CellWorld, start: Cell, goal: Cell) -> list[Cell] | None:
    """Dijkstra: cells at cost 1, 2, 3 … until the goal is among them or none is left."""
    arrived_by = world.walls().copy()
    steps = [(code, world.flat_step(move)) for code, move in enumerate(MOVES, start=1) if _fits(world, move)]
    first, last = world.flat_index(start), world.flat_index(goal)
    arrived_by[first] = WALL  # nothing needs to come back to the start
    front: NDArray[np.int64] = np.array([first], dtype=np.int64)
    while front.size and not arrived_by[last]:
        entered = []
        for code, step in steps:
            near = front + step
            near = near[arrived_by[near] == 0]
            # Written at once: the next direction does not enter the same cells again.
            arrived_by[near] = code
            entered.append(near)
        front = np.concatenate(entered)
    return _walk_back_moves(arrived_by, world, start, goal) if arrived_by[last] else None


def _fits(world: CellWorld, move: Cell) -> bool:
    return all(size > 1 or step == 0 for size, step in zip(world.size, move, strict=True))


def _walk_back_moves(arrived_by: NDArray[np.uint8], world: CellWorld, start: Cell, goal: Cell) -> list[Cell]:
    path, cell = [], goal
    while cell != start:
        path.append(cell)
        move_x, move_y, move_z = MOVES[int(arrived_by[world.flat_index(cell)]) - 1]
        cell = (cell[0] - move_x, cell[1] - move_y, cell[2] - move_z)
    path.reverse()
    return path


def _a_star(world: CellWorld, start: Cell, goal: Cell) -> tuple[bool, list[Cell] | None]:
    """(whether the search came to an end, the path or None)."""
    first_estimate = distance(start, goal)
    # Entries: (cost + estimate, remaining estimate, order of discovery, cell). The second breaks ties
    # towards the goal, the third makes the result independent of how cells compare.
    queue: list[tuple[int, int, int, Cell]] = [(first_estimate, first_estimate, 0, start)]
    came_from: dict[Cell, Cell | None] = {start: None}
    cost: dict[Cell, int] = {start: 0}
    discovered = 0
    blocked, (size_x, size_y, size_z) = world.blocked, world.size
    goal_x, goal_y, goal_z = goal
    closed: set[Cell] = set()
    while queue and discovered <= A_STAR_CELLS:
        _, _, _, cell = heapq.heappop(queue)
        if cell == goal:
            return (True, _walk_back(came_from, goal))
        if cell in closed:
            continue
        closed.add(cell)
        next_cost = cost[cell] + 1
        x, y, z = cell
        for move_x, move_y, move_z in MOVES:
            near_x, near_y, near_z = x + move_x, y + move_y, z + move_z
            if not (0 <= near_x < size_x and 0 <= near_y < size_y and 0 <= near_z < size_z):
                continue
            near = (near_x, near_y, near_z)
            if near in blocked or cost.get(near, next_cost + 1) <= next_cost:
                continue
            cost[near] = next_cost
            came_from[near] = cell
            discovered += 1
            remaining = abs(near_x - goal_x) + abs(near_y - goal_y) + abs(near_z - goal_z)
            heapq.heappush(queue, (next_cost + remaining, remaining, discovered, near))
    return (not queue, None)


def _walk_back(came_from: dict[Cell, Cell | None], goal: Cell) -> list[Cell]:
    path: list[Cell] = []
    cell: Cell | None = goal
    while cell is not None:
        path.append(cell)
        cell = came_from[cell]
    path.reverse()
    return path[1:]
