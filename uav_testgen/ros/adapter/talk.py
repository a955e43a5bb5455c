"""The conversation with a planner during one flight: what is sent when, and which answer counts.

Two ways: `LockStepTalk` waits for an answer to every step; `PacedTalk` lets time run and flies on the newest answer.
Both are told what the graph says (`see`), what the planner says (`hear`) and that time passes (`tick`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import LEG, SETPOINT_SIZE
from uav_testgen.flight.model import Ending
from uav_testgen.graph.planner_profile import PlannerProfile
from uav_testgen.planner.base import Plan
from uav_testgen.planner.follow import demand, setpoint_of
from uav_testgen.ros.adapter.ages import AnswerAges
from uav_testgen.ros.adapter.pacing import MotionTrack, PacedClock
from uav_testgen.ros.convert.motion import Motion, guide_motion_from_step, pose_of
from uav_testgen.ros.convert.parts import xyz_from_msg
from uav_testgen.ros.matching import stamp_ns
from uav_testgen.ros.planner_steps import phase_of

SETTLE_S: Final = 0.003
"""The cloud is sent this much later than goal and odometry: topics do not keep their order among each other."""
SEND_AGAIN_S: Final = 0.5
UNANSWERED_S: Final = 1.0
SLIPS: Final = 0.05
"""Share of a paced flight that it may be behind its clock without a word about it."""
EARLY_ANSWER_S: Final = 0.05
"""An answer that came before the cloud was sent counts if no other follows within this time."""
Reply = Callable[["Seen", FloatArray], None]
Fail = Callable[[Ending, str], None]


class Seen(NamedTuple):
    """Everything the graph says about one step."""

    step: FlightStep
    motion: Motion
    taken: Motion
    """Where the vehicle was when the image was taken."""
    cloud: NDArray[np.float32]
    depth: Any = None

    @property
    def at_ns(self) -> int:
        """The step's time."""
        return stamp_ns(self.step)

    @property
    def taken_ns(self) -> int:
        """The image's time."""
        return self.at_ns - round(self.step.image_age * 1e9)

    @property
    def due_ns(self) -> int:
        """When the set-point takes effect."""
        return self.at_ns + max(round((self.step.guide_time - self.step.time) * 1e9), 0)


class Sender(Protocol):
    """What a talk needs of `Outputs`."""

    @property
    def clock_is_read(self) -> bool:
        """Does somebody live by the clock?"""
        ...

    def clock(self, now_ns: int) -> None:
        """A tick."""
        ...

    def goal(self, goal_enu_m: Any, previous_enu_m: Any, now_ns: int) -> None:
        """Where to go."""
        ...

    def motion(self, motion: Motion, now_ns: int) -> None:
        """Where the vehicle is."""
        ...

    def image(self, points_enu_m: Any, depth: Any, taken: Motion, now_ns: int) -> None:
        """What it sees."""
        ...


class Talk:
    """What both ways share."""

    def __init__(self, profile: PlannerProfile, sender: Sender, reply: Reply, fail: Fail) -> None:
        self.profile, self._sender, self._reply, self._fail = profile, sender, reply, fail
        self.ages = AnswerAges(profile.limits.warn_s)
        self.newest: Seen | None = None
        self._goal: Any = None
        self._goal_ns = 0

    def see(self, seen: Seen) -> None:
        """A step of the flight."""
        raise NotImplementedError

    def hear(self, plan: Plan, answer_ns: int) -> None:
        """An answer of the planner, stamped by it; 0: not at all."""
        raise NotImplementedError

    def tick(self) -> None:
        """Time passes."""
        raise NotImplementedError

    @property
    def slipped_s(self) -> float:
        """How far a paced flight was behind its clock."""
        return 0.0

    @property
    def warning(self) -> str:
        """A sentence where the planner, or this machine, cannot keep up."""
        return ""

    def _is_engaged(self, seen: Seen) -> bool:
        return self.profile.from_planner.engaged == "always" or phase_of(seen.step) == LEG

    def _send_goal(self, seen: Seen, now_ns: int) -> None:
        """When it changes, and again where the profile wants that."""
        wanted = self.profile.to_planner.goal
        goal = xyz_from_msg(seen.step.goal)
        if wanted is None or not self._is_engaged(seen):
            return
        # A planner that has never answered may have missed it while it was connecting.
        period_s = wanted.period_s if self.ages.answers else UNANSWERED_S
        is_due = period_s is not None and seen.at_ns - self._goal_ns >= period_s * 1e9
        if goal != self._goal or is_due:
            self._goal, self._goal_ns = goal, seen.at_ns
            self._sender.goal(goal, xyz_from_msg(seen.step.previous_goal), now_ns)

    def _fly(self, seen: Seen, plan: Plan) -> None:
        """Answer the step with a set-point made of the plan and the newest pose."""
        newest, _ = guide_motion_from_step(seen.step, seen.motion)
        pose = pose_of(newest)
        self._reply(seen, demand(setpoint_of(plan, pose), pose, np.array(xyz_from_msg(seen.step.goal))))

    def _leave_it_to_the_autopilot(self, seen: Seen) -> None:
        self._reply(seen, np.full(SETPOINT_SIZE, np.nan))


