"""Lightweight drone simulator, section III-D (effector, by JSON and in command mode) and III-E (trust)."""

from pathlib import Path
from typing import Any

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.fleet.commands import execute
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.job import DroneState
from uav_testgen.fleet.scenario import FleetScenario, load_fleet_scenario

SHIPPED = Path(__file__).parents[3] / "config" / "fleet"


def simulation(*effects: dict[str, Any], tasks: int = 1, drones: int = 1, **more: Any) -> FleetSimulation:
    data = {
        "environment": {"size": [20, 8, 1]},
        "drones": [{"id": n, "battery_max": 1000, "init_pos": [0, n, 0]} for n in range(1, drones + 1)],
        "controllers": [{"tasks": [[{"IType": "GOTO", "Position": [15, 1, 0]}]] * tasks}],
        "effector": {"enabled": True, "effects": list(effects)},
        "max_ticks": 400,
        **more,
    }
    return FleetSimulation(FleetScenario.model_validate(data))


def events(sim: FleetSimulation, ticks: int) -> list[str]:
    return [event for _ in range(ticks) for event in sim.step().events]


def test_edit_changes_parameters_once_and_unknown_to_the_controller() -> None:
    sim = simulation({"type": "edit", "first_tick": 4, "set": {"battery_move_cost": 30, "battery": 600}})
    assert events(sim, 6) == ["drone 1 is changed: battery_move_cost 30, battery 600"]
    assert sim.drones[1].spec.battery_move_cost == 30
    assert sim.drones[1].battery == 600 - 3 * 30
    assert sim.controllers[0].drones[1].spec.battery_move_cost == 10


def test_a_slower_drone_is_late_and_loses_trust() -> None:
    sim = simulation(
        {"type": "edit", "first_tick": 2, "set": {"speed": 1}},
        drones=1,
    )
    sim.drones[1].spec = sim.drones[1].spec.model_copy(update={"speed": 3})
    sim.controllers[0].drones[1].spec = sim.drones[1].spec
    sim.run()
    assert sim.controllers[0].scores[0].score < 1.0
    assert sim.summary()["drones"][0]["trust"] < 1.0


def test_blocked_and_freed_cells() -> None:
    sim = simulation(
        {"type": "block", "cells": [[5, 1, 0]], "first_tick": 2, "last_tick": 2},
        {"type": "unblock", "cells": [[5, 1, 0]], "first_tick": 9, "last_tick": 9},
    )
    assert events(sim, 9) == ["cell (5, 1, 0) is blocked", "cell (5, 1, 0) is free again"]
    assert sim.world.blocked == set()


def test_a_freed_cell_is_learned_by_sensing() -> None:
    """Section III-C 3: the scheduler's model of the space follows what drones report."""
    sim = simulation({"type": "unblock", "cells": [[3, 2, 0]], "first_tick": 5, "last_tick": 5})
    eye = {"attr": "blocked", "direction": "NONE", "range": 4}
    sim.drones[1].spec = sim.drones[1].spec.model_validate(
        {**sim.drones[1].spec.model_dump(), "sensors": [eye]}
    )
    sim.world.set((3, 2, 0), "blocked", True)
    for _ in range(4):
        sim.step()
    assert (3, 2, 0) in sim.controllers[0].map.blocked
    for _ in range(3):
        sim.step()
    assert (3, 2, 0) not in sim.controllers[0].map.blocked


def test_failed_tasks_cost_trust_and_go_to_another() -> None:
    sim = simulation({"type": "fail", "drones": [1], "first_tick": 3, "last_tick": 3}, drones=2)
    sim.run()
    summary = sim.summary()
    assert summary["tasks"][0]["state"] == "done"
    assert summary["tasks"][0]["drone"] == 2
    assert summary["drones"][0]["trust"] == pytest.approx(0.75)
    assert summary["drones"][1]["trust"] == 1.0


def test_rogue_and_back() -> None:
    sim = simulation({"type": "rogue", "first_tick": 3, "last_tick": 10})
    seen = []
    for _ in sim.ticks():
        seen.append(sim.drones[1].state)
    assert seen[1:11] == [DroneState.WORKING, *[DroneState.ROGUE] * 8, DroneState.WORKING]
    assert sim.summary()["complete"]
    assert sim.controllers[0].scores[0].score < 1.0


def test_a_rogue_drone_ignores_orders() -> None:
    sim = simulation({"type": "rogue", "first_tick": 1}, tasks=2)
    for _ in range(30):
        sim.step()
    assert sim.drones[1].state is DroneState.ROGUE
    assert not sim.controllers[0].scores


