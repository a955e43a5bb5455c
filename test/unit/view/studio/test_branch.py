"""A flight that begins where an edit begins to matter is the flight of the whole scene, to the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import LinearMotion, Scenario, obstacle_on_ground
from uav_testgen.view.studio.branch import FlightMemory, FlightStopped, PastFlight, may_branch
from uav_testgen.view.studio.live_backend import LiveBackend

BASE = load_scene("two_walls")


def edits() -> list[Scenario]:
    """A sequence of scenes as somebody drags, adds and deletes; the last obstacle is seen late in the flight."""
    first, second = BASE.obstacles
    late = obstacle_on_ground(20.0, -14.5, (4.0, 2.0, 20.0))
    moved = late.model_copy(update={"center_enu_m": (18.0, -15.5, 10.0)})
    far = obstacle_on_ground(52.0, 22.0, (3.0, 3.0, 20.0))
    return [BASE.with_obstacles(group) for group in (
        (first, second), (first, second, late), (first, second, moved), (first, moved), (first, moved, far), (first,),
    )]  # fmt: skip


def test_branched_flights_equal_whole_flights() -> None:
    live, plain = LiveBackend(), LfsBackend()
    saved = []
    for scenario in edits():
        branched, whole = live.fly(scenario, 3), plain.fly(scenario, 3)
        saved.append(live.saved_steps)
        assert np.array_equal(branched.trajectory.t_s, whole.trajectory.t_s)
        assert branched.trajectory.position_enu_m.tobytes() == whole.trajectory.position_enu_m.tobytes()
        assert branched.trajectory.velocity_enu_mps.tobytes() == whole.trajectory.velocity_enu_mps.tobytes()
        assert branched.ending is whole.ending
        least = "least_sampled_distance_m"
        assert branched.details[least] == pytest.approx(whole.details[least], abs=1e-12)
        assert branched.details["waypoint_times_s"] == whole.details["waypoint_times_s"]
    assert saved[0] == 0
    assert max(saved[1:]) > 100, f"no flight was branched: {saved}"


def test_an_unchanged_scene_is_hardly_flown_again() -> None:
    live = LiveBackend()
    once = live.fly(BASE, 1)
    again = live.fly(BASE.model_copy(update={"name": "another name"}), 1)
    assert live.saved_steps > 0.9 * len(once.trajectory.t_s)
    assert again.trajectory.position_enu_m.tobytes() == once.trajectory.position_enu_m.tobytes()


def test_a_flight_nobody_wants_is_stopped() -> None:
    live = LiveBackend()
    live.stop()
    with pytest.raises(FlightStopped):
        live.fly(BASE, 0)
    live.allow()
    answers = iter([True, True, False])
    with pytest.raises(FlightStopped):
        FlightMemory().fly(live.system, BASE, 0, live._workspace(), lambda: next(answers))
    assert live.fly(BASE, 0).trajectory.t_s[-1] > 60.0


def test_moving_obstacles_and_other_missions_are_flown_from_the_start() -> None:
    live = LiveBackend()
    flight = live.begin(BASE, 0)
    past = PastFlight(live.system, BASE, flight._log)
    assert may_branch(past, live.system, BASE.with_obstacles(()))
    way = LinearMotion(to_enu_m=(30.0, 0.0, 10.0), speed_mps=1.0)
    moving = BASE.obstacles[0].model_copy(update={"motion": way})
    assert not may_branch(past, live.system, BASE.with_obstacles((moving,)))
    later = BASE.model_copy(update={"mission": BASE.mission.model_copy(update={"takeoff_altitude_m": 8.0})})
    assert not may_branch(past, live.system, later)
    assert not may_branch(past, live.system.changed({"vehicle.speed_lock": False}), BASE)


def test_a_preview_comes_back_early_and_goes_on_where_it_ended() -> None:
    live = LiveBackend()
    live.budget_s = 0.0
    preview = live.fly(BASE, 2)
    assert live.is_unfinished
    live.budget_s = math.inf
    whole = live.fly(BASE, 2)
    assert not live.is_unfinished
    assert live.saved_steps == len(preview.trajectory.t_s) - 1
    assert (
        whole.trajectory.position_enu_m.tobytes()
        == LfsBackend().fly(BASE, 2).trajectory.position_enu_m.tobytes()
    )
