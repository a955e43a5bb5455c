"""Bounded memory must not change which tests are chosen."""

from __future__ import annotations

import random

from uav_testgen.campaign.config import CampaignConfig
from uav_testgen.campaign.keep import Kept
from uav_testgen.campaign.ranking import choose_suite, promising, worth_of
from uav_testgen.testing.evaluations import evaluation_at


def test_the_suite_is_the_one_chosen_from_everything() -> None:
    dice = random.Random(3)
    everything = [
        evaluation_at(number, dice.choice([0.2, 0.6, 0.9, 1.2, 3.0]), north_m=dice.uniform(-30, 30))
        for number in range(90)
    ]
    config = CampaignConfig(
        case="mission2", ranking={"suite_size": 2, "min_path_distance_m": 0}
    )
    scatter = config.screening.expected_scatter
    kept = Kept(config)
    for first in range(0, 90, 7):
        kept.add(everything[first : first + 7])
    assert [one.number for one in kept.evaluations] == list(range(90))
    with_trajectory = [one for one in kept.evaluations if one.trajectory is not None]
    assert len(with_trajectory) == 40, "twenty candidates for each of the two places"
    by_value = sorted(
        promising(everything, 1.5), key=lambda one: (-worth_of(one, scatter).value, one.number)
    )
    assert sorted(one.number for one in with_trajectory) == sorted(one.number for one in by_value[:40])
    chosen, expected = (
        [test.evaluation.number for test in choose_suite(one, 1.5, config.ranking, scatter)]
        for one in (kept.evaluations, everything)
    )
    assert chosen == expected and len(chosen) == 2
