"""Fly the best tests again: by the same backend to keep whole flights, by another one to confirm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import BackendAbsent
from uav_testgen.backend.registry import BACKENDS
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.ranking import RankedTest
from uav_testgen.campaign.runs_on_record import from_body, is_answer, to_body
from uav_testgen.campaign.screening import FlownRun, FlyTask, evaluation_seed
from uav_testgen.oracle.model import Verdict
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.work.executor import Executor
from uav_testgen.work.store import Store, understood

KIND = "confirmation"
_SYSTEM_SETTINGS = {"system", "vehicle", "planner", "camera", "changes"}
SAME_M = 1e-4
"""Flights of one simulator agree this well, whichever way their data travel."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What another backend said about one test: one entry per flight."""

    backend: str
    runs: tuple[FlownRun, ...]

    @property
    def failed_again(self) -> bool | None:
        """True if any of its flights failed, False if none did, None if nothing conclusive was flown."""
        return any(verdict.failed for verdict in self.answers) if self.answers else None

    @property
    def answers(self) -> tuple[Verdict, ...]:
        """Verdicts of the flights that say something about the test."""
        return tuple(run.verdict for run in self.runs if run.verdict is not None and is_answer(run))


def refly_suite(
    config: CampaignConfig, suite: Sequence[RankedTest], executor: Executor, check_stop: Callable[[], None]
) -> dict[int, tuple[FlownRun, ...]]:
    """Whole flights of every chosen test, by evaluation number: same seeds, so the same flights."""
    scatter = config.screening.scatter
    tasks: list[FlyTask] = []
    for test in suite:
        evaluation = test.evaluation
        seed = evaluation_seed(config.seed, evaluation.number)
        for repeat in range(len(evaluation.verdicts)):
            tasks.append(
                FlyTask(
                    len(tasks),
                    evaluation.number,
                    repeat,
                    evaluation.scenario,
                    seed,
                    scatter,
                    requirements=config.requirements,
                )
            )
    return _by_evaluation([run for group in executor.run(tasks, check_stop) for run in group])


def differences(suite: Sequence[RankedTest], flown: dict[int, tuple[FlownRun, ...]]) -> list[str]:
    """Where a flight flown again is not the flight that was stored; empty if the backend is deterministic."""
    found = []
    for test in suite:
        runs = flown.get(test.evaluation.number, ())
        for run in runs:
            stored = test.evaluation.verdicts[run.repeat]
            if run.verdict != stored:
                was = stored.min_distance_aerialist_m
                now = run.verdict.min_distance_aerialist_m if run.verdict else run.message
                found.append(
                    f"flown again, run {run.repeat} of evaluation {run.evaluation_number} was not the same: "
                    f"stored {was}, now {now}"
                )
    return found


def confirm(
    config: CampaignConfig,
    suite: Sequence[RankedTest],
    earlier: Sequence[dict[str, Any]],
    store: Store,
    executor: Executor | None,
    recordings: Path,
    check_stop: Callable[[], None],
    progress: Callable[[int, int], None],
) -> dict[int, Confirmation]:
    """Confirmations by evaluation number; each flight is stored at once and never flown twice.

    Without an executor nothing is flown: what is stored is all there is.
    """
    settings = config.confirmation
    # A flight that could not be flown is tried again in the next session.
    with understood(store.path, "a confirming flight"):
        mine = [body for body in earlier if body["backend"] == settings.backend]
        flown = [run for run in map(from_body, mine) if is_answer(run)]
    known = {(run.evaluation_number, run.repeat): run for run in flown}
    tasks: list[FlyTask] = []
    for place, test in enumerate(suite[: settings.tests]):
        number = test.evaluation.number
        # The seed of the prediction: a backend that shares its core flies the very same flight.
        seed = evaluation_seed(config.seed, number)
        for repeat in range(settings.repeats):
            if (number, repeat) in known:
                continue
            stem = f"{place + 1:03d}-{test.evaluation.scenario.id}"
            record_to = None
            if repeat == 0 and place < settings.record:
                record_to = str(_free(recordings / f"{stem}.mcap"))
            tasks.append(
                FlyTask(
                    len(tasks),
                    number,
                    repeat,
                    test.evaluation.scenario,
                    seed,
                    record_to=record_to,
                    log_to=str(recordings / f"{stem}-{repeat + 1}.ulg"),
                    requirements=config.requirements,
                )
            )
    total, done = len(tasks), 0
    if tasks and executor is not None:
        progress(0, total)
        for group in _until_nobody_flies(executor, tasks, check_stop):
            store.append([(KIND, to_body(run, settings.backend)) for run in group])
            known.update({(run.evaluation_number, run.repeat): run for run in group})
            done += len(group)
            progress(done, total)
    chosen = {test.evaluation.number for test in suite[: settings.tests]}
    grouped = _by_evaluation([run for (number, _), run in known.items() if number in chosen])
    return {number: Confirmation(settings.backend, runs) for number, runs in grouped.items()}


