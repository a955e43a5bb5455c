"""Shortest paths on the grid: Dijkstra, and A* which finds paths of the same cost sooner.

Plain Python on purpose: with Manhattan distance as the estimate and ties broken towards the goal, an
open map costs little more than the length of the path, and nothing has to be compiled.
"""

from __future__ import annotations

import heapq
from enum import Enum

from uav_testgen.fleet.cells import MOVES, Cell, distance
from uav_testgen.fleet.world import CellWorld


class PathMethod(str, Enum):
    """How a controller looks for paths; both find shortest ones."""

    DIJKSTRA = "dijkstra"
    A_STAR = "a_star"


def shortest_path(
    world: CellWorld, start: Cell, goal: Cell, method: PathMethod = PathMethod.A_STAR
) -> list[Cell] | None:
    """Cells to enter one after the other (without the start); None where no way exists."""
    if not world.is_free(goal):
        return None
    weight = 1 if method is PathMethod.A_STAR else 0
    first_estimate = weight * distance(start, goal)
    # Entries: (cost + estimate, remaining estimate, order of discovery, cell). The second breaks ties
    # towards the goal, the third makes the result independent of how cells compare.
    queue: list[tuple[int, int, int, Cell]] = [(first_estimate, first_estimate, 0, start)]
    came_from: dict[Cell, Cell | None] = {start: None}
    cost: dict[Cell, int] = {start: 0}
    discovered = 0
    blocked, (size_x, size_y, size_z) = world.blocked, world.size
    goal_x, goal_y, goal_z = goal
    closed: set[Cell] = set()
    while queue:
        _, _, _, cell = heapq.heappop(queue)
        if cell == goal:
            return _walk_back(came_from, goal)
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
            remaining = weight * (abs(near_x - goal_x) + abs(near_y - goal_y) + abs(near_z - goal_z))
            heapq.heappush(queue, (next_cost + remaining, remaining, discovered, near))
    return None


def _walk_back(came_from: dict[Cell, Cell | None], goal: Cell) -> list[Cell]:
    path: list[Cell] = []
    cell: Cell | None = goal
    while cell is not None:
        path.append(cell)
        cell = came_from[cell]
    path.reverse()
    return path[1:]
