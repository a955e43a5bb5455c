"""A whole campaign: search, choose, confirm, publish, each step resumable."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.backend.foreign_settings import check_foreign
from uav_testgen.backend.pace import flight_limit_s, flights_at_once, repeats_flights
from uav_testgen.backend.registry import BACKENDS, check_settings
from uav_testgen.campaign import confirm as confirming
from uav_testgen.campaign import retrospect
from uav_testgen.campaign import search as searching
from uav_testgen.campaign.case import CaseStudy, load_case
from uav_testgen.campaign.config import CampaignConfig, ConfirmationConfig, changed_fields
from uav_testgen.campaign.error import expected_error
from uav_testgen.campaign.flights import FlightBudget, Flights, flown_suite
from uav_testgen.campaign.flown_answers import FlownAnswers
from uav_testgen.campaign.flying_system import FlownAs, FlownPredictions
from uav_testgen.campaign.held_out import by_held_out, flights_held_out, fly_suite_again, fragile_notes
from uav_testgen.campaign.keep import Kept
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.ranking import RankedTest, choose_suite, with_best
from uav_testgen.campaign.screening import FlownRun, evaluation_seed
from uav_testgen.campaign.simulations import write_simulations
from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import ConfigError, StoreError
from uav_testgen.generator.base import Generator
from uav_testgen.generator.registry import build_generator
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.loop.own_vehicle import load_own_vehicle
from uav_testgen.loop.system import OwnVehicleConfig, System
from uav_testgen.oracle.requirement import make_requirements, split_text
from uav_testgen.planner.registry import load_planner
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.predict.unseen import Unseen
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.segment import segment_of_interest
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import Executor, WorkerPlan
from uav_testgen.work.folder import output_folder
from uav_testgen.work.inline import NoFlights
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.store import FILE_NAME as STORE_NAME
from uav_testgen.work.store import AnyRecord, Store, understood
from uav_testgen.work.versions import versions

log = logging.getLogger(__name__)

HEADER, FINISHED = "campaign", "finished"
CONFIRMING = "confirming"
"""A wish for another confirmation than the one in the settings; the newest counts."""
FORMAT = 1
_MOST_UNFLOWN_NOTES = 10


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test of the final suite with everything known about it."""

    rank: int
    ranked: RankedTest
    runs: tuple[FlownRun, ...]
    confirmation: confirming.Confirmation | None
    unseen: Unseen | None = None
    """What held-out seeds and presets say; None where it was not flown again."""

    @property
    def stem(self) -> str:
        """Name of its files, without ending."""
        return f"{self.rank:03d}-{self.ranked.evaluation.scenario.id}"


