"""Fleet scenario files: JSON with environment, drones and controllers, together or in files of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig, parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.fleet.cells import Cell, Direction
from uav_testgen.fleet.paths import PathMethod
from uav_testgen.fleet.tasks import Instruction, InstructionType, Priority, Task
from uav_testgen.fleet.world import BLOCKED, CHARGER, CellWorld

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
    Position: Cell | None = Field(default=None, description="where to (GOTO, FROMTO)")
    From: Cell | None = Field(default=None, description="where from (FROMTO)")
    Ticks: int = Field(default=1, ge=0, le=1_000_000, description="how long (WAIT)")
    Attr: str = Field(default="", description="attribute (GRAB, DROP, ASSIGN)")
    Value: Any = Field(default=None, description="new value (ASSIGN)")

    @model_validator(mode="after")
    def _complete(self) -> InstructionSpec:
        needs = {
            InstructionType.GOTO: ("Position",),
            InstructionType.FROMTO: ("From", "Position"),
            InstructionType.GRAB: ("Attr",),
            InstructionType.DROP: ("Attr",),
            InstructionType.ASSIGN: ("Attr",),
        }
        missing = [key for key in needs.get(self.IType, ()) if getattr(self, key) in (None, "")]
        if missing:
            raise ValueError(f"{self.IType.value} needs {' and '.join(missing)}")
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
        )


class TaskSpec(RoomConfig):
    """A task; a plain list of instructions is accepted in its place."""

    instructions: tuple[InstructionSpec, ...] = Field(min_length=1, description="what to do, in order")
    deadline: int | None = Field(default=None, ge=1, description="ticks from assignment to completion")
    tracked: bool = Field(default=False, description="take the task away when the deadline has passed")
    drone: int | None = Field(default=None, ge=1, description="only this drone may do it")

    @model_validator(mode="before")
    @classmethod
    def _list_is_instructions(cls, value: Any) -> Any:
        return {"instructions": value} if isinstance(value, list) else value


class ControllerSpec(RoomConfig):
    """A ground controller with its tasks."""

    tasks: tuple[TaskSpec, ...] = Field(default=(), description="tasks to distribute")
    position: Cell | None = Field(default=None, description="where its radio stands (for the radio range)")


class NetworkSpec(RoomConfig):
    """Quality of the radio."""

    loss_probability: float = Field(default=0.0, ge=0.0, le=1.0, description="share of messages lost")
    delay_ticks: int = Field(default=0, ge=0, le=1000, description="ticks a message travels")
    range_cells: int = Field(default=0, ge=0, description="reach of the radio [cells], 0 = unlimited")


class TrustSpec(RoomConfig):
    """Weights of equation 3 and how trust is used."""

    alpha: float = Field(default=0.5, ge=0.0, le=1.0, description="weight of punctuality")
    beta: float = Field(default=0.5, ge=0.0, le=1.0, description="weight of battery")
    high_priority_minimum: float = Field(
        default=0.5, ge=0.0, le=1.0, description="drones below this are avoided for HIGH tasks"
    )


class EffectSpec(RoomConfig):
    """One disturbance. Which keys count depends on the type; ticks limit when it acts."""

    type: Literal["detour", "rogue", "weather", "block", "network", "battery"] = Field(description="kind")
    probability: float = Field(default=1.0, ge=0.0, le=1.0, description="chance per opportunity")
    drones: tuple[int, ...] = Field(default=(), description="affected drones, empty = all")
    first_tick: int = Field(default=1, ge=1, description="first tick it acts")
    last_tick: int = Field(default=1_000_000_000, ge=1, description="last tick it acts")
    cells: tuple[Cell, ...] = Field(default=(), description="cells it acts on (block, weather), empty = any")
    attr: str = Field(default="", description="attribute it sets in its cells (weather)")
    value: Any = Field(default=None, description="value it sets (weather)")
    hold: bool = Field(default=False, description="drones in its cells lose the tick (weather)")
    drain: float = Field(default=0.0, ge=0.0, description="charge lost [mAh] (battery)")
    loss_probability: float = Field(default=0.0, ge=0.0, le=1.0, description="share lost (network)")
    delay_ticks: int = Field(default=0, ge=0, le=1000, description="delay (network)")


class EffectorSpec(RoomConfig):
    """All disturbances; seeded by the run."""

    enabled: bool = Field(default=False, description="whether they act")
    effects: tuple[EffectSpec, ...] = Field(default=(), description="disturbances")


class FleetScenario(RoomConfig):
    """A whole scenario."""

    name: str = Field(default="", max_length=200, description="title")
    environment: EnvironmentSpec = Field(description="the world")
    drones: tuple[DroneSpec, ...] = Field(default=(), description="the fleet")
    controllers: tuple[ControllerSpec, ...] = Field(default=(), description="ground controllers")
    network: NetworkSpec = Field(default=NetworkSpec(), description="the radio")
    effector: EffectorSpec = Field(default=EffectorSpec(), description="disturbances")
    trust: TrustSpec = Field(default=TrustSpec(), description="trust evaluation")
    max_ticks: int = Field(default=1000, ge=1, le=100_000_000, description="end of the run at the latest")
    path_method: PathMethod = Field(default=PathMethod.A_STAR, description="how paths are searched")
    exclusive_cells: bool = Field(default=False, description="two drones may not share a cell")

    @model_validator(mode="after")
    def _consistent(self) -> FleetScenario:
        world = self.make_world()
        ids = [drone.id for drone in self.drones]
        if len(ids) != len(set(ids)):
            raise ValueError(f"drone ids must differ, got {ids}")
        for index, drone in enumerate(self.drones):
            if not world.is_free(drone.init_pos):
                raise ValueError(f"drones.{index}.init_pos {drone.init_pos} is blocked or outside the world")
            if drone.controller >= max(1, len(self.controllers)):
                raise ValueError(f"drones.{index}.controller {drone.controller} does not exist")
            if drone.id < len(self.controllers):
                raise ValueError(f"drones.{index}.id {drone.id} is taken by a controller; use larger ids")
        for where, position in self._named_positions():
            if not world.contains(position):
                raise ValueError(f"{where} {position} lies outside the world of size {world.size}")
        return self

    def _named_positions(self) -> list[tuple[str, Cell]]:
        places = []
        for c, controller in enumerate(self.controllers):
            if controller.position is not None:
                places.append((f"controllers.{c}.position", controller.position))
            for t, task in enumerate(controller.tasks):
                for i, instruction in enumerate(task.instructions):
                    for key in ("Position", "From"):
                        place = getattr(instruction, key)
                        if place is not None:
                            places.append((f"controllers.{c}.tasks.{t}.{i}.{key}", place))
        return places

    def make_world(self) -> CellWorld:
        """A fresh world as the scenario describes it."""
        world = CellWorld(self.environment.size)
        for cell in self.environment.cells:
            for attribute, value in cell.attrs.items():
                world.set(cell.pos, attribute, value)
        for place in self.environment.blocked:
            world.set(place, BLOCKED, True)
        for place in self.environment.chargers:
            world.set(place, CHARGER, True)
        return world

    def make_tasks(self, controller: int) -> list[Task]:
        """Tasks of one controller, numbered in the order of the file."""
        return [
            Task(
                id=number,
                instructions=tuple(item.to_instruction() for item in spec.instructions),
                deadline_ticks=spec.deadline,
                tracked=spec.tracked,
                drone_id=spec.drone,
                controller_id=controller,
            )
            for number, spec in enumerate(self.controllers[controller].tasks, start=1)
        ]


def load_fleet_scenario(path: Path) -> FleetScenario:
    """Read a scenario; parts given as a file name are read from beside it.

    `tasks` stands for a single controller with these tasks.
    """
    data = _read_object(path)
    for part in ("environment", "drones", "controllers", "tasks"):
        if isinstance(data.get(part), str):
            data[part] = _read_part(path, part, data[part])
    if "tasks" in data and "controllers" not in data:
        data["controllers"] = [{"tasks": data.pop("tasks")}]
    return parse_config(FleetScenario, data, source=str(path))


def _read_object(path: Path) -> dict[str, Any]:
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: a JSON object is expected, got {type(data).__name__}")
    return data


def _read_part(path: Path, part: str, name: str) -> Any:
    """A part in a file of its own, which must lie in the scenario's folder or below it."""
    folder = path.parent.resolve()
    target = (folder / name).resolve()
    if not target.is_relative_to(folder):
        raise InputFileError(f"{path}: {part}: '{name}' leads out of the scenario's folder")
    data = read_yaml(target)
    return data[part] if isinstance(data, dict) and set(data) == {part} else data
