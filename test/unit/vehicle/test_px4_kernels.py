"""The PX4 vehicle piece by piece: profiles, speed law, speed lock, controllers, heading."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.vehicle.px4.air import wind_acceleration
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.cycle import step_cycle
from uav_testgen.vehicle.px4.profile import ACCELERATION, PROFILE_WIDTH, VELOCITY, advance, plan_together
from uav_testgen.vehicle.px4.setpoint import braking_speed, turn_target
from uav_testgen.vehicle.px4.state import (
    LOCKED_SPEED,
    PITCH,
    POS,
    POSITION_ITEM,
    TAKEOFF_ITEM,
    TILT_ERROR,
    VEL,
    YAW,
    new_state,
)
from uav_testgen.vehicle.px4.tilt_error import step_tilt_error

STILL = np.zeros(3)
START, GOAL = np.array([0.0, 0.0, 10.0]), np.array([100.0, 0.0, 10.0])


def fly(
    config: Px4VehicleConfig, lead_m: np.ndarray, seconds: float, item: int = POSITION_ITEM
) -> np.ndarray:
    """States while the waypoint is kept `lead_m` ahead of the vehicle, renewed ten times a second."""
    state = new_state(START, 0.0)
    constants = config.constants()
    states = []
    for cycle in range(round(seconds / 0.02)):
        if cycle % 5 == 0:
            waypoint = state[POS : POS + 3] + lead_m
            waypoint[2] = GOAL[2] if lead_m[2] == 0.0 else waypoint[2]
        step_cycle(state, waypoint, 0.0, START, GOAL, item, STILL, 0.02, constants)
        states.append(state.copy())
    return np.array(states)


def test_profiles_respect_limits_and_arrive_together() -> None:
    profiles, wanted, limits = np.zeros((3, PROFILE_WIDTH)), (2.0, -1.0, 0.5), (3.0, 3.0, 4.0)
    arrived = []
    before = profiles[:, ACCELERATION].copy()
    for _ in range(200):
        for axis in range(3):
            advance(profiles[axis], 0.02, 4.0)
        assert np.all(np.abs(profiles[:, ACCELERATION]) <= np.array(limits) + 1e-9)
        assert np.all(np.abs(profiles[:, ACCELERATION] - before) <= 4.0 * 0.02 + 1e-9)
        before = profiles[:, ACCELERATION].copy()
        plan_together(profiles, wanted, 4.0, limits)
        arrived.append(np.abs(profiles[:, VELOCITY] - wanted) < 0.01)
    assert np.allclose(profiles[:, VELOCITY], wanted, atol=1e-6)
    first = np.argmax(np.array(arrived), axis=0)
    assert np.ptp(first) <= 8


@pytest.mark.parametrize(("distance_m", "speed_mps"), [(0.0, 0.0), (2.25, 1.31), (5.0, 2.59)])
def test_speed_law(distance_m: float, speed_mps: float) -> None:
    assert braking_speed(4.0, 3.0, distance_m) == pytest.approx(speed_mps, abs=0.005)


def test_cruise_follows_from_the_lead() -> None:
    """5 m ahead seen 16 degrees off the middle of a 58.2 degree view is 2.24 m ahead: 1.3 m/s."""
    offset = 45.0 / 2.8
    lead = 5.0 * (1.0 - 2.0 * offset / 58.2)
    states = fly(Px4VehicleConfig(), np.array([lead, 0.0, 0.0]), 15.0)
    assert 1.2 < states[-1, VEL] < 1.4
    assert math.degrees(states[-1, YAW]) == pytest.approx(offset, abs=0.05)
    assert 0.0 < math.degrees(states[-1, PITCH]) < 6.0


def test_heading_is_straight_without_the_stray_yaw_rate() -> None:
    states = fly(Px4VehicleConfig(yaw_feed_forward_degps=0.0), np.array([5.0, 0.0, 0.0]), 15.0)
    assert states[-1, YAW] == pytest.approx(0.0, abs=1e-9)
    assert 2.4 < states[-1, VEL] < 2.75


def test_speed_lock_off_the_track() -> None:
    """A leg that begins sideways keeps its first, low limit; without the lock it speeds up."""

    def final_speed(config: Px4VehicleConfig) -> float:
        state, constants = new_state(np.array([20.0, 3.0, 10.0]), 0.0), config.constants()
        for cycle in range(500):
            lead = 0.8 if cycle < 50 else 4.0
            waypoint = state[POS : POS + 3] + np.array([lead, 0.0, 0.0])
            step_cycle(state, waypoint, 0.0, START, GOAL, POSITION_ITEM, STILL, 0.02, constants)
        return float(state[VEL])

    locked, free = final_speed(Px4VehicleConfig()), final_speed(Px4VehicleConfig(speed_lock=False))
    assert locked < 0.7 < 1.5 < free


def tilt_errors(seconds: float, speed_mps: float, **settings: float) -> list[float]:
    """The error cycle by cycle, from the pad on, for a vehicle that climbs and then moves east."""
    state, constants = new_state(np.zeros(3), 0.0), Px4VehicleConfig(**settings).constants()
    found = []
    for cycle in range(round(seconds / 0.02)):
        state[POS + 2] = 0.02 * cycle
        state[VEL] = speed_mps
        step_tilt_error(state, 0.02, constants)
        found.append(float(state[TILT_ERROR]))
    return found


def test_tilt_error_appears_at_lift_off_and_grows_until_the_vehicle_moves() -> None:
    settings = {"tilt_error_mps2": 0.05, "tilt_error_growth_mps3": 0.01, "tilt_error_decay_s": 4.0}
    standing = tilt_errors(10.0, 0.0, **settings)
    assert standing[0] == 0.0
    assert standing[10] == pytest.approx(0.05, abs=0.003)
    assert standing[-1] == pytest.approx(0.15, abs=0.005)
    moving = tilt_errors(10.0, 1.0, **settings)
    assert 0.0 < moving[-1] < 0.1 * max(moving)


def test_tilt_error_pushes_along_its_course() -> None:
    """North-west, as in the recorded flight; the velocity controller brings the vehicle back."""
    state = new_state(START, 0.0)
    constants = Px4VehicleConfig(tilt_error_growth_mps3=0.02, tilt_error_course_deg=135.0).constants()
    above = START + np.array([0.0, 0.0, 1.0])
    for _ in range(200):
        step_cycle(state, above, 0.0, START, above, POSITION_ITEM, STILL, 0.02, constants)
    assert -0.1 < state[POS] - START[0] < -0.005
    assert 0.005 < state[POS + 1] - START[1] < 0.1
    still = new_state(START, 0.0)
    none = Px4VehicleConfig(tilt_error_mps2=0.0, tilt_error_growth_mps3=0.0).constants()
    for _ in range(200):
        step_cycle(still, above, 0.0, START, above, POSITION_ITEM, STILL, 0.02, none)
    assert abs(still[POS] - START[0]) < 1e-9


def test_turn_test_looks_at_the_track_when_off_it() -> None:
    constants = Px4VehicleConfig().constants()
    assert turn_target(20.0, 0.3, START, GOAL, constants) == (100.0, 0.0)
    assert turn_target(20.0, 3.0, START, GOAL, constants) == (20.0, 0.0)
    assert turn_target(-3.0, 0.0, START, GOAL, constants) == (0.0, 0.0)
    assert turn_target(101.0, 3.0, START, GOAL, constants) == (100.0, 0.0)
    waypoint = Px4VehicleConfig(lock_target="waypoint").constants()
    assert turn_target(20.0, 3.0, START, GOAL, waypoint) == (100.0, 0.0)


def test_take_off_climbs_at_its_own_speed() -> None:
    state, constants = new_state(np.zeros(3), 0.0), Px4VehicleConfig().constants()
    fastest = 0.0
    for _ in range(1000):
        step_cycle(state, START, 0.0, STILL, START, TAKEOFF_ITEM, STILL, 0.02, constants)
        fastest = max(fastest, float(state[VEL + 2])) if state[POS + 2] < 8.0 else fastest
    assert fastest == pytest.approx(1.5, abs=0.1)
    assert state[POS + 2] == pytest.approx(10.0, abs=0.1)


@pytest.mark.parametrize(("wind_mps", "lean_deg"), [(4.0, 8.1), (8.0, 16.8)])
def test_hovering_in_wind_it_leans_as_in_gazebo(wind_mps: float, lean_deg: float) -> None:
    """The angles were measured on an iris in Gazebo 11 with PX4's wind plug-in."""
    state, constants = new_state(START, 0.0), Px4VehicleConfig(yaw_feed_forward_degps=0.0).constants()
    wind = np.array([-wind_mps, 0.0, 0.0])
    for _ in range(3000):
        step_cycle(state, START, 0.0, START, GOAL, POSITION_ITEM, wind, 0.02, constants)
    assert state[POS] == pytest.approx(0.0, abs=0.05)
    assert state[POS + 2] == pytest.approx(START[2], abs=0.1)
    assert math.degrees(state[PITCH]) == pytest.approx(lean_deg, abs=0.5)


def test_flow_along_the_rotors_takes_thrust_away() -> None:
    state = new_state(START, 0.0)
    assert wind_acceleration(state, np.array([0.0, 0.0, -5.0])) == pytest.approx((0.0, 0.0, -9.80665 / 5.0))
    assert wind_acceleration(state, np.array([0.0, 0.0, 50.0])) == pytest.approx((0.0, 0.0, -9.80665))
    state[VEL + 2] = 2.5  # it climbs with the air: what it lost in calm air comes back
    assert wind_acceleration(state, np.array([0.0, 0.0, 2.5])) == pytest.approx((0.0, 0.0, 9.80665 / 10.0))


def test_lock_value_is_the_last_free_limit() -> None:
    states = fly(Px4VehicleConfig(), np.array([2.24, 0.0, 0.0]), 5.0)
    assert states[-1, LOCKED_SPEED] == pytest.approx(braking_speed(4.0, 3.0, 2.2), abs=0.15)
