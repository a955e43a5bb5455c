"""Competition formulas, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.oracle.competition import (
    FlownTest,
    ScoreConfig,
    diversity,
    points,
    score_of_test,
    score_suite,
)
from uav_testgen.testing.factories import make_box


def path(north_m):
    return np.array([(float(k), north_m, 10.0) for k in range(40)])


def flown(name, north_m=0.0, distances=(1.2, 0.5, 0.1), minutes=2.0, count=1, path_north_m=None):
    boxes = tuple(make_box(15.0 + 6.0 * k, north_m, (4.0, 4.0, 20.0)) for k in range(count))
    line = path(north_m if path_north_m is None else path_north_m)
    return FlownTest(name, boxes, distances, (minutes * 60.0,) * len(distances), (line,) * len(distances))


@pytest.mark.parametrize(
    "distance_m, expected",
    [(0.0, 5), (0.2499, 5), (0.25, 2), (0.99, 2), (1.0, 1), (1.499, 1), (1.5, 0), (9.0, 0), (None, 0)],
)
def test_points(distance_m, expected):
    assert points(distance_m) == expected


def test_score_of_one_test():
    # (1 + 2 + 5) / 3 points, 2 obstacles, 2 minutes.
    assert score_of_test(8 / 3, 2, 2.0) == pytest.approx(8 / 3 * 10 / (4 * 2))
    assert score_of_test(5.0, 1, 1.0) == 50.0
    assert score_of_test(5.0, 0, 1.0) == 0.0


def test_2025_sums_and_removes_duplicates():
    suite = score_suite([flown("a"), flown("b", north_m=10.0), flown("again", north_m=0.0)], "2025")
    one = 8 / 3 * 10 / 2
    assert suite.failure_score == pytest.approx(2 * one)
    assert [test.duplicate_of for test in suite.tests] == [None, None, "a"]
    assert [test.evaluated for test in suite.tests] == [True, True, False]
    assert suite.diversity == 1.0


def test_diversity_is_one_minus_mean_iou():
    # Squares of 4 m: shifted by 2 m they share 8 of 24 square metres.
    shifted = [(make_box(20.0, 0.0, (4.0, 4.0, 20.0)),), (make_box(22.0, 0.0, (4.0, 4.0, 20.0)),)]
    assert diversity(shifted) == pytest.approx(1.0 - 8.0 / 24.0)
    assert diversity([*shifted, (make_box(35.0, 20.0, (4.0, 4.0, 20.0)),)]) == pytest.approx(
        1.0 - (8.0 / 24.0) / 3
    )
    assert diversity(shifted[:1]) is None


def test_only_the_first_twenty_count():
    tests = [flown(f"t{k}", north_m=-30.0 + 2.5 * k) for k in range(24)]
    suite = score_suite(tests, "2025")
    assert sum(test.evaluated for test in suite.tests) == 20
    assert suite.failure_score == pytest.approx(20 * 8 / 3 * 10 / 2)
    assert "20 of 24 tests evaluated" in suite.notes


def test_2024_rest_and_similarity():
    # 22 tests; the second flies like the first.
    tests = [flown("t0"), flown("t1", north_m=5.0, path_north_m=0.1)]
    tests += [flown(f"t{k}", north_m=-35.0 + 3.0 * k) for k in range(2, 22)]
    suite = score_suite(tests, "2024")
    one = 8 / 3 * 10 / 2
    assert suite.tests[1].similar_to == "t0"
    assert suite.rest_score == pytest.approx(2 * one / 2)
    assert suite.similarity_factor == pytest.approx(1 - 1 / 20)
    assert suite.failure_score == pytest.approx((20 * one + one) * 0.95)


def test_2026_has_the_factor_but_no_rest():
    tests = [flown("a"), flown("b", north_m=5.0, path_north_m=0.1), flown("c", north_m=12.0)]
    suite = score_suite(tests, "2026", ScoreConfig(evaluated_tests=2))
    assert suite.failure_score == pytest.approx(2 * 8 / 3 * 10 / 2 * 0.5)
    assert suite.rest_score == 0.0
    assert (
        score_suite(tests, "2026", ScoreConfig(evaluated_tests=2, similar_path_m=0.01)).similarity_factor
        == 1.0
    )


def test_unflown_tests_earn_nothing_and_are_mentioned():
    suite = score_suite([flown("a", distances=())], "2025")
    assert suite.failure_score == 0.0
    assert "no flight of: a" in suite.notes[0]
    assert score_suite([], "2024").failure_score == 0.0


def test_unknown_rules():
    with pytest.raises(ConfigError, match="2024, 2025, 2026"):
        score_suite([], "2023")


def test_json_has_the_promised_keys():
    data = score_suite([flown("a")], "2025").to_json()
    assert {"failure_score", "diversity", "tests"} <= set(data)
    assert data["tests"][0]["points"] == [1, 2, 5]