def _until_nobody_flies(
    executor: Executor, tasks: Sequence[FlyTask], check_stop: Callable[[], None]
) -> Iterator[list[FlownRun]]:
    """The flights as they come; where nobody is there who could fly, the rest is given up for this session."""
    answered: set[int] = set()
    try:
        for group in executor.run(tasks, check_stop):
            answered.update(run.number for run in group)
            yield group
    except BackendAbsent as error:
        left = [task for task in tasks if task.number not in answered]
        yield [task.given_up(EvaluationStatus.BACKEND_ERROR, str(error)) for task in left]


def software_alarms(suite: Sequence[RankedTest], checked: dict[int, Confirmation]) -> list[str]:
    """Where the same simulator over ROS topics gave another flight than the prediction."""
    alarms = []
    for test in suite:
        check = checked.get(test.evaluation.number)
        for run in check.runs if check is not None else ():
            if run.verdict is None or run.repeat > 0:
                continue
            was = test.evaluation.verdicts[run.repeat].min_distance_aerialist_m
            now = run.verdict.min_distance_aerialist_m
            if (was is None) != (now is None) or (was is not None and abs(was - (now or 0.0)) > SAME_M):
                alarms.append(
                    f"software alarm: evaluation {run.evaluation_number}, run {run.repeat}, came to {now} m over "
                    f"ROS topics and to {was} m in the prediction; both fly the same simulator"
                )
    return alarms


def final_order(
    suite: Sequence[RankedTest], confirmed: dict[int, Confirmation], confirms: bool = True
) -> list[RankedTest]:
    """Confirmed tests first, refuted ones last; among equals the order stays.

    A check over ROS topics repeats the prediction, so it changes nothing.
    """
    if not confirms:
        return list(suite)
    places = {True: 0, None: 1, False: 2}

    def place(test: RankedTest) -> int:
        confirmation = confirmed.get(test.evaluation.number)
        return places[confirmation.failed_again if confirmation is not None else None]

    return sorted(suite, key=place)


def confirming_settings(config: CampaignConfig) -> dict[str, Any]:
    """Settings of the confirming backend. It flies with the camera and planner of the system that was
    predicted, unless another one is asked for."""
    wish = config.confirmation
    model = getattr(BACKENDS.load(wish.backend), "config_type", None)
    known = set(model.model_fields) if model is not None else set()
    if _SYSTEM_SETTINGS & set(wish.settings):
        return wish.settings
    predicted = {
        name: value
        for name, value in config.screening.settings.items()
        if name in _SYSTEM_SETTINGS and name in known
    }
    return {**predicted, **wish.settings}


def unflown_notes(confirmed: dict[int, Confirmation]) -> list[str]:
    """Why confirming flights gave no answer, each reason once; they are flown when `confirm` is called again."""
    found: dict[tuple[str, str], list[FlownRun]] = {}
    for _, confirmation in sorted(confirmed.items()):
        for run in confirmation.runs:
            if not is_answer(run):
                reason = run.message or (run.flight.reason if run.flight else "")
                found.setdefault((confirmation.backend, reason), []).append(run)
    return [
        f"{_which(runs)} by '{backend}' gave no answer: {reason}" for (backend, reason), runs in found.items()
    ]


def _which(runs: Sequence[FlownRun]) -> str:
    """The flights, for people."""
    if len(runs) == 1:
        return f"flight {runs[0].repeat + 1} of evaluation {runs[0].evaluation_number}"
    numbers = sorted({run.evaluation_number for run in runs})
    evaluations = f"evaluation{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
    return f"{len(runs)} flights of {evaluations}"


def _free(path: Path) -> Path:
    """A name nobody has taken: a recording left by a flight that broke off is neither lost nor in the way."""
    free, number = path, 1
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _by_evaluation(runs: Sequence[FlownRun]) -> dict[int, tuple[FlownRun, ...]]:
    found: dict[int, list[FlownRun]] = {}
    for run in sorted(runs, key=lambda run: (run.evaluation_number, run.repeat)):
        found.setdefault(run.evaluation_number, []).append(run)
    return {number: tuple(group) for number, group in found.items()}
