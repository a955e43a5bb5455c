"""What a search keeps in memory: every evaluation, but only the trajectories the suite is chosen by."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace

from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.error import expected_error
from uav_testgen.campaign.ranking import candidate_count, promising, worth_of
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario


class Kept:
    """Grows by about 3 kB for each evaluation; trajectories are bounded by the size of the suite."""

    def __init__(self, config: CampaignConfig) -> None:
        self.evaluations: list[Evaluation] = []
        self._config = config
        self._error = expected_error(config.screening)
        self._most = candidate_count(config.ranking)
        # (value, -number, place): the first is the candidate that would be chosen last.
        self._candidates: list[tuple[float, int, int]] = []
        self._stage: Scenario | None = None

    def add(self, batch: Sequence[Evaluation]) -> None:
        """Keep a batch."""
        wanted = {one.number for one in promising(batch, self._config.screening.accept_below_m)}
        for evaluation in map(self._on_one_stage, batch):
            place = len(self.evaluations)
            if evaluation.number not in wanted:
                self.evaluations.append(replace(evaluation, trajectory=None))
                continue
            self.evaluations.append(evaluation)
            value = worth_of(evaluation, self._error).value
            heapq.heappush(self._candidates, (value, -evaluation.number, place))
            if len(self._candidates) > self._most:
                _, _, last = heapq.heappop(self._candidates)
                self.evaluations[last] = replace(self.evaluations[last], trajectory=None)

    def _on_one_stage(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation with the mission and arena of the first, if equal: two fifths less memory."""
        scenario = evaluation.scenario
        if self._stage is None:
            self._stage = scenario
        same = {"mission": self._stage.mission, "arena": self._stage.arena}
        if scenario.mission != same["mission"] or scenario.arena != same["arena"]:
            return evaluation
        return replace(evaluation, scenario=scenario.model_copy(update=same))
