"""Messages between drones and controllers, with loss, delay and range as options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from uav_testgen.fleet.cells import Cell, distance


class MessageType(str, Enum):
    """Kinds of messages; requests and reports come from drones, replies and orders from controllers."""

    INFO_UPDATE = "INFO_UPDATE"
    REQ_TASK = "REQ_TASK"
    REQ_PATH = "REQ_PATH"
    CELL_ATTR = "CELL_ATTR"
    TASK_DONE = "TASK_DONE"
    TASK_REFUSED = "TASK_REFUSED"
    TASK_DROPPED = "TASK_DROPPED"
    REPLY_TASK = "REPLY_TASK"
    REPLY_PATH = "REPLY_PATH"
    REVOKE_TASK = "REVOKE_TASK"
    SET_TARGET = "SET_TARGET"


@dataclass(frozen=True, slots=True)
class Message:
    """Type, sender, receiver and contents, whose form depends on the type."""

    type: MessageType
    sender: int
    receiver: int
    contents: tuple[Any, ...] = ()

    def __str__(self) -> str:
        contents = "".join(f" content : {item}," for item in self.contents)
        return f"{self.sender}, {self.receiver}, MessageType.{self.type.value},{contents}"


@dataclass(slots=True)
class NetworkSettings:
    """How good the radio is. `range_cells` 0 means unlimited."""

    loss_probability: float = 0.0
    delay_ticks: int = 0
    range_cells: int = 0


class Network:
    """Holds messages until they are due and their receiver asks for them."""

    def __init__(self, settings: NetworkSettings, rng: np.random.Generator) -> None:
        self.settings = settings
        self.sent = 0
        self.lost = 0
        self._rng = rng
        self._boxes: dict[int, list[tuple[int, Message]]] = {}
        self._positions: dict[int, Cell] = {}
        self._transcript: list[Message] = []

    def set_position(self, device: int, position: Cell) -> None:
        """Where a device is, for the radio range."""
        self._positions[device] = position

    def send(self, tick: int, message: Message) -> bool:
        """Put a message on the air; False if the radio lost it."""
        self.sent += 1
        if self._is_lost(message):
            self.lost += 1
            return False
        self._boxes.setdefault(message.receiver, []).append((tick + self.settings.delay_ticks, message))
        self._transcript.append(message)
        return True

    def receive(self, tick: int, device: int) -> list[Message]:
        """Take all due messages of a device, in the order they were sent."""
        box = self._boxes.get(device)
        if not box:
            return []
        due = [message for when, message in box if when <= tick]
        self._boxes[device] = [entry for entry in box if entry[0] > tick]
        return due

    def take_transcript(self) -> list[Message]:
        """Messages that went out since the last call, for display and log."""
        transcript, self._transcript = self._transcript, []
        return transcript

    def _is_lost(self, message: Message) -> bool:
        settings = self.settings
        if settings.loss_probability > 0.0 and self._rng.random() < settings.loss_probability:
            return True
        ends = (self._positions.get(message.sender), self._positions.get(message.receiver))
        if settings.range_cells <= 0 or ends[0] is None or ends[1] is None:
            return False
        return distance(ends[0], ends[1]) > settings.range_cells
