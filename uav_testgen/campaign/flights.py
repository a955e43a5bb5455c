"""The second budget: fly the most promising and diverse predictions, learn from each flight, keep what failed.

The next test is the one with the most expected score for its distance from all that was flown, by what the
flights so far have taught. Every flight is on record when it arrives; going on later begins with what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.campaign.absence import told_how_to_go_on
from uav_testgen.campaign.archive import Archive, Likeness
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.confirm import KIND, Confirmation
from uav_testgen.campaign.learning import Lessons, SystematicError
from uav_testgen.campaign.ranking import RankedTest, Worth, worth_of
from uav_testgen.campaign.runs_on_record import from_body, is_answer, to_body
from uav_testgen.campaign.screening import FlownRun, FlyTask, evaluation_seed
from uav_testgen.core.errors import BackendError
from uav_testgen.loop.scatter import ModelError
from uav_testgen.oracle.competition import points
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.work.executor import Executor
from uav_testgen.work.store import Store, understood

_CANDIDATES_PER_FLIGHT = 50
_HARDLY_FAILS = 0.02
"""A test less likely to fail than this is not worth a flight."""
_MOST_UNFLOWN = 3
_MOST_REPEATS = 5
"""So often does the competition fly a test."""
_SHORTEST_MINUTES = 1.0 / 60.0


@dataclass(frozen=True, slots=True)
class FlownTest:
    """A test that was flown: its prediction, how likely it seemed to fail when it was chosen, its flights."""

    evaluation: Evaluation
    expected_failure: float | None
    confirmation: Confirmation

    @property
    def distances_m(self) -> tuple[float, ...]:
        """Of the flights that say something."""
        found = (verdict.min_distance_aerialist_m for verdict in self.confirmation.answers)
        return tuple(distance_m for distance_m in found if distance_m is not None)


@dataclass(frozen=True, slots=True)
class Flights:
    """What the second budget brought."""

    budget: int
    spent: int
    tests: tuple[FlownTest, ...]
    """In the order of flying."""
    systematic: SystematicError
    left: int
    """Predictions that may fail and were not flown."""
    expected_left: float
    """Failures to be expected among these, by what was learned."""
    end_reason: str

    @property
    def failed(self) -> tuple[FlownTest, ...]:
        """Tests that failed in a flight."""
        return tuple(test for test in self.tests if test.confirmation.failed_again)

    @property
    def ranked(self) -> list[RankedTest]:
        """All that was flown, as tests of a suite; what they are worth does not matter there."""
        return [
            RankedTest(test.evaluation, Worth(0.0, 0.0, 1.0, 1.0), Likeness(0.0, None)) for test in self.tests
        ]

    @property
    def confirmed(self) -> dict[int, Confirmation]:
        """By evaluation number."""
        return {test.evaluation.number: test.confirmation for test in self.tests}


class FlightBudget:
    """Spends `budget.flights` on the predictions of a search."""

    def __init__(
        self,
        config: CampaignConfig,
        error: ModelError,
        store: Store,
        earlier: Sequence[dict[str, Any]],
        logs: Path,
        check_stop: Callable[[], None],
        progress: Callable[[str], None],
    ) -> None:
        assert config.budget.flights is not None
        self._config, self._budget = config, config.budget.flights
        self._error, self._store, self._logs = error, store, logs
        self._check_stop, self._progress = check_stop, progress
        self._runs: dict[int, list[FlownRun]] = {}
        self._expected: dict[int, float | None] = {}
        self._lessons = Lessons(error)
        self._archive = Archive(config.ranking)
        self._spent = 0
        with understood(store.path, "a flight"):
            for body in earlier:
                run = from_body(body)
                if body["backend"] == config.confirmation.backend and is_answer(run):
                    self._runs.setdefault(run.evaluation_number, []).append(run)
                    self._expected.setdefault(run.evaluation_number, body.get("expected_failure"))
                    self._spent += 1
        self._begun = tuple(self._runs)

    def spend(self, evaluations: Sequence[Evaluation], executor: Executor | None, at_once: int) -> Flights:
        """Fly until the budget is spent or nothing promising is left; without an executor only look."""
        by_number = {one.number: one for one in evaluations}
        flown = [number for number in self._runs if number in by_number]
        for number in flown:
            self._learn(by_number[number])
        learned = set(flown)
        left = [one for one in self._candidates(evaluations) if one.number not in self._runs]
        reason, unflown = "the budget of flights is spent", 0
        if executor is None:
            reason = "nothing was flown in this session"
        while executor is not None and self._spent < self._budget:
            self._check_stop()
            tasks = (
                self._unfinished(by_number) or self._next(left, at_once) or self._again(by_number, at_once)
            )
            if not tasks:
                reason = "no promising test is left that is not like one that was flown"
                break
            self._tell()
            answered: set[int] = set()
            with told_how_to_go_on():
                for group in executor.run(tasks, self._check_stop):
                    for run in group:
                        if self._keep(run):
                            answered.add(run.evaluation_number)
                            unflown = 0
                            continue
                        unflown += 1
                        if unflown >= _MOST_UNFLOWN:
                            raise BackendError(
                                f"'{self._config.confirmation.backend}' left {_MOST_UNFLOWN} tests in a row without a "
                                f"flight; last: {_reason(run)}. What was flown is stored: mend it and go on with "
                                "--resume"
                            )
            for number in sorted(answered - learned):
                self._learn(by_number[number])
            learned |= answered
            tried = {task.evaluation_number for task in tasks}
            left = [one for one in left if one.number not in tried]
        return self._result(by_number, left, reason)

    def _candidates(self, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
        """The most valuable by their prediction; more than enough for the budget."""
        usable = [
            (worth_of(one, self._error).value, one)
            for one in evaluations
            if one.status is EvaluationStatus.VALID and one.distance_m is not None
        ]
        usable.sort(key=lambda pair: (-pair[0], pair[1].number))
        return [one for _, one in usable[: _CANDIDATES_PER_FLIGHT * self._budget]]

    def _unfinished(self, by_number: dict[int, Evaluation]) -> list[FlyTask]:
        """Flights that are missing of tests whose first ones an earlier session flew; asked for once."""
        repeats = self._config.confirmation.repeats
        begun, self._begun = self._begun, ()
        missing = [
            (number, repeat)
            for number in begun
            for repeat in range(repeats)
            if number in by_number and repeat not in {run.repeat for run in self._runs[number]}
        ]
        room = self._budget - self._spent
        return [
            self._task(place, by_number[number], repeat)
            for place, (number, repeat) in enumerate(missing[:room])
        ]

    def _next(self, left: Sequence[Evaluation], at_once: int) -> list[FlyTask]:
        """The tests to fly next, as many as can be flown at a time."""
        repeats = self._config.confirmation.repeats
        chosen: list[FlyTask] = []
        worths = [(one, worth_of(*self._lessons.expected(one))) for one in left]
        worths = [(one, worth) for one, worth in worths if worth.confirmation_probability >= _HARDLY_FAILS]
        for _ in range(max(at_once, 1)):
            room = self._budget - self._spent - len(chosen)
            best: tuple[float, Evaluation, Worth] | None = None
            for one, worth in worths:
                likeness = self._archive.likeness(one)
                if self._archive.is_alike(likeness):
                    continue
                score = worth.value * _distinct(likeness) ** self._config.ranking.diversity_weight
                if best is None or score > best[0]:
                    best = (score, one, worth)
            if best is None or room <= 0:
                break
            _, test, worth = best
            self._archive.add(test)
            self._expected[test.number] = round(worth.confirmation_probability, 4)
            chosen += [self._task(len(chosen) + k, test, k) for k in range(min(repeats, room))]
        return chosen

    def _again(self, by_number: dict[int, Evaluation], at_once: int) -> list[FlyTask]:
        """What is left of the budget shows how reliably failures fail: the least flown ones first."""
        failed = [
            (len(runs), number)
            for number, runs in self._runs.items()
            if number in by_number
            and len(runs) < _MOST_REPEATS
            and Confirmation("", tuple(runs)).failed_again
        ]
        room = min(max(at_once, 1), self._budget - self._spent)
        return [
            self._task(place, by_number[number], 1 + max(run.repeat for run in self._runs[number]))
            for place, (_, number) in enumerate(sorted(failed)[:room])
        ]

    def _task(self, number: int, test: Evaluation, repeat: int) -> FlyTask:
        seed = evaluation_seed(self._config.seed, test.number)
        log = self._logs / f"{test.number:06d}-{test.scenario.id}-{repeat + 1}.ulg"
        return FlyTask(number, test.number, repeat, test.scenario, seed, log_to=str(log))

    def _keep(self, run: FlownRun) -> bool:
        """Make a flight durable; False if it says nothing."""
        body = to_body(run, self._config.confirmation.backend)
        body["expected_failure"] = self._expected.get(run.evaluation_number)
        self._store.append([(KIND, body)])
        if not is_answer(run):
            return False
        self._runs.setdefault(run.evaluation_number, []).append(run)
        self._spent += 1
        return True

    def _learn(self, evaluation: Evaluation) -> None:
        answers = Confirmation("", tuple(self._runs[evaluation.number])).answers
        distances = [one.min_distance_aerialist_m for one in answers]
        self._lessons.add(evaluation, [distance_m for distance_m in distances if distance_m is not None])
        if evaluation.number not in {member.number for member in self._archive.members}:
            self._archive.add(evaluation)

    def _tell(self) -> None:
        failed = sum(bool(Confirmation("", tuple(runs)).failed_again) for runs in self._runs.values())
        who = self._config.confirmation.backend
        self._progress(
            f"flying with '{who}': {self._spent} of {self._budget} flights, {len(self._runs)} tests, {failed} failed; "
            + self._lessons.systematic().sentence
        )

    def _result(self, by_number: dict[int, Evaluation], left: Sequence[Evaluation], reason: str) -> Flights:
        backend = self._config.confirmation.backend
        tests = [
            FlownTest(
                by_number[number],
                self._expected.get(number),
                Confirmation(backend, tuple(sorted(runs, key=lambda run: run.repeat))),
            )
            for number, runs in self._runs.items()
            if number in by_number
        ]
        chances = [worth_of(*self._lessons.expected(one)).confirmation_probability for one in left]
        likely = [chance for chance in chances if chance >= _HARDLY_FAILS]
        return Flights(
            self._budget,
            self._spent,
            tuple(tests),
            self._lessons.systematic(),
            len(likely),
            sum(likely),
            reason,
        )


def flown_suite(flights: Flights, config: CampaignConfig) -> list[RankedTest]:
    """The tests that failed in flight, by the score their flights are worth."""
    archive = Archive(config.ranking)
    ranked = []
    order = sorted(flights.failed, key=lambda test: (-_flown_worth(test).value, test.evaluation.number))
    for test in order[: config.ranking.suite_size]:
        ranked.append(RankedTest(test.evaluation, _flown_worth(test), archive.likeness(test.evaluation)))
        archive.add(test.evaluation)
    return ranked


def _flown_worth(test: FlownTest) -> Worth:
    answers = test.confirmation.answers
    scored = [points(verdict.min_distance_aerialist_m) for verdict in answers]
    failing = [one for one, verdict in zip(scored, answers, strict=True) if verdict.failed]
    minutes = sum(verdict.duration_s for verdict in answers) / len(answers) / 60.0
    return Worth(
        points_if_failing=sum(failing) / len(failing) if failing else 0.0,
        confirmation_probability=len(failing) / len(answers),
        simplicity=1.0 / max(1, len(test.evaluation.scenario.obstacles)) ** 2,
        minutes=max(minutes, _SHORTEST_MINUTES),
    )


def _distinct(likeness: Likeness) -> float:
    return 1.0 - likeness.obstacle_iou


def _reason(run: FlownRun) -> str:
    return run.message or (run.flight.reason if run.flight is not None else "")
