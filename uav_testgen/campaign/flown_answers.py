"""Answers of simulators that do not repeat their flights: each is stored when it arrives and never flown twice.

A flight in such a simulator costs minutes and happens once. So every single flight is a record of its own, the
evaluation is put together from the records, and a search that goes on later begins with what is stored. Flights
that say nothing are flown again then, unless the search was told so already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from uav_testgen.backend.registry import BACKENDS
from uav_testgen.campaign.absence import told_how_to_go_on
from uav_testgen.campaign.record import sample_indices
from uav_testgen.campaign.runs_on_record import from_body, is_answer, to_body
from uav_testgen.campaign.screening import FlownRun, FlyTask, ScreenTask
from uav_testgen.core.errors import BackendError
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.predict.prediction import NO_SCATTER, PredictedRun, Prediction
from uav_testgen.predict.stages import runs_wanted
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.executor import Executor
from uav_testgen.work.store import AnyRecord, Store, understood

KIND = "flight"
_STORED_PERIOD_S = 0.1
# A simulator that is gone would otherwise spend the whole budget on tests without a flight.
_MOST_UNFLOWN = 3


class FlownAnswers:
    """The flights of one search: those on record, and those that are still to be flown."""

    def __init__(
        self,
        backend: str,
        store: Store,
        records: Sequence[AnyRecord],
        executor: Executor,
        check_stop: Callable[[], None],
    ) -> None:
        self._backend = backend
        self._store = store
        self._executor = executor
        self._check_stop = check_stop
        self._known: dict[str, AnyRecord] = {}
        self._new: set[str] = set()
        self._unflown_in_a_row = 0
        for record in records:
            if record.kind == KIND:
                with understood(store.path, "a flight"):
                    body = record.body
                    if is_answer(from_body(body)):
                        self._known[str(body["key"])] = record

    def evaluate(self, tasks: Sequence[ScreenTask]) -> Iterator[list[Evaluation]]:
        """Evaluations as they are complete, those without a flight last; BackendError where there are too many.

        What has no flight is tried once more at the end, and is on record only when the search is told of it: a
        simulator that works again gets another chance.
        """
        by_number = {task.number: task for task in tasks}
        unflown: list[Evaluation] = []
        for evaluation in self._evaluations(tasks):
            if self._was_flown(evaluation):
                yield [evaluation]
            else:
                unflown.append(evaluation)
        again = [by_number[evaluation.number] for evaluation in unflown]
        for evaluation in self._evaluations(again):
            self._was_flown(evaluation)
            yield [evaluation]

    def _was_flown(self, evaluation: Evaluation) -> bool:
        if evaluation.status is EvaluationStatus.VALID:
            self._unflown_in_a_row = 0
            return True
        self._unflown_in_a_row += 1
        if self._unflown_in_a_row >= _MOST_UNFLOWN:
            raise BackendError(
                f"'{self._backend}' left {_MOST_UNFLOWN} tests in a row without a flight; last: "
                f"{evaluation.message}. What was flown is stored: mend it and go on with --resume"
            )
        return False

    def _evaluations(self, tasks: Sequence[ScreenTask]) -> Iterator[Evaluation]:
        """A first flight of every test, then a wave for each stage of those that are worth it."""
        waiting = {task.number: task for task in tasks}
        found: dict[int, dict[int, FlownRun]] = {task.number: {} for task in tasks}
        while waiting:
            yield from self._wave(waiting, found)

    def _wave(
        self, waiting: dict[int, ScreenTask], found: dict[int, dict[int, FlownRun]]
    ) -> Iterator[Evaluation]:
        flights: list[FlyTask] = []
        for task in list(waiting.values()):
            for repeat in self._missing(task, found[task.number]):
                known = self._recalled(key_of(task.scenario, task.seed, repeat))
                if known is not None:
                    found[task.number][repeat] = known
                    continue
                flights.append(
                    FlyTask(
                        len(flights),
                        task.number,
                        repeat,
                        task.scenario,
                        task.seed,
                        task.scatter,
                        log_to=self._log_to(task, repeat),
                        requirements=task.requirements,
                    )
                )
            yield from self._complete(task, waiting, found)
        with told_how_to_go_on():
            for group in self._executor.run(flights, self._check_stop) if flights else ():
                for run in group:
                    task = waiting[run.evaluation_number]
                    found[task.number][run.repeat] = self._keep(run, task)
                    yield from self._complete(task, waiting, found)

    def _recalled(self, key: str) -> FlownRun | None:
        """A flight on record, also one of this session: a search may ask for the same test again."""
        with understood(self._store.path, "a flight"):
            if key in self._known:
                return from_body(self._known[key].body)
            if key not in self._new:
                return None
            same = (one for one in self._store.read() if one.kind == KIND and one.body["key"] == key)
            # Tries that left no flight are on record, too.
            return next((run for run in (from_body(one.body) for one in same) if is_answer(run)), None)

    def _log_to(self, task: ScreenTask, repeat: int) -> str | None:
        """Where a live autopilot's log, which holds the truth, is kept; other simulators keep theirs themselves."""
        if not hasattr(BACKENDS.load(self._backend), "log_to"):
            return None
        name = f"{task.number:06d}-{task.scenario.id}-{repeat + 1}.ulg"
        return str(self._store.path.parent / "recordings" / name)

    def _keep(self, run: FlownRun, task: ScreenTask) -> FlownRun:
        """Make a flight durable and return it as it will be read back."""
        thin = run if run.flight is None else replace(run, flight=_thinned(run.flight))
        key = key_of(task.scenario, task.seed, run.repeat)
        body = {"key": key, **to_body(thin, self._backend)}
        self._store.append([(KIND, body)])
        if is_answer(run):
            self._new.add(key)
        return from_body(body)

    def _complete(
        self, task: ScreenTask, waiting: dict[int, ScreenTask], found: dict[int, dict[int, FlownRun]]
    ) -> Iterator[Evaluation]:
        """The evaluation of a test all of whose flights are there."""
        runs = found[task.number]
        if task.number not in waiting or 0 not in runs:
            return
        first = runs[0]
        if not is_answer(first):
            yield self._ended(task, waiting, _unflown(task, first))
            return
        if not self._missing(task, runs):
            yield self._ended(task, waiting, self._evaluation(task, runs))

    def _missing(self, task: ScreenTask, runs: dict[int, FlownRun]) -> list[int]:
        """Which flights the next stage of a test needs; those that were tried are not tried again."""
        if 0 not in runs:
            return [0]
        if not is_answer(runs[0]):
            return []
        wanted = runs_wanted(task.stages, self._prediction(task, runs))
        return [repeat for repeat in range(1, wanted + 1) if repeat not in runs]

    @staticmethod
    def _ended(task: ScreenTask, waiting: dict[int, ScreenTask], evaluation: Evaluation) -> Evaluation:
        del waiting[task.number]
        return evaluation

    def _prediction(self, task: ScreenTask, runs: dict[int, FlownRun]) -> Prediction:
        """What the flights so far say; those without an answer say nothing."""
        predicted = [_predicted(runs[repeat]) for repeat in sorted(runs) if is_answer(runs[repeat])]
        return Prediction(
            scenario=task.scenario,
            backend=self._backend,
            evidence=BACKENDS.load(self._backend).capabilities.evidence,
            system=predicted[0].flight.system,
            preset_version=None,
            calibrated=False,
            seed=task.seed,
            nominal=predicted[0],
            # The first flight decided whether more are flown; the numbers come from those that did not.
            runs=tuple(predicted[1:]),
            error=(task.scatter or NO_SCATTER).error,
            requirements=task.requirements,
        )

    def _evaluation(self, task: ScreenTask, runs: dict[int, FlownRun]) -> Evaluation:
        prediction = self._prediction(task, runs)
        wall_s = sum(float(run.flight.details.get("wall_s") or 0.0) for run in prediction.flown)
        return task.evaluation_of(prediction, {"wall_s": round(wall_s, 4), "cpu_s": 0.0})

    def whole_runs(self, wanted: Sequence[tuple[int, Scenario, int]]) -> dict[int, tuple[FlownRun, ...]]:
        """The flights of chosen tests, by number, from the store; `wanted` is (number, scenario, seed)."""
        numbers = {(scenario.id, seed): number for number, scenario, seed in wanted}
        found: dict[int, list[FlownRun]] = {number: [] for number in numbers.values()}
        for record in self._store.read():
            if record.kind != KIND:
                continue
            with understood(self._store.path, "a flight"):
                name, seed, _ = str(record.body["key"]).split("/")
                number = numbers.get((name, int(seed)))
                run = from_body(record.body)
                if number is not None and is_answer(run):
                    found[number].append(replace(run, evaluation_number=number))
        return {number: tuple(sorted(runs, key=lambda run: run.repeat)) for number, runs in found.items()}


