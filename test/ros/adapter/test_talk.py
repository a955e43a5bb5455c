"""What is sent when, which answer counts, and when a planner is late: on clocks that the test turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rclpy.time import Time
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.flight.model import Ending
from uav_testgen.graph.planner_profile import PlannerProfile
from uav_testgen.planner.base import Plan
from uav_testgen.ros.adapter.pacing import MotionTrack, PacedClock, between
from uav_testgen.ros.adapter.talk import LockStepTalk, PacedTalk, Seen, Talk
from uav_testgen.ros.convert.motion import Motion

MS = 1_000_000
ANSWER = Plan(position_enu_m=(9.0, 0.0, 4.0))


class Around:
    """Everything a talk touches: the planner's topics, the graph, and a clock turned by hand."""

    def __init__(self, **profile: Any) -> None:
        self.now_s = 100.0
        self.sent: list[tuple[str, int]] = []
        self.motions: list[Motion] = []
        self.replies: list[tuple[int, Any]] = []
        self.faults: list[tuple[Ending, str]] = []
        self.clock_is_read = True
        self.profile = PlannerProfile(**profile)
        kind = PacedTalk if self.profile.time.is_paced else LockStepTalk
        more = {"wall_ns": lambda: round(self.now_s * 1e9)} if self.profile.time.is_paced else {}
        self.talk: Talk = kind(
            self.profile, self, self.reply, lambda *fault: self.faults.append(fault),
            wall_s=lambda: self.now_s, **more,
        )  # fmt: skip

    def clock(self, now_ns: int) -> None:
        self.sent.append(("clock", now_ns))

    def goal(self, goal: Any, previous: Any, now_ns: int) -> None:
        self.sent.append(("goal", now_ns))

    def motion(self, motion: Motion, now_ns: int) -> None:
        self.sent.append(("motion", now_ns))
        self.motions.append(motion)

    def image(self, points: Any, depth: Any, taken: Motion, now_ns: int) -> None:
        self.sent.append(("image", now_ns))

    def reply(self, seen: Seen, setpoint: Any) -> None:
        self.replies.append((seen.step.step, setpoint))

    def see(self, number: int, **more: Any) -> None:
        step = FlightStep(step=number, time=0.1 * number, **more)
        step.header.stamp = Time(nanoseconds=number * 100 * MS).to_msg()
        step.goal.x = 9.0
        motion = Motion((float(number), 0.0, 4.0), (10.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        self.talk.see(Seen(step, motion, motion, np.zeros((0, 3), np.float32)))

    def wait(self, seconds: float, step_s: float = 0.002) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s - 1e-9:
            self.now_s += step_s
            self.talk.tick()

    def count(self, what: str) -> int:
        return sum(name == what for name, _ in self.sent)


def test_lock_step_sends_the_cloud_last_and_waits_for_its_answer() -> None:
    around = Around()
    around.see(0)
    assert around.count("image") == 0 and around.count("goal") == around.count("motion") == 1
    around.wait(0.01)
    assert around.sent[-1][0] == "image" and not around.replies
    around.talk.hear(ANSWER, 0)
    assert [number for number, _ in around.replies] == [0]
    around.see(1)
    assert around.count("goal") == 1  # it has not changed
    # 250 ticks a second, for nodes whose timers live by the clock.
    assert around.count("clock") == 26


def test_lock_step_passes_over_answers_to_earlier_steps() -> None:
    around = Around()
    around.see(3, image_age=0.16)
    around.wait(0.01)
    around.talk.hear(ANSWER, 40 * MS)
    assert not around.replies and around.talk.ages.stale == 1
    around.talk.hear(ANSWER, 140 * MS)  # stamped like the image of this step
    assert len(around.replies) == 1


def test_lock_step_asks_again_and_gives_up_with_a_sentence() -> None:
    around = Around(limits={"first_answer_s": 3.0})
    around.see(0)
    around.wait(1.2)
    assert around.count("image") == 3 and not around.faults
    around.wait(2.0)
    assert around.faults[0][0] is Ending.PLANNER_LATE and "/path" in around.faults[0][1]
    around.wait(5.0)
    assert len(around.faults) == 1


def test_an_answer_to_the_odometry_counts_when_no_other_follows() -> None:
    around = Around()
    around.see(0)
    around.talk.hear(ANSWER, 7)
    assert not around.replies
    around.wait(0.07)
    assert len(around.replies) == 1


def test_the_autopilot_takes_off_by_itself() -> None:
    around = Around()
    around.see(0, is_takeoff=True)
    assert np.isnan(around.replies[0][1]).all() and around.count("goal") == 0
    always = Around(from_planner={"engaged": "always"})
    always.see(0, is_takeoff=True)
    assert not always.replies and always.count("goal") == 1


def fly_paced(around: Around, steps: int, answers: bool = True) -> None:
    """The graph answers at once; the planner answers every image."""
    around.see(0)
    shown = 0
    while len(around.replies) < steps and not around.faults:
        around.wait(0.002)
        if around.count("image") > shown and answers:
            shown = around.count("image")
            around.talk.hear(ANSWER, 0)
        if around.replies and around.replies[-1][0] == around.talk.newest.step.step:  # type: ignore[union-attr]
            around.see(around.replies[-1][0] + 1)


@pytest.mark.parametrize("speed", [0.5, 1.0, 5.0])
def test_paced_by_simulated_time(speed: float) -> None:
    around = Around(time={"mode": "sim_time", "speed": speed})
    fly_paced(around, 11)
    assert around.now_s - 100.0 == pytest.approx(1.0 / speed, rel=0.1)
    assert 245 <= around.count("clock") <= 260 and 50 <= around.count("motion") <= 53
    stamps = [at_ns for name, at_ns in around.sent if name == "clock"]
    assert stamps == sorted(stamps) and stamps[1] - stamps[0] == 4 * MS
    # Between two steps the vehicle moves smoothly.
    eastings = np.array([motion.position_enu_m[0] for motion in around.motions])
    assert np.allclose(np.diff(eastings), 0.2)
    assert around.talk.slipped_s == 0.0


def test_on_the_walls_clock_stamps_are_the_walls() -> None:
    around = Around(time={"mode": "wall"})
    fly_paced(around, 4)
    assert all(
        abs(at_ns - 100.0e9) < 1e9 for name, at_ns in around.sent if name in ("motion", "image", "goal")
    )


def test_a_paced_flight_hovers_until_the_first_answer_and_ends_without_one() -> None:
    around = Around(time={"mode": "sim_time"}, limits={"first_answer_s": 0.45})
    fly_paced(around, 20, answers=False)
    assert [tuple(setpoint[:3]) for _, setpoint in around.replies] == [(0.0, 0.0, 4.0)] * 5
    assert around.faults[0][0] is Ending.PLANNER_LATE


def test_a_planner_that_falls_silent_is_late_and_one_that_is_slow_is_warned_about() -> None:
    around = Around(time={"mode": "sim_time"}, limits={"answer_s": 1.0})
    around.see(0)
    around.wait(0.002)
    around.talk.hear(ANSWER, 0)
    fly_paced(around, 20, answers=False)
    assert around.faults[0][0] is Ending.PLANNER_LATE and "1.1 s old" in around.faults[0][1]
    assert "cannot keep up" in around.talk.ages.warning
    told = around.talk.ages.to_json()
    assert told["answers"] == 1 and told["late_steps"] > 5 and told["answer_age_s"]["max"] > 1.0


def test_the_clock_waits_for_the_graph_and_catches_up_a_little() -> None:
    clock = PacedClock(0, 10.0, 1.0)
    assert clock.now_ns(10.02, 10 * MS) == 10 * MS and clock.slipped_s == 0.0
    assert clock.now_ns(10.03, 500 * MS) == 30 * MS
    assert clock.now_ns(11.0, 40 * MS) == 40 * MS and clock.slipped_s == pytest.approx(0.91)
    assert clock.now_ns(11.0, 500 * MS) == pytest.approx(90 * MS)


def test_motion_between_two_known_ones() -> None:
    first = Motion((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 3.1))
    last = Motion((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, -3.1))
    middle = between(first, last, 1.0, 0.5)
    assert middle.position_enu_m[0] == pytest.approx(0.5)
    assert abs(middle.attitude_rad[2]) == pytest.approx(np.pi)  # the short way round
    track = MotionTrack()
    track.add(0, first)
    track.add(1000 * MS, last)
    assert track.at(-5) == first and track.at(2000 * MS) == last and track.at(500 * MS) == middle
