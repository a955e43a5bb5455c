"""What the lightweight drone simulator's paper says about its two scenarios, on the shipped files."""

import re
from pathlib import Path

import pytest

from uav_testgen.fleet.cells import distance
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.network import MessageType
from uav_testgen.fleet.scenario import load_fleet_scenario
from uav_testgen.fleet.transcript import Transcript
from uav_testgen.fleet.views import Route

SHIPPED = Path(__file__).parents[3] / "config" / "fleet"


def run(name: str, seed: int = 0) -> tuple[FleetSimulation, list[str]]:
    simulation = FleetSimulation(load_fleet_scenario(SHIPPED / f"{name}.json"), seed=seed)
    readings = []
    for report in simulation.ticks():
        readings += [str(message) for message in report.messages if message.type is MessageType.CELL_ATTR]
    return simulation, readings


LISTING_6 = """\
Drone_id: 3, Score: 1.0, Est: 20, Act: 20
Drone_id: 2, Score: 1.0, Est: 25, Act: 25
Drone_id: 1, Score: 1.0, Est: 27, Act: 27
Drone_id: 3, Score: 1.0, Est: 25, Act: 25
Drone_id: 2, Score: 1.0, Est: 30, Act: 30
Drone_id: 1, Score: 1.0, Est: 35, Act: 35
Drone_id: 2, Score: 1.0, Est: 30, Act: 30
Drone_id: 3, Score: 1.0, Est: 43, Act: 43
Drone_id: 1, Score: 1.0, Est: 36, Act: 36"""

# Drone, estimated and actual ticks of the published disturbed run.
LISTING_7 = [
    (3, 20, 22), (1, 27, 32), (2, 25, 40), (3, 25, 29), (1, 33, 45), (2, 32, 40), (3, 43, 47), (1, 29, 33),
    (2, 34, 42),
]  # fmt: skip

LISTING_4 = """\
NET: 1: MessageType.INFO_UPDATE
NET: 1: MessageType.REQ_PATH
NET: 2: MessageType.INFO_UPDATE
NET: 2: MessageType.REQ_PATH
Controller: 0 ticking...
1.0909090909090908 : (0, 0, 0) (0, 0, 0) (5, 7, 0)
1.1111111111111112 : (2, 0, 0) (2, 0, 0) (7, 5, 0)
Drone: 1 ticking...
TASKING: IType.GOTO
Drone: 1 At: (0, 0, 0)
Drone: 2 ticking...
TASKING: IType.GOTO
Drone: 2 At: (2, 0, 0)"""


def test_listing_4_messages_at_the_beginning() -> None:
    """Section III-B 3, Listing 4: two drones, one controller, the tasks of Listing 5."""
    simulation = FleetSimulation(load_fleet_scenario(SHIPPED / "two-drones.json"))
    assert "\n".join(Transcript().lines(simulation.step())) == LISTING_4


def test_figures_of_listing_4_are_manhattan_length_over_cells_between() -> None:
    """Listing 4 prints d / (d - 1) for a straight way of d moves; a way around something is less direct."""
    assert Route((0, 0, 0), (0, 0, 0), (5, 7, 0), moves=12).directness == 12 / 11
    assert Route((0, 0, 0), (0, 0, 0), (5, 7, 0), moves=14).directness == 12 / 13
    assert Route((0, 0, 0), (0, 0, 0), (1, 0, 0), moves=1).directness == 1.0


def test_listing_6_undisturbed_delivery_line_by_line() -> None:
    """Section IV-A, Listing 6: lines in the order of completion, every score 1.0, full trust."""
    simulation, _ = run("package-delivery")
    assert "\n".join(map(str, simulation.controllers[0].scores)) == LISTING_6
    assert all(drone["trust"] == 1.0 for drone in simulation.summary()["drones"])


def test_figure_4_three_drones_nine_packages_three_chargers_beside_them() -> None:
    """Section IV-A, Figure 4."""
    scenario = load_fleet_scenario(SHIPPED / "package-delivery.json")
    packages = scenario.make_world().cells_with("package")
    assert (len(scenario.drones), len(packages)) == (3, 9)
    assert len(scenario.environment.chargers) == 3
    for charger in scenario.environment.chargers:
        assert min(distance(charger, package) for package in packages) <= 2
    destinations = {task.instructions[2].Position for task in scenario.controllers[0].tasks}
    assert len(destinations) == 9


def test_packages_arrive_where_they_belong() -> None:
    simulation, _ = run("package-delivery")
    tasks = simulation.scenario.controllers[0].tasks
    for number, task in enumerate(tasks, start=1):
        destination = task.instructions[2].Position
        assert destination is not None
        assert simulation.world.get(destination, "package") == f"P{number}"
    assert len(simulation.world.cells_with("package")) == 9


def test_listing_7_disturbed_delivery() -> None:
    """Section IV-A, Listing 7: blocked cells and straying drones; all scores below 1, three decimals."""
    simulation, _ = run("package-delivery-disturbed")
    assert len(simulation.scenario.environment.blocked) == 15
    scores = simulation.controllers[0].scores
    assert [score.drone_id for score in scores] == [drone for drone, _, _ in LISTING_7]
    for score, (_, estimated, actual) in zip(scores, LISTING_7, strict=True):
        assert abs(score.estimated_ticks - estimated) <= 2
        assert abs(score.actual_ticks - actual) <= 2
        assert score.score < 1.0
        assert re.fullmatch(r"Drone_id: \d, Score: 0\.\d{3}, Est: \d+, Act: \d+", str(score))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_disturbed_delivery_scores_are_estimated_over_actual(seed: int) -> None:
    """Section III-E, equation 1."""
    simulation, _ = run("package-delivery-disturbed", seed)
    summary = simulation.summary()
    assert summary["complete"]
    scores = simulation.controllers[0].scores
    assert len(scores) == 9
    for score in scores:
        assert score.score == pytest.approx(min(1.0, score.estimated_ticks / score.actual_ticks))
    assert all(drone["trust"] < 1.0 for drone in summary["drones"])


def test_survey_sends_five_temperatures_in_order_without_duplicates() -> None:
    """Section IV-B, Listing 8, to the comma."""
    _, readings = run("survey-area")
    expected = [
        f"1, 0, MessageType.CELL_ATTR, content : (4, {y}, 0), content : temperature, content : {36 - 2 * y},"
        for y in range(5)
    ]
    assert readings == expected


def test_same_seed_same_run_other_seed_other_run() -> None:
    first = run("package-delivery-disturbed", 5)[0].summary()
    assert first == run("package-delivery-disturbed", 5)[0].summary()
    assert first != run("package-delivery-disturbed", 6)[0].summary() | {"seed": 5}
