"""Distributions and what is drawn for a run; no flight is flown here."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ModelError, ScatterConfig
from uav_testgen.loop.system import named_system
from uav_testgen.predict.distribution import Distribution, Run
from uav_testgen.predict.draw import (
    SIZE,
    difference,
    disturbed_scenario,
    disturbed_system,
    draw_u,
    has_lock,
    without_lock,
)
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import LinearMotion, Scenario, obstacle_on_ground
from uav_testgen.vehicle.px4.config import Px4VehicleConfig

SCENARIO = Scenario(
    mission=named_mission("mission1"), obstacles=(obstacle_on_ground(20.0, 0.0, (4.0, 8.0, 20.0)),)
)


def distribution(*distances_m: float, spread_m: float = 0.0) -> Distribution:
    return Distribution(tuple(Run(d, 60.0, Ending.GOAL_REACHED) for d in distances_m), ModelError(spread_m))


def test_sharp_runs_give_shares() -> None:
    runs = distribution(0.1, 0.8, 1.2, 3.0)
    assert runs.probability_below(1.5) == pytest.approx(0.75)
    assert runs.expected_points == pytest.approx((5 + 2 + 1 + 0) / 4)
    assert runs.expected_distance_m == pytest.approx(1.0)


def test_spread_softens_the_limit() -> None:
    assert distribution(1.5, spread_m=0.3).probability_below(1.5) == pytest.approx(0.5)
    near, far = distribution(1.2, spread_m=0.3), distribution(2.4, spread_m=0.3)
    assert near.probability_below(1.5) == pytest.approx(0.841, abs=1e-3)
    assert far.probability_below(1.5) < 0.01
    assert near.quantile_m(0.5) == pytest.approx(1.2, abs=1e-6)
    assert near.quantile_m(0.05) < near.quantile_m(0.95)


def test_without_obstacles_nothing_fails() -> None:
    empty = distribution(math.inf, spread_m=0.3)
    assert empty.probability_below(1.5) == 0.0
    assert empty.to_json()["expected_distance_m"] is None
    assert empty.to_json()["quantiles_m"]["0.5"] is None


def test_disturbances_are_seeded_and_differ_between_runs() -> None:
    system = named_system()
    scatter = system.scatter
    differences = [difference(scatter, draw_u(3, run)) for run in (1, 1, 2)]
    first, again, other = (
        (disturbed_scenario(SCENARIO, one), disturbed_system(system, scatter, one)) for one in differences
    )
    assert first == again
    assert first[0] != other[0]
    assert first[0].mission.home_enu_m != SCENARIO.mission.home_enu_m
    assert first[0].obstacles[0].center_enu_m != SCENARIO.obstacles[0].center_enu_m
    assert first[1].rig.cameras[0].noise.range_std_m == scatter.range_noise_m
    later_s = first[1].timing.plan_age_s - system.timing.plan_age_s
    assert 0.0 < abs(later_s) <= scatter.timing_s
    assert first[1].timing.image_age_s - system.timing.image_age_s == pytest.approx(later_s)
    factor = first[1].vehicle.tilt_error_growth_mps3 / system.vehicle.tilt_error_growth_mps3
    assert 0.0 < abs(factor - 1.0) <= scatter.tilt_error


def test_a_vector_in_the_middle_changes_nothing_but_the_noise() -> None:
    system = named_system()
    u = np.full(SIZE, 0.5)
    drawn = difference(system.scatter, u)
    assert drawn[:5] == pytest.approx((0.0,) * 5, abs=1e-12)
    assert disturbed_system(system, system.scatter, drawn).timing == system.timing


def test_draws_are_uniform_and_independent() -> None:
    drawn = np.array([draw_u(7, run) for run in range(1, 401)])
    assert drawn.shape == (400, SIZE) and drawn.min() > 0.0 and drawn.max() < 1.0
    assert np.allclose(drawn.mean(axis=0), 0.5, atol=0.06)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(SIZE)).max() < 0.2


def test_a_wrong_position_estimate_moves_the_whole_way_of_a_moving_obstacle() -> None:
    motion = LinearMotion(to_enu_m=(30.0, 5.0, 10.0), speed_mps=1.0)
    box = SCENARIO.obstacles[0].model_copy(update={"motion": motion})
    moving = SCENARIO.model_copy(update={"obstacles": (box,)})
    drawn = difference(ScatterConfig(frame_m=1.0), draw_u(3, 1))
    shifted = disturbed_scenario(moving, drawn).obstacles[0]
    assert shifted.motion is not None
    assert shifted.motion.to_enu_m == (30.0 + drawn.shift_east_m, 5.0 + drawn.shift_north_m, 10.0)
    assert drawn.shift_east_m != 0.0


def hovering(distance_m: float, error: ModelError, ending: Ending = Ending.STUCK) -> Distribution:
    return Distribution((Run(distance_m, 900.0, ending),), error)


def test_a_run_without_an_end_may_go_on() -> None:
    error = ModelError(0.0, escape_share=0.6, escape_m=2.0)
    for ending in (Ending.STUCK, Ending.TIME_LIMIT):
        assert hovering(4.0, error, ending).probability_below(1.5) == pytest.approx(0.6 * 0.75)
        assert hovering(4.0, error, ending).probability_below(3.0) == pytest.approx(0.6)
    assert hovering(4.0, error).expected_distance_m == pytest.approx(1.0 / 0.6)
    assert hovering(4.0, error).moved_by_hovering == 1
    assert hovering(4.0, error).quantile_m(0.3) == pytest.approx(1.0, abs=1e-6)
    assert hovering(0.5, error).probability_below(1.5) == 1.0
    assert hovering(0.5, error).expected_distance_m == 0.5
    assert hovering(0.5, error).moved_by_hovering == 0


def test_runs_with_an_end_or_without_escape_stay_what_they_are() -> None:
    error = ModelError(0.0, escape_share=0.6)
    assert hovering(4.0, error, Ending.GOAL_REACHED).probability_below(1.5) == 0.0
    assert hovering(4.0, error, Ending.COLLISION).expected_distance_m == 4.0
    assert hovering(4.0, ModelError(0.0)).probability_below(1.5) == 0.0
    assert hovering(4.0, ModelError(0.0, escape_share=0.4)).expected_distance_m == 4.0


def test_an_open_run_far_from_obstacles_is_only_long() -> None:
    error = ModelError(0.0, escape_share=0.6)
    for distance_m in (20.0, math.inf):
        assert hovering(distance_m, error).probability_below(1.5) == 0.0
        assert hovering(distance_m, error).expected_distance_m == distance_m


def test_share_of_runs_without_the_speed_lock() -> None:
    system = named_system()
    free = [difference(ScatterConfig(free_share=0.4), draw_u(3, run)).is_free for run in range(1, 101)]
    assert 25 <= sum(free) <= 55
    assert has_lock(system) and not has_lock(named_system("paper"))
    assert not has_lock(without_lock(system, system.scatter))


def test_a_run_without_the_lock_turns_no_faster_than_it_flies_straight() -> None:
    system = named_system()
    drawn = difference(ScatterConfig(), np.full(SIZE, 0.5))
    capped = ScatterConfig(free_speed_mps=1.36)
    slow = disturbed_system(system, capped, drawn._replace(is_free=True))
    assert isinstance(slow.vehicle, Px4VehicleConfig)
    assert slow.vehicle.mpc_xy_cruise_mps == 1.36 and not slow.vehicle.speed_lock
    # The planner looks as far ahead as ever: it reads the autopilot's parameter, which is not what changed.
    assert slow.autopilot == system.autopilot
    for scatter, is_free in ((ScatterConfig(), True), (capped, False)):
        other = disturbed_system(system, scatter, drawn._replace(is_free=is_free))
        assert isinstance(other.vehicle, Px4VehicleConfig)
        assert other.vehicle.mpc_xy_cruise_mps == 5.0 and other.vehicle.speed_lock is not is_free
