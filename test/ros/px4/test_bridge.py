"""The bridge flies a fake PX4 that behaves like the recorded one, and names what goes wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from uav_testgen.ros.px4 import compat
from uav_testgen.scenario.model import Obstacle

from .conftest import Stage, goes_out_in, load_fake, small_scenario

QUICK = {"speed": 2.0}
"""Twice real time: quicker tests, and a real-time factor to be measured."""


@pytest.fixture
def fly(stage: Stage, spin_until: Callable[..., None]) -> Callable[..., Any]:
    """A whole flight; the record, or None if the bridge failed."""

    def run(*obstacles: Obstacle, fake: dict[str, Any] | None = None, **parameters: float) -> Any:
        stage.start({**QUICK, **(fake or {})}, **parameters)
        stage.announce(small_scenario(*obstacles))
        spin_until(lambda: stage.state("READY") or stage.state("FAILED"), "READY")
        if stage.state("FAILED"):
            return None
        stage.order("START")
        over = lambda: bool(stage.records) or stage.state("FAILED")  # noqa: E731
        spin_until(over, "the end of the flight", timeout_s=60.0)
        return stage.records[-1] if stage.records else None

    return run


def details(record: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(record.details)
    return found


def test_flight_completes(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly()
    assert (record.ending, record.backend, record.system) == ("goal_reached", "px4", "px4_live")
    assert not stage.fake.autopilot.armed
    position = np.array(record.position).reshape(-1, 3)
    assert np.abs(position[0] - (100.0, 50.0, 0.0)).max() < 0.05, "the origin's offset must be gone"
    assert np.abs(position[-1] - (108.0, 50.0, 0.0)).max() < 1.2
    assert 2.2 < position[:, 2].max() < 3.8
    assert np.all(np.diff(record.time) > 0.0)
    told = details(record)
    installed = compat.message_release(compat.load_messages())
    assert told["px4_version"] == told["px4_msgs_version"] == installed
    assert told["left_armed"] is None
    assert told["real_time_factor"] == pytest.approx(2.0, abs=0.3)
    assert any("times real time" in event for event in told["events"])
    assert told["estimator_resets"] == 1, "the small height reset of the climb is survived"
    assert told["offboard_losses"] == 0
    gaps_s = np.diff(stage.fake.beats)
    assert np.mean(gaps_s) < 0.1, "PX4 must hear at least 10 setpoints a second"
    indices = [step.step for step in stage.steps]
    assert indices == sorted(indices)
    assert any(step.is_takeoff for step in stage.steps) and stage.steps[-1].is_land


def test_set_points_go_out_in_offboard_only(fly: Callable[..., Any], stage: Stage) -> None:
    """PX4 obeys them in every mode: a landing would never end."""
    record = fly()
    assert record.ending == "goal_reached"
    for heard in (stage.fake.steered, stage.fake.announced):
        assert goes_out_in(heard, 14)


def test_found_in_the_air(fly: Callable[..., Any], stage: Stage) -> None:
    """Whoever flies it: it is landed first, and no set-point keeps it up."""
    autopilot = load_fake().FakeAutopilot(armed=True, landed=False, nav_state=4)
    autopilot.place[2] = -3.0
    record = fly(fake={"autopilot": autopilot}, offboard__armable_timeout_s=30.0)
    assert record.ending == "goal_reached"
    for heard in (stage.fake.steered, stage.fake.announced):
        assert goes_out_in(heard, 14)


def test_mode_of_a_person_is_not_fought(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(fake={"at": [(5.0, "pilot", 4.0), (9.0, "pilot", 18.0)]}, offboard__recover_timeout_s=1.0)
    assert (record.ending, "because somebody chose it" in record.reason) == ("offboard_lost", True)
    for heard in (stage.fake.steered, stage.fake.announced):
        assert goes_out_in(heard, 14)
    assert 21 not in stage.fake.heard and stage.fake.heard[176] == 1, "the landing is theirs, too"
    assert not stage.fake.autopilot.armed


def test_person_who_leaves_it_in_the_air(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(
        fake={"at": [(5.0, "pilot", 4.0)]},
        offboard__recover_timeout_s=1.0,
        offboard__takeover_timeout_s=1.0,
    )
    assert record.ending == "offboard_lost"
    assert stage.fake.heard.get(21, 0) >= 1, "in the end it is landed"
    assert not stage.fake.autopilot.armed


def test_vehicle_that_does_not_land_keeps_its_record(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(
        fake={"autopilot": load_fake().FakeAutopilot(obeys_land=False)}, offboard__land_timeout_s=4.0
    )
    assert record.ending == "goal_reached", "the mission was flown"
    assert "left armed: told to land, still armed after" in record.reason
    assert details(record)["left_armed"].startswith("left armed: told to land")


def test_left_armed_is_not_hidden_behind_another_failure(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(
        fake={
            "autopilot": load_fake().FakeAutopilot(obeys_land=False),
            "at": [(5.0, "refuse_offboard", 0.0)],
        },
        offboard__land_timeout_s=3.0,
        offboard__recover_timeout_s=1.0,
    )
    assert record.ending == "offboard_lost"
    assert "offboard lost: PX4 stayed in POSCTL" in record.reason
    assert "left armed: told to land" in record.reason


def test_burst_of_boot_stamps_is_no_time_jump(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(fake={"at": [(5.0, "boot_stamps", 60.0)]})
    assert record.ending == "goal_reached"
    assert details(record)["stamp_outliers"] >= 60


def test_progress_is_told(fly: Callable[..., Any], stage: Stage, spin_until: Callable[..., None]) -> None:
    """Whoever waits reads what for and for how long at most, and where the flight is."""
    fly()
    spin_until(lambda: "disarmed" in stage.said, "the last line")
    lines = "\n".join(dict.fromkeys(stage.said))
    for words in (
        "waiting for ",
        ", at most 4 s",
        "waiting until PX4 stands on the ground and passes its checks",
        "switching to OFFBOARD and arming",
        "taking off to 3.0 m",
        "leg 1 of 1",
        "landing",
        "disarmed",
    ):
        assert words in lines


@pytest.mark.parametrize(
    ("reason", "ending", "said"),
    [
        ("enough", "aborted", "stopped: enough"),
        ("planner_late: no answer within 2 s", "planner_late", "planner late: no answer within 2 s"),
    ],
)
def test_stopped_flight_is_landed_and_recorded(
    reason: str, ending: str, said: str, stage: Stage, spin_until: Callable[..., None]
) -> None:
    stage.start(dict(QUICK))
    stage.announce(small_scenario())
    spin_until(lambda: stage.state("READY"), "READY")
    stage.order("START")
    spin_until(lambda: not stage.fake.autopilot.landed, "the take-off")
    stage.order("STOP", reason)
    spin_until(lambda: bool(stage.records), "the record", timeout_s=60.0)
    assert (stage.records[-1].ending, said in stage.records[-1].reason) == (ending, True)
    assert len(stage.records[-1].time) > 10
    assert not stage.fake.autopilot.armed


def test_second_flight_starts_where_the_first_landed(
    fly: Callable[..., Any], stage: Stage, spin_until: Callable[..., None]
) -> None:
    fly()
    stage.records.clear()
    stage.announce(small_scenario())
    spin_until(lambda: stage.state("READY"), "READY again")
    stage.order("START")
    spin_until(lambda: bool(stage.records), "the second record", timeout_s=60.0)
    second = stage.records[-1]
    assert second.ending == "goal_reached"
    assert abs(second.position[0] - 100.0) < 0.05


def test_other_namespace_is_named(stage: Stage, spin_until: Callable[..., None]) -> None:
    stage.start(dict(QUICK), px4_namespace="px4_1")
    stage.announce(small_scenario())
    spin_until(lambda: stage.state("FAILED"), "FAILED", timeout_s=30.0)
    assert "no agent: nobody offers /fmu/out topics" in stage.status.message
    assert (
        "under /px4_1 (but somebody does under no namespace: setting px4_namespace)" in stage.status.message
    )


@pytest.mark.parametrize(
    ("fake", "version", "source"),
    [
        ({}, "1.16", "guessed from its message formats"),
        ({"formats": {}}, "1.16", "guessed from the names of its topics"),
        ({"translated": ("", "_v4")}, "1.16", "guessed from its message formats"),
        (
            {"translated": ("", "_v4"), "formats": {}},
            "unknown",
            "several versions of vehicle_status are offered: translated?",
        ),
        # PX4 1.18 behind a translation node: its own status has another layout, ours is offered.
        (
            {
                "translated": ("", "_v4"),
                "formats": {
                    **load_fake().FORMATS,
                    "vehicle_status": 1408120441,
                    "failsafe_flags": 3161191052,
                },
            },
            "1.18",
            "guessed from its message formats",
        ),
    ],
)
def test_release_is_a_stated_guess(
    fake: dict[str, Any], version: str, source: str, fly: Callable[..., Any]
) -> None:
    record = fly(fake=fake)
    assert record.ending == "goal_reached"
    assert (details(record)["px4_version"], details(record)["px4_version_source"]) == (version, source)


@pytest.mark.parametrize("speed", [1.0, 2.0])
def test_a_bridge_that_stood_still_does_not_blame_px4(
    speed: float, fly: Callable[..., Any], stage: Stage
) -> None:
    """What PX4 said meanwhile lies unread: that is no silence of PX4, and no step of its clock."""

    def answer(step: Any) -> dict[str, Any]:
        if len(stage.steps) == 15:
            time.sleep(2.5)
        return {"position": step.goal}

    stage.answer = answer
    record = fly(fake={"speed": speed})
    assert record.ending == "goal_reached"
    assert len(stage.steps) > 15


def test_mode_that_cannot_be_armed_in_is_left(fly: Callable[..., Any], stage: Stage) -> None:
    """LAND commanded to a vehicle on the ground: it stays in AUTO_LAND, in which PX4 passes no check."""
    record = fly(fake={"autopilot": load_fake().FakeAutopilot(nav_state=18)})
    assert record.ending == "goal_reached"
    assert not stage.fake.autopilot.armed


def test_flight_without_a_land_detector(fly: Callable[..., Any], stage: Stage) -> None:
    """PX4 1.15 does not offer vehicle_land_detected."""
    record = fly(fake={"land_detector": False})
    assert record.ending == "goal_reached"
    assert not stage.fake.autopilot.armed
    assert not stage.steps[0].airborne and any(step.airborne for step in stage.steps)


def test_obstacle_on_the_way_is_a_collision(fly: Callable[..., Any], stage: Stage) -> None:
    wall = Obstacle(center_enu_m=(104.0, 50.0, 5.0), size_m=(1.0, 10.0, 10.0))
    record = fly(wall)
    assert record.ending == "collision"
    assert max(record.position[0::3]) < 105.0
    assert not stage.fake.autopilot.armed


@pytest.mark.parametrize(
    ("fake", "words"),
    [
        (None, "no agent"),
        ({"odometry": False}, "no odometry"),
        ({"status_suffix": "_v2"}, " is expected, PX4 offers /fmu/out/vehicle_status_v2; installed are"),
        ({"status_suffix": "_v4"}, "PX4 offers /fmu/out/vehicle_status_v4"),
        (
            {"formats": {**load_fake().FORMATS, "trajectory_setpoint": 4711}},
            "version mismatch: /fmu/in/trajectory_setpoint: PX4 lays out this message differently",
        ),
        (
            {"autopilot": ("failing", ("local_position_invalid",))},
            "not armable: checks not passed: local_position",
        ),
        (
            {"autopilot": ("failing", ("gcs_connection_lost",))},
            "gcs_connection_lost (no ground station: param set NAV_DLL_ACT 0",
        ),
    ],
)
def test_named_failures_before_the_flight(
    fake: Any, words: str, stage: Stage, spin_until: Callable[..., None]
) -> None:
    if fake and "autopilot" in fake:
        name, value = fake["autopilot"]
        fake = {"autopilot": load_fake().FakeAutopilot(**{name: value})}
    stage.start(fake)
    stage.announce(small_scenario())
    spin_until(lambda: stage.state("FAILED"), "FAILED", timeout_s=30.0)
    assert words in stage.status.message
    if stage.fake:
        assert 400 not in stage.fake.heard, "nothing may be armed"


@pytest.mark.parametrize(
    ("at", "ending", "words"),
    [
        ((5.0, "refuse_offboard", 0.0), "offboard_lost", "offboard lost: PX4 stayed in POSCTL"),
        ((5.0, "clock_jump", 60.0), "aborted", "time jump: PX4's clock stepped by +6"),
        ((5.0, "reset", 5.0), "aborted", "estimator reset: the estimate jumped by 5.0 m"),
        ((5.0, "land", 0.0), "landed_early", "landed early"),
        ((5.0, "silence", 0.0), "aborted", "no odometry: vehicle_odometry stopped"),
    ],
)
def test_named_failures_in_flight(
    at: tuple[float, str, float], ending: str, words: str, fly: Callable[..., Any], stage: Stage
) -> None:
    # A jump of the clock is believed after seconds: the flight must not be over before.
    stage.planner_answers = at[1] != "clock_jump"
    record = fly(fake={"at": [at]}, offboard__recover_timeout_s=1.5 if at[1] != "land" else 20.0)
    assert record.ending == ending
    assert words in record.reason
    assert stage.fake.heard.get(21, 0) >= (0 if at[1] == "land" else 1), "told to land"
    assert not stage.fake.autopilot.armed


def test_lost_stream_is_recovered(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(fake={"at": [(5.0, "deaf", 1.5)]}, offboard__recover_timeout_s=8.0)
    assert record.ending == "goal_reached"
    assert details(record)["offboard_losses"] == 1
    assert any("recovered" in event for event in details(record)["events"])
    assert not stage.fake.autopilot.armed


def test_refused_take_off_is_stuck(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(fake={"autopilot": load_fake().FakeAutopilot(can_take_off=False)})
    assert (record.ending, "did not leave the ground" in record.reason) == ("stuck", True)
    assert not stage.fake.autopilot.armed


def test_time_limit(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(mission__time_limit_s=3.0)
    assert record.ending == "time_limit"
    assert not stage.fake.autopilot.armed


def test_silent_planner_means_hold(stage: Stage, fly: Callable[..., Any]) -> None:
    stage.planner_answers = False
    record = fly(mission__stuck_time_s=3.0)
    assert record.ending == "stuck"
    assert any("planner gives no setpoint" in event for event in details(record)["events"])
    assert max(record.position[0::3]) < 101.0, "without a planner nothing is flown"


def test_stop_and_end_of_the_node_bring_it_down(
    stage: Stage, spin_until: Callable[..., None], ros_executor: Any
) -> None:
    stage.start(dict(QUICK))
    stage.announce(small_scenario())
    spin_until(lambda: stage.state("READY"), "READY")
    stage.order("START")
    spin_until(lambda: not stage.fake.autopilot.landed, "the take-off")
    stage.order("STOP", "enough")
    spin_until(lambda: stage.fake.autopilot.nav_state == 18, "AUTO_LAND")
    spin_until(lambda: not stage.fake.autopilot.armed, "disarmed")


def test_destroyed_in_flight(stage: Stage, spin_until: Callable[..., None], ros_executor: Any) -> None:
    stage.start(dict(QUICK))
    stage.announce(small_scenario())
    spin_until(lambda: stage.state("READY"), "READY")
    stage.order("START")
    spin_until(lambda: not stage.fake.autopilot.landed, "the take-off")
    ros_executor.remove_node(stage.bridge)
    stage.bridge.destroy_node()
    spin_until(lambda: stage.fake.heard.get(21, 0) > 0, "the command to land")
    spin_until(lambda: not stage.fake.autopilot.armed, "disarmed")
