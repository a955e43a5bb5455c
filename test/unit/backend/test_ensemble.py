"""Distributions and disturbances of ensembles; no flight is flown here."""

from __future__ import annotations

import math

import pytest

from uav_testgen.backend.ensemble import has_two_opinions, variant, with_lock
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.variation import difference, disturbed_config, disturbed_scenario
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.distribution import Distribution, Run
from uav_testgen.scenario.missions import named_mission
from uav_testgen.scenario.model import LinearMotion, Scenario, obstacle_on_ground
from uav_testgen.vehicle.px4_preset import ScatterConfig, load_px4_preset

SCENARIO = Scenario(
    mission=named_mission("mission1"), obstacles=(obstacle_on_ground(20.0, 0.0, (4.0, 8.0, 20.0)),)
)


def distribution(*distances_m: float, spread_m: float = 0.0) -> Distribution:
    return Distribution(tuple(Run(d, 60.0, Ending.GOAL_REACHED) for d in distances_m), spread_m)


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
    config, scatter = LfsConfig(vehicle="px4"), ScatterConfig()
    differences = [difference(scatter, 3, run) for run in (1, 1, 2)]
    first, again, other = (
        (disturbed_scenario(SCENARIO, one), disturbed_config(config, scatter, one)) for one in differences
    )
    assert first == again
    assert first[0] != other[0]
    assert first[0].mission.home_enu_m != SCENARIO.mission.home_enu_m
    assert first[0].obstacles[0].center_enu_m != SCENARIO.obstacles[0].center_enu_m
    assert first[1].rig.cameras[0].noise.range_std_m == scatter.range_noise_m
    assert 0.0 <= first[1].px4_vehicle.plan_age_s <= scatter.plan_age_max_s


def test_shipped_preset_is_the_default_vehicle() -> None:
    assert LfsConfig(vehicle="px4").px4_vehicle == load_px4_preset().vehicle
    assert LfsConfig().vehicle == "paper"
    assert LfsConfig(vehicle="px4").mission.acceptance_radius_m == 0.5


def test_a_wrong_position_estimate_moves_the_whole_way_of_a_moving_obstacle() -> None:
    motion = LinearMotion(to_enu_m=(30.0, 5.0, 10.0), speed_mps=1.0)
    box = SCENARIO.obstacles[0].model_copy(update={"motion": motion})
    moving = SCENARIO.model_copy(update={"obstacles": (box,)})
    drawn = difference(ScatterConfig(frame_m=1.0), 3, 1)
    shifted = disturbed_scenario(moving, drawn).obstacles[0]
    assert shifted.motion is not None
    assert shifted.motion.to_enu_m == (30.0 + drawn.shift_east_m, 5.0 + drawn.shift_north_m, 10.0)
    assert drawn.shift_east_m != 0.0


def test_nearer_opinion_counts() -> None:
    free = [Run(d, 60.0, Ending.GOAL_REACHED) for d in (2.0, 2.2, 9.0)]
    locked = [Run(d, 90.0, Ending.GOAL_REACHED, locked=True) for d in (1.1, 1.3, 1.2)]
    both = Distribution(tuple(free + locked), 0.0, nearer_bias_m=0.1)
    assert both.expected_distance_m == pytest.approx(1.3)
    assert Distribution(tuple(free), 0.0, nearer_bias_m=0.1).expected_distance_m == pytest.approx(2.2)
    touch = (*free, Run(0.0, 90.0, Ending.COLLISION, locked=True))
    assert Distribution(touch, 0.0, nearer_bias_m=0.1).expected_distance_m == 0.0


def test_second_opinion_only_beside_a_free_px4() -> None:
    asked, free = ScatterConfig(lock_share=0.4), LfsConfig(vehicle="px4", px4_vehicle={"speed_lock": False})
    assert has_two_opinions(free, asked)
    assert not has_two_opinions(with_lock(free), asked)
    assert not has_two_opinions(LfsConfig(), asked)
    assert not has_two_opinions(free, ScatterConfig(lock_share=0.0))


def test_share_of_locked_runs() -> None:
    free, asked = LfsConfig(vehicle="px4", px4_vehicle={"speed_lock": False}), ScatterConfig(lock_share=0.4)
    assert variant(SCENARIO, free, asked, 3, 1) == (SCENARIO, with_lock(free))
    locked = [variant(SCENARIO, free, asked, 3, run)[1].px4_vehicle.speed_lock for run in range(2, 102)]
    assert 25 <= sum(locked) <= 55


def test_bias_of_a_run_by_its_number() -> None:
    scatter = ScatterConfig(bias_m=-0.1, lock_bias_m=0.2, lock_share=0.5)
    assert [scatter.bias_of_run_m(run) for run in (0, 1, 2)] == pytest.approx([-0.1, 0.2, 0.05])
