"""What the lightweight drone simulator's paper says about its two scenarios, on the shipped files."""

from pathlib import Path

import pytest

from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.network import MessageType
from uav_testgen.fleet.scenario import load_fleet_scenario

SHIPPED = Path(__file__).parents[3] / "config" / "fleet"


def run(name: str, seed: int = 0) -> tuple[FleetSimulation, list[str]]:
    simulation = FleetSimulation(load_fleet_scenario(SHIPPED / f"{name}.json"), seed=seed)
    readings = []
    for report in simulation.ticks():
        readings += [str(message) for message in report.messages if message.type is MessageType.CELL_ATTR]
    return simulation, readings


def test_undisturbed_delivery_is_punctual_and_trusted() -> None:
    simulation, _ = run("package-delivery")
    scores = simulation.controllers[0].scores
    assert len(scores) == 9
    assert {score.drone_id for score in scores} == {1, 2, 3}
    assert all(score.estimated_ticks == score.actual_ticks for score in scores)
    assert all(score.score == 1.0 and score.trust == 1.0 for score in scores)
    assert all(drone["trust"] == 1.0 for drone in simulation.summary()["drones"])


def test_packages_arrive_where_they_belong() -> None:
    simulation, _ = run("package-delivery")
    tasks = simulation.scenario.controllers[0].tasks
    for number, task in enumerate(tasks, start=1):
        destination = task.instructions[2].Position
        assert destination is not None
        assert simulation.world.get(destination, "package") == f"P{number}"
    assert len(simulation.world.cells_with("package")) == 9


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_disturbed_delivery_scores_are_estimated_over_actual(seed: int) -> None:
    simulation, _ = run("package-delivery-disturbed", seed)
    assert len(simulation.scenario.environment.blocked) == 15
    summary = simulation.summary()
    assert summary["complete"]
    scores = simulation.controllers[0].scores
    assert len(scores) == 9
    for score in scores:
        assert score.score == pytest.approx(min(1.0, score.estimated_ticks / score.actual_ticks))
    assert sum(score.score < 1.0 for score in scores) >= 7
    assert all(drone["trust"] < 1.0 for drone in summary["drones"])


def test_survey_sends_five_temperatures_in_order_without_duplicates() -> None:
    _, readings = run("survey-area")
    expected = [
        f"1, 0, MessageType.CELL_ATTR, content : (4, {y}, 0), content : temperature, content : {36 - 2 * y}"
        for y in range(5)
    ]
    assert readings == expected


def test_same_seed_same_run_other_seed_other_run() -> None:
    first = run("package-delivery-disturbed", 5)[0].summary()
    assert first == run("package-delivery-disturbed", 5)[0].summary()
    assert first != run("package-delivery-disturbed", 6)[0].summary() | {"seed": 5}
