"""One replication from the log to the result: search, measure, keep everything needed to resume."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.pace import flight_limit_s, flights_at_once
from uav_testgen.backend.registry import BACKENDS, check_settings
from uav_testgen.campaign.config import changed_fields
from uav_testgen.campaign.flown_answers import FlownAnswers
from uav_testgen.campaign.observe import Observer
from uav_testgen.campaign.replication.search import FITNESS, KIND, Flying, NeighbourSearch, SearchResult
from uav_testgen.campaign.replication.setup import ReplicationSetup
from uav_testgen.core.errors import BackendError, StoreError
from uav_testgen.flight.series import OF_THE_PATH
from uav_testgen.flight.similarity import dtw_m, frechet_m
from uav_testgen.generator.surrealist.fitness import series
from uav_testgen.generator.surrealist.generator import SurrealistGenerator
from uav_testgen.oracle.requirement import make_requirements
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.work import choose
from uav_testgen.work.choose import Placement
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.folder import output_folder
from uav_testgen.work.store import AnyRecord, Store, understood
from uav_testgen.work.versions import versions

HEADER = "replication"
FORMAT = 1
_FLIGHT_S = 300.0


@dataclass(frozen=True, slots=True)
class Options:
    """Who flies, how often, with which seed, and where it is kept."""

    out: Path
    backend: str
    settings: dict[str, Any]
    runs: int
    seed: int
    resume: bool = False
    jobs: int = 0
    requirements: tuple[str, ...] = ()
    """What seed and best are judged by; no part of the search, so a resumed one may ask for others."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How near a flight is to the log, by the paper's two measures."""

    dtw_m: float
    frechet_m: float


@dataclass(frozen=True, slots=True)
class Replication:
    """What the search found. `fresh_*` are flights with seeds the search has not seen."""

    setup: ReplicationSetup
    options: Options
    search: SearchResult
    seed: Likeness
    best: Likeness
    fresh_seed: Likeness
    fresh_best: Likeness
    judged: tuple[Evaluation, Evaluation]
    """Seed and best as flown afresh, judged by the requirements."""
    seed_to_seed_dtw: float | None
    """DTW between the seed flown in the search and flown afresh: less cannot be asked of a replication."""
    prediction: bool
    notes: tuple[str, ...]


def replicate(
    setup: ReplicationSetup, options: Options, observer: Observer, check_stop: Callable[[], None]
) -> Replication:
    """Search, or go on with the search in the folder."""
    kind = BACKENDS.load(options.backend)
    make_requirements(options.requirements)
    check_settings(options.backend, options.settings)
    generator = SurrealistGenerator(setup.base, setup.config, options.seed, setup.target)
    with output_folder(options.out, resume=options.resume) as folder, Store(folder) as store:
        records = store.open()
        _check_header(setup, options, store, records)
        known = [record.body for record in records if record.kind == KIND]
        with make_executor(options) as executor:
            answers = None
            if not kind.capabilities.deterministic:
                answers = FlownAnswers(options.backend, store, records, executor, check_stop)
            with understood(store.path, "an evaluation"):
                search = NeighbourSearch(
                    generator, flying(options), executor, observer, check_stop, store, known, answers
                )
            own = setup.config.own_fitness
            found = search.run(setup.config.greedy().budget, "DTW" if own is None else FITNESS)
            if own is not None and found.best_fitness is None:
                reason = found.seed.details.get("no_fitness") or found.seed.message
                raise BackendError(f"--fitness {own}: no evaluation has a fitness; the seed: {reason}")
            observer.phase("flying seed and best again with other seeds")
            again = [search.fly_again(item.scenario) for item in (found.seed, found.best)]
    seed, best, fresh_seed, fresh_best = (
        likeness_to(setup, evaluation) for evaluation in (found.seed, found.best, *again)
    )
    return Replication(
        setup=setup,
        options=options,
        search=found,
        seed=seed,
        best=best,
        fresh_seed=fresh_seed,
        fresh_best=fresh_best,
        judged=(again[0], again[1]),
        seed_to_seed_dtw=_seed_to_seed(setup, found.seed, again[0]),
        prediction=kind.capabilities.prediction,
        notes=(*setup.notes, *store.notes, *([found.end_reason] if found.end_reason else [])),
    )


def _seed_to_seed(setup: ReplicationSetup, one: Evaluation, other: Evaluation) -> float | None:
    variable = setup.config.variable
    if variable not in OF_THE_PATH or one.trajectory is None or other.trajectory is None:
        return None
    return dtw_m(series(one.trajectory, variable), series(other.trajectory, variable))


def flying(options: Options) -> Flying:
    """Averages of runs that differ as the calibrated system's runs do."""
    return Flying(options.seed, options.runs, "average", options.requirements)


def make_executor(options: Options) -> Any:
    """Worker processes for the two halves of a pair, or this process."""
    plan = WorkerPlan(options.backend, options.settings)
    jobs = flights_at_once(options.backend, options.settings, options.jobs)
    limit_s = flight_limit_s(options.backend, options.settings, _FLIGHT_S)
    return choose.make_executor(plan, Placement(jobs), flight_timeout_s=limit_s)


def likeness_to(setup: ReplicationSetup, evaluation: Evaluation) -> Likeness:
    """Both measures of one evaluation; BackendError where it has no flight."""
    if evaluation.trajectory is None or len(evaluation.trajectory) == 0:
        raise BackendError(
            f"the flight of {evaluation.scenario.name or evaluation.scenario.id} failed, so there is nothing "
            f"to compare with the log: {evaluation.message or 'no sample'}"
        )
    if setup.config.variable not in OF_THE_PATH:
        measured = evaluation.details
        if measured.get("dtw") is None or measured.get("frechet") is None:
            raise BackendError(str(measured.get("no_fitness", "the flight says nothing about the series")))
        return Likeness(float(measured["dtw"]), float(measured["frechet"]))
    target = series(setup.target, setup.config.variable)
    flown = series(evaluation.trajectory, setup.config.variable)
    return Likeness(dtw_m(target, flown), frechet_m(target, flown))


def _check_header(
    setup: ReplicationSetup, options: Options, store: Store, records: Sequence[AnyRecord]
) -> None:
    current: dict[str, Any] = {
        "format": FORMAT,
        "base_scenario": setup.base.model_dump(mode="json"),
        "config": setup.config.model_dump(mode="json", exclude={"target"}),
        "target": hashlib.sha256(repr(setup.config.target).encode()).hexdigest(),
        "backend": options.backend,
        "settings": options.settings,
        "runs": options.runs,
        "seed": options.seed,
    }
    if not records:
        store.append([(HEADER, {**current, "versions": versions()})])
        return
    stored = {name: value for name, value in records[0].body.items() if name != "versions"}
    if records[0].kind != HEADER or stored.get("format") != FORMAT:
        raise StoreError(f"{store.path}: not a replication of format {FORMAT}; choose another --out")
    changes = changed_fields(stored, current)
    if changes:
        shown = "; ".join(change[:100] for change in changes[:5])
        raise StoreError(
            f"{store.path.parent}: the replication here has other settings ({shown}); "
            "resume it with the settings it has, or choose another --out"
        )
