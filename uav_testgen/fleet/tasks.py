"""Tasks are ordered lists of instructions."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from uav_testgen.fleet.cells import Cell


class InstructionType(str, Enum):
    """What a drone can be told to do."""

    GOTO = "GOTO"
    FROMTO = "FROMTO"
    WAIT = "WAIT"
    GRAB = "GRAB"
    DROP = "DROP"
    ASSIGN = "ASSIGN"
    SENSE = "SENSE"
    CHARGE = "CHARGE"
    GOHOME = "GOHOME"


class Priority(IntEnum):
    """Urgency; a higher value is served first."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step of a task. Which fields count depends on the type:

    GOTO and CHARGE position; FROMTO origin and position; WAIT ticks; GRAB, DROP and SENSE attribute; ASSIGN
    attribute and value. `cell` is the cell an actuator acts on, where the instruction names one. `planned`
    marks a charging stop of the scheduler's; it is no part of the task when another drone takes over.
    """

    type: InstructionType
    priority: Priority = Priority.LOW
    position: Cell | None = None
    origin: Cell | None = None
    ticks: int = 0
    attribute: str = ""
    value: object = None
    cell: Cell | None = None
    planned: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """Instructions given to one drone.

    A tracked task must be done within its deadline, or it is taken away and given to another drone.
    """

    id: int
    instructions: tuple[Instruction, ...]
    deadline_ticks: int | None = None
    tracked: bool = False
    drone_id: int | None = None
    controller_id: int = 0
    sensors: tuple[str, ...] = ()

    @property
    def priority(self) -> Priority:
        """The most urgent of its instructions."""
        return max((instruction.priority for instruction in self.instructions), default=Priority.LOW)


class TaskState(str, Enum):
    """Where a task stands in the controller's book; REVOKED waits for the drone to say how far it came."""

    QUEUED = "queued"
    ACTIVE = "active"
    REVOKED = "revoked"
    DONE = "done"
    FAILED = "failed"


@dataclass(slots=True)
class TaskRecord:
    """The controller's book entry of a task; `remaining` shrinks when a task is handed on half done."""

    task: Task
    remaining: tuple[Instruction, ...]
    state: TaskState = TaskState.QUEUED
    drone_id: int | None = None
    assigned_tick: int = 0
    estimated_ticks: int = 0
    completed_tick: int = 0
    revocations: int = 0
    # Drones that had their chance and are asked again only if no other can; drones that can never do it.
    excluded_drones: set[int] = field(default_factory=set)
    unable_drones: set[int] = field(default_factory=set)
    unanswered_revocations: int = 0
    message: str = ""


# Instructions that need a device on board, and the mode an actuator must have for it.
ACTUATOR_MODE = {
    InstructionType.GRAB: "GRAB",
    InstructionType.DROP: "GRAB",
    InstructionType.ASSIGN: "ASSIGN",
}


def expand(instructions: tuple[Instruction, ...]) -> tuple[Instruction, ...]:
    """FROMTO as the two GOTOs it stands for."""
    result: list[Instruction] = []
    for item in instructions:
        if item.type is InstructionType.FROMTO:
            result.append(Instruction(InstructionType.GOTO, item.priority, item.origin))
            result.append(Instruction(InstructionType.GOTO, item.priority, item.position))
        else:
            result.append(item)
    return tuple(result)
