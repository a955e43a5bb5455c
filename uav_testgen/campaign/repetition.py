"""One finished generation as a row of Surrealist's Table 4: its seed against its best, and what the search needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from uav_testgen.campaign import search as searching
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.turns import turns
from uav_testgen.core.errors import BackendError
from uav_testgen.generator.registry import build_generator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.store import Store


def generation_of(folder: Path, config: CampaignConfig, case: CaseStudy) -> dict[str, Any]:
    """The figures of the campaign in a folder; its search is told again what it was told, nothing is flown."""
    bodies = [record.body for record in Store(folder).read() if record.kind == searching.KIND]
    stored = {found.number: found for found in (searching.read_back(body, str(folder)) for body in bodies)}
    generator: Any = build_generator(config.generator, case.base, config.generator_settings, config.seed)

    def recalled(first: int, asked: Sequence[Scenario]) -> list[Evaluation]:
        numbers = range(first, first + len(asked))
        return [stored[number] for number in numbers if number in stored]

    for _ in turns(generator, lambda: config.batch_size, recalled):
        pass
    best = generator.report().best
    if best is None or 0 not in stored:
        raise BackendError(
            f"{folder}: no evaluation of the search has a fitness, so it has no best to compare"
        )
    seed_m, best_m = least_m(stored[0]), least_m(stored[best])
    if seed_m is None or best_m is None:
        raise BackendError(f"{folder}: no distance of the seed or of the best is known")
    counts = stored[best].counts()
    times = [float(found.details["wall_s"]) for found in stored.values() if "wall_s" in found.details]
    rounds = generator.search.convergence
    return {
        "case": case.name,
        "backend": config.screening.backend,
        "generator": config.generator,
        "settings": config.generator_settings,
        "seed": config.seed,
        "seed_min_dist": seed_m,
        "best_min_dist": best_m,
        "crash_rate": counts["collisions"] / counts["runs"] if counts["runs"] else None,
        "unsafe_rate": counts["too_close"] / counts["runs"] if counts["runs"] else None,
        "needed_budget": best + 1,
        "evaluations": len(stored),
        "eval_wall_s": sum(times) / len(times) if times else 0.0,
        "convergence": [{"evaluations": count, "best": fitness} for count, fitness in rounds],
    }


def least_m(evaluation: Evaluation) -> float | None:
    """Min_dist of the paper: the least of all runs that count."""
    return min((distance_m for _, distance_m in evaluation.drawn if distance_m is not None), default=None)