@dataclass(frozen=True, slots=True)
class CampaignResult:
    """What a campaign found; everything reports are made from."""

    config: CampaignConfig
    case: CaseStudy
    out: Path
    evaluations: tuple[Evaluation, ...]
    suite: tuple[SuiteTest, ...]
    progress: Progress
    end_reason: str
    elapsed_s: float
    versions: dict[str, str]
    notes: tuple[str, ...]
    flights: Flights | None = None
    """What the second budget brought; None for a campaign that has none."""
    flown_as: FlownAs | None = None
    """Predictions for the system that flew, where the campaign predicted another one."""
    generator_report: GeneratorReport | None = None
    """What the generator says about its search; None if it says nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """How it is run; nothing here changes the result."""

    out: Path
    resume: bool = False
    jobs: int = 1
    cluster: Placement | None = None
    """Where predictions are flown, if not by `jobs` processes here; confirming flights stay here."""
    keep_all: bool = False
    """Leave a YAML and a JSON file of every simulation, not only of the suite."""
    code: tuple[str, ...] = ()
    """Code that stored settings may name when outputs are written again; what the user trusts."""


Publish = Callable[["CampaignResult", Callable[[], None]], None]


def run_campaign(
    config: CampaignConfig,
    case: CaseStudy,
    options: Options,
    observer: Observer,
    stop: StopRequest,
    publish: Publish,
) -> CampaignResult | None:
    """Run or resume; None if it was finished before. `publish` writes the outputs into the folder."""
    check_parts(config, case)
    for blind_spot in blind_spots(config.screening.backend, config.screening.settings, _widest(config, case)):
        observer.note(blind_spot)
    with output_folder(options.out, resume=options.resume) as folder, Store(folder) as store:
        records = store.open()
        for note in store.notes:
            observer.note(note)
        check_header(config, case, records, store)
        if any(record.kind == FINISHED for record in records):
            if options.keep_all:
                write_simulations(folder, case, store, stop.check)
            return None
        case.write_files(folder)
        session = _Session(config, case, options, observer, stop.check, store, records)
        with session.screening_executor() as executor:
            result = session.finish(executor, session.search(executor))
        observer.phase("writing the results")
        publish(result, stop.check)
        if options.keep_all:
            write_simulations(folder, case, store, stop.check)
        store.append([(FINISHED, {"tests": len(result.suite)})])
        return result


def republish(
    options: Options,
    observer: Observer,
    stop: StopRequest,
    publish: Publish,
    confirmation: ConfirmationConfig | None = None,
) -> CampaignResult:
    """Write the outputs again from what is stored, finished or not; nothing new is searched.

    With `confirmation` the ranked tests are first flown again by that backend; what was flown stays flown.
    Only then: the folder may be somebody else's, and settings of a confirming backend name programs to start.
    """
    if not (options.out / STORE_NAME).is_file():
        raise StoreError(f"{options.out}: no campaign here ({STORE_NAME} is missing); name its output folder")
    with output_folder(options.out, resume=True) as folder, Store(folder) as store:
        records = store.open()
        config, base = _stored_settings(records, store)
        way_out = "If you trust it, name it: --code NAME"
        check_harmless(config, str(store.path), way_out, named=options.code, flies=False)
        if confirmation is not None:
            if config.budget.flights is not None:
                raise ConfigError(
                    f"{options.out}: its tests were flown by '{config.confirmation.backend}' within a budget of "
                    "flights; to fly on, resume it with the command that began it and --resume"
                )
            config = with_confirmation(config, confirmation)
            check_settings(confirmation.backend, confirmation.settings)
            store.append([(CONFIRMING, confirmation.model_dump(mode="json"))])
        case = replace(load_case("case.yaml", folder, config.arena), name=_case_name(config), base=base)
        session = _Session(
            config, case, options, observer, stop.check, store, records, confirms=confirmation is not None
        )
        # Flights that happen once are read from the store: stored settings start nothing.
        flies = repeats_flights(config.screening.backend)
        with session.screening_executor() if flies else NoFlights() as executor:
            result = session.finish(executor, session.recall())
        observer.phase("writing the results")
        publish(result, stop.check)
        if options.keep_all:
            write_simulations(folder, case, store, stop.check)
        return result


def check_parts(config: CampaignConfig, case: CaseStudy) -> None:
    """Everything that can be wrong before the first flight, found before the first flight."""
    _check_code(check_settings(config.screening.backend, config.screening.settings))
    if config.confirmation.backend != "none":
        check_settings(config.confirmation.backend, config.confirmation.settings)
    make_requirements(config.requirements)
    _check_budgets(config)
    segment_of_interest(case.base.mission, case.base.arena)
    build_generator(config.generator, case.base, config.generator_settings, config.seed)


def _check_code(settings: Any) -> None:
    """Load the planner and the vehicle of a simulating backend; ConfigError names what is not there."""
    if not hasattr(settings, "assembled"):
        return
    system: System = settings.assembled()
    load_planner(system.planner.name)
    if isinstance(system.vehicle, OwnVehicleConfig):
        load_own_vehicle(system.vehicle.model, system.vehicle.settings)


def _widest(config: CampaignConfig, case: CaseStudy) -> Scenario:
    """The case study with every autopilot parameter that the search may set."""
    generator = build_generator(config.generator, case.base, config.generator_settings, config.seed)
    names: Sequence[str] = getattr(generator, "changes_parameters", ())
    return case.base.model_copy(update={"parameters": {**dict.fromkeys(names, 0.0), **case.base.parameters}})


def check_header(config: CampaignConfig, case: CaseStudy, records: Sequence[AnyRecord], store: Store) -> None:
    """Write the settings into a new store; StoreError where an old one has others."""
    current: dict[str, Any] = {
        "format": FORMAT,
        "config": config.model_dump(mode="json"),
        "base_scenario": case.base.model_dump(mode="json"),
    }
    if not records:
        store.append([(HEADER, {**current, "versions": versions()})])
        return
    stored = records[0].body
    if records[0].kind != HEADER or stored.get("format") != FORMAT:
        raise StoreError(f"{store.path}: not a campaign of format {FORMAT}; choose another --out")
    with understood(store.path, "the first record"):
        changes = changed_fields(stored["config"], current["config"]) or [
            f"case study {change}"
            for change in changed_fields(stored["base_scenario"], current["base_scenario"])
        ]
    if changes:
        raise StoreError(
            f"{store.path.parent}: the campaign here has other settings ({'; '.join(changes[:5])}); "
            "resume it with the settings it has, or choose another --out"
        )


def _stored_settings(records: Sequence[AnyRecord], store: Store) -> tuple[CampaignConfig, Scenario]:
    with understood(store.path, "the settings of the campaign"):
        body = records[0].body
        config = CampaignConfig.model_validate(body["config"])
        wishes = _bodies(records, CONFIRMING)
        if wishes:
            config = with_confirmation(config, ConfirmationConfig.model_validate(wishes[-1]))
        return config, Scenario.model_validate(body["base_scenario"])


def check_harmless(
    config: CampaignConfig, source: str, way_out: str, *, named: Collection[str] = (), flies: bool = True
) -> None:
    """ConfigError where settings of a `source` that may be somebody else's name code or programs to start.

    Where it does not fly, flights that happen once are read from the store: nothing is started because of it.
    """
    if flies and config.confirmation.backend != "none":
        raise ConfigError(
            f"{source}: it has its tests flown again by '{config.confirmation.backend[:100]}', which may start "
            f"programs. {way_out}"
        )
    check_foreign(
        config.screening.backend,
        config.screening.settings,
        source,
        way_out,
        named=named,
        others={
            "generator": config.generator,
            "settings": config.generator_settings,
            "requirements": [split_text(text)[0] for text in config.requirements],
        },
        flies=flies,
    )


def with_confirmation(config: CampaignConfig, confirmation: ConfirmationConfig) -> CampaignConfig:
    """The settings with another confirmation; ConfigError if the two do not go together."""
    data = {**config.model_dump(mode="json"), "confirmation": confirmation.model_dump(mode="json")}
    return parse_config(CampaignConfig, data, source="the campaign with this confirmation")


def _check_budgets(config: CampaignConfig) -> None:
    if config.budget.flights is None:
        if config.budget.predictions is not None:
            raise ConfigError(
                "budget.predictions goes with budget.flights; one budget alone is 'simulations'"
            )
        return
    flies = config.confirmation.backend
    if flies == "none" or not BACKENDS.load(flies).capabilities.evidence.confirms:
        raise ConfigError(
            f"budget.flights: confirmation.backend is '{flies}', which flies nothing real; use px4, aerialist, folder "
            "or command"
        )
    if config.requirements:
        raise ConfigError(
            "budget.flights: what is learned from flights is their distance; leave the requirements out, or search on "
            "the simulator itself (screening.backend)"
        )
    if not repeats_flights(config.screening.backend):
        raise ConfigError(
            f"budget.flights: screening.backend '{config.screening.backend}' flies already; predict with lfs, or "
            "leave the second budget out"
        )


def _confirming_jobs(settings: ConfirmationConfig, jobs: int) -> int:
    """A node graph repeats its flights and still uses the whole machine."""
    if repeats_flights(settings.backend):
        return min(jobs, 1)
    return flights_at_once(settings.backend, settings.settings, jobs)


def _case_name(config: CampaignConfig) -> str:
    return Path(config.case).stem or "case"


@dataclass(frozen=True, slots=True)
class _Found:
    """What the search left, in this session or before."""

    evaluations: list[Evaluation]
    progress: Progress
    end_reason: str
    elapsed_s: float
    generator_report: GeneratorReport | None


@dataclass(frozen=True, slots=True)
class _Session:
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

    def search(self, executor: Executor) -> _Found:
        """Search on, or from the beginning."""
        config, generator = self.config, self._generator()
        search = searching.Search(config, generator, self.store, executor, self.observer, self.check_stop)
        search.remember([record for record in self.records if record.kind == searching.KIND])
        if not repeats_flights(config.screening.backend):
            search.remember_flights(self.records)
        self.observer.phase("searching")
        evaluations = search.run()
        report = retrospect.keep(generator, self.records, self.store)
        return _Found(evaluations, search.progress, search.end_reason, search.elapsed_s, report)

    def _generator(self) -> Generator:
        config = self.config
        return build_generator(config.generator, self.case.base, config.generator_settings, config.seed)

    def recall(self) -> _Found:
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
        return _Found(evaluations, progress, reason, elapsed_s, report)

    def finish(self, executor: Executor, found: _Found) -> CampaignResult:
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
                config.ranking,
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

    def _spend_flights(self, found: _Found) -> Flights:
        """The most promising and diverse predictions, flown."""
        config, wish = self.config, self.config.confirmation
        budget = FlightBudget(
            config,
            expected_error(config.screening),
            self.store,
            _bodies(self.records, confirming.KIND),
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
        flown = [test for test in tests if test.evaluation.number in confirmed]
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

    def _with_best(self, suite: list[RankedTest], found: _Found) -> tuple[list[RankedTest], list[str]]:
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
                _bodies(self.records, confirming.KIND),
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
        first = _bodies(self.records, HEADER)
        with understood(self.store.path, "the first record"):
            changed = changed_fields(first[0]["versions"], versions()) if first else []
        return [f"the campaign was started with other versions ({'; '.join(changed)})"] if changed else []


def unflown_notes(evaluations: Sequence[Evaluation]) -> list[str]:
    """Scenarios in quarantine or given up: they say nothing about safety and must not go unnoticed."""
    said = (EvaluationStatus.VALID, EvaluationStatus.INVALID_SCENARIO)
    troubled = [e for e in evaluations if e.status not in said]
    notes = [
        f"evaluation {e.number} ({e.scenario.id}) has no result: {e.message}"
        for e in troubled[:_MOST_UNFLOWN_NOTES]
    ]
    if len(troubled) > _MOST_UNFLOWN_NOTES:
        notes.append(f"{len(troubled) - _MOST_UNFLOWN_NOTES} more without a result: see evaluations.csv")
    return notes


def no_fitness_notes(evaluations: Sequence[Evaluation]) -> list[str]:
    """Where a fitness of the user's gave no number: how often, and the first reason."""
    reasons = [str(e.details["no_fitness"])[:500] for e in evaluations if e.details.get("no_fitness")]
    return [f"{len(reasons)} evaluation(s) have no fitness; the first: {reasons[0]}"] if reasons else []


def _bodies(records: Sequence[AnyRecord], kind: str) -> list[dict[str, Any]]:
    return [record.body for record in records if record.kind == kind]
