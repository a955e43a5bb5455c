"""Flights written as PX4 logs: what a reader of logs finds in them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyulog import ULog

from uav_testgen.core.frames import euler_from_quaternion_wxyz
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.flight.ulog.flight_log import START_US, flight_log_bytes
from uav_testgen.flight.ulog.reader import read_log
from uav_testgen.flight.ulog.sectors import sector_distances_m
from uav_testgen.flight.ulog.writer import Samples, ulog_bytes
from uav_testgen.scenario.model import Obstacle, Scenario, Shape, obstacle_on_ground
from uav_testgen.testing.factories import make_scenario


def flown(count: int = 400) -> Flight:
    """Up, east past a box, down."""
    t_s = 0.1 * np.arange(count)
    up = np.clip(np.minimum(t_s, t_s[-1] - t_s), 0.0, 5.0)
    east = np.clip(t_s - 5.0, 0.0, 20.0)
    position = np.column_stack([east, 0.5 * east, up])
    velocity = np.gradient(position, t_s, axis=0)
    level = np.zeros(count)
    track = Trajectory(t_s, position, velocity, level + math.atan2(0.5, 1.0), level + 0.1, level - 0.05)
    return Flight(
        "0" * 16, "lfs", "test", 1, Ending.GOAL_REACHED, "", track, {"waypoint_times_s": [5.0, 25.0]}
    )


def scene() -> Scenario:
    return make_scenario(mission="mission1").with_obstacles(
        (obstacle_on_ground(10.0, 12.0, (4.0, 4.0, 15.0)),)
    )


def read(tmp_path: Path, flight: Flight, **options: object) -> dict[str, dict[str, np.ndarray]]:
    path = tmp_path / "flight.ulg"
    path.write_bytes(flight_log_bytes(scene(), flight, **options))  # type: ignore[arg-type]
    log = ULog(str(path), disable_str_exceptions=False)
    assert not log.file_corruption
    return {topic.name: topic.data for topic in log.data_list}


def test_position_is_north_east_down_in_microseconds(tmp_path: Path) -> None:
    flight = flown()
    found = read(tmp_path, flight)["vehicle_local_position"]
    enu = flight.trajectory.position_enu_m
    assert found["timestamp"][0] == START_US
    assert np.diff(found["timestamp"]) == pytest.approx(100_000, abs=1)
    for name, column in (("x", enu[:, 1]), ("y", enu[:, 0]), ("z", -enu[:, 2])):
        assert found[name] == pytest.approx(column, abs=1e-5)
    assert found["vy"][100] == pytest.approx(1.0, abs=1e-3)
    assert found["heading"] == pytest.approx(0.5 * math.pi - math.atan2(0.5, 1.0))


def test_attitude_is_front_right_down(tmp_path: Path) -> None:
    found = read(tmp_path, flown())["vehicle_attitude"]
    roll, pitch, yaw = euler_from_quaternion_wxyz(tuple(float(found[f"q[{k}]"][50]) for k in range(4)))
    assert (roll, pitch) == (pytest.approx(0.1, abs=1e-6), pytest.approx(0.05, abs=1e-6))
    assert yaw == pytest.approx(0.5 * math.pi - math.atan2(0.5, 1.0), abs=1e-6)


def test_states_follow_the_flight(tmp_path: Path) -> None:
    found = read(tmp_path, flown())
    land = found["vehicle_land_detected"]["landed"]
    assert (land[0], land[-1]) == (1, 1)
    assert 0 in land
    assert found["actuator_armed"]["armed"][0] == 1
    assert set(found["vehicle_status"]["nav_state"]) == {3, 4}
    assert found["commander_state"]["main_state"].tolist() == [3] * len(
        found["commander_state"]["main_state"]
    )
    mission = found["mission_result"]
    assert mission["seq_reached"].tolist() == [-1, 0, 1, 1]
    assert mission["finished"].tolist() == [0, 0, 0, 1]
    assert mission["timestamp"][1] == START_US + 5_000_000


def test_a_flight_cut_in_the_air_has_no_finished_mission(tmp_path: Path) -> None:
    whole = flown()
    track = whole.trajectory
    cut = Trajectory(
        track.t_s[:200], track.position_enu_m[:200], track.velocity_enu_mps[:200], track.yaw_rad[:200]
    )
    found = read(tmp_path, replace(whole, trajectory=cut, ending=Ending.TIME_LIMIT))
    assert not any(found["mission_result"]["finished"])
    assert found["vehicle_land_detected"]["landed"][-1] == 0
    assert set(found["vehicle_status"]["nav_state"]) == {3}


def test_obstacle_distance_is_in_centimetres(tmp_path: Path) -> None:
    found = read(tmp_path, flown())["obstacle_distance"]
    table = np.array([found[f"distances[{k}]"] for k in range(72)])
    assert found["max_distance"][0] == 1500
    assert table.max() == 1501
    # The path north = east / 2 passes the box's corner at (12, 10) m.
    assert table.min() == pytest.approx(100 * (10 - 6) / math.sqrt(1.25), abs=3)


def test_sectors_count_clockwise_from_the_nose() -> None:
    north_of_it = scene()
    ring = sector_distances_m(
        north_of_it, np.array([[10.0, 0.0, 5.0]]), np.array([0.0]), np.array([0.0]), 15.0
    )
    # The vehicle looks east, the box is to its left: 270 degrees clockwise.
    assert ring[0, 54] == pytest.approx(10.0)
    assert ring[0, 18] == np.inf
    above = sector_distances_m(
        north_of_it, np.array([[10.0, 0.0, 20.0]]), np.array([0.0]), np.array([0.0]), 15.0
    )
    assert np.all(np.isinf(above))


def test_sectors_see_round_obstacles() -> None:
    tree = Obstacle(center_enu_m=(5.0, 0.0, 5.0), size_m=(2.0, 2.0, 10.0), shape=Shape.CYLINDER)
    ring = sector_distances_m(
        make_scenario(mission="mission1").with_obstacles((tree,)),
        np.array([[0.0, 0.0, 5.0]]),
        np.array([0.0]),
        np.array([0.0]),
        15.0,
    )
    assert ring[0, 0] == pytest.approx(4.0, abs=0.01)


def test_truth_and_parameters(tmp_path: Path) -> None:
    found = read(tmp_path, flown(), true_offset_enu_m=(0.2, -0.1), parameters={"NAV_ACC_RAD": 0.5})
    estimate, truth = found["vehicle_local_position"], found["vehicle_local_position_groundtruth"]
    assert truth["y"] - estimate["y"] == pytest.approx(0.2, abs=1e-5)
    assert truth["x"] - estimate["x"] == pytest.approx(-0.1, abs=1e-5)
    log = ULog(str(tmp_path / "flight.ulg"))
    assert log.initial_parameters["NAV_ACC_RAD"] == pytest.approx(0.5)
    assert log.initial_parameters["MAV_TYPE"] == 2


def test_our_own_reader_reads_it_back(tmp_path: Path) -> None:
    flight = flown()
    path = tmp_path / "flight.ulg"
    path.write_bytes(flight_log_bytes(scene(), flight))
    log = read_log(path)
    assert log.trajectory.duration_s == pytest.approx(flight.duration_s, abs=0.5)
    assert not log.ends_in_air


def test_unknown_fields_are_errors() -> None:
    with pytest.raises(ValueError, match="has no field w"):
        ulog_bytes([Samples("topic", "uint64_t timestamp;float x", {"timestamp": [1], "w": 2.0})])
    with pytest.raises(ValueError, match="not a field"):
        ulog_bytes([Samples("topic", "uint64_t timestamp;quaternion q", {"timestamp": [1]})])
