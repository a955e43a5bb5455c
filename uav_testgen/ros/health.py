"""How a node tells the others that it lives, how far it is, whom it hears, and what it had to refuse."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.publisher import Publisher
from uav_testgen_msgs.msg import NodeStatus

from uav_testgen.graph.description import DIRECTOR
from uav_testgen.graph.patient_clock import PatientClock
from uav_testgen.graph.peers import Peers
from uav_testgen.graph.process_identity import own_process
from uav_testgen.ros import topics
from uav_testgen.ros.qos import DISPLAY, LOCK_STEP

HEARTBEAT_S: Final = 0.5
WARN_EVERY_S: Final = 5.0
_FORGOTTEN_S: Final = 5.0
"""A director that has been silent for longer directs nothing."""
_LEVELS = {NodeStatus.FAILED: DiagnosticStatus.ERROR}


class Health:
    """Status, diagnostics and refusals of one node.

    The heartbeat runs on the steady clock: simulated time stands still when a flight does, and that is
    exactly when the others want to know whether this node is alive.

    `join` makes the topic `status` the last thing a node publishes and subscribes to. Discovery announces the
    publishers of a process in the order in which they were made, and its subscriptions likewise. So a node
    that hears another one there is connected with it on every other topic too: nothing that is published
    from then on gets lost between them. `hears` tells the director of which others this is true.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._name = node.get_name()
        self._status = NodeStatus(node=self._name, process=own_process(), state=NodeStatus.IDLE, step=-1)
        self.peers = Peers()
        self.clock = PatientClock()
        self._refused: Counter[str] = Counter()
        self._warned_s: dict[str, float] = {}
        self._facts: dict[str, Any] = {}
        self._director = (float("-inf"), int(NodeStatus.IDLE))
        self._beats = 0
        self._status_publisher: Publisher | None = None
        self._diagnostics = node.create_publisher(DiagnosticArray, topics.DIAGNOSTICS, DISPLAY)
        self._told: Callable[[NodeStatus], None] = lambda _status: None

    def join(self, told: Callable[[NodeStatus], None] | None = None) -> None:
        """Begin to speak and to listen; every other publisher and subscription must have been made.

        `told` gets the status messages of everybody, also one's own.
        """
        if told is not None:
            self._told = told
        self._node.create_subscription(NodeStatus, topics.STATUS, self._hear, LOCK_STEP)
        self._status_publisher = self._node.create_publisher(NodeStatus, topics.STATUS, LOCK_STEP)
        self._node.create_timer(HEARTBEAT_S, self._beat, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def flight_id(self) -> int:
        """The flight this node works on; 0 = none."""
        return int(self._status.flight_id)

    @property
    def state(self) -> int:
        """IDLE .. FAILED of NodeStatus."""
        return int(self._status.state)

    @property
    def flight_under_way(self) -> bool:
        """This node flies, or the director has said a moment ago that a flight is on."""
        heard_s, state = self._director
        return NodeStatus.FLYING in (self._status.state, state if self._recent(heard_s) else None)

    def _recent(self, heard_s: float) -> bool:
        return self.clock.now_s() - heard_s < _FORGOTTEN_S

    def enter(self, state: int, flight_id: int | None = None, message: str = "") -> None:
        """Change the state and tell everybody at once."""
        if flight_id is not None:
            if flight_id != self._status.flight_id:
                self._status.step = -1
            self._status.flight_id = flight_id
        self._status.state = state
        self._status.message = message
        self._send_status()

    def say(self, message: str) -> None:
        """Tell people how far it is, without a change of state."""
        self._status.message = message
        self._send_status()

    def at_step(self, step: int) -> None:
        """Note the newest step handled; travels with the next heartbeat."""
        self._status.step = step

    def note(self, **facts: Any) -> None:
        """Values for the diagnostics page."""
        self._facts.update(facts)

    def refuse(self, topic: str, reason: str) -> None:
        """Count a message that cannot be used; warn at most every few seconds per topic."""
        self._refused[topic] += 1
        self._status.refused += 1
        now_s = time.monotonic()
        if now_s - self._warned_s.get(topic, -WARN_EVERY_S) >= WARN_EVERY_S:
            self._warned_s[topic] = now_s
            self._node.get_logger().warning(
                f"refused a message on {topic}: {reason} ({self._refused[topic]} refused so far)"
            )

    def refused(self, topic: str) -> int:
        """Messages refused on a topic since the start."""
        return self._refused[topic]

    def _hear(self, status: NodeStatus) -> None:
        if status.node == DIRECTOR:
            self._director = (self.clock.now_s(), int(status.state))
        if status.process and self.peers.hear(status.node, status.process, self.clock.now_s()):
            self._send_status()  # whoever has just come waits to be heard
        self._told(status)

    def _beat(self) -> None:
        self._send_status()
        self._beats += 1
        if self._beats % 2 == 0:
            self._send_diagnostics()

    def _send_status(self) -> None:
        if self._status_publisher is None:
            return
        self._status.hears = self.peers.heard(self.clock.now_s())
        self._status.header.stamp = Clock(clock_type=ClockType.SYSTEM_TIME).now().to_msg()
        self._status_publisher.publish(self._status)

    def _send_diagnostics(self) -> None:
        status = self._status
        total = sum(self._refused.values())
        level = _LEVELS.get(status.state, DiagnosticStatus.WARN if total else DiagnosticStatus.OK)
        values = {
            "flight_id": status.flight_id,
            "step": status.step,
            **self._facts,
            **{f"refused {topic}": count for topic, count in sorted(self._refused.items())},
        }
        page = DiagnosticStatus(
            level=level,
            name=f"{self._node.get_fully_qualified_name()}: flight",
            message=status.message or (f"{total} messages refused" if total else "ok"),
            hardware_id="uav_testgen",
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )
        array = DiagnosticArray(status=[page])
        array.header.stamp = status.header.stamp
        self._diagnostics.publish(array)
