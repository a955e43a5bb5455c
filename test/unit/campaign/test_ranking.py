"""The suite: value by the competition's formula, near duplicates never."""

from __future__ import annotations

import pytest

from uav_testgen.campaign.archive import Archive
from uav_testgen.campaign.config import CampaignConfig, RankingConfig
from uav_testgen.campaign.ranking import choose_suite, promising, ranking_of, worth_of
from uav_testgen.loop.scatter import ModelError
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.testing.evaluations import evaluation_at

pytestmark = pytest.mark.unit
BY_OBSTACLES = RankingConfig(min_path_distance_m=0.0)


EXACTLY = ModelError(0.001)
A_FIFTH = ModelError(0.2)
HALF_A_METRE = ModelError(0.5)


def test_a_certain_collision_is_worth_five_points() -> None:
    worth = worth_of(evaluation_at(0, 0.0, duration_s=60.0), EXACTLY)
    assert worth.points_if_failing == pytest.approx(5.0)
    assert worth.confirmation_probability == pytest.approx(1.0)
    assert worth.value == pytest.approx(50.0)


def test_half_the_runs_failing_is_half_the_probability() -> None:
    worth = worth_of(evaluation_at(0, 0.5, runs=(0.5, 3.0)), EXACTLY)
    assert worth.confirmation_probability == pytest.approx(0.5)
    assert worth.points_if_failing == pytest.approx(2.0)


def test_a_prediction_near_the_limit_is_confirmed_half_the_time() -> None:
    worth = worth_of(evaluation_at(0, 1.5 - 1e-12), HALF_A_METRE)
    assert worth.confirmation_probability == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (evaluation_at(0, 0.1), evaluation_at(1, 1.2)),
        (evaluation_at(0, 0.5), evaluation_at(1, 0.5, count=2)),
        (evaluation_at(0, 0.5, duration_s=60.0), evaluation_at(1, 0.5, duration_s=120.0)),
        (evaluation_at(0, 0.5), evaluation_at(1, 0.5, runs=(0.5, 4.0, 4.0))),
    ],
    ids=["nearer", "fewer obstacles", "shorter", "more reliable"],
)
def test_what_makes_a_test_better(better, worse) -> None:  # type: ignore[no-untyped-def]
    assert worth_of(better, HALF_A_METRE).value > worth_of(worse, HALF_A_METRE).value


def test_only_predictions_below_the_acceptance_distance_are_chosen() -> None:
    evaluations = [evaluation_at(0, 1.6), evaluation_at(1, 1.4), evaluation_at(2, 1.5)]
    assert [evaluation.number for evaluation in promising(evaluations, 1.5)] == [1]


def test_the_same_obstacles_are_chosen_once() -> None:
    suite = choose_suite([evaluation_at(number, 0.5) for number in range(4)], 1.5, BY_OBSTACLES, HALF_A_METRE)
    assert [test.evaluation.number for test in suite] == [0]


def test_different_obstacles_on_the_same_path_count_as_one_by_dtw_and_as_two_by_iou() -> None:
    # The blind drone flies the same path whatever stands there.
    pair = [evaluation_at(0, 0.5, north_m=-5.0), evaluation_at(1, 0.5, north_m=-20.0)]
    assert len(choose_suite(pair, 1.5, RankingConfig(min_path_distance_m=0.5), HALF_A_METRE)) == 1
    assert len(choose_suite(pair, 1.5, BY_OBSTACLES, HALF_A_METRE)) == 2


def test_diversity_beats_a_slightly_better_twin() -> None:
    first = evaluation_at(0, 0.10, north_m=-5.0)
    twin = evaluation_at(1, 0.11, north_m=-5.9)
    other = evaluation_at(2, 0.30, north_m=10.0)
    suite = choose_suite([first, twin, other], 1.5, BY_OBSTACLES, HALF_A_METRE)
    assert [test.evaluation.number for test in suite] == [0, 2, 1]
    assert suite[2].likeness.obstacle_iou > 0.5


