"""A small part of each published table: the first flights of one of its cells, as its command flies them.

    python tools/table_samples.py            # fly them and say whether docs/lab/samples.json still holds
    python tools/table_samples.py --write    # keep what they give now; then the tables have to be made again

A table is a function of its flights. Where a sample changes, the table beside it is no longer what its command gives.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.case import CaseStudy, load_case
from uav_testgen.campaign.compare.config import CompareConfig, cells, scenario_files
from uav_testgen.campaign.compare.config import cell_campaign as compare_campaign
from uav_testgen.campaign.config import BudgetConfig, CampaignConfig
from uav_testgen.campaign.screening import ScreenTask, evaluation_seed
from uav_testgen.campaign.study.cells import cell_campaign, study_case, study_cells
from uav_testgen.campaign.study.config import StudyConfig
from uav_testgen.core.config import load_config
from uav_testgen.core.resources import config_folder
from uav_testgen.generator.registry import build_generator
from uav_testgen.loop.system import named_system
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.aerialist_write import as_written

KEPT = Path(__file__).resolve().parents[1] / "docs" / "lab" / "samples.json"
FLIGHTS = 2
"""Nominal flights of each sample."""

Made = tuple[CampaignConfig, CaseStudy]


def _hunt() -> Made:
    config = CampaignConfig(case="mission2", generator="hunt", seed=1, budget=BudgetConfig(simulations=100))
    return config, load_case("mission2", Path(), config.arena)


def _generators() -> Made:
    folder = config_folder("study")
    study = load_config(StudyConfig, folder / "missions.yaml")
    cell = next(one for one in study_cells(study) if (one.case, one.generator) == ("mission5", "prgen"))
    return cell_campaign(study, cell), study_case(study, cell.case, cell.generator, folder)


def _comparison(name: str, scenario: str, algorithm: str) -> Made:
    folder = config_folder("compare")
    config = load_config(CompareConfig, folder / f"{name}.yaml")
    cell = next(one for one in cells(config) if (one.scenario, one.algorithm) == (scenario, algorithm))
    path = scenario_files(config, folder)[scenario]
    return compare_campaign(config, cell, scenario), load_case(str(path.resolve()), Path(), Arena())


SAMPLES: dict[str, Callable[[], Made]] = {
    "hunt, mission2, budget 100, seed 1": _hunt,
    "generators, mission5, prgen, seed 1": _generators,
    "table IV, scenario-10, nsga2, run 1": lambda: _comparison("table4", "scenario-10", "nsga2"),
    "table V, static-5, pso, run 1": lambda: _comparison("table5", "static-5", "pso"),
}


def flown(name: str, backend: Backend) -> list[dict[str, Any]]:
    """The first proposals of a cell with the distance of their nominal flight."""
    config, case = SAMPLES[name]()
    generator = build_generator(config.generator, case.base, config.generator_settings, config.seed)
    proposed = generator.ask(min(config.batch_size, config.budget.evaluations))
    found = []
    for number, scenario in enumerate(map(as_written, islice(proposed, FLIGHTS))):
        evaluation = ScreenTask(number, scenario, evaluation_seed(config.seed, number)).run(backend)
        distance_m = evaluation.distance_m
        found.append(
            {
                "scenario_id": scenario.id,
                "distance_m": None if distance_m is None else round(distance_m, 6),
                "duration_s": round(evaluation.verdicts[0].duration_s, 3),
            }
        )
    return found


def preset() -> str:
    """The system the tables are flown with."""
    return named_system().label


def main() -> int:
    """Fly, then compare or keep."""
    with make_backend("lfs", {}) as backend:
        now = {name: flown(name, backend) for name in SAMPLES}
    if "--write" in sys.argv[1:]:
        KEPT.write_text(json.dumps({"preset": preset(), "samples": now}, indent=1) + "\n", encoding="utf-8")
        print(f"wrote {KEPT}")
        return 0
    kept = json.loads(KEPT.read_text(encoding="utf-8"))["samples"]
    changed = [name for name in now if now[name] != kept.get(name)]
    for name in changed:
        print(f"changed: {name}: was {kept.get(name)}, is {now[name]}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
