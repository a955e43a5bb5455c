"""The state machine of an offboard flight, without ROS and without waiting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.failures import Failure, FailureKind, nobody_there
from uav_testgen.ros.px4.offboard import Offboard, OffboardConfig, Stage, View

GOOD = View(0.0, agent=True, odometry_age_s=0.01, status_age_s=0.1, nav_state=4, checks_pass=True)
ALOFT = replace(GOOD, armed=True, nav_state=14, landed=False)


class Clocked:
    """Ticks ten times a second and keeps what was commanded."""

    def __init__(self, **settings: float) -> None:
        self.offboard = Offboard(OffboardConfig(**settings))
        self.now_s = 100.0
        self.sent: list[compat.CommandWords] = []

    def run(self, view: View, seconds: float, until: Stage | None = None) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s and self.offboard.stage is not until:
            self.now_s += 0.1
            self.sent += self.offboard.tick(replace(view, now_s=self.now_s))

    def fly(self) -> None:
        self.offboard.connect(self.now_s)
        self.run(GOOD, 10.0, Stage.READY)
        self.offboard.start(self.now_s)
        self.run(GOOD, 0.1)
        self.run(replace(GOOD, nav_state=14), 0.1)
        self.run(ALOFT, 1.0)
        assert self.offboard.stage is Stage.FLYING

    @property
    def kind(self) -> FailureKind | None:
        return self.offboard.failure.kind if self.offboard.failure else None


def test_whole_flight() -> None:
    flight = Clocked()
    flight.fly()
    assert flight.sent == [compat.SET_OFFBOARD, compat.ARM]
    flight.offboard.finish(flight.now_s)
    flight.run(ALOFT, 0.5)
    flight.run(replace(ALOFT, nav_state=18), 5.0)
    assert flight.sent[2:] == [compat.LAND]
    flight.run(replace(GOOD, nav_state=18), 2.0)
    assert flight.offboard.stage is Stage.OVER
    assert flight.offboard.failure is None


@pytest.mark.parametrize(
    ("view", "kind", "words"),
    [
        (
            replace(GOOD, agent=False, odometry_age_s=9e9, status_age_s=9e9),
            FailureKind.NO_AGENT,
            "MicroXRCEAgent",
        ),
        (replace(GOOD, odometry_age_s=9e9), FailureKind.NO_ODOMETRY, "no vehicle_odometry came"),
        (replace(GOOD, mismatch="a is expected, PX4 offers b"), FailureKind.VERSION_MISMATCH, "offers b"),
        (replace(GOOD, checks_pass=False, failing=("mag",)), FailureKind.NOT_ARMABLE, "not passed: mag"),
        (replace(GOOD, landed=False), FailureKind.NOT_ARMABLE, "in the air"),
    ],
)
def test_never_ready(view: View, kind: FailureKind, words: str) -> None:
    flight = Clocked()
    flight.offboard.connect(flight.now_s)
    flight.run(view, 200.0, Stage.OVER)
    assert flight.kind is kind
    assert words in str(flight.offboard.failure)
    assert set(flight.sent) <= {compat.SET_OFFBOARD}, "nothing is armed"


def test_mode_that_cannot_be_armed_in_is_left() -> None:
    flight = Clocked()
    flight.offboard.connect(flight.now_s)
    flight.run(replace(GOOD, nav_state=18, checks_pass=False), 3.0)
    assert flight.sent == [compat.SET_OFFBOARD]
    flight.run(replace(GOOD, nav_state=14), 5.0, Stage.READY)
    assert flight.offboard.stage is Stage.READY
    assert flight.sent == [compat.SET_OFFBOARD]


def test_vehicle_found_armed_is_landed_first() -> None:
    flight = Clocked()
    flight.offboard.connect(flight.now_s)
    flight.run(ALOFT, 3.0)
    assert flight.sent == [compat.LAND] * 3
    flight.run(GOOD, 5.0, Stage.READY)
    assert flight.offboard.stage is Stage.READY


def test_refused_arming_says_why_and_lands_anyway() -> None:
    flight = Clocked()
    flight.offboard.connect(flight.now_s)
    flight.run(GOOD, 10.0, Stage.READY)
    flight.offboard.start(flight.now_s)
    refused = replace(GOOD, nav_state=14, checks_pass=False, failing=("battery_unhealthy",), answers={400: 1})
    flight.run(refused, 30.0, Stage.LANDING)
    assert flight.kind is FailureKind.NOT_ARMABLE
    assert "battery_unhealthy" in str(flight.offboard.failure)
    assert "arm was temporarily rejected" in str(flight.offboard.failure)
    flight.run(refused, 3.0)
    assert flight.offboard.stage is Stage.OVER


def test_arming_that_comes_too_late_is_taken_back() -> None:
    flight = Clocked(engage_timeout_s=3.0)
    flight.offboard.connect(flight.now_s)
    flight.run(GOOD, 10.0, Stage.READY)
    flight.offboard.start(flight.now_s)
    flight.run(replace(GOOD, nav_state=14), 20.0, Stage.OVER)
    flight.sent.clear()
    flight.run(replace(GOOD, nav_state=14, armed=True), 1.0)
    assert flight.offboard.stage is Stage.LANDING
    assert flight.sent == [compat.LAND]


def test_offboard_lost_and_recovered() -> None:
    flight = Clocked()
    flight.fly()
    flight.run(replace(ALOFT, nav_state=2, failsafe=True), 2.5)
    assert flight.offboard.stage is Stage.HOLDING
    assert flight.sent[2:] == [compat.SET_OFFBOARD] * 3
    flight.run(ALOFT, 0.2)
    assert flight.offboard.stage is Stage.FLYING
    assert flight.offboard.holds == 1
    assert "POSCTL (failsafe)" in flight.offboard.events[0]
    assert "recovered" in flight.offboard.events[1]


def test_mode_chosen_by_somebody_else_is_not_fought() -> None:
    flight = Clocked()
    flight.fly()
    flight.sent.clear()
    flight.run(replace(ALOFT, nav_state=4), 30.0, Stage.LANDING)
    assert flight.sent == []
    assert flight.kind is FailureKind.OFFBOARD_LOST
    assert "AUTO_LOITER" in str(flight.offboard.failure)


def test_offboard_lost_for_good() -> None:
    flight = Clocked()
    flight.fly()
    flight.run(replace(ALOFT, nav_state=2, failsafe=True), 30.0, Stage.LANDING)
    assert flight.kind is FailureKind.OFFBOARD_LOST
    flight.run(ALOFT, 0.1)
    assert flight.sent[-1] == compat.LAND


@pytest.mark.parametrize(
    ("view", "kind"),
    [
        (replace(ALOFT, odometry_age_s=2.5), FailureKind.NO_ODOMETRY),
        (replace(ALOFT, armed=False), FailureKind.LANDED_EARLY),
        (replace(ALOFT, landed=True), FailureKind.LANDED_EARLY),
    ],
)
def test_failures_in_flight_lead_to_landing(view: View, kind: FailureKind) -> None:
    flight = Clocked()
    flight.fly()
    flight.run(view, 5.0, Stage.LANDING)
    assert flight.kind is kind
    flight.run(ALOFT, 0.1)
    assert flight.sent[-1] == compat.LAND


def test_vehicle_that_stays_on_the_ground() -> None:
    flight = Clocked()
    flight.offboard.connect(flight.now_s)
    flight.run(GOOD, 10.0, Stage.READY)
    flight.offboard.start(flight.now_s)
    flight.run(replace(ALOFT, landed=True), 60.0, Stage.LANDING)
    assert flight.kind is FailureKind.STUCK


def test_land_is_repeated_in_two_ways_then_reported() -> None:
    flight = Clocked(land_timeout_s=20.0)
    flight.fly()
    flight.sent.clear()
    flight.offboard.finish(flight.now_s)
    flight.run(ALOFT, 60.0, Stage.OVER)
    assert {compat.LAND, compat.SET_LAND_MODE} == set(flight.sent)
    assert len(flight.sent) >= 15
    assert flight.offboard.left_armed is not None
    assert flight.kind is None, "nothing was wrong with the flight itself"


def test_left_armed_stands_beside_another_failure() -> None:
    flight = Clocked(land_timeout_s=20.0)
    flight.fly()
    flight.offboard.finish(flight.now_s, Failure(FailureKind.STUCK, "first"))
    flight.run(ALOFT, 60.0, Stage.OVER)
    assert flight.kind is FailureKind.STUCK
    assert "left armed: told to land" in str(flight.offboard.left_armed)
    assert any("left armed" in event for event in flight.offboard.events)


def streams(flight: Clocked, view: View) -> tuple[bool, bool]:
    """(offboard_control_mode, trajectory_setpoint) after one more tick."""
    flight.run(view, 0.1)
    return flight.offboard.announces, flight.offboard.steers


def test_two_streams_two_rules() -> None:
    flight = Clocked()
    assert streams(flight, GOOD) == (False, False)
    flight.offboard.connect(flight.now_s)
    assert streams(flight, GOOD) == (True, False), "settling: announced, but not in OFFBOARD"
    flight.run(GOOD, 10.0, Stage.READY)
    assert streams(flight, replace(GOOD, nav_state=14)) == (True, True)
    flight.offboard.start(flight.now_s)
    assert streams(flight, GOOD) == (True, False)
    assert streams(flight, ALOFT) == (True, True)
    failsafe = replace(ALOFT, nav_state=2, failsafe=True)
    assert streams(flight, failsafe) == (True, False), "PX4 comes back only with the announcement"
    assert streams(flight, ALOFT) == (True, True)
    flight.offboard.finish(flight.now_s)
    assert streams(flight, ALOFT) == (False, False), "LAND is on its way"
    assert streams(flight, replace(ALOFT, nav_state=18)) == (False, False)
    assert streams(flight, replace(GOOD, nav_state=18)) == (False, False)


def test_streams_are_silent_for_a_person() -> None:
    flight = Clocked()
    flight.fly()
    assert streams(flight, replace(ALOFT, nav_state=4)) == (False, False)
    flight.run(replace(ALOFT, nav_state=4), 30.0, Stage.LANDING)
    flight.sent.clear()
    flight.run(replace(ALOFT, nav_state=5), 100.0)
    assert flight.sent == [], "the landing is theirs"
    flight.run(replace(ALOFT, nav_state=5), 60.0)
    assert compat.LAND in flight.sent, "but not for ever"


def test_a_person_who_takes_over_during_a_failsafe_is_not_fought() -> None:
    flight = Clocked()
    flight.fly()
    flight.run(replace(ALOFT, nav_state=2, failsafe=True), 1.0)
    flight.run(replace(ALOFT, nav_state=5, failsafe=True), 1.0)
    assert flight.sent[-1] == compat.SET_OFFBOARD, "the failsafe went on to another mode: still recovering"
    flight.run(replace(ALOFT, nav_state=5), 1.0)
    assert flight.sent[-1] == compat.SET_OFFBOARD, "the failsafe is over, its mode is nobody's choice"
    flight.sent.clear()
    assert streams(flight, replace(ALOFT, nav_state=1)) == (False, False)
    flight.run(replace(ALOFT, nav_state=1), 30.0, Stage.LANDING)
    flight.run(replace(ALOFT, nav_state=1), 60.0)
    assert flight.sent == []
    assert any("somebody chose ALTCTL during the failsafe" in event for event in flight.offboard.events)
    assert "because somebody chose it" in str(flight.offboard.failure)


def test_a_failsafe_in_a_mode_of_a_person_stays_theirs() -> None:
    flight = Clocked()
    flight.fly()
    flight.sent.clear()
    flight.run(replace(ALOFT, nav_state=1), 1.0)
    assert streams(flight, replace(ALOFT, nav_state=5, failsafe=True)) == (False, False)
    flight.run(replace(ALOFT, nav_state=5, failsafe=True), 30.0, Stage.LANDING)
    assert flight.sent == []


def test_streams_are_silent_while_a_found_vehicle_lands() -> None:
    flight = Clocked()
    flight.offboard.connect(flight.now_s)
    flight.run(ALOFT, 0.2)
    assert streams(flight, ALOFT) == (False, False)
    assert streams(flight, GOOD) == (True, False)


def test_on_the_ground_it_is_disarmed_if_px4_does_not() -> None:
    flight = Clocked()
    flight.fly()
    flight.offboard.finish(flight.now_s)
    flight.run(replace(ALOFT, nav_state=18, landed=True), 7.0)
    assert flight.sent[-1] == compat.DISARM


def test_next_flight_waits_for_the_landing() -> None:
    flight = Clocked()
    flight.fly()
    flight.offboard.finish(flight.now_s, Failure(FailureKind.STOPPED, "next"))
    flight.offboard.connect(flight.now_s)
    flight.run(replace(ALOFT, nav_state=18), 5.0)
    assert flight.offboard.stage is Stage.LANDING
    flight.run(GOOD, 10.0, Stage.READY)
    assert flight.offboard.stage is Stage.READY
    assert flight.offboard.failure is None


@pytest.mark.parametrize(
    ("sentence", "starts_node", "for_all"),
    [
        ("px4 flight of x failed: px4_bridge_node: no agent: nobody writes", True, "no agent: nobody writes"),
        ("px4_bridge_node: no odometry: none came in 60 s", True, "no odometry: none came in 60 s"),
        ("px4_bridge_node: version mismatch: a; b", True, "version mismatch: a; b"),
        ("px4_bridge_node: not armable: no GPS", True, ""),
        ("px4_bridge_node: no node under test: silent", True, ""),
        ("px4_bridge_node: no node under test: silent", False, "no node under test: silent"),
    ],
)
def test_what_stops_one_flight_may_stop_all(sentence: str, starts_node: bool, for_all: str) -> None:
    assert nobody_there(sentence, starts_node=starts_node) == for_all
