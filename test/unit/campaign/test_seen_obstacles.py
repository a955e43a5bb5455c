"""Surrealist, section 3.1.2: the seed holds obstacle information that can be extracted from distance sensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from uav_testgen.campaign.replication.seen_obstacles import seen_boxes
from uav_testgen.campaign.replication.setup import ReplicationSetup, prepare
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.flight.ulog.flight_log import flight_log_bytes
from uav_testgen.flight.ulog.reader import FlightLog, read_log
from uav_testgen.scenario.formats.plan_file import SITL_HOME, save_plan
from uav_testgen.scenario.model import Mission, Scenario, Waypoint
from uav_testgen.testing.factories import make_box, make_scenario, make_trajectory

pytestmark = pytest.mark.unit

MISSION = Mission(waypoints=(Waypoint(position_enu_m=(40.0, 0.0, 4.0)),), takeoff_altitude_m=4.0, name="made")
BOXES = (make_box(12.0, 7.0, (6.0, 3.0, 10.0)), make_box(30.0, -6.0, (3.0, 3.0, 10.0)))


def logged(folder: Path, scenario: Scenario) -> FlightLog:
    """The log of a flight straight along the mission past the obstacles."""
    points = [(0.0, 0.0, 0.2 * k) for k in range(20)]
    points += [(0.2 * k, 0.0, 4.0) for k in range(201)]
    points += [(40.0, 0.0, 4.0 - 0.2 * k) for k in range(21)]
    flight = Flight(scenario.id, "made", "made", 1, Ending.GOAL_REACHED, "made", make_trajectory(points))
    path = folder / "seen.ulg"
    path.write_bytes(flight_log_bytes(scenario, flight))
    return read_log(path)


def prepared(log: FlightLog, folder: Path, obstacles: int | None = None) -> ReplicationSetup:
    plan = folder / "made.plan"
    save_plan(plan, MISSION, SITL_HOME)
    return prepare(
        log,
        plan,
        obstacles=obstacles,
        seed_scenario=None,
        mutators=("move",),
        variable="trajectory",
        budget=None,
        min_rounds=None,
        usual_speed_mps=3.0,
    )


def test_boxes_stand_where_the_sectors_hit(tmp_path: Path) -> None:
    found = seen_boxes(logged(tmp_path, make_scenario(*BOXES, mission=MISSION)))
    assert len(found) == 2
    for box, truth in zip(sorted(found, key=lambda box: box.center_enu_m[0]), BOXES, strict=True):
        assert np.hypot(*np.subtract(box.center_enu_m[:2], truth.center_enu_m[:2])) < 2.0
        assert box.top_m == pytest.approx(5.0, abs=0.1), "a metre more than the flight"


def test_the_seed_is_what_the_vehicle_saw_and_a_note_says_so(tmp_path: Path) -> None:
    log = logged(tmp_path, make_scenario(*BOXES, mission=MISSION))
    setup = prepared(log, tmp_path)
    assert len(setup.base.obstacles) == 2
    assert any("2 obstacle(s) from obstacle_distance" in note for note in setup.notes)
    one = prepared(log, tmp_path, obstacles=1)
    assert len(one.base.obstacles) == 1 and any(", of 2 seen" in note for note in one.notes)


def test_nothing_seen_means_a_random_seed(tmp_path: Path) -> None:
    setup = prepared(logged(tmp_path, make_scenario(mission=MISSION)), tmp_path)
    assert setup.base.obstacles == () and not any("seed" in note for note in setup.notes)


def test_what_stands_on_home_alone_falls_back_to_random(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logged(tmp_path, make_scenario(*BOXES, mission=MISSION))
    monkeypatch.setattr(
        "uav_testgen.campaign.replication.setup.seen_boxes", lambda log: (make_box(0.0, 0.0),)
    )
    setup = prepared(log, tmp_path)
    assert setup.base.obstacles == ()
    assert any("the seed is random" in note for note in setup.notes)
