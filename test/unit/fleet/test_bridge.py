"""A fleet task as a mission scenario, a verdict as trust."""

from __future__ import annotations

import pytest

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.fleet.bridge import mission_scenario, trust_after_flight
from uav_testgen.fleet.specs import DroneSpec
from uav_testgen.fleet.tasks import Instruction, InstructionType, Task
from uav_testgen.fleet.world import CellWorld
from uav_testgen.scenario.validity import violations
from uav_testgen.testing.factories import make_verdict

DRONE = DroneSpec(id=1, battery_max=1000, init_pos=(1, 2, 0))


def world() -> CellWorld:
    made = CellWorld((10, 8, 2))
    made.set((5, 3, 0), "blocked", True)
    made.set((5, 3, 1), "blocked", True)
    made.set((7, 1, 0), "blocked", True)
    return made


def test_cells_become_metres_and_boxes() -> None:
    steps = (
        Instruction(InstructionType.FROMTO, origin=(2, 2, 0), position=(8, 6, 1)),
        Instruction(InstructionType.GRAB, attribute="parcel"),
        Instruction(InstructionType.GOHOME),
    )
    scenario = mission_scenario(world(), DRONE, Task(4, steps), cell_size_m=5.0)
    route = [waypoint.position_enu_m for waypoint in scenario.mission.waypoints]
    assert route == [(10.0, 10.0, 10.0), (40.0, 30.0, 15.0), (5.0, 10.0, 10.0)]
    assert scenario.mission.home_enu_m == (5.0, 10.0, 0.0)
    assert [box.center_enu_m[:2] for box in scenario.obstacles] == [(25.0, 15.0), (35.0, 5.0)]
    assert violations(scenario) == ()


def test_a_task_without_a_way_is_refused() -> None:
    with pytest.raises(InvalidScenario, match="task 4 leads nowhere"):
        mission_scenario(world(), DRONE, Task(4, (Instruction(InstructionType.WAIT, ticks=3),)))


def test_near_misses_cost_trust() -> None:
    assert trust_after_flight(0.8, make_verdict(5.0)) == 0.8
    assert trust_after_flight(0.8, make_verdict(1.0)) == pytest.approx(0.6)
    assert trust_after_flight(0.8, make_verdict(0.0)) == pytest.approx(0.2)
    assert trust_after_flight(0.8, make_verdict(None)) == 0.8
