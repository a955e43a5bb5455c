"""Batteries, chargers, deadlines, faults and commands in small worlds."""

from typing import Any

import pytest

from uav_testgen.fleet.commands import Answer, execute
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.job import DroneState
from uav_testgen.fleet.scenario import FleetScenario


def goto(x: int, y: int = 0, priority: str = "LOW") -> dict[str, Any]:
    return {"IType": "GOTO", "Priority": priority, "Position": [x, y, 0]}


def drone(drone_id: int = 1, **changes: Any) -> dict[str, Any]:
    base = {"id": drone_id, "battery_max": 1000, "battery_move_cost": 10, "init_pos": [0, 0, 0]}
    return {**base, **changes}


def simulation(
    tasks: list[Any], drones: list[Any] | None = None, seed: int = 0, **more: Any
) -> FleetSimulation:
    environment = {"size": [30, 10, 1], **more.pop("environment", {})}
    data = {
        "environment": environment,
        "drones": drones or [drone()],
        "controllers": [{"tasks": tasks}],
        **more,
    }
    return FleetSimulation(FleetScenario.model_validate(data), seed=seed)


def finished(sim: FleetSimulation) -> dict[str, Any]:
    sim.run()
    return sim.summary()


def test_moves_cost_charge_and_speed_shortens_the_way() -> None:
    summary = finished(simulation([[goto(9)]], [drone(speed=3)]))
    assert summary["scores"][0]["estimated_ticks"] == 3
    assert summary["scores"][0]["actual_ticks"] == 3
    assert summary["drones"][0]["battery"] == 1000 - 10 * 18  # out and home


def test_wait_and_fromto() -> None:
    task = [{"IType": "FROMTO", "From": [3, 0, 0], "Position": [3, 4, 0]}, {"IType": "WAIT", "Ticks": 5}]
    summary = finished(simulation([task]))
    assert summary["scores"][0]["actual_ticks"] == 3 + 4 + 5
    assert summary["scores"][0]["score"] == 1.0


def test_a_task_beyond_the_battery_is_refused_before_take_off() -> None:
    summary = finished(simulation([[goto(29, 9)]], [drone(battery_max=300)]))
    assert summary["tasks"][0]["state"] == "failed"
    assert "mAh" in summary["tasks"][0]["message"]
    assert summary["drones"][0]["moved_cells"] == 0


def test_a_tired_drone_charges_first() -> None:
    chargers = {"chargers": [[2, 0, 0]]}
    summary = finished(simulation([[goto(20)]], [drone(battery_init=100)], environment=chargers))
    assert summary["complete"]
    assert summary["drones"][0]["state"] != DroneState.DEAD.value


def test_battery_fault_kills_and_the_task_goes_to_another() -> None:
    effects = [{"type": "battery", "drain": 5000, "drones": [1], "first_tick": 4, "last_tick": 4}]
    sim = simulation(
        [[goto(20)]],
        [drone(1), drone(2, init_pos=[0, 5, 0])],
        effector={"enabled": True, "effects": effects},
    )
    summary = finished(sim)
    assert sim.drones[1].state is DroneState.DEAD
    assert summary["tasks"][0] | {"message": ""} == {
        "task": 1, "controller": 0, "state": "done", "drone": 2, "revocations": 1, "message": "",
    }  # fmt: skip


def test_tracked_task_is_revoked_and_its_load_is_fetched_by_another() -> None:
    cells = {"cells": [{"pos": [2, 0, 0], "attrs": {"parcel": "P"}}]}
    arm = {"actuators": [{"attr": "parcel", "mode": "GRAB", "direction": "NONE", "range": 0}]}
    task = {
        "instructions": [
            goto(2),
            {"IType": "GRAB", "Attr": "parcel"},
            goto(12),
            {"IType": "DROP", "Attr": "parcel"},
        ],
        "tracked": True,
        "deadline": 25,
    }
    weather = {"type": "weather", "hold": True, "drones": [1], "first_tick": 7}
    sim = simulation(
        [task],
        [drone(1, **arm), drone(2, init_pos=[0, 9, 0], **arm)],
        environment=cells,
        effector={"enabled": True, "effects": [weather]},
    )
    for _ in range(120):
        sim.step()
    summary = sim.summary()
    assert summary["tasks"][0]["state"] == "done"
    assert summary["tasks"][0]["drone"] == 2
    assert sim.world.get((12, 0, 0), "parcel") == "P"
    assert summary["drones"][0]["trust"] < 1.0


