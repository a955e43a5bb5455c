"""Lightweight drone simulator, sections III-B 1 (sensors, actuators) and III-C 3 (scheduler's resources)."""

from typing import Any

import pytest

from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.scenario import FleetScenario
from uav_testgen.fleet.tasks import TaskState


def goto(x: int, y: int = 2) -> dict[str, Any]:
    return {"IType": "GOTO", "Position": [x, y, 0]}


def simulation(tasks: list[Any], drones: list[dict[str, Any]], **environment: Any) -> FleetSimulation:
    data = {
        "environment": {"size": [40, 5, 1], **environment},
        "drones": [
            {"id": number, "battery_max": 1000, "init_pos": [0, 2, 0], **drone}
            for number, drone in enumerate(drones, start=1)
        ],
        "controllers": [{"tasks": tasks}],
        "max_ticks": 400,
    }
    return FleetSimulation(FleetScenario.model_validate(data))


def arm(mode: str, direction: str, reach: int) -> dict[str, Any]:
    return {"actuators": [{"attr": "parcel", "mode": mode, "direction": direction, "range": reach}]}


def test_listing_3_grabs_behind_itself() -> None:
    """Listing 3: a GRAB actuator that points BACKWARD with a range of one cell."""
    world = {"cells": [{"pos": [4, 2, 0], "attrs": {"parcel": "behind"}}]}
    sim = simulation([[goto(5), {"IType": "GRAB", "Attr": "parcel"}]], [arm("GRAB", "BACKWARD", 1)], **world)
    sim.run()
    assert sim.summary()["complete"]
    assert sim.drones[1].load == {"parcel": "behind"}


def test_what_lies_ahead_is_out_of_reach_of_an_arm_behind() -> None:
    world = {"cells": [{"pos": [6, 2, 0], "attrs": {"parcel": "ahead"}}]}
    sim = simulation([[goto(5), {"IType": "GRAB", "Attr": "parcel"}]], [arm("GRAB", "BACKWARD", 1)], **world)
    sim.run()
    assert not sim.summary()["complete"]


@pytest.mark.parametrize(
    ("direction", "reach", "cell"),
    [
        ("NONE", 0, (5, 2, 0)), ("NONE", 2, (5, 2, 0)), ("FORWARD", 2, (7, 2, 0)), ("BACKWARD", 1, (4, 2, 0)),
        ("LEFT", 1, (5, 3, 0)), ("RIGHT", 2, (5, 0, 0)), ("RIGHT", 9, (5, 0, 0)),
    ],
)  # fmt: skip
def test_assign_and_drop_act_where_the_actuator_points(
    direction: str, reach: int, cell: tuple[int, int, int]
) -> None:
    """Section III-B 1 b: actuators have the attr, direction and range of sensors, whatever their mode."""
    assign = [goto(5), {"IType": "ASSIGN", "Attr": "parcel", "Value": "set"}]
    sim = simulation([assign], [arm("ASSIGN", direction, reach)])
    sim.run()
    assert sim.world.cells_with("parcel") == [cell]

    drop = [goto(5), {"IType": "DROP", "Attr": "parcel"}]
    sim = simulation([drop], [arm("GRAB", direction, reach)])
    sim.drones[1].load = {"parcel": "carried"}
    sim.run()
    assert sim.world.cells_with("parcel") == [cell]
    assert sim.world.get(cell, "parcel") == "carried"


def test_a_named_cell_must_be_in_reach() -> None:
    def outcome(cell: list[int]) -> bool:
        task = [goto(5), {"IType": "ASSIGN", "Attr": "parcel", "Value": 1, "At": cell}]
        sim = simulation([task], [arm("ASSIGN", "NONE", 1)])
        sim.run()
        return sim.world.cells_with("parcel") == [tuple(cell)]

    assert outcome([6, 3, 0])
    assert not outcome([8, 2, 0])


def test_nothing_is_set_down_in_a_wall() -> None:
    task = [goto(5), {"IType": "DROP", "Attr": "parcel"}]
    sim = simulation([task], [arm("GRAB", "FORWARD", 1)], blocked=[[6, 2, 0]])
    sim.drones[1].load = {"parcel": "P"}
    sim.run()
    assert sim.world.cells_with("parcel") == [(5, 2, 0)]


