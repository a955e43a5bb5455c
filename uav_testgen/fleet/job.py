"""What a drone is doing, and a task as the drone sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from uav_testgen.fleet.tasks import Instruction

# How long a drone waits for an answer before it asks again; the radio may have lost the question.
RETRY_TICKS = 4


class DroneState(str, Enum):
    """What a drone is doing."""

    IDLE = "idle"
    WORKING = "working"
    RETURNING = "returning"
    TO_CHARGER = "to_charger"
    CHARGING = "charging"
    ROGUE = "rogue"
    DEAD = "dead"


@dataclass(slots=True)
class Job:
    """A task as the drone sees it."""

    task_id: int
    instructions: tuple[Instruction, ...]
    index: int = 0
    waited_ticks: int = 0

    @property
    def current(self) -> Instruction | None:
        """The instruction to carry out now; None when all are done."""
        return self.instructions[self.index] if self.index < len(self.instructions) else None
