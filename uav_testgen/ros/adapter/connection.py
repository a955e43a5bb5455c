"""From "a flight is planned" to "the planner is there": its process, its reset, its topics."""

from __future__ import annotations

import time
from enum import Enum
from typing import Any, Final

from rclpy.node import Node
from rclpy.qos import ReliabilityPolicy

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.graph.planner_messages import short_type
from uav_testgen.graph.planner_profile import PlannerProfile
from uav_testgen.ros.adapter.fields import message_class
from uav_testgen.ros.adapter.outputs import CLOCK_TOPIC, Outputs
from uav_testgen.ros.adapter.process import PlannerProcess

GRACE_S: Final = 1.0
"""Once the planner's answer is on offer, its subscriptions may take this much longer."""
SETTLE_S: Final = 0.3
"""We know the planner's readers; they need a moment longer to know our writers."""


class Phase(Enum):
    """How far it is."""

    IDLE = "idle"
    ENDING = "ending"
    RESETTING = "resetting"
    CONNECTING = "connecting"
    READY = "ready"


class Connection:
    """Looked at a few times a second; never waits."""

    def __init__(self, node: Node, profile: PlannerProfile, command: str, outputs: Outputs) -> None:
        self._node, self._profile, self._outputs = node, profile, outputs
        self._process = PlannerProcess(command)
        self._phase = Phase.IDLE
        self._since_s = self._found_s = self._whole_s = 0.0
        self._former: set[tuple[int, ...]] = set()
        self._answer: Any = None
        state = profile.state
        self._client: Any = None
        if state.reset == "service":
            kind = message_class(state.service_type, "state.service_type", "srv")
            self._client = node.create_client(kind, "/" + state.service.lstrip("/"))

    @property
    def is_ready(self) -> bool:
        """The planner is there."""
        return self._phase is Phase.READY

    @property
    def is_lossy(self) -> bool:
        """Does the planner publish its answers best effort?"""
        found = self._publishers()
        return any(info.qos_profile.reliability == ReliabilityPolicy.BEST_EFFORT for info in found)

    def begin(self) -> None:
        """A flight is planned: restart or reset the planner, then look for it."""
        self._since_s, self._found_s, self._whole_s = time.monotonic(), 0.0, 0.0
        restart = self._profile.state.reset == "restart"
        if self._process.command and (restart or not self._process.is_running):
            self._phase = Phase.ENDING
        elif self._client is not None:
            self._reset()
        else:
            self._phase = Phase.CONNECTING

    def end(self) -> None:
        """The flight is over: so is the process, where each flight has its own."""
        self._phase = Phase.IDLE
        if self._profile.state.reset == "restart":
            self._process.hurry()

    def close(self) -> None:
        """Leave nothing running."""
        self._process.close()

    def look(self) -> str:
        """Go on as far as possible; a sentence about what is wrong with the planner."""
        if self._phase is Phase.IDLE:
            if self._profile.state.reset == "restart":
                self._process.hurry()
            return ""
        if self._phase is Phase.ENDING:
            return self._start_when_gone()
        if trouble := self._process.trouble():
            return trouble
        if self._phase is Phase.RESETTING:
            return self._wait_for_reset()
        if self._phase is Phase.CONNECTING:
            return self._wait_for_topics()
        return ""

    def warnings(self) -> list[str]:
        """What may surprise people about a planner that is there."""
        found, mode = [], self._profile.time.mode
        if unread := self._outputs.missed():
            found.append(f"nobody reads {', '.join(unread)}: does the profile name the planner's topics?")
        if mode == "sim_time" and not self._outputs.clock_is_read:
            found.append(f"nobody reads {CLOCK_TOPIC}: start the planner with use_sim_time:=true")
        if mode == "wall" and self._outputs.clock_is_read:
            found.append(f"a node waits for {CLOCK_TOPIC}, which is silent in mode wall: use_sim_time:=false")
        if not self._process.command and self._profile.state.reset == "restart":
            found.append(
                "the planner was not started by --start, so it is not restarted: it may remember the flight before"
            )
        return found

    def _start_when_gone(self) -> str:
        self._process.hurry()
        if self._process.is_running:
            return ""
        self._former = {tuple(info.endpoint_gid) for info in self._publishers()}
        try:
            self._process.start()
        except UavTestgenError as error:
            self._phase = Phase.IDLE
            return str(error)
        self._phase, self._since_s = Phase.CONNECTING, time.monotonic()
        return ""

    def _reset(self) -> None:
        self._phase, self._answer = Phase.RESETTING, None

    def _wait_for_reset(self) -> str:
        if self._answer is None and self._client.service_is_ready():
            self._answer = self._client.call_async(self._client.srv_type.Request())
        if self._answer is not None and self._answer.done():
            answer = self._answer.result()
            if not getattr(answer, "success", True):
                self._phase = Phase.IDLE
                return f"{self._profile.state.service} refused to reset the planner: {answer.message}"
            self._phase, self._since_s = Phase.CONNECTING, time.monotonic()
            return ""
        return self._too_long(f"the service {self._profile.state.service} did not answer")

    def _wait_for_topics(self) -> str:
        wanted, now_s = self._profile.from_planner, time.monotonic()
        present = [info for info in self._publishers() if tuple(info.endpoint_gid) not in self._former]
        kinds = {short_type(info.topic_type) for info in present}
        if kinds - {wanted.type}:
            self._phase = Phase.IDLE
            others = ", ".join(sorted(kinds - {wanted.type}))
            return f"{wanted.topic} is published as {others}, the profile expects {wanted.type}: see from_planner.type"
        if not present:
            return self._too_long(f"nobody publishes {wanted.topic}")
        self._found_s = self._found_s or now_s
        if self._outputs.unread() and now_s - self._found_s <= GRACE_S:
            return ""
        self._whole_s = self._whole_s or now_s
        if now_s - self._whole_s >= SETTLE_S:
            self._phase = Phase.READY
        return ""

    def _too_long(self, what: str) -> str:
        limit_s = self._profile.limits.connect_s
        if time.monotonic() - self._since_s <= limit_s:
            return ""
        self._phase = Phase.IDLE
        command = self._process.command
        whose = f"--start '{command}' runs, but" if command else "is the planner running in this ROS domain?"
        return f"{whose} {what} within {limit_s:g} s" if command else f"{what} within {limit_s:g} s; {whose}"

    def _publishers(self) -> list[Any]:
        return list(self._node.get_publishers_info_by_topic(self._profile.from_planner.topic))
