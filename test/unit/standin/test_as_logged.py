"""What a real simulation logs before and after a predicted flight."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.model import obstacle_on_ground
from uav_testgen.standin.as_logged import AFTER_S, BEFORE_S, as_logged
from uav_testgen.testing.factories import make_scenario


def flown(ending: Ending, seconds: float = 50.0, start=(0.1, -0.05, 0.0)) -> Flight:
    t_s = np.arange(0.0, seconds + 0.05, 0.1)
    position = np.column_stack([start[0] + t_s, np.full(len(t_s), start[1]), np.minimum(t_s, 10.0)])
    if ending is Ending.GOAL_REACHED:
        position[-100:, 2] = np.linspace(10.0, 0.4, 100)
    velocity = np.gradient(position, t_s, axis=0)
    track = Trajectory(t_s, position, velocity, np.zeros(len(t_s)), np.zeros(len(t_s)), np.zeros(len(t_s)))
    return Flight("0" * 16, "lfs", "test", 1, ending, "", track, {"waypoint_times_s": [10.0]})


def test_the_first_sample_is_the_origin_and_the_flight_is_unchanged() -> None:
    flight = flown(Ending.GOAL_REACHED)
    logged = as_logged(flight, None).flight
    assert logged.trajectory.position_enu_m[0].tolist() == [0.0, 0.0, 0.0]
    later = logged.trajectory.t_s.searchsorted(BEFORE_S - 1e-6)
    count = len(flight.trajectory)
    assert np.array_equal(
        logged.trajectory.position_enu_m[later : later + count], flight.trajectory.position_enu_m
    )
    assert logged.trajectory.position_enu_m[-1, 2] == 0.0
    assert logged.duration_s == pytest.approx(flight.duration_s + BEFORE_S + AFTER_S)
    assert logged.details["waypoint_times_s"] == [11.0]


def test_distances_stay_the_same() -> None:
    scenario = make_scenario(mission="mission2").with_obstacles(
        (obstacle_on_ground(25.0, 4.0, (2.0, 4.0, 20.0)),)
    )
    flight = flown(Ending.GOAL_REACHED)
    before, after = judge(scenario, flight), judge(scenario, as_logged(flight, None).flight)
    assert after.min_distance_aerialist_m == pytest.approx(before.min_distance_aerialist_m, abs=0.02)


def test_after_a_collision_the_vehicle_falls() -> None:
    logged = as_logged(flown(Ending.COLLISION), None).flight
    track = logged.trajectory
    assert track.position_enu_m[-1, 2] == 0.0
    assert track.position_enu_m[-1, :2] == pytest.approx([50.1, -0.05])
    assert track.velocity_enu_mps[:, 2].min() < -10.0


def test_hovering_lasts_until_the_time_limit() -> None:
    stuck = as_logged(flown(Ending.STUCK), 300.0)
    assert stuck.flight.duration_s == pytest.approx(300.0)
    assert not stuck.unfinished
    assert stuck.flight.trajectory.position_enu_m[-1, 2] == pytest.approx(10.0)
    assert as_logged(flown(Ending.STUCK), None).unfinished


def test_the_time_limit_cuts_a_flight() -> None:
    cut = as_logged(flown(Ending.GOAL_REACHED), 20.0)
    assert cut.flight.ending is Ending.TIME_LIMIT
    assert cut.flight.duration_s == pytest.approx(20.0)
    assert cut.stopped_s == 20.0
    whole = as_logged(flown(Ending.GOAL_REACHED), 200.0)
    assert whole.flight.ending is Ending.GOAL_REACHED