def test_network_interference() -> None:
    sim = simulation({"type": "network", "loss_probability": 1.0, "first_tick": 1, "last_tick": 50})
    for _ in range(50):
        sim.step()
    assert sim.network.lost > 40
    assert sim.drones[1].moved_cells == 0
    sim.run()
    assert sim.summary()["complete"]


def test_trust_lowers_a_rogues_tasks() -> None:
    """Section III-E: faulty drones are kept out of task assignments."""
    scenario = load_fleet_scenario(SHIPPED / "rogue-drone.json")
    calm = scenario.model_copy(update={"effector": scenario.effector.model_copy(update={"enabled": False})})

    def tasks_of_drone_2(chosen: FleetScenario) -> tuple[int, float]:
        sim = FleetSimulation(chosen)
        sim.run()
        assert sim.summary()["complete"]
        done = sum(score.drone_id == 2 for score in sim.controllers[0].scores)
        return (done, sim.controllers[0].drones[2].trust)

    calm_tasks, calm_trust = tasks_of_drone_2(calm)
    rogue_tasks, rogue_trust = tasks_of_drone_2(scenario)
    assert (calm_trust, calm_tasks) == (1.0, 5)
    assert rogue_trust < scenario.trust.minimum
    assert rogue_tasks < calm_tasks


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ({"type": "weather", "attr": "wind", "value": 9, "cells": [[99, 0, 0]]}, "outside the world"),
        ({"type": "block", "cells": [[0, 0, 5]]}, "outside the world"),
        ({"type": "rogue", "drones": [7]}, "no drone 7; there are 1"),
        ({"type": "edit"}, "edit needs set"),
        ({"type": "edit", "set": {"sped": 2}}, "did you mean 'speed'"),
        ({"type": "edit", "set": {"speed": 0}}, "effector.effects.0.set: speed"),
        ({"type": "edit", "set": {"battery": -1}}, "never negative"),
        ({"type": "fail", "first_tick": 9, "last_tick": 3}, "lies before first_tick"),
    ],
)
def test_wrong_effects_are_refused(effect: dict[str, Any], words: str) -> None:
    with pytest.raises((ConfigError, ValueError), match=words):
        simulation(effect)


def test_every_effect_is_a_command_too() -> None:
    """Section III-D: in command mode updates are added and the run resumes with them."""
    sim = simulation(drones=2)
    sim.step()
    assert execute(sim, "set 1 battery 500")[1] == "drone 1: battery is 500"
    assert sim.drones[1].battery == 500
    assert execute(sim, "set 1 speed 2")[1] == "drone 1: speed is 2"
    assert "did you mean 'speed'" in execute(sim, "set 1 sped 2")[1]
    assert "speed" in execute(sim, "set 1 speed 0")[1]
    assert sim.drones[1].spec.speed == 2
    assert "usage" in execute(sim, "set 1 speed")[1]
    assert "a number" in execute(sim, "set 1 speed fast")[1]
    assert "finite" in execute(sim, "set 1 battery inf")[1]
    assert execute(sim, "block 6 1 0")[1] == "cell (6, 1, 0) is blocked"
    assert execute(sim, "unblock 6 1 0")[1] == "cell (6, 1, 0) is free again"
    assert "not blocked" in execute(sim, "unblock 6 1 0")[1]
    assert execute(sim, "rogue 1")[1] == "drone 1 turns rogue"
    sim.step()
    assert sim.drones[1].state is DroneState.ROGUE
    assert execute(sim, "obey 1")[1] == "drone 1 obeys again"
    assert sim.drones[1].state is DroneState.WORKING
    assert execute(sim, "fail 1")[1] == "drone 1 fails its task"
    assert execute(sim, "fail 1")[1] == "drone 1 has no task to fail"
    assert "loses 50%" in execute(sim, "network 0.5 3")[1]
    sim.step()
    assert (sim.network.settings.loss_probability, sim.network.settings.delay_ticks) == (0.5, 3)
    assert "usage" in execute(sim, "network 2")[1]
    execute(sim, "network 0")
    assert "did you mean 'rogue'" in execute(sim, "rouge 1")[1]
    assert "no drone 9" in execute(sim, "rogue 9")[1]
    sim.run()
    assert sim.summary()["complete"]


def test_a_command_to_an_unreachable_cell_is_dropped() -> None:
    walls = [[7, 7, 0], [8, 6, 0], [9, 7, 0]]
    sim = simulation(environment={"size": [20, 8, 1], "known": True, "blocked": walls})
    sim.step()
    execute(sim, "target 1 8 7 0")
    sim.run()
    assert sim.summary()["complete"]
