"""What a vehicle could have seen of the place it came too near to, on courses drawn by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from uav_testgen.assurance.circumstances import Circumstances, circumstances
from uav_testgen.assurance.mechanism import Mechanism, mechanism_of
from uav_testgen.assurance.sight import Sight, sight_of
from uav_testgen.flight.model import Flight
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario

VIEW_RAD = math.radians(60.0)
SPEED_MPS = 2.5
WALL = make_box(25.0, 0.0, (2.0, 12.0, 20.0))  # east 24 to 26, north -6 to 6
Place = tuple[float, float]


def flown(*corners: Place, yaw_rad: float = 0.0) -> list[tuple[float, float, float]]:
    """Samples of a course, ten a second."""
    points = []
    for start, end in pairwise(corners):
        steps = max(round(10.0 * math.dist(start, end) / SPEED_MPS), 1)
        points += [(*(np.array(start) + k / steps * np.subtract(end, start)), 10.0) for k in range(steps)]
    return points


def scene_and_flight(
    course: list[tuple[float, float, float]], *boxes: Obstacle, yaw_rad: float = 0.0
) -> tuple[Scenario, Flight]:
    scenario = make_scenario(*boxes, mission=make_mission())
    flight = make_flight(scenario, course)
    turned = replace(flight.trajectory, yaw_rad=np.full(len(course), yaw_rad))
    return scenario, replace(flight, trajectory=turned)


def sight(
    course: list[tuple[float, float, float]], place: Place, *boxes: Obstacle, yaw_rad: float = 0.0
) -> Sight:
    """Of a place on the first box, at the end of the course."""
    scenario, flight = scene_and_flight(course, *boxes, yaw_rad=yaw_rad)
    return sight_of(scenario, flight.trajectory, len(course) - 1, 0, np.array(place), VIEW_RAD)


def test_a_corner_ahead_is_in_view_from_the_sensors_reach() -> None:
    # From 20 m ahead to 5 m ahead, in reach for 10 m of them.
    found = sight(flown((4.0, 6.0), (19.0, 6.0)), (24.0, 6.0), WALL)
    assert found.in_view_s == pytest.approx(10.0 / SPEED_MPS, abs=0.3) and found.hidden_s == 0.0


def test_the_camera_may_look_elsewhere() -> None:
    found = sight(flown((4.0, 6.0), (19.0, 6.0)), (24.0, 6.0), WALL, yaw_rad=math.radians(45.0))
    assert found == Sight(0.0, 0.0)


def test_a_far_corner_is_hidden_behind_its_own_wall() -> None:
    # South of the wall's end nothing is seen of its far corner.
    found = sight(flown((14.0, 0.0), (19.0, 0.0)), (26.0, 6.0), WALL)
    assert found.in_view_s == 0.0 and found.hidden_s == pytest.approx(5.0 / SPEED_MPS, abs=0.3)


def test_another_obstacle_hides_it_unless_it_is_lower_than_the_flight() -> None:
    course = flown((12.0, 6.0), (17.0, 6.0))
    for height_m, hides in ((20.0, True), (8.0, False)):
        found = sight(course, (24.0, 6.0), WALL, make_box(20.0, 6.0, (1.0, 4.0, height_m)))
        assert (found.hidden_s > 1.5, found.in_view_s > 1.5) == (hides, not hides)


def test_a_moving_obstacle_takes_its_places_along() -> None:
    # It comes from the north at 1 m/s; where it is met it stood in view, where it came from it did not.
    motion = LinearMotion(to_enu_m=(20.0, 0.0, 10.0), speed_mps=1.0)
    box = make_box(20.0, 12.0, (2.0, 2.0, 20.0)).model_copy(update={"motion": motion})
    course = [(14.0, 0.0, 10.0)] * 100  # waits for ten seconds
    found = sight(course, (19.0, 2.0), box)
    ahead_s = next(t for t in np.arange(0.0, 10.0, 0.1) if math.atan2(11.9 - t, 5.0) < 0.5 * VIEW_RAD)
    assert found.in_view_s == pytest.approx(9.9 - ahead_s, abs=0.3)


def facts(*corners: Place, yaw_rad: float = 0.0) -> Circumstances:
    found = circumstances(*scene_and_flight(flown(*corners), WALL, yaw_rad=yaw_rad), VIEW_RAD)
    assert found is not None
    return found


def test_mechanisms_at_a_walls_end() -> None:
    """The same end of the same wall: hidden, looked away from, seen."""
    behind = facts((20.0, 0.0), (23.0, 8.0), (26.5, 6.7), (40.0, 0.0))
    assert behind.hidden_s > 1.0 and mechanism_of(behind) is Mechanism.CUT_CORNER
    away = facts((4.0, 6.9), (40.0, 6.9), yaw_rad=math.radians(60.0))
    assert away.hidden_s == 0.0 and mechanism_of(away) is Mechanism.LATE_SIGHT
    seen = facts(
        (4.0, 6.9), (15.0, 6.9), (15.2, 6.9), *[(15.2 + 0.001 * k, 6.9) for k in range(40)], (40.0, 6.9)
    )
    assert seen.in_view_s > 5.0 and mechanism_of(seen) is Mechanism.SEEN_CORNER
