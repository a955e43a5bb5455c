"""Command mode: what a person may type while the simulation is paused."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest
from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.effect_settings import EDITABLE, check_editable
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.specs import DroneSpec

HELP = """add X Y Z [ID]        a drone like the first one, at a cell
block X Y Z           block a cell
unblock X Y Z         free a cell
target ID X Y Z       send a drone to a cell before it goes on
set ID KEY VALUE      change a drone: speed, battery, battery_max, battery_move_cost, ...
fail ID               let a drone fail its task
rogue ID              let a drone do as it likes
obey ID               turn a rogue drone back
network LOSS [DELAY]  share of messages lost (0 to 1) and ticks they travel
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
    if verb == "status":
        return (Answer.STAY, status(simulation))
    command = _COMMANDS.get(verb)
    if command is None:
        return (Answer.STAY, f"unknown command '{verb[:40]}'{nearest(verb, list(_COMMANDS))}\n{HELP}")
    return (Answer.STAY, command(simulation, words))


def _block(simulation: FleetSimulation, words: list[str]) -> str:
    cell = _cell(words, "block X Y Z")
    simulation.block_cell(cell)
    return f"cell {cell} is blocked"


def _unblock(simulation: FleetSimulation, words: list[str]) -> str:
    cell = _cell(words, "unblock X Y Z")
    simulation.unblock_cell(cell)
    return f"cell {cell} is free again"


def _target(simulation: FleetSimulation, words: list[str]) -> str:
    drone_id = _numbers(words[:1], 1, "target ID X Y Z")[0]
    cell = _cell(words[1:], "target ID X Y Z")
    simulation.set_target(drone_id, cell)
    return f"drone {drone_id} is sent to {cell}"


def _set(simulation: FleetSimulation, words: list[str]) -> str:
    usage = f"set ID KEY VALUE, where KEY is one of {', '.join(EDITABLE)}"
    if len(words) != 3:
        raise ConfigError(f"usage: {usage}")
    drone = simulation.drone(_numbers(words[:1], 1, usage)[0])
    changes = {words[1]: _amount(words[2], usage)}
    check_editable(changes)
    drone.edit(changes)
    return f"drone {drone.id}: {words[1]} is {changes[words[1]]:g}"


def _fail(simulation: FleetSimulation, words: list[str]) -> str:
    drone = simulation.drone(_numbers(words, 1, "fail ID")[0])
    failed = drone.fail_task(simulation)
    return f"drone {drone.id} fails its task" if failed else f"drone {drone.id} has no task to fail"


def _rogue(simulation: FleetSimulation, words: list[str]) -> str:
    drone = simulation.drone(_numbers(words, 1, "rogue ID")[0])
    drone.turn_rogue()
    return f"drone {drone.id} turns rogue"


def _obey(simulation: FleetSimulation, words: list[str]) -> str:
    drone = simulation.drone(_numbers(words, 1, "obey ID")[0])
    drone.turn_back()
    return f"drone {drone.id} obeys again"


def _network(simulation: FleetSimulation, words: list[str]) -> str:
    usage = "network LOSS [DELAY], LOSS from 0 to 1, DELAY from 0 to 1000 ticks"
    if len(words) not in (1, 2):
        raise ConfigError(f"usage: {usage}")
    loss = _amount(words[0], usage)
    delay = _numbers(words[1:], 1, usage)[0] if len(words) == 2 else 0
    if not (0.0 <= loss <= 1.0 and 0 <= delay <= 1000):
        raise ConfigError(f"usage: {usage}")
    simulation.radio = replace(simulation.radio, loss_probability=loss, delay_ticks=delay)
    return f"the radio loses {loss:.0%} of the messages, the others take {delay} ticks"


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


def _amount(word: str, usage: str) -> float:
    try:
        amount = float(word)
    except ValueError:
        raise ConfigError(f"a number is expected: {usage}") from None
    if not math.isfinite(amount):
        raise ConfigError(f"a finite number is expected: {usage}")
    return amount


def _cell(words: list[str], usage: str) -> Cell:
    x, y, z = _numbers(words, 3, usage)
    return (x, y, z)


_COMMANDS: dict[str, Callable[[FleetSimulation, list[str]], str]] = {
    "add": _add,
    "block": _block,
    "unblock": _unblock,
    "target": _target,
    "set": _set,
    "fail": _fail,
    "rogue": _rogue,
    "obey": _obey,
    "network": _network,
}