def test_urgent_tasks_avoid_untrusted_drones() -> None:
    sim = simulation([[goto(5, priority="HIGH")]], [drone(1), drone(2, init_pos=[0, 9, 0])])
    sim.controllers[0].drones[1].trust = 0.2
    assert finished(sim)["tasks"][0]["drone"] == 2


def test_urgent_tasks_come_first() -> None:
    sim = simulation([[goto(3)], [goto(6, priority="HIGH")]])
    assert [score["task"] for score in finished(sim)["scores"]] == [2, 1]


def test_unknown_blocked_cell_is_found_reported_and_avoided() -> None:
    sim = simulation([[goto(9)]], environment={"blocked": [[4, 0, 0]]})
    summary = finished(sim)
    assert (4, 0, 0) in sim.controllers[0].map.blocked
    assert summary["complete"]
    assert summary["scores"][0]["actual_ticks"] > summary["scores"][0]["estimated_ticks"]


def test_known_blocked_cells_are_in_the_estimate() -> None:
    summary = finished(simulation([[goto(9)]], environment={"blocked": [[4, 0, 0]], "known": True}))
    assert summary["scores"][0]["score"] == 1.0
    assert summary["scores"][0]["estimated_ticks"] == 11


def test_unreachable_position_fails_with_a_reason() -> None:
    wall = [[4, y, 0] for y in range(10)]
    summary = finished(simulation([[goto(9)]], environment={"blocked": wall, "known": True}))
    assert summary["tasks"][0]["state"] == "failed"
    assert "no way" in summary["tasks"][0]["message"]


@pytest.mark.parametrize("seed", range(5))
def test_tasks_survive_a_lossy_slow_radio(seed: int) -> None:
    network = {"loss_probability": 0.3, "delay_ticks": 2}
    sim = simulation([[goto(8)], [goto(3, 3)]], network=network, max_ticks=2000, seed=seed)
    summary = finished(sim)
    done = [task for task in summary["tasks"] if task["state"] == "done"]
    assert summary["messages_lost"] > 0
    assert len(done) == 2, summary["tasks"]


def test_exclusive_cells_are_never_shared() -> None:
    sim = simulation(
        [[goto(20)], [goto(20, 1)]],
        [drone(1), drone(2, init_pos=[0, 1, 0])],
        exclusive_cells=True,
    )
    for _ in sim.ticks():
        places = [item.position for item in sim.drones.values()]
        assert len(places) == len(set(places))


def test_actuator_is_needed() -> None:
    summary = finished(simulation([[goto(2), {"IType": "GRAB", "Attr": "parcel"}]]))
    assert "it needs an actuator with mode GRAB for 'parcel'" in summary["tasks"][0]["message"]


def test_commands() -> None:
    sim = simulation([[goto(20)]])
    sim.step()
    assert execute(sim, "block 5 0 0") == (Answer.STAY, "cell (5, 0, 0) is blocked")
    assert "outside" in execute(sim, "block 99 0 0")[1]
    assert execute(sim, "add 0 5 0")[1] == "drone 2 joins at (0, 5, 0)"
    assert "taken" in execute(sim, "add 0 6 0 2")[1]
    assert "sent to (3, 3, 0)" in execute(sim, "target 2 3 3 0")[1]
    assert "no drone 9" in execute(sim, "target 9 3 3 0")[1]
    assert "usage" in execute(sim, "target 2 3")[1]
    assert "whole numbers" in execute(sim, "block a b c")[1]
    assert "drone 1: at" in execute(sim, "status")[1]
    assert "unknown command" in execute(sim, "dance")[1]
    assert "cannot be read" in execute(sim, "block '")[1]
    assert execute(sim, "play")[0] is Answer.PLAY
    assert execute(sim, "quit")[0] is Answer.QUIT
    visited = set()
    for _ in sim.ticks():
        visited.add(sim.drones[2].position)
    assert (3, 3, 0) in visited
    assert sim.summary()["complete"]
