"""Command mode: what a person may type while the simulation is paused."""

from __future__ import annotations

import shlex
from enum import Enum

from uav_testgen.core.errors import ConfigError
from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.scenario import DroneSpec

HELP = """add X Y Z [ID]        a drone like the first one, at a cell
block X Y Z           block a cell
target ID X Y Z       send a drone to a cell before it goes on
status                battery, position and task of every drone
play                  go on
quit                  end the run"""


class Answer(str, Enum):
    """What happens after a command."""

    STAY = "stay"
    PLAY = "play"
    QUIT = "quit"


def execute(simulation: FleetSimulation, line: str) -> tuple[Answer, str]:
    """Carry out one command; the text is for the person. Wrong input never ends the run."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        return (Answer.STAY, f"cannot be read: {error}")
    if not words:
        return (Answer.STAY, HELP)
    try:
        return _execute(simulation, words[0].lower(), words[1:])
    except (ConfigError, ValueError) as error:
        return (Answer.STAY, str(error))


def _execute(simulation: FleetSimulation, verb: str, words: list[str]) -> tuple[Answer, str]:
    if verb == "play":
        return (Answer.PLAY, "")
    if verb in ("quit", "exit"):
        return (Answer.QUIT, "")
    if verb == "block":
        cell = _cell(words, "block X Y Z")
        simulation.block_cell(cell)
        return (Answer.STAY, f"cell {cell} is blocked")
    if verb == "target":
        drone_id = _numbers(words[:1], 1, "target ID X Y Z")[0]
        cell = _cell(words[1:], "target ID X Y Z")
        simulation.set_target(drone_id, cell)
        return (Answer.STAY, f"drone {drone_id} is sent to {cell}")
    if verb == "add":
        return (Answer.STAY, _add(simulation, words))
    if verb == "status":
        return (Answer.STAY, status(simulation))
    return (Answer.STAY, f"unknown command '{verb}'\n{HELP}")


def _add(simulation: FleetSimulation, words: list[str]) -> str:
    cell = _cell(words[:3], "add X Y Z [ID]")
    highest = max((*simulation.drones, len(simulation.controllers)), default=0)
    new_id = _numbers(words[3:], 1, "add X Y Z [ID]")[0] if len(words) > 3 else highest + 1
    pattern = next(iter(simulation.drones.values()), None)
    values = pattern.spec.model_dump() if pattern else {"battery_max": 2500.0}
    spec = DroneSpec.model_validate({**values, "id": new_id, "init_pos": cell, "battery_init": None})
    simulation.add_drone(spec)
    return f"drone {new_id} joins at {cell}"


def status(simulation: FleetSimulation) -> str:
    """One line per drone."""
    lines = []
    for drone in simulation.drones.values():
        task = f"task {drone.job.task_id}" if drone.job else "no task"
        lines.append(
            f"drone {drone.id}: at {drone.position}, {drone.battery:.0f} mAh, {drone.state.value}, {task}"
        )
    return "\n".join(lines)


def _numbers(words: list[str], count: int, usage: str) -> list[int]:
    if len(words) != count:
        raise ConfigError(f"usage: {usage}")
    try:
        return [int(word) for word in words]
    except ValueError:
        raise ConfigError(f"whole numbers are expected: {usage}") from None


def _cell(words: list[str], usage: str) -> Cell:
    x, y, z = _numbers(words, 3, usage)
    return (x, y, z)
