"""Distances and verdicts, against figures worked out by hand and against shapely."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from uav_testgen.flight.model import Ending
from uav_testgen.flight.resample import period_averages
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.model import Outcome
from uav_testgen.oracle.separation import lowest_crossing_m, separation
from uav_testgen.scenario.footprint import footprint
from uav_testgen.scenario.model import LinearMotion, Obstacle, Shape
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario, make_trajectory

MISSION = make_mission()


def straight(north_m, height_m=10.0, step_m=0.3):
    return [(step_m * k, north_m, height_m) for k in range(round(50.0 / step_m))]


def judged(points, *obstacles, ending=Ending.GOAL_REACHED, period_s=0.1, config=None):
    scenario = make_scenario(*obstacles, mission=MISSION)
    return judge(scenario, make_flight(scenario, points, ending, period_s), config)


def test_flight_past_a_box():
    verdict = judged(straight(4.225), make_box())
    assert verdict.min_distance_3d_m == pytest.approx(1.225)
    assert verdict.min_distance_horizontal_m == pytest.approx(1.225)
    assert verdict.min_distance_aerialist_m == pytest.approx(1.1)
    assert (verdict.outcome, verdict.obstacle_index) == (Outcome.SOFT_FAIL, 0)
    # At 3 m/s the box (23 m to 27 m) is beside the flight from 7.67 s to 9 s.
    assert 23.0 / 3.0 - 0.1 <= verdict.moment_s <= 27.0 / 3.0 + 0.1
    assert "obstacle 1 at 1.10 m" in verdict.sentence and "reached its goal" in verdict.sentence


@pytest.mark.parametrize(
    "centre_line_m, outcome",
    [(1.63, Outcome.PASS), (1.62, Outcome.SOFT_FAIL), (0.38, Outcome.SOFT_FAIL), (0.37, Outcome.HARD_FAIL)],
)
def test_limits_apply_to_aerialists_distance(centre_line_m, outcome):
    assert judged(straight(3.0 + centre_line_m), make_box()).outcome is outcome


def test_limits_can_be_changed():
    config = OracleConfig(measure="3d", safe_distance_m=2.0, collision_distance_m=0.0)
    assert judged(straight(4.9), make_box(), config=config).outcome is Outcome.SOFT_FAIL
    assert judged(straight(5.1), make_box(), config=config).outcome is Outcome.PASS
    # Collision distance 0 still means that a touch is a collision.
    assert judged(straight(0.0), make_box(), config=config).outcome is Outcome.HARD_FAIL
    with pytest.raises(ValueError, match="collision_distance_m"):
        OracleConfig(safe_distance_m=0.1)


def test_the_nearest_obstacle_is_named():
    verdict = judged(straight(0.0), make_box(20.0, 12.0), make_box(30.0, -5.0))
    assert verdict.obstacle_index == 1
    assert verdict.min_distance_3d_m == pytest.approx(2.0)


def test_closest_point_between_two_samples():
    # Samples 20 m apart pass a box that none of them is near to.
    verdict = judged(
        [(5.0, 4.0, 10.0), (25.0, 4.0, 10.0), (45.0, 4.0, 10.0)], make_box(15.0, 0.0), period_s=1.0
    )
    assert verdict.min_distance_3d_m == pytest.approx(1.0)
    assert verdict.min_distance_aerialist_m == pytest.approx(0.875)


def test_three_dimensions_and_plan_view_differ_over_a_low_box():
    verdict = judged(straight(0.0, height_m=13.0), make_box(size_m=(4.0, 6.0, 11.0)))
    assert verdict.min_distance_3d_m == pytest.approx(2.0)
    assert verdict.min_distance_horizontal_m == 0.0
    # Aerialist: the line crosses the footprint, but higher than the box, so the height above it counts.
    assert verdict.min_distance_aerialist_m == pytest.approx(2.0)
    assert verdict.outcome is Outcome.PASS


def test_flying_through_is_zero():
    verdict = judged(straight(0.0), make_box())
    assert verdict.min_distance_3d_m == verdict.min_distance_aerialist_m == 0.0
    assert verdict.outcome is Outcome.HARD_FAIL


def test_averages_cut_corners_as_aerialist_does():
    # A spike of one sample towards the box counts exactly, but is averaged away in Aerialist's figure.
    points = [(25.0, 8.0, 10.0)] * 40
    points[20] = (25.0, 4.0, 10.0)
    verdict = judged(points, make_box())
    assert verdict.min_distance_3d_m == pytest.approx(1.0)
    assert verdict.min_distance_aerialist_m == pytest.approx(5.0 - 4.0 / 5.0 - 0.125)


@pytest.mark.parametrize("seed", range(8))
def test_equal_to_shapely_on_wandering_flights(seed):
    rng = np.random.default_rng(seed)
    boxes = [
        make_box(rng.uniform(15, 35), n, (3.0, 5.0, 20.0), -rng.uniform(0, 90)) for n in (-20.0, 0.0, 15.0)
    ]
    cylinder = Obstacle(center_enu_m=(30.0, -10.0, 10.0), size_m=(4.0, 4.0, 20.0), shape=Shape.CYLINDER)
    obstacles = (*boxes, cylinder)
    east = np.linspace(0.0, 50.0, 300)
    north = rng.uniform(-30, 25) + 5.0 * np.sin(east / 7.0)
    trajectory = make_trajectory(np.column_stack([east, north, np.full(300, 10.0)]).tolist())
    found = separation(make_scenario(*obstacles, mission=MISSION), trajectory)
    _, line = period_averages(trajectory.t_s, trajectory.position_enu_m)
    exact = shapely.LineString(trajectory.position_enu_m[:, :2])
    averaged = shapely.LineString(line[:, :2])
    assert found.horizontal.distance_m == pytest.approx(
        min(exact.distance(footprint(o)) for o in obstacles), abs=2e-3
    )
    expected = max(min(averaged.distance(footprint(o)) for o in obstacles) - 0.125, 0.0)
    assert found.aerialist.distance_m == pytest.approx(expected, abs=2e-3)


def test_lowest_crossing_of_a_climbing_line():
    box = make_box(25.0, 0.0, (4.0, 6.0, 5.0))
    line = np.array([(20.0, 0.0, 10.0), (30.0, 0.0, 20.0)])
    assert lowest_crossing_m(box, line) == pytest.approx(13.0)
    cylinder = Obstacle(center_enu_m=(25.0, 0.0, 2.0), size_m=(4.0, 4.0, 4.0), shape=Shape.CYLINDER)
    assert lowest_crossing_m(cylinder, line) == pytest.approx(13.0)
    assert lowest_crossing_m(box, line + np.array([0.0, 9.0, 0.0])) is None
    assert lowest_crossing_m(box, np.array([(25.0, 0.0, 7.0)])) == pytest.approx(7.0)


def test_moving_obstacle_is_where_it_is_at_that_time():
    away = LinearMotion(to_enu_m=(25.0, 20.0, 10.0), speed_mps=2.0, mode="once")
    moving = make_box().model_copy(update={"motion": away})
    # The flight arrives after 10 s, when the box is at its far end.
    waiting = [(0.0, 0.0, 10.0)] * 100 + straight(0.0)
    assert judged(waiting, moving).outcome is Outcome.PASS
    assert judged(straight(0.0), make_box()).outcome is Outcome.HARD_FAIL


def test_a_mission_not_completed_is_no_pass_even_if_the_distance_was_kept():
    for ending in (
        Ending.TIME_LIMIT,
        Ending.STUCK,
        Ending.LANDED_EARLY,
        Ending.OFFBOARD_LOST,
        Ending.ABORTED,
    ):
        verdict = judged(straight(20.0), make_box(), ending=ending)
        assert (verdict.outcome, verdict.completed) == (Outcome.INCOMPLETE, False)
        assert judged(straight(4.0), make_box(), ending=ending).outcome is Outcome.SOFT_FAIL


def test_collision_reported_by_the_backend_is_a_hard_fail():
    assert judged(straight(20.0), make_box(), ending=Ending.COLLISION).outcome is Outcome.HARD_FAIL


def test_nan_in_the_trajectory_is_inconclusive():
    points = straight(20.0)
    points[5] = (float("nan"), 0.0, 0.0)
    verdict = judged(points, make_box())
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert verdict.min_distance_3d_m is None
