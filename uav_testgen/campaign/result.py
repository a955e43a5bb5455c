"""What a campaign found, and how it is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from uav_testgen.campaign import confirm as confirming
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.flights import Flights
from uav_testgen.campaign.flying_system import FlownAs
from uav_testgen.campaign.observe import Progress
from uav_testgen.campaign.ranking import RankedTest
from uav_testgen.campaign.screening import FlownRun
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.unseen import Unseen
from uav_testgen.work.choose import Placement


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
