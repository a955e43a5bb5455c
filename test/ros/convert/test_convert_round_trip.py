"""Core -> message -> wire -> message -> core gives back an equal value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("uav_testgen_msgs.msg")

from rclpy.serialization import deserialize_message, serialize_message

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.oracle.finding import Finding
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.ros import convert
from uav_testgen.ros.convert.scenario import SHAPES
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.model import (
    Landform,
    LinearMotion,
    Mission,
    MotionMode,
    Obstacle,
    Scenario,
    Shape,
    Surface,
    Terrain,
    Visibility,
    Waypoint,
    Wind,
)
from uav_testgen.testing.factories import GATE

# Strings of ROS messages are UTF-8 without NUL.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
metres = st.floats(-10_000, 10_000)
points = st.tuples(metres, metres, metres)
speeds = st.floats(0.01, 50.0)
angles = st.floats(-1000, 1000)
non_negative = st.floats(0, 1e6)
motions = st.builds(
    LinearMotion, to_enu_m=points, speed_mps=speeds, start_s=non_negative, mode=st.sampled_from(MotionMode)
)


@st.composite
def obstacles(draw: st.DrawFn) -> Obstacle:
    shape = draw(st.sampled_from(sorted(SHAPES)))
    side = st.floats(0.01, 1000)
    x = draw(side)
    y = draw(side) if shape is Shape.BOX else x
    z = x if shape is Shape.SPHERE else draw(side)
    return Obstacle(
        center_enu_m=draw(points),
        size_m=(x, y, z),
        yaw_rad=draw(angles),
        shape=shape,
        motion=draw(st.none() | motions),
        name=draw(texts),
    )


missions = st.builds(
    Mission,
    waypoints=st.lists(st.builds(Waypoint, position_enu_m=points), min_size=1, max_size=4).map(tuple),
    home_enu_m=points,
    home_yaw_rad=angles,
    takeoff=st.booleans(),
    takeoff_altitude_m=st.floats(0, 1000),
    land=st.booleans(),
    speed_mps=st.none() | speeds,
    name=texts,
)
wind_speed, variance = st.floats(0, 60), st.floats(0, 10)
winds = st.builds(
    Wind,
    velocity_mean_mps=wind_speed,
    velocity_max_mps=wind_speed,
    velocity_variance=variance,
    direction_enu=points,
    direction_variance=variance,
    gust_start_s=non_negative,
    gust_duration_s=non_negative,
    gust_velocity_mean_mps=wind_speed,
    gust_velocity_max_mps=wind_speed,
    gust_velocity_variance=variance,
    gust_direction_enu=points,
    gust_direction_variance=variance,
)
terrains = st.builds(
    Terrain,
    landform=st.sampled_from(Landform),
    surface=st.sampled_from(Surface),
    height_m=st.floats(0, 500),
    center_enu_m=st.tuples(metres, metres),
    radius_m=st.floats(0.1, 5000),
)
arenas = st.builds(
    Arena,
    name=texts,
    east_min_m=st.floats(-100, 0),
    east_max_m=st.floats(1, 100),
    max_obstacles=st.integers(0, 1000),
    max_rotation_deg=st.floats(0, 360),
)
scenarios = st.builds(
    Scenario,
    mission=missions,
    obstacles=st.lists(obstacles(), max_size=3).map(tuple),
    arena=arenas,
    wind=winds,
    visibility=st.builds(Visibility, range_m=st.floats(0.1, 1e5), contrast_loss=st.floats(0, 1)),
    terrain=terrains,
    seed=st.integers(0, 2**63 - 1),
    name=texts,
)
maybe = st.none() | st.floats(0, 1e5)
about = {
    "name": texts,
    "unit": texts,
    "moment_s": maybe,
    "sentence": texts,
    "obstacle_index": st.none() | st.integers(0, 1000),
    "by_aerialist": st.booleans(),
}
findings = st.builds(Finding, margin=st.floats(-1e5, 1e5), **about) | st.builds(
    Finding, margin=st.none(), holds=st.none() | st.booleans(), **about
)
verdicts = st.builds(
    Verdict,
    outcome=st.sampled_from(Outcome),
    ending=st.sampled_from(Ending),
    min_distance_3d_m=maybe,
    min_distance_horizontal_m=maybe,
    min_distance_aerialist_m=maybe,
    moment_s=maybe,
    obstacle_index=st.none() | st.integers(0, 1000),
    completed=st.booleans(),
    duration_s=st.floats(0, 1e6),
    sentence=texts,
    findings=st.lists(findings, max_size=3).map(tuple),
)


def over_the_wire(message: object) -> object:
    return deserialize_message(serialize_message(message), type(message))


@settings(max_examples=60)
@given(scenarios)
def test_scenario_survives(scenario: Scenario) -> None:
    message = over_the_wire(convert.scenario_to_msg(scenario, time_s=1.5))
    assert message.id == scenario.id
    assert message.header.frame_id == "map"
    assert convert.scenario_from_msg(message) == scenario


@given(verdicts)
def test_verdict_survives(verdict: Verdict) -> None:
    message = over_the_wire(convert.verdict_to_msg(verdict, "abc"))
    assert message.scenario_id == "abc"
    assert convert.verdict_from_msg(message) == verdict


@given(st.integers(0, 20), st.sampled_from(Ending), st.integers(0, 2**63 - 1), st.integers(0, 2**32))
def test_flight_survives(count: int, ending: Ending, seed: int, numbers_seed: int) -> None:
    numbers = np.random.default_rng(numbers_seed)
    trajectory = Trajectory(
        t_s=np.cumsum(numbers.uniform(0.01, 1.0, count)),
        position_enu_m=numbers.normal(size=(count, 3)),
        velocity_enu_mps=numbers.normal(size=(count, 3)),
        yaw_rad=numbers.normal(size=count),
        roll_rad=numbers.normal(size=count),
        pitch_rad=numbers.normal(size=count),
    )
    flight = Flight("id", "lfs", "paper", seed, ending, "a reason", trajectory, {"steps": count})
    back = convert.flight_from_msg(over_the_wire(convert.flight_to_msg(flight)))
    for name in ("t_s", "position_enu_m", "velocity_enu_mps", "yaw_rad", "roll_rad", "pitch_rad"):
        np.testing.assert_array_equal(getattr(back.trajectory, name), getattr(trajectory, name))
    for name in ("scenario_id", "backend", "system", "seed", "ending", "reason", "details"):
        assert getattr(back, name) == getattr(flight, name)


@given(st.floats(0, 2**31 - 2))
def test_time_survives_to_the_nanosecond(time_s: float) -> None:
    assert convert.time_from_msg(convert.time_to_msg(time_s)) == pytest.approx(time_s, abs=1e-6)


def test_stamp_by_hand() -> None:
    stamp = convert.time_to_msg(3.25)
    assert (stamp.sec, stamp.nanosec) == (3, 250_000_000)


def plain_scenario() -> Scenario:
    box = Obstacle(center_enu_m=(1, 2, 3), size_m=(2, 2, 6))
    return Scenario(mission=Mission(waypoints=(Waypoint(position_enu_m=(0, 40, 5)),)), obstacles=(box,))


def test_wrong_messages_are_refused_by_name() -> None:
    message = convert.scenario_to_msg(plain_scenario())
    message.obstacles[0].shape = 9
    with pytest.raises(InvalidScenario, match="shape: 9 is none of 0 box"):
        convert.scenario_from_msg(message)

    message = convert.scenario_to_msg(plain_scenario())
    message.obstacles[0].center.x = math.nan
    with pytest.raises(InvalidScenario, match=r"Obstacle message: center_enu_m\.0"):
        convert.scenario_from_msg(message)

    message = convert.scenario_to_msg(plain_scenario())
    message.mission.waypoints = []
    with pytest.raises(InvalidScenario, match="Mission message: waypoints"):
        convert.scenario_from_msg(message)


def test_misshapen_flight_is_refused() -> None:
    trajectory = Trajectory(np.array([0.0]), np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(1))
    message = convert.flight_to_msg(Flight("id", "b", "v", 0, Ending.STUCK, "r", trajectory))
    message.position = [1.0, 2.0]
    with pytest.raises(InvalidScenario, match="Flight message"):
        convert.flight_from_msg(message)
    message.position, message.ending = [1.0, 2.0, 3.0], "vanished"
    with pytest.raises(InvalidScenario, match="'vanished' is none of goal_reached"):
        convert.flight_from_msg(message)


def test_a_mesh_is_refused_with_a_way_out() -> None:
    mesh = Obstacle(center_enu_m=(0, 0, 6), size_m=(10, 2, 12), shape="mesh", triangles=GATE, name="gate 1")
    with pytest.raises(
        InvalidScenario, match=r"'gate 1' is a mesh; .*box, cylinder, sphere only, .*backend lfs"
    ):
        convert.scenario.obstacle_to_msg(mesh)
