"""A real flight is compared with the prediction for the system that flies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from test.unit.campaign.test_learning import predicted
from uav_testgen.campaign.agreement import compare
from uav_testgen.campaign.archive import Likeness
from uav_testgen.campaign.config import CampaignConfig, ConfirmationConfig, ScreeningConfig
from uav_testgen.campaign.confirm import Confirmation
from uav_testgen.campaign.flying_system import FlownAs, FlownPredictions, settings_of_what_flies
from uav_testgen.campaign.generate import Flying, generate_config
from uav_testgen.campaign.ranking import RankedTest, Worth
from uav_testgen.campaign.screening import FlownRun, ScreenTask
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.loop.system import system_names
from uav_testgen.oracle.judging import judge
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.testing.still_backend import StillBackend
from uav_testgen.work.choose import Placement
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.store import Store

COMMAND = {"command": "sim {world} {out}"}


def flies(backend: str, **settings: Any) -> ConfirmationConfig:
    return ConfirmationConfig(backend=backend, settings=settings)


def test_aerialist_flies_the_default_system() -> None:
    assert settings_of_what_flies(ScreeningConfig(), flies("aerialist")) is None
    paper = ScreeningConfig(settings={"system": "paper", "planner": "straight"})
    found = settings_of_what_flies(paper, flies("aerialist"))
    assert found == {"system": DEFAULT_SYSTEM, "planner": "straight"}
    assert settings_of_what_flies(ScreeningConfig(backend="still"), flies("aerialist")) is None


def test_a_live_px4_flies_the_offboard_system(monkeypatch: pytest.MonkeyPatch) -> None:
    presets = [*system_names(), "px4_offboard_v1.15", "px4_offboard_v9.99"]
    monkeypatch.setattr("uav_testgen.campaign.flying_system.system_names", lambda: presets)
    assert settings_of_what_flies(ScreeningConfig(), flies("px4")) == {"system": "px4_offboard_v9.99"}
    assert settings_of_what_flies(ScreeningConfig(), flies("px4", sut="external")) is None


@pytest.mark.parametrize("name", ["px4_offboard", "px4_offboard_v1.16"])
def test_what_was_predicted_for_a_live_px4_is_not_predicted_again(name: str) -> None:
    assert settings_of_what_flies(ScreeningConfig(settings={"system": name}), flies("px4")) is None


def test_a_simulator_of_ones_own_may_name_its_system() -> None:
    assert settings_of_what_flies(ScreeningConfig(), flies("command", **COMMAND)) is None
    named = flies("command", **COMMAND, predicted_as="paper")
    assert settings_of_what_flies(ScreeningConfig(), named) == {"system": "paper"}
    flying = Flying("command", {**COMMAND, "predicted_as": "paper"})
    made = generate_config("mission2", 5, "prgen", 1, "lfs", flying=flying)
    assert made.screening.settings == {"system": "paper"}, "searched for the system that flies"
    assert (made.budget.flights, made.budget.evaluations) == (5, 50)


class Blind:
    """An executor whose flights look at nothing, and that counts them."""

    made = 0

    def __init__(self, plan: WorkerPlan, placement: Placement, **limits: float) -> None:
        assert plan == WorkerPlan("lfs", {"system": DEFAULT_SYSTEM})

    def __enter__(self) -> Blind:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, tasks: Sequence[ScreenTask], check_stop: Callable[[], None]) -> Iterator[list[Evaluation]]:
        for task in tasks:
            Blind.made += 1
            yield [task.run(StillBackend())]


def test_flown_tests_are_predicted_for_what_flew_them_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uav_testgen.campaign.flying_system.make_executor", Blind)
    evaluation = predicted(4, 10.0, 1.0)
    test = RankedTest(evaluation, Worth(1.0, 1.0, 1.0, 1.0), Likeness(0.0, None))
    config = CampaignConfig(
        case="mission1",
        screening=ScreeningConfig(settings={"system": "paper"}, repeats=0),
        confirmation=flies("aerialist"),
    )
    flight = StillBackend().fly(evaluation.scenario, 0)
    answer = FlownRun(0, 4, 0, flight, judge(evaluation.scenario, flight))
    confirmed = {4: Confirmation("aerialist", (answer,))}
    with Store(tmp_path) as store:
        first = FlownPredictions(config, store, store.open())
        assert first.system == DEFAULT_SYSTEM
        assert first.of([test], 0, lambda: None, make=False) == {}
        found = first.of([test], 0, lambda: None, make=True)
        again = FlownPredictions(config, store, list(store.read())).of([test], 0, lambda: None, make=True)
    assert Blind.made == 1 and again[4].distance_m == found[4].distance_m != evaluation.distance_m
    agreement = compare([test], confirmed, 1.5, FlownAs(DEFAULT_SYSTEM, found))
    assert agreement is not None and agreement.pairs[0].predicted_m == found[4].distance_m
    assert agreement.to_json()["predicted_for"] == DEFAULT_SYSTEM
    assert any(DEFAULT_SYSTEM in sentence for sentence in agreement.sentences())
    plain = compare([test], confirmed, 1.5)
    assert plain is not None and plain.pairs[0].predicted_m == 1.0
    assert "predicted_for" not in plain.to_json()
