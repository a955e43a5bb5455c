"""A whole campaign: search, choose, confirm, publish, each step resumable."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.registry import BACKENDS, check_settings
from uav_testgen.campaign import confirm as confirming
from uav_testgen.campaign import search as searching
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig, changed_fields
from uav_testgen.campaign.executor.base import WorkerPlan
from uav_testgen.campaign.executor.inline import InlineExecutor
from uav_testgen.campaign.executor.local import LocalExecutor
from uav_testgen.campaign.folder import output_folder
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.ranking import RankedTest, choose_suite
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.campaign.signals import StopRequest
from uav_testgen.campaign.store import Record, Store
from uav_testgen.campaign.versions import versions
from uav_testgen.errors import ConfigError, StoreError
from uav_testgen.generator.base import Evaluation
from uav_testgen.generator.registry import build_generator

log = logging.getLogger(__name__)

HEADER, FINISHED = "campaign", "finished"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test of the final suite with everything known about it."""

    rank: int
    ranked: RankedTest
    runs: tuple[FlownRun, ...]
    confirmation: confirming.Confirmation | None

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


@dataclass(frozen=True, slots=True)
class Options:
    """How it is run; nothing here changes the result."""

    out: Path
    resume: bool = False
    jobs: int = 1


def run_campaign(
    config: CampaignConfig,
    case: CaseStudy,
    options: Options,
    observer: Observer,
    stop: StopRequest,
    publish: Callable[[CampaignResult, Callable[[], None]], None],
) -> CampaignResult | None:
    """Run or resume; None if it was finished before. `publish` writes the outputs into the folder."""
    check_parts(config, case)
    with output_folder(options.out, resume=options.resume) as folder, Store(folder) as store:
        records = store.open()
        for note in store.notes:
            observer.note(note)
        _check_header(config, case, records, store)
        if any(record.kind == FINISHED for record in records):
            return None
        result = _run(config, case, options, observer, stop.check, store, records)
        observer.phase("writing the results")
        publish(result, stop.check)
        store.append([(FINISHED, {"tests": len(result.suite)})])
        return result


def check_parts(config: CampaignConfig, case: CaseStudy) -> None:
    """Everything that can be wrong before the first flight, found before the first flight."""
    screening = BACKENDS.load(config.screening.backend)
    check_settings(config.screening.backend, config.screening.settings)
    if not screening.capabilities.deterministic:
        raise ConfigError(
            f"screening.backend '{config.screening.backend}' does not repeat its flights exactly, so no "
            "campaign could be resumed; screen with lfs and use this one for confirmation"
        )
    if config.confirmation.backend != "none":
        check_settings(config.confirmation.backend, config.confirmation.settings)
    build_generator(config.generator, case.base, config.generator_settings, config.seed)


def _check_header(config: CampaignConfig, case: CaseStudy, records: list[Record], store: Store) -> None:
    current = {
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
    changes = changed_fields(stored["config"], current["config"]) or [
        f"case study {change}" for change in changed_fields(stored["base_scenario"], current["base_scenario"])
    ]
    if changes:
        raise StoreError(
            f"{store.path.parent}: the campaign here has other settings ({'; '.join(changes[:5])}); "
            "resume it with the settings it has, or choose another --out"
        )


def _run(
    config: CampaignConfig,
    case: CaseStudy,
    options: Options,
    observer: Observer,
    check_stop: Callable[[], None],
    store: Store,
    records: list[Record],
) -> CampaignResult:
    generator = build_generator(config.generator, case.base, config.generator_settings, config.seed)
    notes = list(store.notes)
    with _executor(config.screening.backend, config.screening.settings, config, options.jobs) as executor:
        search = searching.Search(config, generator, store, executor, observer, check_stop)
        search.remember(_bodies(records, searching.KIND))
        observer.phase("searching")
        evaluations = search.run()
        observer.phase("choosing the suite")
        suite = choose_suite(evaluations, config.screening.accept_below_m, config.ranking, check_stop)
        flown = confirming.refly_suite(config, suite, executor, check_stop)
    notes += [
        f"flown again, a flight was not the same: {text}" for text in confirming.differences(suite, flown)
    ]
    confirmed = _confirm(config, suite, options, observer, check_stop, store, records)
    order = confirming.final_order(suite, confirmed)
    tests = tuple(
        SuiteTest(rank, test, flown[test.evaluation.number], confirmed.get(test.evaluation.number))
        for rank, test in enumerate(order, start=1)
    )
    used = versions()
    first = _bodies(records, HEADER)
    if first and first[0]["versions"] != used:
        changed = "; ".join(changed_fields(first[0]["versions"], used))
        notes.append(f"the campaign was started with other versions ({changed})")
    return CampaignResult(
        config=config,
        case=case,
        out=options.out,
        evaluations=tuple(evaluations),
        suite=tests,
        progress=search.progress,
        end_reason=search.end_reason,
        elapsed_s=search.elapsed_s,
        versions=used,
        notes=tuple(notes),
    )


def _confirm(
    config: CampaignConfig,
    suite: list[RankedTest],
    options: Options,
    observer: Observer,
    check_stop: Callable[[], None],
    store: Store,
    records: list[Record],
) -> dict[int, confirming.Confirmation]:
    settings = config.confirmation
    if settings.backend == "none" or not suite or settings.tests == 0:
        return {}
    label = f"confirming the best tests with '{settings.backend}'"
    # One at a time: a node graph or a simulator uses the whole machine and its ports.
    with _executor(settings.backend, settings.settings, config, min(options.jobs, 1)) as executor:
        return confirming.confirm(
            config,
            suite,
            _bodies(records, confirming.KIND),
            store,
            executor,
            options.out / "recordings",
            check_stop,
            lambda done, total: observer.phase(f"{label}: {done} of {total} flights"),
        )


def _executor(name: str, settings: dict[str, Any], config: CampaignConfig, jobs: int) -> Any:
    plan = WorkerPlan(name, settings)
    if jobs == 0:
        return InlineExecutor(plan)
    limits = config.screening
    return LocalExecutor(plan, jobs, flight_timeout_s=limits.flight_timeout_s, tries=limits.tries)


def _bodies(records: list[Record], kind: str) -> list[dict[str, Any]]:
    return [record.body for record in records if record.kind == kind]
