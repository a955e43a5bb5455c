"""One run of a generator of this package, or of the user's, as work for one worker."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from uav_testgen.backend.base import Backend
from uav_testgen.campaign.case import CaseStudy
from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.study.cells import StudyCell
from uav_testgen.campaign.study.config import HeldOutConfig
from uav_testgen.campaign.study.matrix import Key, Sent
from uav_testgen.campaign.study.measure import search_figures, simulated, suite_figures
from uav_testgen.campaign.study.result import RunResult, place_of
from uav_testgen.campaign.study.searched import search_in, sent_from_away
from uav_testgen.predict.evaluation import EvaluationStatus


@dataclass(frozen=True, slots=True)
class GeneratorTask:
    """Search to the end of the budget, then measure; picklable, so any worker can do it."""

    cell: StudyCell
    config: CampaignConfig
    case: CaseStudy
    held_out: HeldOutConfig
    folder: Path
    is_away: bool = False

    @property
    def number(self) -> int:
        """That of the cell."""
        return self.cell.number

    @property
    def key(self) -> Key:
        """Which run it is."""
        return self.cell.key

    @property
    def stays_here(self) -> bool:
        """A generator needs nothing of this machine."""
        return False

    @property
    def flights(self) -> int:
        """Search and held-out flights."""
        searching = self.cell.budget * (1 + self.config.screening.repeats)
        return searching + self.held_out.tests * (1 + self.held_out.runs)

    def away(self) -> GeneratorTask:
        """For a machine that does not see the folder."""
        return replace(self, is_away=True)

    def run(self, backend: Backend) -> RunResult | Sent[RunResult]:
        """Search, or go on searching where an earlier session stopped."""
        if self.is_away:
            return sent_from_away(lambda folder: self._run_in(folder, backend))
        return self._run_in(self.folder, backend)

    def _run_in(self, folder: Path, backend: Backend) -> RunResult:
        found = search_in(folder, self.config, self.case, backend)
        flown = [one for one in found.evaluations if one.status is not EvaluationStatus.INVALID_SCENARIO]
        accept_m = self.config.screening.accept_below_m
        return RunResult(
            **place_of(self.cell),
            **search_figures([simulated(one, one.distance_m, accept_m) for one in flown]),
            **suite_figures(found.eligible, self.config, self.held_out, backend),
            flights=sum(int(one.details.get("flights", 0)) for one in flown),
            search_cpu_s=round(found.search_cpu_s, 3),
            end_reason=found.end_reason,
        )

    def given_up(self, status: EvaluationStatus, message: str) -> RunResult:
        """A run without a result; `message` says why."""
        return RunResult(**place_of(self.cell), end_reason=status.value, message=message)
