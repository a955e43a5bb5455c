"""The suite flown again by seeds and presets that its search never saw, and ranked by what they say.

Each test's answer is stored when it arrives, so a resumed campaign flies only what is missing. The flights depend on
the test and on the held-out seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.backend.pace import repeats_flights
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.ranking import RankedTest
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.flight.model import Ending
from uav_testgen.generator.registry import GENERATORS
from uav_testgen.loop.scatter import ModelError, ScatterConfig
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.predict.unseen import Unseen, UnseenFlights, UnseenRun, fly_unseen
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.executor import Executor
from uav_testgen.work.store import AnyRecord, Store, understood

KIND = "held_out"


def flights_held_out(config: CampaignConfig) -> UnseenFlights | None:
    """How the suite of a campaign is flown again: as its settings say, or because a registered generator asks for it.

    None where it is not, where a flight happens once and costs minutes, or where more than the distance counts.
    """
    if (
        not repeats_flights(config.screening.backend)
        or config.requirements
        or config.budget.flights is not None
    ):
        return None
    if config.held_out is not None:
        return config.held_out
    # Reports are written of folders of other people, too: code that only a folder names is not loaded.
    shipped = config.generator in GENERATORS.names()
    asks = shipped and bool(getattr(GENERATORS.load(config.generator), "wants_held_out", False))
    return UnseenFlights() if asks else None


@dataclass(frozen=True, slots=True)
class UnseenAnswer:
    """What the held-out flights of one test said; `message` says why there are none."""

    number: int
    evaluation_number: int
    found: Unseen | None
    message: str = ""


@dataclass(frozen=True, slots=True)
class UnseenTask:
    """Fly one chosen test again."""

    number: int
    evaluation_number: int
    scenario: Scenario
    wanted: UnseenFlights
    scatter: ScatterConfig | None = None

    @property
    def flights(self) -> int:
        """All presets, with and without wind."""
        return (self.wanted.runs + self.wanted.presets) * (2 if self.wanted.wind_mps > 0.0 else 1)

    def run(self, backend: Backend) -> UnseenAnswer:
        """The answer; trouble of the backend becomes its message."""
        try:
            found = fly_unseen(backend, self.scenario, self.wanted, self.scatter)
        except UavTestgenError as error:
            return self.given_up(EvaluationStatus.BACKEND_ERROR, str(error))
        return UnseenAnswer(self.number, self.evaluation_number, found)

    def given_up(self, status: EvaluationStatus, message: str) -> UnseenAnswer:
        """No answer, and why."""
        return UnseenAnswer(self.number, self.evaluation_number, None, f"{status.value}: {message}")


def fly_suite_again(
    config: CampaignConfig,
    suite: Sequence[RankedTest],
    records: Sequence[AnyRecord],
    store: Store,
    executor: Executor,
    check_stop: Callable[[], None],
) -> dict[int, Unseen]:
    """By evaluation number; empty where a campaign does not ask for it."""
    wanted = flights_held_out(config)
    if wanted is None:
        return {}
    asked = wanted.model_dump(mode="json")
    with understood(store.path, "a held-out flight"):
        known = {
            str(record.body["scenario_id"]): from_body(record.body)
            for record in records
            if record.kind == KIND and record.body["asked"] == asked
        }
    found: dict[int, Unseen] = {}
    tasks: list[UnseenTask] = []
    names: dict[int, str] = {}
    for test in suite:
        number, scenario = test.evaluation.number, test.evaluation.scenario
        names[number] = scenario.id
        if scenario.id in known:
            found[number] = known[scenario.id]
        elif scenario.logical is None:
            tasks.append(UnseenTask(len(tasks), number, scenario, wanted, config.screening.scatter))
    for group in executor.run(tasks, check_stop) if tasks else ():
        answers = {answer.evaluation_number: answer.found for answer in group if answer.found is not None}
        store.append(
            [
                (KIND, {"scenario_id": names[number], "asked": asked, **to_body(one)})
                for number, one in answers.items()
            ]
        )
        found |= answers
    return found


def by_held_out(suite: Sequence[RankedTest], found: dict[int, Unseen]) -> list[RankedTest]:
    """The suite by what the held-out flights are expected to score; fragile tests, then unflown ones, last."""

    def place(test: RankedTest) -> tuple[int, float]:
        unseen = found.get(test.evaluation.number)
        if unseen is None:
            return (2, 0.0)
        return (int(unseen.is_fragile), -unseen.expected_score)

    return sorted(suite, key=place)


def fragile_notes(suite: Sequence[RankedTest], found: dict[int, Unseen]) -> list[str]:
    """One note for each test that fails on few presets only."""
    notes = []
    for test in suite:
        unseen = found.get(test.evaluation.number)
        if unseen is not None and unseen.is_fragile:
            failing, count = unseen.presets
            notes.append(
                f"test {test.evaluation.scenario.id} is fragile: it fails on {failing} of {count} presets that "
                "recorded flights cannot tell apart"
            )
    return notes


def to_body(unseen: Unseen) -> dict[str, Any]:
    """Plain JSON; an infinite distance is null."""
    return {
        "obstacles": unseen.obstacles,
        "error": asdict(unseen.error),
        "calibrated": unseen.calibrated,
        "runs": [
            [
                run.preset,
                run.in_wind,
                run.distance_m if math.isfinite(run.distance_m) else None,
                run.duration_s,
                run.ending.value,
            ]
            for run in unseen.runs
        ],
    }


def from_body(body: dict[str, Any]) -> Unseen:
    """Inverse of `to_body`."""
    runs = tuple(
        UnseenRun(
            int(preset),
            bool(in_wind),
            math.inf if distance_m is None else float(distance_m),
            float(duration_s),
            Ending(ending),
        )
        for preset, in_wind, distance_m, duration_s, ending in body["runs"]
    )
    return Unseen(
        runs, ModelError(**body["error"]), int(body["obstacles"]), bool(body.get("calibrated", False))
    )
