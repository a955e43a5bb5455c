"""One process working on the open store of a campaign: search, choose, fly again, confirm."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from uav_testgen.backend.pace import flight_limit_s, flights_at_once, repeats_flights
from uav_testgen.backend.registry import BACKENDS
from uav_testgen.campaign import confirm as confirming
from uav_testgen.campaign import retrospect
from uav_testgen.campaign import search as searching
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig, ConfirmationConfig, changed_fields
from uav_testgen.campaign.error import expected_error
from uav_testgen.campaign.flights import FlightBudget, Flights, flown_suite
from uav_testgen.campaign.flown_answers import FlownAnswers
from uav_testgen.campaign.flying_system import FlownAs, FlownPredictions
from uav_testgen.campaign.header import FINISHED, HEADER, bodies
from uav_testgen.campaign.held_out import by_held_out, flights_held_out, fly_suite_again, fragile_notes
from uav_testgen.campaign.keep import Kept
from uav_testgen.campaign.notes import no_fitness_notes, unflown_notes
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.ranking import RankedTest, choose_suite, ranking_of, with_best
from uav_testgen.campaign.result import CampaignResult, Options, SuiteTest
from uav_testgen.campaign.screening import FlownRun, evaluation_seed
from uav_testgen.generator.base import Generator
from uav_testgen.generator.registry import build_generator
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.unseen import Unseen
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import Executor, WorkerPlan
from uav_testgen.work.store import AnyRecord, Store, understood
from uav_testgen.work.versions import versions


def _confirming_jobs(settings: ConfirmationConfig, jobs: int) -> int:
    """A node graph repeats its flights and still uses the whole machine."""
    if repeats_flights(settings.backend):
        return min(jobs, 1)
    return flights_at_once(settings.backend, settings.settings, jobs)


@dataclass(frozen=True, slots=True)
class Found:
    """What the search left, in this session or before."""

    evaluations: list[Evaluation]
    progress: Progress
    end_reason: str
    elapsed_s: float
    generator_report: GeneratorReport | None


@dataclass(frozen=True, slots=True)
class Session:
    """One process working on one open store."""

    config: CampaignConfig
    case: CaseStudy
    options: Options
    observer: Observer
    check_stop: Callable[[], None]
    store: Store
    records: Sequence[AnyRecord]
    confirms: bool = True
    """Fly confirmations that are missing; otherwise only show those that are stored."""

    def search(self, executor: Executor) -> Found:
        """Search on, or from the beginning."""
        config, generator = self.config, self._generator()
        search = searching.Search(config, generator, self.store, executor, self.observer, self.check_stop)
        search.remember([record for record in self.records if record.kind == searching.KIND])
        if not repeats_flights(config.screening.backend):
            search.remember_flights(self.records)
        self.observer.phase("searching")
        evaluations = search.run()
        report = retrospect.keep(generator, self.records, self.store)
        return Found(evaluations, search.progress, search.end_reason, search.elapsed_s, report)

    def _generator(self) -> Generator:
        config = self.config
        return build_generator(config.generator, self.case.base, config.generator_settings, config.seed)

    def recall(self) -> Found:
        """What earlier sessions found; the generator is needed only if its search has not ended."""
        kept = Kept(self.config)
        progress = Progress(self.config.budget.evaluations, self.config.screening.accept_below_m)
        elapsed_s = 0.0
        # Straight through the file: looking each record up by its place costs as much as reading it.
        for record in self.store.read():
            if record.kind != searching.KIND:
                continue
            self.check_stop()
            evaluation = searching.read_back(record.body, str(self.store.path))
            kept.add([evaluation])
            with understood(self.store.path, "an evaluation"):
                progress.add([evaluation], replayed=True)
                elapsed_s = max(elapsed_s, float(record.body.get("elapsed_s", 0.0)))
        evaluations = sorted(kept.evaluations, key=lambda evaluation: evaluation.number)
        finished = any(record.kind == FINISHED for record in self.records)
        reason = "finished" if finished else "the campaign is not finished: this is what it has found so far"
        source = str(self.store.path)
        report = retrospect.stored(self.records, source)
        if report is None and not finished:
            report = retrospect.replayed(
                self.config, self._generator(), self.records, source, self.check_stop
            )
        return Found(evaluations, progress, reason, elapsed_s, report)

    def finish(self, executor: Executor, found: Found) -> CampaignResult:
        """Choose the suite, fly it again at full resolution, confirm the best."""
        config = self.config
        self.observer.phase("choosing the suite")
        screening = config.screening
        flights: Flights | None = None
        best_notes: list[str] = []
        unseen: dict[int, Unseen] = {}
        if config.budget.flights is not None:
            flights = self._spend_flights(found)
            suite = flown_suite(flights, config)
            flown = self._whole_flights(suite, executor)
            confirmed = flights.confirmed
            order = suite
        else:
            suite = choose_suite(
                retrospect.own_choice(found.evaluations, found.generator_report, config, self.store),
                screening.accept_below_m,
                ranking_of(config),
                expected_error(screening),
                self.check_stop,
            )
            suite, best_notes = self._with_best(suite, found)
            suite, unseen = self._held_out(suite, executor)
            flown = self._whole_flights(suite, executor)
            executor.close()  # the confirming backend may need the whole machine
            confirmed = self._confirm(suite)
            order = confirming.final_order(suite, confirmed, self._confirms)
        notes = [
            *self.store.notes,
            *best_notes,
            *fragile_notes(suite, unseen),
            *confirming.differences(suite, flown),
            *self._software_alarms(suite, confirmed),
            *unflown_notes(found.evaluations),
            *no_fitness_notes(found.evaluations),
            *confirming.unflown_notes(confirmed),
            *self._version_notes(),
        ]
        return CampaignResult(
            config=config,
            case=self.case,
            out=self.options.out,
            evaluations=tuple(found.evaluations),
            suite=tuple(
                SuiteTest(
                    rank,
                    test,
                    flown[test.evaluation.number],
                    confirmed.get(test.evaluation.number),
                    unseen.get(test.evaluation.number),
                )
                for rank, test in enumerate(order, start=1)
            ),
            progress=found.progress,
            end_reason=found.end_reason,
            elapsed_s=found.elapsed_s,
            versions=versions(),
            notes=tuple(notes),
            flights=flights,
            flown_as=self._flown_as(suite if flights is None else flights.ranked, confirmed),
            generator_report=found.generator_report,
        )

    def _held_out(
        self, suite: list[RankedTest], executor: Executor
    ) -> tuple[list[RankedTest], dict[int, Unseen]]:
        """The suite by what seeds and presets say that its search never saw; as it was where nobody asks."""
        if flights_held_out(self.config) is None or not suite:
            return suite, {}
        self.observer.phase("flying the suite again by held-out seeds and presets")
        found = fly_suite_again(self.config, suite, self.records, self.store, executor, self.check_stop)
        return by_held_out(suite, found), found

    def _spend_flights(self, found: Found) -> Flights:
        """The most promising and diverse predictions, flown."""
        config, wish = self.config, self.config.confirmation
        budget = FlightBudget(
            config,
            expected_error(config.screening),
            self.store,
            bodies(self.records, confirming.KIND),
            self.options.out / "recordings",
            self.check_stop,
            self.observer.phase,
        )
        jobs = _confirming_jobs(wish, self.options.jobs)
        if not self.confirms:
            return budget.spend(found.evaluations, None, 1)
        plan = WorkerPlan(wish.backend, confirming.confirming_settings(config))
        limit_s = flight_limit_s(wish.backend, wish.settings, wish.flight_timeout_s)
        with make_executor(
            plan, Placement(jobs), flight_timeout_s=limit_s, tries=config.screening.tries
        ) as executor:
            return budget.spend(found.evaluations, executor, jobs)

    def _flown_as(
        self, tests: Sequence[RankedTest], confirmed: dict[int, confirming.Confirmation]
    ) -> FlownAs | None:
        """Predictions for the system that flies, of the tests that were flown."""
        if not self._confirms:
            return None
        predictions = FlownPredictions(self.config, self.store, self.records)
        flown = [
            test
            for test in tests
            if test.evaluation.number in confirmed and confirmed[test.evaluation.number].answers
        ]
        if predictions.system is None or not flown:
            return None
        if self.confirms:
            self.observer.phase(f"predicting the flown tests for '{predictions.system}', which flew them")
        found = predictions.of(flown, self.options.jobs, self.check_stop, make=self.confirms)
        return FlownAs(predictions.system, found)

    def _whole_flights(self, suite: list[RankedTest], executor: Executor) -> dict[int, tuple[FlownRun, ...]]:
        """Flown again where that gives the same flights, from the store where a flight happens once."""
        config = self.config
        if repeats_flights(config.screening.backend):
            return confirming.refly_suite(config, suite, executor, self.check_stop)
        answers = FlownAnswers(config.screening.backend, self.store, (), executor, self.check_stop)
        return answers.whole_runs(
            [
                (
                    test.evaluation.number,
                    test.evaluation.scenario,
                    evaluation_seed(config.seed, test.evaluation.number),
                )
                for test in suite
            ]
        )

    def _with_best(self, suite: list[RankedTest], found: Found) -> tuple[list[RankedTest], list[str]]:
        """The suite with the best of a search that always returns one, and a word where that does not fail."""
        report, config = found.generator_report, self.config
        if report is None or report.best is None:
            return suite, []
        best = next(one for one in found.evaluations if one.number == report.best)
        whole = with_best(suite, best, config.ranking, expected_error(config.screening))
        accept_m = config.screening.accept_below_m
        if best.distance_m is None or best.objective_m is None or best.objective_m < accept_m:
            return whole, []
        return whole, [
            f"test {best.scenario.id} is the best the search found; at {best.distance_m:.2f} m it is not "
            f"predicted to come nearer than {accept_m:g} m"
        ]

    def _confirm(self, suite: list[RankedTest]) -> dict[int, confirming.Confirmation]:
        settings = self.config.confirmation
        if settings.backend == "none" or not suite or settings.tests == 0:
            return {}
        doing = "confirming" if self._confirms else "checking"
        label = f"{doing} the best tests with '{settings.backend}'"
        # One at a time: a node graph or a simulator uses the whole machine and its ports. Workers behind a
        # folder have machines of their own.
        plan = WorkerPlan(settings.backend, confirming.confirming_settings(self.config))
        jobs = _confirming_jobs(settings, self.options.jobs)
        limit_s = flight_limit_s(settings.backend, settings.settings, settings.flight_timeout_s)
        tries = self.config.screening.tries
        with contextlib.ExitStack() as stack:
            executor = None
            if self.confirms:
                executor = stack.enter_context(
                    make_executor(plan, Placement(jobs), flight_timeout_s=limit_s, tries=tries)
                )
            return confirming.confirm(
                self.config,
                suite,
                bodies(self.records, confirming.KIND),
                self.store,
                executor,
                self.options.out / "recordings",
                self.check_stop,
                lambda done, total: self.observer.phase(f"{label}: {done} of {total} flights"),
            )

    @property
    def _confirms(self) -> bool:
        """Can the confirming backend confirm or refute, or does it only check the software?"""
        name = self.config.confirmation.backend
        return name != "none" and bool(BACKENDS.load(name).capabilities.evidence.confirms)

    def _software_alarms(
        self, suite: list[RankedTest], confirmed: dict[int, confirming.Confirmation]
    ) -> list[str]:
        """The same simulator over topics gives the same flights; where it does not, the software is wrong."""
        if self._confirms:
            return []
        return confirming.software_alarms(suite, confirmed)

    def screening_executor(self) -> Any:
        """Workers of the predicting backend, to be used as a context manager."""
        screening = self.config.screening
        plan = WorkerPlan(screening.backend, screening.settings)
        jobs = flights_at_once(screening.backend, screening.settings, self.options.jobs)
        limit_s = flight_limit_s(screening.backend, screening.settings, screening.flight_timeout_s)
        placement = self.options.cluster or Placement(jobs)
        return make_executor(plan, placement, flight_timeout_s=limit_s, tries=screening.tries)

    def _version_notes(self) -> list[str]:
        first = bodies(self.records, HEADER)
        with understood(self.store.path, "the first record"):
            changed = changed_fields(first[0]["versions"], versions()) if first else []
        return [f"the campaign was started with other versions ({'; '.join(changed)})"] if changed else []
