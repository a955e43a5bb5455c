"""The parts of a fleet scenario file: world, drones, tasks, radio and trust."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.fleet.cells import Cell, Direction
from uav_testgen.fleet.tasks import Instruction, InstructionType, Priority, Task
from uav_testgen.fleet.world import CellWorld

MAX_CELLS = 50_000_000


class CellSpec(RoomConfig):
    """Attributes of one cell."""

    pos: Cell = Field(description="cell (x, y, z)")
    attrs: dict[str, Any] = Field(description="attribute name to value")


class EnvironmentSpec(RoomConfig):
    """The world."""

    size: Cell = Field(description="number of cells along x, y, z")
    cells: tuple[CellSpec, ...] = Field(default=(), description="cells with attributes")
    blocked: tuple[Cell, ...] = Field(default=(), description="cells no drone can enter")
    chargers: tuple[Cell, ...] = Field(default=(), description="cells where batteries are charged")
    known: bool = Field(default=False, description="whether controllers know blocked cells from the start")

    @model_validator(mode="after")
    def _inside(self) -> EnvironmentSpec:
        if min(self.size) < 1 or self.size[0] * self.size[1] * self.size[2] > MAX_CELLS:
            raise ValueError(f"size needs three counts >= 1 and at most {MAX_CELLS} cells in all")
        world = CellWorld(self.size)
        for place in (*(cell.pos for cell in self.cells), *self.blocked, *self.chargers):
            if not world.contains(place):
                raise ValueError(f"cell {place} lies outside the size {self.size}")
        return self


class SensorSpec(RoomConfig):
    """What a drone can sense."""

    attr: str = Field(min_length=1, description="attribute that is sensed")
    direction: Direction = Field(default=Direction.NONE, description="where it looks")
    range: int = Field(default=1, ge=0, le=100, description="reach [cells]")


class ActuatorSpec(RoomConfig):
    """What a drone can change."""

    attr: str = Field(min_length=1, description="attribute that is handled")
    mode: Literal["GRAB", "ASSIGN"] = Field(default="GRAB", description="carry it, or set its value")
    direction: Direction = Field(default=Direction.NONE, description="where it acts")
    range: int = Field(default=0, ge=0, le=100, description="reach [cells]")

    @field_validator("mode", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value


class DroneSpec(RoomConfig):
    """One drone."""

    id: int = Field(ge=1, description="device id; 0 is the first controller")
    battery_max: float = Field(gt=0, description="capacity [mAh]")
    battery_move_cost: float = Field(default=10.0, ge=0, description="charge used per cell moved [mAh]")
    battery_idle_cost: float = Field(default=0.0, ge=0, description="charge used per tick in the air [mAh]")
    battery_init: float | None = Field(default=None, ge=0, description="charge at the start [mAh]")
    charge_rate: float = Field(default=100.0, gt=0, description="charge taken per tick at a charger [mAh]")
    speed: int = Field(default=1, ge=1, le=1000, description="cells per tick")
    controller: int = Field(default=0, ge=0, description="the controller it obeys")
    init_pos: Cell = Field(description="first cell, also its home")
    sensors: tuple[SensorSpec, ...] = Field(default=(), description="sensors")
    actuators: tuple[ActuatorSpec, ...] = Field(default=(), description="actuators")

    @field_validator("sensors", "actuators", mode="before")
    @classmethod
    def _empty_mapping_means_none(cls, value: Any) -> Any:
        return () if value == {} else value


class InstructionSpec(RoomConfig):
    """One instruction, with the key names of the published scenario files."""

    IType: InstructionType = Field(description="kind of instruction")
    Priority: Literal["LOW", "MEDIUM", "HIGH"] = Field(default="LOW", description="urgency")
    Position: Cell | None = Field(default=None, description="where to (GOTO, FROMTO, CHARGE)")
    From: Cell | None = Field(default=None, description="where from (FROMTO)")
    Ticks: int = Field(default=1, ge=0, le=1_000_000, description="how long (WAIT)")
    Attr: str = Field(default="", description="attribute (GRAB, DROP, ASSIGN, SENSE)")
    Value: Any = Field(default=None, description="new value (ASSIGN)")
    At: Cell | None = Field(default=None, description="cell the actuator acts on (GRAB, DROP, ASSIGN)")

    @model_validator(mode="after")
    def _complete(self) -> InstructionSpec:
        needs = {
            InstructionType.GOTO: ("Position",),
            InstructionType.FROMTO: ("From", "Position"),
            InstructionType.GRAB: ("Attr",),
            InstructionType.DROP: ("Attr",),
            InstructionType.ASSIGN: ("Attr",),
            InstructionType.SENSE: ("Attr",),
            InstructionType.CHARGE: ("Position",),
        }
        missing = [key for key in needs.get(self.IType, ()) if getattr(self, key) in (None, "")]
        if missing:
            raise ValueError(f"{self.IType.value} needs {' and '.join(missing)}")
        if self.Position is not None and "Position" not in needs.get(self.IType, ()):
            raise ValueError(
                f"{self.IType.value} goes nowhere: put a GOTO before it, or use At for the cell it acts on"
            )
        return self

    def to_instruction(self) -> Instruction:
        """The value the simulator works with."""
        return Instruction(
            type=self.IType,
            priority=Priority[self.Priority],
            position=self.Position,
            origin=self.From,
            ticks=self.Ticks,
            attribute=self.Attr,
            value=self.Value,
            cell=self.At,
        )


class TaskSpec(RoomConfig):
    """A task; a plain list of instructions is accepted in its place."""

    instructions: tuple[InstructionSpec, ...] = Field(min_length=1, description="what to do, in order")
    deadline: int | None = Field(default=None, ge=1, description="ticks from assignment to completion")
    tracked: bool = Field(default=False, description="take the task away when the deadline has passed")
    drone: int | None = Field(default=None, ge=1, description="only this drone may do it")
    sensors: tuple[str, ...] = Field(default=(), description="attributes the drone must be able to sense")

    @model_validator(mode="before")
    @classmethod
    def _list_is_instructions(cls, value: Any) -> Any:
        return {"instructions": value} if isinstance(value, list) else value

    def to_task(self, task_id: int, controller: int = 0) -> Task:
        """The value the simulator works with."""
        return Task(
            id=task_id,
            instructions=tuple(item.to_instruction() for item in self.instructions),
            deadline_ticks=self.deadline,
            tracked=self.tracked,
            drone_id=self.drone,
            controller_id=controller,
            sensors=self.sensors,
        )


class ControllerSpec(RoomConfig):
    """A ground controller with its tasks."""

    tasks: tuple[TaskSpec, ...] = Field(default=(), description="tasks to distribute")
    position: Cell | None = Field(default=None, description="where its radio stands (for the radio range)")


class NetworkSpec(RoomConfig):
    """Quality of the radio."""

    loss_probability: float = Field(default=0.0, ge=0.0, le=1.0, description="share of messages lost")
    delay_ticks: int = Field(default=0, ge=0, le=1000, description="ticks a message travels")
    range_cells: int = Field(default=0, ge=0, description="reach of the radio [cells], 0 = unlimited")


class Assignment(str, Enum):
    """Which of several free drones gets a task."""

    NEAREST = "nearest"
    IN_ORDER = "in_order"


class TrustSpec(RoomConfig):
    """Weights of equation 3 and how trust is used."""

    alpha: float = Field(default=0.5, ge=0.0, le=1.0, description="weight of punctuality")
    beta: float = Field(default=0.5, ge=0.0, le=1.0, description="weight of battery")
    minimum: float = Field(
        default=0.5, ge=0.0, le=1.0, description="drones below this get tasks only if no other is able"
    )
    high_priority_minimum: float = Field(default=0.5, ge=0.0, le=1.0, description="the same for HIGH tasks")
