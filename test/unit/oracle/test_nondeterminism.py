"""Spread of repeated flights."""

from __future__ import annotations

import pytest

from uav_testgen.flight.model import Ending
from uav_testgen.oracle.nondeterminism import repeatability
from uav_testgen.testing.factories import make_trajectory, make_verdict


def test_spread_of_a_flaky_test():
    verdicts = [make_verdict(distance) for distance in (1.0, 1.4, 2.1, 0.1)]
    paths = [make_trajectory([(float(k), offset, 10.0) for k in range(40)]) for offset in (0.0, 0.5, 1.5)]
    found = repeatability(verdicts, paths)
    assert (found.runs, found.failures, found.hard_failures, found.flaky) == (4, 3, 1, True)
    assert found.failure_share == 0.75
    assert found.failure_share_low < 0.75 < found.failure_share_high
    assert (found.distance_min_m, found.distance_max_m) == (0.1, 2.1)
    assert found.distance_mean_m == pytest.approx(1.15)
    assert found.distance_deviation_m == pytest.approx(0.8347, abs=1e-4)
    assert found.dtw_max_m == pytest.approx(1.5, abs=1e-4)
    assert found.dtw_mean_m == pytest.approx(1.0, abs=1e-4)


def test_inconclusive_runs_do_not_count():
    found = repeatability([make_verdict(1.0), make_verdict(None, Ending.ABORTED)])
    assert (found.runs, found.conclusive_runs, found.failure_share) == (2, 1, 1.0)
    assert not found.flaky
    assert found.dtw_mean_m is None and found.distance_deviation_m is None


def test_predicted_runs_are_counted_by_their_corrected_distance():
    verdicts = [make_verdict(distance) for distance in (1.45, 0.2, 1.0)]
    raw, corrected = repeatability(verdicts), repeatability(verdicts, (), (1.521, 0.271, 1.071))
    assert (raw.failures, raw.hard_failures) == (3, 1)
    assert (corrected.failures, corrected.hard_failures) == (2, 0)
    assert corrected.distance_min_m == 0.271


def test_nothing_flown():
    assert repeatability([]).failure_share is None


def test_the_sentence_says_it_in_one_line():
    verdicts = [make_verdict(distance) for distance in (1.0, 1.4, 2.1, 1.9, 3.0)]
    paths = [make_trajectory([(float(k), offset, 10.0) for k in range(40)]) for offset in (0.0, 0.5)]
    assert repeatability(verdicts, paths).sentence == (
        "2 of 5 runs failed (95 % CI 12–77 %); flaky; distance 1.00 to 3.00 m; "
        "paths 0.50 m apart, at most 0.50 m (DTW per point)"
    )
    assert "paths" not in repeatability(verdicts).sentence, "nothing is said about paths that were not kept"


def test_the_sentence_counts_conclusive_runs_only():
    lost = make_verdict(None, Ending.ABORTED)
    assert "1 of 1 conclusive runs (2 flown) failed" in repeatability([make_verdict(1.0), lost]).sentence
    assert repeatability([lost, lost]).sentence == "none of the 2 runs could be judged"
    assert repeatability([lost]).to_json()["sentence"] == repeatability([lost]).sentence


def test_broken_and_very_many_paths_do_no_harm():
    broken = make_trajectory([(0.0, float("nan"), 1.0), (1.0, 0.0, 1.0)])
    path = make_trajectory([(float(k), 0.0, 10.0) for k in range(20)])
    far = make_trajectory([(float(k), 90.0, 10.0) for k in range(20)])
    found = repeatability([make_verdict(1.0)] * 3, [broken, path])
    assert found.dtw_mean_m is None, "one path has no spread"
    assert repeatability([make_verdict(1.0)] * 31, [*[path] * 30, far]).dtw_max_m == 0.0
