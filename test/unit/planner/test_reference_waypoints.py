from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from uav_testgen.planner import NavState, PlannerConfig, WaypointInput, WaypointState
from uav_testgen.planner.vfh3d.reference.guide import ReferenceWaypointGenerator
from uav_testgen.planner.vfh3d.reference.path_setpoint import setpoint_from_path

PATH = np.array([[6, 0, 5], [4, 0, 5], [2, 0, 5], [0, 0, 5]], np.float32)
STATE = WaypointInput(
    position_enu_m=(0.0, 0.0, 5.0),
    velocity_enu_mps=(0.0, 0.0, 0.0),
    quaternion_wxyz=(1.0, 0.0, 0.0, 0.0),
    goal_enu_m=(30.0, 0.0, 5.0),
    previous_goal_enu_m=(0.0, 0.0, 5.0),
)


def _run(generator: ReferenceWaypointGenerator, state: WaypointInput, time_s: float) -> WaypointState:
    generator.update(state)
    return generator.get(time_s).state


def _flying(state: WaypointInput = STATE, config: PlannerConfig | None = None) -> ReferenceWaypointGenerator:
    """A generator in TRY_PATH with a fresh path."""
    generator = ReferenceWaypointGenerator(config or PlannerConfig())
    generator.set_path(PATH, 9.9, 3.0)
    assert _run(generator, state, 10.0) is WaypointState.TRY_PATH
    return generator


@pytest.mark.parametrize(
    ("age_s", "valid", "x"),
    [(0.0, True, 2), (0.5, True, 3), (1.5, True, 5), (2.0, False, 6), (3.0, False, 8)],
)
def test_setpoint_walks_from_the_first_node(age_s: float, valid: bool, x: float) -> None:
    found, setpoint = setpoint_from_path(PATH, 50.0, 50.0 + age_s, 2.0, np.zeros(3, np.float32))
    assert found is valid
    assert setpoint == pytest.approx([x, 0, 5])


def test_short_paths() -> None:
    initial = np.full(3, 9, np.float32)
    for count in (0, 1):
        valid, setpoint = setpoint_from_path(PATH[:count], 0.0, 1.0, 1.0, initial)
        assert not valid and setpoint.tolist() == [9, 9, 9]
    valid, setpoint = setpoint_from_path(PATH[:2], 0.0, 100.0, 1.0, initial)
    assert valid and setpoint.tolist() == [6, 0, 5]


def test_starts_hovering_then_follows_the_path() -> None:
    generator = _flying()
    generator.update(STATE)
    waypoint = generator.get(10.1)
    assert waypoint.state is WaypointState.TRY_PATH
    assert waypoint.goto_enu_m.tolist() == [1, 0, 5]
    assert np.isnan(waypoint.linear_velocity_enu_mps).all()


def test_stale_path_leads_to_direct_and_back() -> None:
    generator = _flying()
    assert _run(generator, STATE, 14.0) is WaypointState.DIRECT
    assert _run(generator, STATE, 14.1) is WaypointState.DIRECT
    generator.set_path(PATH, 14.1, 3.0)
    assert _run(generator, STATE, 14.2) is WaypointState.TRY_PATH


def test_stay_hovers_where_it_was_entered() -> None:
    generator = _flying()
    staying = replace(STATE, stay=True)
    assert _run(generator, staying, 10.1) is WaypointState.LOITER
    moved = replace(staying, position_enu_m=(1.0, 0.0, 5.0))
    generator.update(moved)
    assert generator.get(10.2).goto_enu_m.tolist() == [1, 0, 5]
    generator.update(replace(staying, position_enu_m=(3.0, 0.0, 5.0)))
    assert generator.get(10.3).goto_enu_m.tolist() == [1, 0, 5]
    assert _run(generator, STATE, 10.4) is WaypointState.TRY_PATH


@pytest.mark.parametrize(
    "change",
    [
        {"nav_state": NavState.AUTO_TAKEOFF},
        {"nav_state": NavState.AUTO_LAND},
        {"is_takeoff_waypoint": True},
        {"is_land_waypoint": True},
        {"nav_state": NavState.OFFBOARD, "goal_enu_m": (30.0, 0.0, 8.0)},
        {"nav_state": NavState.AUTO_RTL, "goal_enu_m": (30.0, 0.0, 5.8)},
    ],
)
def test_modes_that_change_altitude(change: dict[str, object]) -> None:
    assert _run(_flying(), replace(STATE, **change), 10.1) is WaypointState.ALTITUDE_CHANGE  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"nav_state": NavState.OFFBOARD},  # already at goal height
        {"nav_state": NavState.AUTO_RTL, "goal_enu_m": (30.0, 0.0, 5.7)},
        {"nav_state": NavState.AUTO_RTL, "goal_enu_m": (30.0, 0.0, 1.0)},  # descending is never asked for
        {"nav_state": NavState.AUTO_LOITER},
        {"nav_state": NavState.AUTO_LOITER, "is_land_waypoint": True},
        {"nav_state": NavState.NONE},
    ],
)
def test_modes_that_do_not(change: dict[str, object]) -> None:
    assert _run(_flying(), replace(STATE, **change), 10.1) is WaypointState.TRY_PATH  # type: ignore[arg-type]


