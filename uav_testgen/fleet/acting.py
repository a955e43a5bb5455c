"""What a drone does with an instruction, one tick at a time: fly, wait, charge, sense, use an actuator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.fleet.cells import Cell, distance, step_between
from uav_testgen.fleet.devices import acted_on
from uav_testgen.fleet.surroundings import Surroundings
from uav_testgen.fleet.tasks import Instruction, InstructionType
from uav_testgen.fleet.world import BLOCKED

if TYPE_CHECKING:
    from uav_testgen.fleet.drone import Drone


def carry_out(drone: Drone, instruction: Instruction, around: Surroundings) -> tuple[bool, bool]:
    """(did it use up the tick, is it finished)."""
    job = drone.job
    assert job is not None
    target = drone.target_of(instruction)
    if instruction.type is InstructionType.CHARGE and drone.position == target:
        if not around.is_charger(drone.position) or drone.battery >= drone.spec.battery_max:
            return (False, True)
        drone.battery = min(drone.spec.battery_max, drone.battery + drone.spec.charge_rate)
        return (True, drone.battery >= drone.spec.battery_max)
    if target is not None:
        if drone.position == target:
            return (False, True)
        move(drone, around)
        # On arrival at a charger the work there has not begun.
        return (True, drone.position == target and instruction.type is not InstructionType.CHARGE)
    if instruction.type is InstructionType.WAIT:
        if instruction.ticks == 0:
            return (False, True)
        job.waited_ticks += 1
        done = job.waited_ticks >= instruction.ticks
        job.waited_ticks = 0 if done else job.waited_ticks
        return (True, done)
    if instruction.type is InstructionType.SENSE:
        drone.sense(around, only=instruction.attribute)
        return (True, True)
    return (True, _use_actuator(drone, instruction, around))


def _use_actuator(drone: Drone, instruction: Instruction, around: Surroundings) -> bool:
    cell = acted_on(drone.spec, drone.position, drone.heading, drone.load, instruction, around)
    if cell is None:
        return False
    attribute = instruction.attribute
    if instruction.type is InstructionType.GRAB:
        drone.load[attribute] = around.read(cell, attribute)
        around.write(cell, attribute, None)
    elif instruction.type is InstructionType.DROP:
        around.write(cell, attribute, drone.load.pop(attribute))
    else:
        around.write(cell, attribute, instruction.value)
    return True


def move(drone: Drone, around: Surroundings) -> None:
    """Up to `speed` cells along the path; stops at what was not expected."""
    for _ in range(drone.spec.speed):
        if not drone.path:
            return
        target = drone.path[0]
        if distance(drone.position, target) != 1:
            drone.path.clear()
            return
        if around.is_blocked(target):
            drone.path.clear()
            drone.tell_attribute(target, BLOCKED, True, around)
            return
        if around.is_occupied(target, drone.id):
            drone.held_ticks += 1
            return
        if drone.battery < drone.spec.battery_move_cost:
            drone.battery = 0.0
            return
        enter(drone, drone.path.popleft(), around)


def enter(drone: Drone, cell: Cell, around: Surroundings) -> None:
    """Be in a neighbouring cell: heading, charge and book-keeping follow."""
    step = step_between(drone.position, cell)
    if step[2] == 0:
        drone.heading = step
    drone.position = cell
    drone.battery -= drone.spec.battery_move_cost
    drone.moved_cells += 1
    drone.held_ticks = 0
    around.moved(drone.id, cell)
