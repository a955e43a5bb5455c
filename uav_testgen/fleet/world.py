"""The simulated world: a box of cells with attributes. Only what differs from 'empty' is stored."""

from __future__ import annotations

from typing import Any

from uav_testgen.fleet.cells import MOVES, Cell, add

BLOCKED = "blocked"
CHARGER = "charger"


class CellWorld:
    """Cells of size (x, y, z) with typed attributes; `blocked` and `charger` have a meaning of their own.

    A controller's map is a CellWorld too: it starts empty and learns from the drones' reports.
    """

    def __init__(self, size: Cell) -> None:
        self.size = size
        self._attributes: dict[Cell, dict[str, Any]] = {}
        self.blocked: set[Cell] = set()
        self.chargers: set[Cell] = set()

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

    def cells_with(self, attribute: str) -> list[Cell]:
        """Every cell that has the attribute, sorted."""
        return sorted(cell for cell, content in self._attributes.items() if attribute in content)

    def special_cells(self) -> list[Cell]:
        """Every cell with any attribute, sorted."""
        return sorted(self._attributes)