def test_altitude_change_waits_until_slow() -> None:
    generator = _flying()
    climbing = replace(
        STATE,
        is_takeoff_waypoint=True,
        goal_enu_m=(30.0, 0.0, 9.0),
        velocity_enu_mps=(2.0, 0.0, 0.0),
        desired_velocity_enu_mps=(0.0, 0.0, 1.5),
    )
    assert _run(generator, climbing, 10.1) is WaypointState.ALTITUDE_CHANGE
    generator.update(climbing)
    braking = generator.get(10.2)
    assert braking.goto_enu_m.tolist() == [0, 0, 5]
    assert braking.linear_velocity_enu_mps[:2].tolist() == [0, 0]
    assert math.isnan(braking.linear_velocity_enu_mps[2])
    generator.update(replace(climbing, velocity_enu_mps=(0.1, 0.0, 0.0), position_enu_m=(0.2, 0.0, 5.0)))
    rising = generator.get(10.3)
    assert rising.goto_enu_m.tolist() == [0, 0, 9]  # above the place where it stopped
    assert rising.linear_velocity_enu_mps.tolist() == [0, 0, 1.5]
    assert rising.state is WaypointState.ALTITUDE_CHANGE


def test_landing_is_not_smoothed() -> None:
    generator = _flying()
    landing = replace(STATE, is_land_waypoint=True, goal_enu_m=(0.0, 0.0, 0.0))
    _run(generator, landing, 10.1)
    generator.update(landing)
    assert generator.get(10.2).position_enu_m.tolist() == [0, 0, 0]


def test_offboard_climb_is_one_metre_ahead_and_remembers_arrival() -> None:
    generator = _flying()
    below = replace(STATE, nav_state=NavState.OFFBOARD, goal_enu_m=(30.0, 0.0, 8.0))
    _run(generator, below, 10.1)
    generator.update(below)
    assert generator.get(10.2).goto_enu_m.tolist() == [0, 0, 6]
    there = replace(below, position_enu_m=(0.0, 0.0, 8.0))
    assert _run(generator, there, 10.3) is WaypointState.TRY_PATH
    assert _run(generator, below, 10.4) is WaypointState.TRY_PATH  # reached once is enough
    assert _run(generator, replace(below, airborne=False), 10.5) is WaypointState.ALTITUDE_CHANGE


def test_near_the_goal_it_goes_to_the_goal_and_keeps_its_heading() -> None:
    generator = _flying()
    near = replace(STATE, goal_enu_m=(0.0, 0.6, 5.0))
    generator.update(near)
    waypoint = generator.get(10.1)
    assert waypoint.goto_enu_m == pytest.approx([0, 0.6, 5])
    assert waypoint.yaw_rad == 0
    assert waypoint.speed_mps <= 0.6


def test_goal_at_the_vehicle_and_no_path() -> None:
    generator = ReferenceWaypointGenerator(PlannerConfig())
    here = replace(STATE, goal_enu_m=STATE.position_enu_m)
    for k in range(5):
        generator.update(here)
        waypoint = generator.get(10.0 + 0.1 * k)
        assert waypoint.position_enu_m.tolist() == [0, 0, 5]
        assert waypoint.speed_mps == 0


def test_smoothing_can_be_switched_off() -> None:
    generator = _flying(config=PlannerConfig(smoothing_speed_xy=0, smoothing_speed_z=0))
    generator.update(replace(STATE, goal_enu_m=(0.0, 30.0, 5.0)))
    waypoint = generator.get(14.0)
    assert np.array_equal(waypoint.smoothed_enu_m, waypoint.adapted_enu_m)
    assert waypoint.yaw_rad == 0
    assert generator.get(14.1).yaw_rad == pytest.approx(math.pi / 2)


def test_nan_goal_runs_through() -> None:
    generator = _flying()
    lost = replace(STATE, goal_enu_m=(math.nan, math.nan, math.nan), nav_state=NavState.AUTO_RTL)
    assert _run(generator, lost, 10.1) is WaypointState.ALTITUDE_CHANGE
    for k in range(3):
        _run(generator, lost, 10.2 + 0.1 * k)
    assert _run(generator, STATE, 10.6) is WaypointState.TRY_PATH
    generator.update(STATE)
    assert np.isfinite(generator.get(10.7).position_enu_m).all()


def test_reset_equals_new() -> None:
    used = _flying()
    _run(used, replace(STATE, velocity_enu_mps=(2.0, 0.0, 0.0)), 10.1)
    used.reset()
    fresh = ReferenceWaypointGenerator(PlannerConfig())
    for generator in (used, fresh):
        generator.set_path(PATH, 9.9, 3.0)
        generator.update(STATE)
    first, second = used.get(10.0), fresh.get(10.0)
    assert first.state is second.state
    assert np.array_equal(first.position_enu_m, second.position_enu_m)


def test_get_before_update_hovers_at_the_origin() -> None:
    waypoint = ReferenceWaypointGenerator(PlannerConfig()).get(1.0)
    assert waypoint.state is WaypointState.TRY_PATH
    assert waypoint.goto_enu_m.tolist() == [0, 0, 0]