def key_of(scenario: Scenario, seed: int, repeat: int) -> str:
    """What tells the flights of a search apart."""
    return f"{scenario.id}/{seed}/{repeat}"


def _predicted(run: FlownRun) -> PredictedRun:
    assert run.flight is not None and run.verdict is not None
    return PredictedRun(run.repeat, run.flight, run.verdict, run.distance_m)


def _unflown(task: ScreenTask, run: FlownRun) -> Evaluation:
    reason = run.message or (run.flight.reason if run.flight is not None else "no flight")
    status = EvaluationStatus.BACKEND_ERROR
    if reason.startswith(f"{EvaluationStatus.TIMEOUT.value}:"):
        status = EvaluationStatus.TIMEOUT
    return task.given_up(status, reason.partition(": ")[2] if run.flight is None else reason)


def _thinned(flight: Flight) -> Flight:
    """At most ten samples a second: its verdict was found on all of them."""
    path = flight.trajectory
    keep = sample_indices(path.t_s, _STORED_PERIOD_S)
    thin = Trajectory(
        path.t_s[keep], path.position_enu_m[keep], path.velocity_enu_mps[keep], path.yaw_rad[keep]
    )
    details: dict[str, Any] = {**flight.details, "samples": len(path)}
    return replace(flight, trajectory=thin, details=details)