@pytest.mark.parametrize(
    "task",
    [
        [goto(3), {"IType": "SENSE", "Attr": "temperature"}],
        {"instructions": [goto(3)], "sensors": ["temperature"]},
    ],
)
def test_scheduler_checks_sensors(task: Any) -> None:
    """Section III-C 3: the scheduler ensures that drones have the sensors a task needs."""
    eye = {"sensors": [{"attr": "temperature", "direction": "NONE", "range": 1}]}
    blind = simulation([task], [{}])
    blind.run()
    assert "needs a sensor for 'temperature'" in blind.summary()["tasks"][0]["message"]
    sim = simulation([task], [{}, {**eye, "init_pos": [9, 2, 0]}])
    sim.run()
    assert sim.summary()["tasks"][0]["drone"] == 2


def test_sensing_on_demand_sends_a_known_reading_again() -> None:
    eye = {"sensors": [{"attr": "temperature", "direction": "NONE", "range": 1}]}
    world = {"cells": [{"pos": [3, 2, 0], "attrs": {"temperature": 30}}]}
    sim = simulation([[goto(3), {"IType": "SENSE", "Attr": "temperature"}]], [eye], **world)
    sent = [m for report in sim.ticks() for m in report.messages if m.type.value == "CELL_ATTR"]
    assert [message.contents for message in sent] == [((3, 2, 0), "temperature", 30)] * 2


def test_charging_stops_are_planned_within_a_task() -> None:
    """Sections II (charging stations on the way) and III-C 3 (battery as a resource)."""
    sim = simulation([[goto(35)]], [{"battery_max": 200}], chargers=[[10, 2, 0], [20, 2, 0], [30, 2, 0]])
    seen = []
    for _ in sim.ticks():
        drone = sim.drones[1]
        if drone.job is not None and drone.job.current is not None:
            seen.append((drone.job.current.type.value, drone.job.current.position))
        if sim.controllers[0].records[1].state is TaskState.DONE:
            break
    score = sim.controllers[0].scores[0]
    # 35 moves, 350 mAh: one charger suffices to arrive, and at the end one must be in reach again.
    assert [stop for stop in dict.fromkeys(seen) if stop[0] == "CHARGE"] == [("CHARGE", (20, 2, 0))]
    assert score.estimated_ticks == score.actual_ticks == 35 + 2


def test_a_drone_with_charge_is_preferred_to_one_that_must_stop() -> None:
    drones = [{"battery_init": 60}, {"init_pos": [0, 0, 0]}]
    sim = simulation([[goto(20)]], drones, chargers=[[4, 2, 0]])
    sim.run()
    assert sim.summary()["tasks"][0]["drone"] == 2


def test_a_chain_of_chargers_that_is_too_thin_is_said() -> None:
    sim = simulation([[goto(35)]], [{"battery_max": 100}], chargers=[[8, 2, 0], [30, 2, 0]])
    sim.run()
    assert "mAh" in sim.summary()["tasks"][0]["message"]
    assert sim.drones[1].moved_cells == 0


FAIL_AT_5 = {"type": "fail", "drones": [1], "first_tick": 5, "last_tick": 5}


def test_a_task_handed_on_loses_the_stops_of_its_first_drone() -> None:
    data = {
        "environment": {"size": [40, 5, 1], "chargers": [[10, 2, 0]]},
        "drones": [
            {"id": 1, "battery_max": 300, "battery_init": 120, "init_pos": [0, 2, 0]},
            {"id": 2, "battery_max": 2000, "init_pos": [39, 0, 0], "battery_init": 10},
        ],
        "controllers": [{"tasks": [[goto(20)]]}],
        "effector": {"enabled": True, "effects": [FAIL_AT_5]},
        "max_ticks": 300,
    }
    sim = FleetSimulation(FleetScenario.model_validate(data))
    for _ in range(6):
        sim.step()
    sim.drones[2].edit({"battery": 2000.0})
    sim.run()
    record = sim.controllers[0].records[1]
    assert record.state is TaskState.DONE
    assert record.revocations == 1


def test_a_task_whose_way_closes_fails_instead_of_asking_for_ever() -> None:
    wall = [[20, y, 0] for y in range(5)]
    sim = simulation([[goto(30)]], [{}], blocked=wall)
    sim.run()
    assert sim.summary()["tasks"][0]["message"] == "no way to (30, 2, 0)"
    assert sim.tick < 200
