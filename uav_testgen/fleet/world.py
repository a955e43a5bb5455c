"""The simulated world: a box of cells with attributes. Only what differs from 'empty' is stored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.fleet.cells import MOVES, Cell, add

BLOCKED = "blocked"
CHARGER = "charger"

# What `walls` holds for cells that cannot be entered; 0 means free.
WALL = 255


class CellWorld:
    """Cells of size (x, y, z) with typed attributes; `blocked` and `charger` have a meaning of their own.

    A controller's map is a CellWorld too: it starts empty and learns from the drones' reports.
    """

    def __init__(self, size: Cell) -> None:
        self.size = size
        self._attributes: dict[Cell, dict[str, Any]] = {}
        self.blocked: set[Cell] = set()
        self.chargers: set[Cell] = set()
        # Grows whenever a cell is blocked or freed, so that what was found out about ways can be kept.
        self.version = 0
        self._walls: NDArray[np.uint8] | None = None
        self._walls_version = -1

    def contains(self, cell: Cell) -> bool:
        """Whether the cell lies inside the world."""
        x, y, z = cell
        size_x, size_y, size_z = self.size
        return 0 <= x < size_x and 0 <= y < size_y and 0 <= z < size_z

    def is_free(self, cell: Cell) -> bool:
        """Inside and not blocked."""
        return self.contains(cell) and cell not in self.blocked

    def free_neighbours(self, cell: Cell) -> list[Cell]:
        """Cells one move away that a drone may enter, in a fixed order."""
        return [near for move in MOVES if self.is_free(near := add(cell, move))]

    def attributes(self, cell: Cell) -> dict[str, Any]:
        """Attributes of a cell; an empty mapping for an ordinary one."""
        return self._attributes.get(cell, {})

    def get(self, cell: Cell, attribute: str) -> Any:
        """Value of one attribute, or None."""
        return self.attributes(cell).get(attribute)

    def set(self, cell: Cell, attribute: str, value: Any) -> None:
        """Change an attribute; None removes it."""
        if not self.contains(cell):
            raise ValueError(f"cell {cell} lies outside the world of size {self.size}")
        content = self._attributes.setdefault(cell, {})
        if value is None or (attribute in (BLOCKED, CHARGER) and not value):
            content.pop(attribute, None)
        else:
            content[attribute] = value
        if not content:
            del self._attributes[cell]
        for name, index in ((BLOCKED, self.blocked), (CHARGER, self.chargers)):
            if attribute == name:
                (index.add if value else index.discard)(cell)
        if attribute == BLOCKED:
            self.version += 1

    def cells_with(self, attribute: str) -> list[Cell]:
        """Every cell that has the attribute, sorted."""
        return sorted(cell for cell, content in self._attributes.items() if attribute in content)

    def special_cells(self) -> list[Cell]:
        """Every cell with any attribute, sorted."""
        return sorted(self._attributes)

    # -- as an array, for path searches -------------------------------------------------------------

    def flat_index(self, cell: Cell) -> int:
        """Place of a cell in `walls`, which has a border of one cell on every side that can be left."""
        level = cell[2] + (self.size[2] > 1)
        return (level * (self.size[1] + 2) + cell[1] + 1) * (self.size[0] + 2) + cell[0] + 1

    def flat_step(self, move: Cell) -> int:
        """What a move adds to a place in `walls`."""
        return (move[2] * (self.size[1] + 2) + move[1]) * (self.size[0] + 2) + move[0]

    def walls(self) -> NDArray[np.uint8]:
        """One byte per cell, WALL where it is blocked; the border is WALL too, so no search can leave."""
        if self._walls is None or self._walls_version != self.version:
            size_x, size_y, size_z = self.size
            # A flat world has no moves up or down, so it needs no border there (two thirds of the memory).
            inner = slice(1, -1) if size_z > 1 else slice(None)
            levels = size_z + 2 if size_z > 1 else 1
            grid = np.full((levels, size_y + 2, size_x + 2), WALL, dtype=np.uint8)
            grid[inner, 1:-1, 1:-1] = 0
            self._walls = grid.reshape(-1)
            if self.blocked:
                places = np.fromiter((self.flat_index(cell) for cell in self.blocked), dtype=np.int64)
                self._walls[places] = WALL
            self._walls_version = self.version
        return self._walls
