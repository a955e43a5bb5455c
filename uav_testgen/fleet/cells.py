"""Positions, neighbours and directions on the grid. X is lateral, Y longitudinal, Z vertical."""

from __future__ import annotations

from enum import Enum

Cell = tuple[int, int, int]

# Unit moves; a drone changes one coordinate per move, so distances are Manhattan distances.
MOVES: tuple[Cell, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
NORTH: Cell = (0, 1, 0)


class Direction(str, Enum):
    """Where a sensor or actuator points, relative to the drone's heading; NONE is all around."""

    NONE = "NONE"
    FORWARD = "FORWARD"
    BACKWARD = "BACKWARD"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    UP = "UP"
    DOWN = "DOWN"


def add(a: Cell, b: Cell) -> Cell:
    """Sum of two positions."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def distance(a: Cell, b: Cell) -> int:
    """Number of moves between two cells of an empty world."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])


def step_between(a: Cell, b: Cell) -> Cell:
    """The unit move from a cell to its neighbour."""
    return (b[0] - a[0], b[1] - a[1], b[2] - a[2])


def unit_vector(direction: Direction, heading: Cell) -> Cell:
    """A relative direction as a grid vector; a climbing drone keeps its last level heading."""
    forward_x, forward_y, _ = heading
    return {
        Direction.FORWARD: (forward_x, forward_y, 0),
        Direction.BACKWARD: (-forward_x, -forward_y, 0),
        Direction.LEFT: (-forward_y, forward_x, 0),
        Direction.RIGHT: (forward_y, -forward_x, 0),
        Direction.UP: (0, 0, 1),
        Direction.DOWN: (0, 0, -1),
    }[direction]


def cells_in_reach(center: Cell, heading: Cell, direction: Direction, reach: int) -> list[Cell]:
    """Cells a device covers, nearest first: a line, or the cube around the drone for NONE.

    The drone's own cell always belongs to it.
    """
    if direction is not Direction.NONE:
        unit = unit_vector(direction, heading)
        return [(center[0] + i * unit[0], center[1] + i * unit[1], center[2] + i * unit[2])
                for i in range(reach + 1)]  # fmt: skip
    span = range(-reach, reach + 1)
    around = [add(center, (dx, dy, dz)) for dx in span for dy in span for dz in span]
    return sorted(around, key=lambda cell: (distance(cell, center), cell))
