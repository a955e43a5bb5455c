"""Where a drone's actuators act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uav_testgen.fleet.cells import Cell, Direction, cells_in_reach
from uav_testgen.fleet.specs import DroneSpec
from uav_testgen.fleet.surroundings import Surroundings
from uav_testgen.fleet.tasks import ACTUATOR_MODE, Instruction, InstructionType


def acted_on(
    spec: DroneSpec,
    position: Cell,
    heading: Cell,
    load: Mapping[str, Any],
    instruction: Instruction,
    around: Surroundings,
) -> Cell | None:
    """The cell an instruction acts on: the one it names, or

    the nearest in reach that has the thing (GRAB), or the far end of the reach (DROP, ASSIGN; the drone's own
    cell for an actuator that works all around). None if no actuator of the drone can do it from here.
    """
    attribute, mode = instruction.attribute, ACTUATOR_MODE[instruction.type]
    if (instruction.type is InstructionType.GRAB) == (attribute in load) and mode == "GRAB":
        # It can carry one of a kind, and set down only what it carries.
        return None
    for actuator in spec.actuators:
        if (actuator.attr, actuator.mode) != (attribute, mode):
            continue
        reach = [
            cell
            for cell in cells_in_reach(position, heading, actuator.direction, actuator.range)
            if around.is_inside(cell) and instruction.cell in (None, cell)
        ]
        if instruction.type is InstructionType.GRAB:
            reach = [cell for cell in reach if around.read(cell, attribute) is not None]
        elif instruction.type is InstructionType.DROP:
            # Nothing can be set down in a wall.
            reach = [cell for cell in reach if not around.is_blocked(cell)]
        if reach:
            nearest_first = instruction.type is InstructionType.GRAB or actuator.direction is Direction.NONE
            return reach[0] if nearest_first else reach[-1]
    return None
