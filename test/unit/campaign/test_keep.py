"""Bounded memory must not change which tests are chosen."""

from __future__ import annotations

import random
from dataclasses import replace

from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.error import expected_error
from uav_testgen.campaign.keep import Kept
from uav_testgen.campaign.ranking import choose_suite, promising, worth_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.evaluations import evaluation_at


def test_the_suite_is_the_one_chosen_from_everything() -> None:
    dice = random.Random(3)
    everything = [
        evaluation_at(number, dice.choice([0.2, 0.6, 0.9, 1.2, 3.0]), north_m=dice.uniform(-30, 30))
        for number in range(90)
    ]
    config = CampaignConfig(case="mission2", ranking={"suite_size": 2, "min_path_distance_m": 0})
    error = expected_error(config.screening)
    kept = Kept(config)
    for first in range(0, 90, 7):
        kept.add(everything[first : first + 7])
    assert [one.number for one in kept.evaluations] == list(range(90))
    with_trajectory = [one for one in kept.evaluations if one.trajectory is not None]
    assert len(with_trajectory) == 40, "twenty candidates for each of the two places"
    by_value = sorted(promising(everything, 1.5), key=lambda one: (-worth_of(one, error).value, one.number))
    assert sorted(one.number for one in with_trajectory) == sorted(one.number for one in by_value[:40])
    chosen, expected = (
        [test.evaluation.number for test in choose_suite(one, 1.5, config.ranking, error)]
        for one in (kept.evaluations, everything)
    )
    assert chosen == expected and len(chosen) == 2


def test_a_million_evaluations_share_one_mission_and_one_arena() -> None:
    kept = Kept(CampaignConfig(case="mission2"))
    for number in range(3):
        evaluation = evaluation_at(number, 1.0)
        again = Scenario.model_validate(evaluation.scenario.model_dump(mode="json"))
        kept.add([replace(evaluation, scenario=again)])
        assert kept.evaluations[number].scenario == again
    assert len({id(one.scenario.mission) for one in kept.evaluations}) == 1
    assert len({id(one.scenario.arena) for one in kept.evaluations}) == 1
