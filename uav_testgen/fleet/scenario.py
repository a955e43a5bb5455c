"""Fleet scenario files: JSON with environment, drones and controllers, together or in files of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig, parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.effect_settings import EffectorSpec
from uav_testgen.fleet.paths import PathMethod
from uav_testgen.fleet.specs import (
    Assignment,
    ControllerSpec,
    DroneSpec,
    EnvironmentSpec,
    InstructionSpec,
    NetworkSpec,
    TrustSpec,
)
from uav_testgen.fleet.tasks import InstructionType, Task
from uav_testgen.fleet.world import BLOCKED, CHARGER, CellWorld

# Characters of a part's file name; file systems allow hardly more.
MAX_NAME = 200


class FleetScenario(RoomConfig):
    """A whole scenario."""

    name: str = Field(default="", max_length=200, description="title")
    description: str = Field(default="", max_length=500, description="what it shows, in one sentence")
    environment: EnvironmentSpec = Field(description="the world")
    drones: tuple[DroneSpec, ...] = Field(default=(), description="the fleet")
    controllers: tuple[ControllerSpec, ...] = Field(default=(), description="ground controllers")
    network: NetworkSpec = Field(default=NetworkSpec(), description="the radio")
    effector: EffectorSpec = Field(default=EffectorSpec(), description="disturbances")
    trust: TrustSpec = Field(default=TrustSpec(), description="trust evaluation")
    max_ticks: int = Field(default=1000, ge=1, le=100_000_000, description="end of the run at the latest")
    path_method: PathMethod = Field(default=PathMethod.DIJKSTRA, description="how paths are searched")
    assignment: Assignment = Field(
        default=Assignment.NEAREST, description="free drones get tasks by nearness or in the order they asked"
    )
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
        for where, drone_id in self._named_drones():
            if drone_id not in ids:
                known = ", ".join(str(known_id) for known_id in ids) or "none"
                raise ValueError(f"{where}: no drone {drone_id}; there are {known}")
        for e, effect in enumerate(self.effector.effects):
            for drone in self.drones:
                if not effect.drones or drone.id in effect.drones:
                    new = {key: value for key, value in effect.set.items() if key != "battery"}
                    try:
                        parse_config(
                            DroneSpec, {**drone.model_dump(), **new}, source=f"effector.effects.{e}.set"
                        )
                    except ConfigError as error:
                        raise ValueError(str(error)) from None
        for where, instruction in self._all_instructions():
            if instruction.IType is InstructionType.CHARGE and instruction.Position not in world.chargers:
                raise ValueError(f"{where}.Position {instruction.Position} is no charger")
        return self

    def _all_instructions(self) -> list[tuple[str, InstructionSpec]]:
        return [
            (f"controllers.{c}.tasks.{t}.{i}", instruction)
            for c, controller in enumerate(self.controllers)
            for t, task in enumerate(controller.tasks)
            for i, instruction in enumerate(task.instructions)
        ]

    def _named_positions(self) -> list[tuple[str, Cell]]:
        places = []
        for c, controller in enumerate(self.controllers):
            if controller.position is not None:
                places.append((f"controllers.{c}.position", controller.position))
        for where, instruction in self._all_instructions():
            for key in ("Position", "From", "At"):
                place = getattr(instruction, key)
                if place is not None:
                    places.append((f"{where}.{key}", place))
        for e, effect in enumerate(self.effector.effects):
            places += [(f"effector.effects.{e}.cells", cell) for cell in effect.cells]
        return places

    def _named_drones(self) -> list[tuple[str, int]]:
        named = []
        for e, effect in enumerate(self.effector.effects):
            named += [(f"effector.effects.{e}.drones", drone_id) for drone_id in effect.drones]
        for c, controller in enumerate(self.controllers):
            for t, task in enumerate(controller.tasks):
                if task.drone is not None:
                    named.append((f"controllers.{c}.tasks.{t}.drone", task.drone))
        return named

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
        tasks = self.controllers[controller].tasks
        return [spec.to_task(number, controller) for number, spec in enumerate(tasks, start=1)]


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
    if len(name) > MAX_NAME:
        raise InputFileError(f"{path}: {part}: {len(name)} characters, at most {MAX_NAME} are allowed")
    try:
        target = (folder / name).resolve()
    except (OSError, ValueError) as error:
        # E.g. a NUL in the name.
        raise InputFileError(f"{path}: {part}: {name!r} is no file name ({error})") from None
    if not target.is_relative_to(folder):
        raise InputFileError(f"{path}: {part}: '{name}' leads out of the scenario's folder")
    data = read_yaml(target)
    return data[part] if isinstance(data, dict) and set(data) == {part} else data