class LockStepTalk(Talk):
    """The flight stands still until the planner has answered: repeatable if the planner is."""

    def __init__(self, *arguments: Any, wall_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(*arguments)
        self._wall_s = wall_s
        self._asked: Seen | None = None
        self._asked_s = self._sent_s = self._send_s = 0.0
        self._early: Plan | None = None
        self._tick_ns = -1

    def see(self, seen: Seen) -> None:
        """Send everything; the cloud a moment later."""
        self.newest = seen
        now_s = self._wall_s()
        self._advance_clock(seen.at_ns)
        self._sender.motion(seen.motion, seen.at_ns)
        self._send_goal(seen, seen.at_ns)
        if not self._is_engaged(seen):
            self._send_image(seen)
            self._leave_it_to_the_autopilot(seen)
            return
        self._asked, self._asked_s, self._sent_s, self._early = seen, now_s, 0.0, None
        self._send_s = now_s + SETTLE_S

    def tick(self) -> None:
        """Send what is due, ask again, or give up."""
        asked, now_s = self._asked, self._wall_s()
        if asked is None:
            return
        waited_s, limits = now_s - self._asked_s, self.profile.limits
        limit_s = limits.answer_s if self.ages.answers else max(limits.first_answer_s, limits.answer_s)
        if not self._sent_s and now_s >= self._send_s:
            self._sent_s = now_s
            self._send_image(asked)
        elif self._early is not None and self._sent_s and now_s - self._sent_s > EARLY_ANSWER_S:
            self._take(asked, self._early)
        elif waited_s > limit_s:
            self._asked = None
            self._fail(Ending.PLANNER_LATE, self._silence(asked, waited_s))
        elif self._sent_s and now_s - self._sent_s > SEND_AGAIN_S:
            # It may have been connecting, or have missed the goal.
            if not self.ages.answers:
                self._goal = None
                self._send_goal(asked, asked.at_ns)
            self._sender.motion(asked.motion, asked.at_ns)
            self._send_s = now_s + SETTLE_S
            self._sent_s = 0.0

    def hear(self, plan: Plan, answer_ns: int) -> None:
        """The first answer that is not older than the step's image counts."""
        asked = self._asked
        if asked is None or 0 < answer_ns < asked.taken_ns:
            self.ages.stale += 1
        elif not self._sent_s and answer_ns != asked.at_ns:
            self._early = plan
        else:
            self._take(asked, plan)

    def _take(self, asked: Seen, plan: Plan) -> None:
        self._asked, self._early = None, None
        self.ages.answers += 1
        self.ages.flown(self._wall_s() - self._asked_s)
        self._fly(asked, plan)

    def _send_image(self, seen: Seen) -> None:
        self._sender.image(seen.cloud, seen.depth, seen.taken, seen.taken_ns)

    def _advance_clock(self, to_ns: int) -> None:
        """Every tick up to the step where somebody lives by the clock, else the last one."""
        period_ns = round(1e9 / self.profile.time.clock_hz)
        if self._tick_ns >= 0 and self._sender.clock_is_read:
            for tick_ns in range(self._tick_ns + period_ns, to_ns, period_ns):
                self._sender.clock(tick_ns)
        self._tick_ns = to_ns
        self._sender.clock(to_ns)

    def _silence(self, asked: Seen, waited_s: float) -> str:
        topic = self.profile.from_planner.topic
        stale = f" ({self.ages.stale} answers were stamped before it)" if self.ages.stale else ""
        never = (
            "" if self.ages.answers else "; a planner that does not answer every cloud needs sim_time or wall"
        )
        return f"no answer on {topic} to the step at {asked.step.time:.1f} s within {waited_s:.1f} s{stale}{never}"


class PacedTalk(Talk):
    """Time runs on; each step is flown on the newest answer."""

    def __init__(self, *arguments: Any, wall_s: Callable[[], float] = time.monotonic,
                 wall_ns: Callable[[], int] = time.time_ns) -> None:  # fmt: skip
        super().__init__(*arguments)
        self._wall_s, self._wall_ns = wall_s, wall_ns
        self._track = MotionTrack()
        self._clock: PacedClock | None = None
        self._pending: Seen | None = None
        self._images: list[Seen] = []
        self._horizon_ns = self._now_ns = self._tick_ns = self._odometry_ns = 0
        self._plan: Plan | None = None
        self._heard_ns = 0
        self._engaged: Seen | None = None

    @property
    def slipped_s(self) -> float:
        """How far the flight was behind its clock."""
        return 0.0 if self._clock is None else self._clock.slipped_s

    @property
    def warning(self) -> str:
        """A sentence where the planner, or this machine, cannot keep up."""
        flown_s = 0.0 if self.newest is None else self.newest.step.time / self.profile.time.speed
        if self.slipped_s > SLIPS * max(flown_s, 1.0):
            return (
                f"this machine cannot keep up: in {flown_s:.1f} s the flight fell {self.slipped_s:.1f} s behind, "
                "so the planner had more time than it should; use a smaller time.speed, or fewer jobs"
            )
        return self.ages.warning

    def see(self, seen: Seen) -> None:
        """The step is known; it is shown to the planner when its time has come."""
        self.newest = seen
        newest, _ = guide_motion_from_step(seen.step, seen.motion)
        self._track.add(seen.at_ns, seen.motion)
        if seen.due_ns > seen.at_ns:
            self._track.add(seen.due_ns, newest)
        if self._clock is None:
            self._clock = PacedClock(seen.at_ns, self._wall_s(), self.profile.time.speed)
            self._now_ns = self._tick_ns = self._odometry_ns = seen.at_ns
        self._pending = seen
        self._images.append(seen)
        self._horizon_ns = seen.due_ns

    def hear(self, plan: Plan, answer_ns: int) -> None:
        """The newest answer is the one that counts."""
        if self._engaged is None:
            return
        self.ages.answers += 1
        self._plan, self._heard_ns = plan, self._now_ns

    def tick(self) -> None:
        """Clock, odometry and images up to now; the set-point if it is due."""
        if self._clock is None:
            return
        self._now_ns = self._clock.now_ns(self._wall_s(), self._horizon_ns)
        paced = self.profile.time
        while self._tick_ns <= self._now_ns:
            self._show_until(self._tick_ns)
            self._sender.clock(self._tick_ns)
            self._tick_ns += round(1e9 / paced.clock_hz)
        self._show_until(self._now_ns)
        if self._pending is not None and self._now_ns >= self._pending.due_ns:
            pending, self._pending = self._pending, None
            self._decide(pending)

    def _show_until(self, now_ns: int) -> None:
        while self._odometry_ns <= now_ns:
            self._sender.motion(self._track.at(self._odometry_ns), self._stamp(self._odometry_ns))
            self._odometry_ns += round(1e9 / self.profile.time.odometry_hz)
        while self._images and self._images[0].at_ns <= now_ns:
            seen = self._images.pop(0)
            if self._engaged is None and self._is_engaged(seen):
                self._engaged, self._heard_ns = seen, seen.at_ns
            self._send_goal(seen, self._stamp(seen.at_ns))
            self._sender.image(seen.cloud, seen.depth, seen.taken, self._stamp(seen.taken_ns))

    def _stamp(self, at_ns: int) -> int:
        """A time of the flight on the planner's clock."""
        if self.profile.time.mode != "wall":
            return at_ns
        return self._wall_ns() - (self._now_ns - at_ns)

    def _decide(self, seen: Seen) -> None:
        if not self._is_engaged(seen) or self._engaged is None:
            self._leave_it_to_the_autopilot(seen)
            return
        age_s, limits = (seen.due_ns - self._heard_ns) * 1e-9, self.profile.limits
        topic = self.profile.from_planner.topic
        if self._plan is None:
            if age_s > limits.first_answer_s:
                self._fail(
                    Ending.PLANNER_LATE, f"no answer on {topic} within {age_s:.1f} s of the first goal"
                )
                return
            here = self._engaged.motion  # nothing is known yet: hover
            yaw_rad = here.attitude_rad[2]
            self._fly(seen, Plan(position_enu_m=np.array(here.position_enu_m), yaw_rad=yaw_rad))
            return
        self.ages.flown(age_s)
        if age_s > limits.answer_s:
            sentence = f"the newest answer on {topic} is {age_s:.1f} s old at {seen.step.time:.1f} s"
            self._fail(Ending.PLANNER_LATE, f"{sentence} (limits.answer_s: {limits.answer_s:g})")
            return
        self._fly(seen, self._plan)
