"""Surrealist, section 3.1.1: any logged variable can be what is replicated."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.flight.series import UNITS, half_seconds
from uav_testgen.flight.ulog.flight_log import flight_log_bytes
from uav_testgen.flight.ulog.logged_series import logged_series, offered
from uav_testgen.flight.ulog.reader import FlightLog, read_log
from uav_testgen.generator.surrealist.series_likeness import SeriesLikeness
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box, make_scenario, make_trajectory
from uav_testgen.testing.flight_logs import log_bytes

pytestmark = pytest.mark.unit

SCENE = make_scenario(make_box(20.0, 6.0, (4.0, 4.0, 10.0)))


def flown(scenario: Scenario = SCENE, turn_rad: float = 0.0) -> Flight:
    """Up, 40 m east while turning around and rolling, down."""
    t_s = np.arange(0.0, 40.0, 0.1)
    east = np.clip(t_s - 5.0, 0.0, 30.0)
    up = np.clip(np.minimum(t_s, 40.0 - t_s), 0.0, 4.0)
    position = np.column_stack([east, np.zeros_like(east), up])
    trajectory = Trajectory(
        t_s,
        position,
        np.gradient(position, t_s, axis=0),
        3.0 - 0.1 * t_s + turn_rad,
        0.1 * np.sin(t_s),
        0.2 * np.cos(t_s),
    )
    return Flight(scenario.id, "made", "made", 1, Ending.GOAL_REACHED, "made", trajectory)


@pytest.fixture
def log(tmp_path: Path) -> FlightLog:
    """The flight as PX4 would have logged it."""
    path = tmp_path / "made.ulg"
    path.write_bytes(flight_log_bytes(SCENE, flown()))
    return read_log(path)


def likeness(log: FlightLog, name: str, flight: Flight, scenario: Scenario = SCENE) -> dict[str, float]:
    target = tuple(tuple(row) for row in logged_series(log, name).tolist())
    return SeriesLikeness(name, target, 15.0).measure([flight, flight], scenario)


@pytest.mark.parametrize("name", [name for name in UNITS if name not in ("trajectory", "speed")])
def test_a_flight_is_like_its_own_log_in_every_variable(log: FlightLog, name: str) -> None:
    found = likeness(log, name, flown())
    rough = {"deg": 1.5, "deg/s": 1.5, "m": 0.3, "m/s": 0.2, "m/s2": 1.1, "rad": 0.03}[UNITS[name]]
    assert found["frechet"] < rough
    assert found["fitness"] == -found["dtw"] <= 0.0


def test_whole_turns_are_no_difference_and_half_turns_are(log: FlightLog) -> None:
    same, other = (
        likeness(log, "heading", flown(turn_rad=2 * math.pi)),
        likeness(log, "heading", flown(turn_rad=1.0)),
    )
    assert same["frechet"] < 1.5
    assert other["frechet"] == pytest.approx(math.degrees(1.0), abs=2.0)


def test_distance_to_obstacles_tells_scenes_apart(log: FlightLog) -> None:
    nothing = make_scenario()
    assert likeness(log, "obstacle_distance", flown(nothing), nothing)["frechet"] > 5.0


def test_a_log_offers_what_it_has_and_says_so(log: FlightLog, tmp_path: Path) -> None:
    assert list(offered(log)) == list(UNITS)
    path = tmp_path / "poor.ulg"
    path.write_bytes(log_bytes(make_trajectory([(0.5 * k, 0.0, min(k, 5.0, 40 - k)) for k in range(41)])))
    poor = read_log(path)
    for name in ("roll", "obstacle_distance", "vehicle_local_position.ax"):
        with pytest.raises(ConfigError, match=rf"--match {name} is not in this log.*offers: .*height \[m\]"):
            logged_series(poor, name)
    with pytest.raises(ConfigError, match=r"actuator_outputs.*offers: trajectory"):
        logged_series(poor, "actuator_outputs.output[0]")
    with pytest.raises(ConfigError, match="did you mean 'heading'"):
        logged_series(poor, "headin")


def test_who_does_not_tell_it_gives_no_fitness() -> None:
    blind = make_trajectory([(float(k), 0.0, 1.0) for k in range(20)])
    flight = Flight("x", "made", "made", 1, Ending.GOAL_REACHED, "made", blind)
    found = SeriesLikeness("roll", ((0.0,),), 15.0).measure([flight], SCENE)
    assert found["fitness"] is None and "'made' does not tell roll" in found["no_fitness"]


def test_values_that_are_no_numbers_are_left_out() -> None:
    t_s = np.array([0.0, 0.1, 0.7, 0.8])
    assert half_seconds(t_s, np.array([1.0, np.nan, 3.0, 5.0])).tolist() == [[1.0], [4.0]]