def test_the_suite_has_its_size_and_does_not_depend_on_the_order() -> None:
    many = [evaluation_at(n, 0.2 + 0.02 * n, north_m=-30.0 + 4.5 * n, fly=False) for n in range(12)]
    config = RankingConfig(suite_size=5, min_path_distance_m=0.0)
    suite = [test.evaluation.number for test in choose_suite(many, 1.5, config, HALF_A_METRE)]
    assert len(suite) == 5
    assert suite == [test.evaluation.number for test in choose_suite(many[::-1], 1.5, config, HALF_A_METRE)]


def test_the_archive_remembers_comparisons_correctly() -> None:
    archive = Archive(BY_OBSTACLES)
    candidate = evaluation_at(9, 0.5, north_m=0.0)
    assert archive.likeness(candidate).obstacle_iou == 0.0
    archive.add(evaluation_at(1, 0.5, north_m=20.0))
    assert archive.likeness(candidate).obstacle_iou == 0.0
    archive.add(evaluation_at(2, 0.5, north_m=2.0))
    assert archive.likeness(candidate).obstacle_iou == pytest.approx(2.0 / 6.0)
    archive.add(evaluation_at(3, 0.5, north_m=25.0))
    assert archive.likeness(candidate).obstacle_iou == pytest.approx(2.0 / 6.0)


def test_the_nominal_run_does_not_count_beside_drawn_ones() -> None:
    lucky = worth_of(evaluation_at(0, 0.1, runs=(3.0, 3.0)), EXACTLY)
    assert lucky.confirmation_probability == pytest.approx(0.0)
    assert worth_of(
        evaluation_at(0, 3.0, runs=(0.1, 0.1)), EXACTLY
    ).confirmation_probability == pytest.approx(1.0)


def rows_of(near: dict[int, float], count: int) -> list[Evaluation]:
    """Tests side by side by their distances, each with so many boxes."""
    return [
        evaluation_at(number, distance_m, north_m=-30.0 + 5.0 * number, count=count, fly=False)
        for number, distance_m in near.items()
    ]


def test_places_are_kept_for_hard_tests_and_what_is_worth_least_makes_room() -> None:
    easy = rows_of({0: 0.5, 1: 0.6, 2: 0.7, 3: 0.8}, 1)
    hard = rows_of({5: 0.2, 6: 0.0, 7: 0.1}, 3)

    def chosen(places: int | None) -> list[int]:
        ranking = RankingConfig(suite_size=4, hard_places=places, min_path_distance_m=0.0)
        return [test.evaluation.number for test in choose_suite([*easy, *hard], 1.5, ranking, A_FIFTH)]

    ordinary = chosen(0)
    assert sorted(ordinary) == [0, 1, 2, 3]
    assert chosen(None) == ordinary
    assert chosen(2) == [*ordinary[:2], 6, 7]  # the surest
    assert len(chosen(9)) == 4 and {5, 6, 7} < set(chosen(9))


def test_kept_places_stay_with_the_others_where_no_test_is_hard() -> None:
    easy = rows_of({0: 0.5, 1: 0.6, 2: 0.7}, 1)
    ranking = RankingConfig(suite_size=2, hard_places=2, min_path_distance_m=0.0)
    assert len(choose_suite(easy, 1.5, ranking, A_FIFTH)) == 2


def test_a_hard_test_that_is_chosen_anyway_counts() -> None:
    tests = [*rows_of({0: 0.0, 1: 0.6}, 1), *rows_of({5: 0.1}, 3)]
    ranking = RankingConfig(suite_size=2, hard_places=1, min_path_distance_m=0.0)
    assert [test.evaluation.number for test in choose_suite(tests, 1.5, ranking, A_FIFTH)] == [0, 1]


def test_a_generator_asks_for_hard_places_unless_the_campaign_says_how_many() -> None:
    def places(generator: str, **ranking: int) -> int | None:
        config = CampaignConfig(
            name="t", case="mission2", generator=generator, ranking=RankingConfig(**ranking)
        )
        return ranking_of(config).hard_places

    assert places("hunt") == 8
    assert places("hunt", hard_places=0) == 0
    assert not places("prgen")
    assert places("prgen", hard_places=2) == 2
