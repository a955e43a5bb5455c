"""Whose prediction a real flight is compared with: that of the system that flies.

Aerialist flies PX4 1.12 in mission mode, a live PX4 is flown in offboard mode: two vehicles, two predictions. A
campaign that was predicted for one and is flown by the other is predicted again, for the tests that were flown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from uav_testgen.backend.registry import check_settings
from uav_testgen.campaign.config import CampaignConfig, ConfirmationConfig, ScreeningConfig
from uav_testgen.campaign.ranking import RankedTest
from uav_testgen.campaign.record import evaluation_from_body, evaluation_to_body
from uav_testgen.campaign.screening import ScreenTask, evaluation_seed
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.loop.system import named_system, system_names
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.stages import stages_of
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.store import AnyRecord, Store, understood

KIND = "prediction_of_flown"
_OFFBOARD = "px4_offboard"
_KEPT = ("planner", "camera")
"""Parts of the predicted system that a live PX4 is flown with, too."""


def preset_that_flies(confirmation: ConfirmationConfig) -> str | None:
    """The preset that stands for what a backend flies; None where nobody knows."""
    backend, settings = confirmation.backend, confirmation.settings
    if backend == "px4" and settings.get("sut", "planner") == "planner":
        return max((name for name in system_names() if name.startswith(_OFFBOARD)), default=None)
    if backend in ("aerialist", "folder"):
        return DEFAULT_SYSTEM
    if backend == "command":
        return str(settings.get("predicted_as") or "") or None
    return None


def settings_of_what_flies(
    screening: ScreeningConfig, confirmation: ConfirmationConfig
) -> dict[str, Any] | None:
    """Settings of `lfs` for the system that flies; None where it is the predicted one, or nobody knows."""
    if screening.backend != "lfs":
        return None
    preset = preset_that_flies(confirmation)
    predicted = check_settings("lfs", screening.settings).system
    # A name may leave the version out.
    name = named_system(predicted).name if isinstance(predicted, str) else predicted.name
    if preset is None or preset == name:
        return None
    return {"system": preset, **{key: screening.settings[key] for key in _KEPT if key in screening.settings}}


@dataclass(frozen=True, slots=True)
class FlownAs:
    """The system that flew, and its predictions by evaluation number."""

    system: str
    predictions: dict[int, Evaluation]


class FlownPredictions:
    """Predictions of flown tests for the system that flew them: on record, or made now."""

    def __init__(self, config: CampaignConfig, store: Store, records: Sequence[AnyRecord]) -> None:
        self._config, self._store = config, store
        self._settings = settings_of_what_flies(config.screening, config.confirmation)
        self._known: dict[int, Evaluation] = {}
        for record in records:
            if record.kind == KIND and self._settings is not None:
                with understood(store.path, "a prediction of a flown test"):
                    body = record.body
                    if body["settings"] == self._settings:
                        evaluation = evaluation_from_body(body["evaluation"])
                        self._known[evaluation.number] = evaluation

    @property
    def system(self) -> str | None:
        """The preset that flies; None where the campaign's own predictions are for it."""
        return None if self._settings is None else str(self._settings["system"])

    def of(
        self, tests: Sequence[RankedTest], jobs: int, check_stop: Callable[[], None], *, make: bool
    ) -> dict[int, Evaluation]:
        """By evaluation number; `make` those that are missing."""
        if self._settings is None:
            return {}
        wanted = [test.evaluation for test in tests]
        missing = [one for one in wanted if one.number not in self._known]
        if make and missing:
            self._make(missing, jobs, check_stop)
        return {one.number: self._known[one.number] for one in wanted if one.number in self._known}

    def _make(self, missing: Sequence[Evaluation], jobs: int, check_stop: Callable[[], None]) -> None:
        screening = self._config.screening
        tasks = [
            ScreenTask(
                one.number,
                one.scenario,
                evaluation_seed(self._config.seed, one.number),
                stages_of(screening.repeats),
            )
            for one in missing
        ]
        plan = WorkerPlan("lfs", dict(self._settings or {}))
        with make_executor(plan, Placement(jobs), flight_timeout_s=screening.flight_timeout_s) as executor:
            for group in executor.run(tasks, check_stop):
                for evaluation in group:
                    body = evaluation_to_body(evaluation, self._config.stored_period_s)
                    self._store.append([(KIND, {"settings": self._settings, "evaluation": body})])
                    self._known[evaluation.number] = evaluation
