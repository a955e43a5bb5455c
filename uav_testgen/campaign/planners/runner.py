"""A whole comparison of planners: the search of a campaign in which every scene is flown with each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.registry import BACKENDS, check_settings, make_backend
from uav_testgen.campaign import search as searching
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.checks import check_parts
from uav_testgen.campaign.config import CampaignConfig, changed_fields
from uav_testgen.campaign.observe import Observer, Progress
from uav_testgen.campaign.planners.fan_out import FanOut
from uav_testgen.campaign.record import PLANNERS as KEY
from uav_testgen.campaign.result import Options
from uav_testgen.core.errors import ConfigError, StoreError
from uav_testgen.generator.registry import build_generator
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.planner.registry import load_planner
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.folder import output_folder
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.store import AnyRecord, Store, understood
from uav_testgen.work.versions import versions

HEADER = "planner_comparison"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class PlannerComparison:
    """All scenes, each flown with every planner."""

    config: CampaignConfig
    case: CaseStudy
    planners: tuple[str, ...]
    system: str
    out: Path
    evaluations: tuple[Evaluation, ...]
    """Each is that of the worst planner; `facts` has all of them."""
    progress: Progress
    end_reason: str
    elapsed_s: float
    versions: dict[str, str]

    @property
    def scenes(self) -> list[tuple[Evaluation, Mapping[str, Any]]]:
        """Scenes that were flown, with what each planner did."""
        return [(one, one.details[KEY]) for one in self.evaluations if KEY in one.details]


def run_planner_comparison(
    config: CampaignConfig,
    case: CaseStudy,
    planners: Sequence[str],
    options: Options,
    observer: Observer,
    stop: StopRequest,
) -> PlannerComparison:
    """Run or resume; scenes that were flown with every planner are not flown again."""
    planners = tuple(planners)
    config = without_planner(config)
    check_planners(config, planners)
    check_parts(config, case)
    screening = config.screening
    with output_folder(options.out, resume=options.resume) as out, Store(out) as store:
        records = store.open()
        for note in store.notes:
            observer.note(note)
        _check_header(config, case, planners, records, store)
        case.write_files(out)
        generator = build_generator(config.generator, case.base, config.generator_settings, config.seed)
        plan = WorkerPlan(
            "planners",
            {"backend": screening.backend, "settings": screening.settings, "planners": list(planners)},
        )
        place = options.cluster or Placement(options.jobs)
        with make_executor(
            plan, place, flight_timeout_s=screening.flight_timeout_s, tries=screening.tries
        ) as executor:
            fan_out = FanOut(executor, planners, one_scatter(config))
            search = searching.Search(config, generator, store, fan_out, observer, stop.check)
            search.remember([record for record in records if record.kind == searching.KIND])
            observer.phase(f"flying every scene with {len(planners)} planners")
            evaluations = search.run()
        system = getattr(make_backend(screening.backend, screening.settings), "system", None)
        return PlannerComparison(
            config, case, planners, system.name if system is not None else "", out, tuple(evaluations),
            search.progress, search.end_reason, search.elapsed_s, versions(),
        )  # fmt: skip


def without_planner(config: CampaignConfig) -> CampaignConfig:
    """The campaign's settings without the planner they may name: the comparison says which fly."""
    settings = {key: value for key, value in config.screening.settings.items() if key != "planner"}
    screening = config.screening.model_copy(update={"settings": settings})
    return config.model_copy(update={"screening": screening})


def check_planners(config: CampaignConfig, planners: Sequence[str]) -> None:
    """Everything that can be wrong with the planners, found before the first flight."""
    if len(planners) < 2:
        raise ConfigError(
            "a comparison needs at least two planners; name them: compare-planners A B --campaign FILE"
        )
    if len(set(planners)) != len(planners):
        raise ConfigError(f"each planner may appear only once: {', '.join(planners)}")
    backend = config.screening.backend
    model = getattr(BACKENDS.load(backend), "config_type", None)
    if model is None or "planner" not in model.model_fields:
        raise ConfigError(f"backend '{backend}' does not take a planner; use lfs")
    for planner in planners:
        load_planner(planner)
        check_settings(backend, {**config.screening.settings, "planner": planner})


def one_scatter(config: CampaignConfig) -> ScatterConfig | None:
    """The same differences between runs for every planner, and no correction that was measured with one of them."""
    if config.screening.scatter is not None:
        return config.screening.scatter
    system = getattr(make_backend(config.screening.backend, config.screening.settings), "system", None)
    if system is None:
        return None
    scatter: ScatterConfig = system.scatter
    return scatter.model_copy(update={"bias_m": 0.0, "free_bias_m": 0.0, "escape_share": 0.0})


def _check_header(
    config: CampaignConfig,
    case: CaseStudy,
    planners: tuple[str, ...],
    records: Sequence[AnyRecord],
    store: Store,
) -> None:
    current: dict[str, Any] = {
        "format": FORMAT,
        "planners": {str(place): name for place, name in enumerate(planners)},
        "config": config.model_dump(mode="json"),
        "base_scenario": case.base.model_dump(mode="json"),
    }
    if not records:
        store.append([(HEADER, {**current, "versions": versions()})])
        return
    stored = records[0].body
    if records[0].kind != HEADER or stored.get("format") != FORMAT:
        raise StoreError(f"{store.path}: not a comparison of planners; choose another --out")
    with understood(store.path, "the first record"):
        changes = [
            change
            for part in ("planners", "config", "base_scenario")
            for change in changed_fields(stored[part], current[part])
        ]
    if changes:
        raise StoreError(
            f"{store.path.parent}: the comparison here has other settings ({'; '.join(changes[:5])}); "
            "resume it with the settings it has, or choose another --out"
        )
