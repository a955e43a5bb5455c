"""Confirming flights: nothing in the folder stops one, and they fly the set-up that made the prediction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from uav_testgen.backend.base import BackendAbsent
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.confirm import Confirmation, confirm, confirming_settings, unflown_notes
from uav_testgen.campaign.screening import FlownRun, FlyTask
from uav_testgen.flight.json_io import flight_to_json
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.oracle.judging import judge
from uav_testgen.testing.factories import make_scenario, make_trajectory

pytestmark = pytest.mark.unit


def config(**changes: Any) -> CampaignConfig:
    data: dict[str, Any] = {"case": "x.plan", "confirmation": {"backend": "graph", "tests": 1, "record": 1}}
    return CampaignConfig.model_validate({**data, **changes})


class Flown:
    """An executor that flies nothing and keeps what it was asked."""

    def __init__(self) -> None:
        self.tasks: list[FlyTask] = []

    def run(self, tasks: list[FlyTask], check_stop: Any) -> Iterator[list[FlownRun]]:
        self.tasks += tasks
        for task in tasks:
            yield [FlownRun(task.number, task.evaluation_number, task.repeat, None, None, message="no agent")]


def confirmed(folder: Path, earlier: list[dict[str, Any]] | None = None) -> tuple[Flown, Any]:
    test = SimpleNamespace(evaluation=SimpleNamespace(number=7, scenario=make_scenario()))
    executor, store = Flown(), SimpleNamespace(append=lambda records: None, path=folder)
    found = confirm(
        config(), [test], earlier or [], store, executor, folder, lambda: None, lambda done, total: None
    )
    return executor, found


def test_recording_that_exists_is_no_reason_not_to_fly(tmp_path: Path) -> None:
    executor, _ = confirmed(tmp_path)
    first = executor.tasks[0].record_to
    assert first is not None
    Path(first).write_text("of a flight that broke off")
    executor, _ = confirmed(tmp_path)
    assert executor.tasks[0].record_to not in (None, first)
    assert Path(first).read_text() == "of a flight that broke off"


def test_reason_of_a_flight_that_could_not_be_flown_is_told(tmp_path: Path) -> None:
    _, found = confirmed(tmp_path)
    (note,) = unflown_notes(found)
    assert note == "flight 1 of evaluation 7 by 'graph' gave no answer: no agent"


class Deserted(Flown):
    """An executor that has nobody to fly."""

    def run(self, tasks: list[FlyTask], check_stop: Any) -> Iterator[list[FlownRun]]:
        first, *_ = tasks
        yield [
            FlownRun(0, first.evaluation_number, 0, None, None, message="backend_error: told another tale")
        ]
        raise BackendAbsent("no agent: nobody offers /fmu/out topics after 60 s")


def test_where_nobody_flies_every_test_is_given_up_and_the_reason_is_told_once(tmp_path: Path) -> None:
    tests = [
        SimpleNamespace(evaluation=SimpleNamespace(number=number, scenario=make_scenario()))
        for number in (7, 8, 9)
    ]
    wish = config(confirmation={"backend": "graph", "tests": 3, "repeats": 2})
    stored: list[Any] = []
    store: Any = SimpleNamespace(append=stored.extend, path=tmp_path)
    found = confirm(
        wish, tests, [], store, Deserted(), tmp_path, lambda: None, lambda done, total: None
    )  # fmt: skip
    assert [len(found[number].runs) for number in (7, 8, 9)] == [2, 2, 2] and len(stored) == 6
    assert unflown_notes(found) == [
        "flight 1 of evaluation 7 by 'graph' gave no answer: backend_error: told another tale",
        "5 flights of evaluations 7, 8, 9 by 'graph' gave no answer: "
        "backend_error: no agent: nobody offers /fmu/out topics after 60 s",
    ]


def test_flight_that_was_not_finished_is_no_answer(tmp_path: Path) -> None:
    scenario = make_scenario()
    path = make_trajectory([(0.0, 0.0, 0.0), (0.0, 0.0, 3.0)])
    flight = Flight(scenario.id, "px4", "px4_live", 0, Ending.ABORTED, "time jump: x", path)
    verdict = judge(scenario.model_copy(update={"obstacles": ()}), flight)
    run = FlownRun(0, 7, 0, flight, verdict)
    assert Confirmation("px4", (run,)).failed_again is None
    body = {
        "evaluation": 7,
        "repeat": 0,
        "backend": "graph",
        "flight": flight_to_json(flight),
        "verdict": verdict.to_json(),
        "distance_m": None,
        "message": "",
    }
    executor, _ = confirmed(tmp_path, [body])
    assert len(executor.tasks) == 1, "it is flown again"


@pytest.mark.parametrize(
    ("predicted", "asked", "flown"),
    [
        ({}, {}, {}),
        ({"system": "paper"}, {}, {"system": "paper"}),
        ({"vehicle": "paper", "seeds": 3}, {}, {"vehicle": "paper"}),
        ({"system": "paper"}, {"system": "px4_mission_v1.12"}, {"system": "px4_mission_v1.12"}),
        ({"system": "paper"}, {"composed": False}, {"system": "paper", "composed": False}),
    ],
)
def test_set_up_of_the_prediction_is_flown(
    predicted: dict[str, Any], asked: dict[str, Any], flown: dict[str, Any]
) -> None:
    pytest.importorskip("rclpy", reason="the settings of the graph's backend are in the ROS room")
    made = config(screening={"settings": predicted}, confirmation={"backend": "graph", "settings": asked})
    assert confirming_settings(made) == flown


def test_backend_without_vehicles_gets_none() -> None:
    made = config(confirmation={"backend": "still"})
    assert confirming_settings(made) == {}
