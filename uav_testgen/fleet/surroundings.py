"""What a drone may ask of the simulation: an interface, so that a drone never holds the world itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.network import Message, MessageType

if TYPE_CHECKING:
    from uav_testgen.fleet.drone import Drone


class Surroundings(Protocol):
    """The engine as one drone sees it."""

    tick: int

    def receive(self, device: int) -> list[Message]:
        """Messages that have arrived."""
        ...

    def send(self, device: int, kind: MessageType, *contents: Any) -> None:
        """A message to the drone's controller."""
        ...

    def read(self, cell: Cell, attribute: str) -> Any:
        """Value of an attribute; None outside the world."""
        ...

    def write(self, cell: Cell, attribute: str, value: Any) -> None:
        """Change the world."""
        ...

    def is_blocked(self, cell: Cell) -> bool:
        """Whether the cell cannot be entered."""
        ...

    def is_inside(self, cell: Cell) -> bool:
        """Whether the cell belongs to the world."""
        ...

    def is_charger(self, cell: Cell) -> bool:
        """Whether batteries are charged here."""
        ...

    def is_occupied(self, cell: Cell, device: int) -> bool:
        """Whether another drone stands in the way (only where cells are exclusive)."""
        ...

    def is_disturbed(self, drone: Drone) -> bool:
        """Let the effector act on the drone; True if that used up its tick."""
        ...

    def moved(self, device: int, cell: Cell) -> None:
        """The drone has entered a cell."""
        ...
