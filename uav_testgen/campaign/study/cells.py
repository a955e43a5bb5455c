"""The cells of a study: one run of one generator on one case with one seed and one budget."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

from uav_testgen.campaign.case import CaseStudy, load_case
from uav_testgen.campaign.config import BudgetConfig, CampaignConfig, RankingConfig, ScreeningConfig
from uav_testgen.campaign.study.config import StudyConfig, case_name
from uav_testgen.campaign.study.matrix import Key
from uav_testgen.generator.registry import starts_from_a_test
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.scenario.logical.declaration import find_logical, scenario_names


@dataclass(frozen=True, slots=True)
class StudyCell:
    """One run."""

    number: int
    case: str
    generator: str
    budget: int
    seed: int

    @property
    def key(self) -> Key:
        """Which run it is."""
        return (self.case, self.generator, self.budget, self.seed)

    @property
    def folder(self) -> str:
        """Where its evaluations are, below the output folder."""
        return f"cells/{self.case}/{self.generator}/budget-{self.budget}/seed-{self.seed}"


def study_cells(config: StudyConfig) -> list[StudyCell]:
    """Seeds outermost, so that an interrupted study has whole repetitions."""
    axes = product(config.seeds, config.budgets, map(case_name, config.cases), config.generators)
    return [
        StudyCell(number, case, generator, budget, seed)
        for number, (seed, budget, case, generator) in enumerate(axes)
    ]


def study_case(config: StudyConfig, given: str, generator: str, folder: Path) -> CaseStudy:
    """A case as a generator gets it: with its obstacles only where the search begins with a test."""
    if given not in mission_names() and given in scenario_names():
        given = str(find_logical(given, folder).resolve())
    name = generator_name(config, generator)
    keeps = name is not None and starts_from_a_test(name)
    return load_case(given, folder, config.arena, keep_obstacles=keeps)


def generator_name(config: StudyConfig, entry: str) -> str | None:
    """The generator of an entry; None for a program."""
    studied = config.generators[entry]
    return None if studied.command else studied.generator or entry


def cell_campaign(config: StudyConfig, cell: StudyCell) -> CampaignConfig:
    """The search of one cell as a campaign; a program's words stand for its generator."""
    studied = config.generators[cell.generator]
    return CampaignConfig(
        name=f"{cell.case} {cell.generator}"[:100],
        case=cell.case,
        generator=generator_name(config, cell.generator) or cell.generator,
        generator_settings=dict(studied.settings),
        arena=config.arena,
        seed=cell.seed,
        budget=BudgetConfig(simulations=cell.budget),
        screening=ScreeningConfig(
            backend=config.backend,
            settings=config.backend_settings,
            accept_below_m=config.accept_below_m,
            repeats=config.repeats,
        ),
        ranking=RankingConfig(suite_size=config.suite_size),
    )
