"""Client side of the graph: sends a scenario to the action `fly` and waits, watching the director.

Before the first goal the client makes sure that the director hears it, and it asks again for what it gets no
answer to: an action client of rclpy does neither, and would wait for ever for a goal that got lost.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import rclpy
from rclpy.action import ActionClient
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from uav_testgen_msgs.action import Fly
from uav_testgen_msgs.msg import Flight, NodeStatus

from uav_testgen.core.errors import BackendError, BackendTimeout
from uav_testgen.graph.description import DIRECTOR
from uav_testgen.graph.environment import temporarily_set
from uav_testgen.graph.patient_clock import PatientClock
from uav_testgen.graph.peers import Peers, peer_key
from uav_testgen.graph.process_identity import has_ended, own_process
from uav_testgen.ros import topics
from uav_testgen.ros.backends.twofold import TwofoldCheck
from uav_testgen.ros.convert import scenario_to_msg
from uav_testgen.ros.executor import make_executor, spin_until, take_down, waiting
from uav_testgen.ros.qos import LOCK_STEP
from uav_testgen.ros.recording import FlightRecording
from uav_testgen.scenario.model import Scenario

Check = Callable[[], None]
Tell = Callable[[str], None]
_NUMBERS = itertools.count(1)
_NAME = "fly_client"
_ASK_EVERY_S = 0.2
_ASK_AGAIN_S = 5.0
_LISTEN_S = 5.0
_RECORD_S = 30.0
"""A recorder on a busy machine may be behind by this long; then the recording is closed as it is."""
_BACKLOG = 1000
_IDLE_LOOKS = 10


class DirectorSilent(BackendError):
    """The node that runs flights is gone or hangs."""


class GraphClient:
    """A context, a node and an action client of their own, so that several graphs fit in one process."""

    def __init__(
        self,
        domain: int | None,
        namespace: str,
        environment: Mapping[str, str],
        tell: Tell | None = None,
        narrator: str = "",
    ) -> None:
        """`tell` gets what the node `narrator` says about its progress, each line once."""
        self._tell, self._narrator, self._told = tell, narrator, ""
        self._context = rclpy.Context()
        # The middleware reads its profile when the context is made; the rest of this process keeps its own.
        with temporarily_set(environment):
            # Arguments of the program that uses the graph (a node name, a namespace) are not the client's.
            rclpy.init(
                args=[],
                context=self._context,
                domain_id=domain,
                signal_handler_options=SignalHandlerOptions.NO,
            )
            self.node = Node(
                f"{_NAME}_{os.getpid()}_{next(_NUMBERS)}",
                context=self._context,
                namespace=namespace,
                enable_rosout=False,
                start_parameter_services=False,
            )
        self.executor = make_executor(1, self._context)
        self.executor.add_node(self.node)
        self._action = ActionClient(self.node, Fly, topics.FLY)
        self._clock = PatientClock()
        self._heard: dict[str, float] = {}
        self._states: dict[str, int] = {}
        self._processes: defaultdict[str, set[str]] = defaultdict(set)
        self._peers = Peers()
        self._twofold = TwofoldCheck(self.node, self.executor, self._peers, self._clock)
        self._messages = 0
        self._heard_by = ""
        # Made last, see Health.join: whoever hears us here hears our goals as well.
        self._news = self.node.create_subscription(NodeStatus, topics.STATUS, self._on_status, LOCK_STEP)
        self._status = self.node.create_publisher(NodeStatus, topics.STATUS, LOCK_STEP)

    @property
    def _director(self) -> str:
        """The process of the director heard last."""
        return self._peers.process(DIRECTOR)

    def close(self) -> None:
        """Take everything down."""
        self._action.destroy()
        take_down(self.executor, [self.node])
        rclpy.try_shutdown(context=self._context)

    def wait_for_graph(
        self, nodes: Sequence[str], timeout_s: float, check: Check, started: Mapping[str, str] | None = None
    ) -> None:
        """Until the director offers its action and all nodes have given a sign of life from now on.

        Nodes may compile before they speak for the first time, so this may take longer than any flight.
        `started` maps nodes to the processes in which they were started: others of that name do not count.
        """
        deadline_s = time.monotonic() + timeout_s
        self._hear_from((DIRECTOR, *nodes), started or {}, deadline_s, check)
        self._be_heard(deadline_s, check)
        if not spin_until(self.executor, self._action.server_is_ready, deadline_s - time.monotonic()):
            raise BackendTimeout(f"{DIRECTOR} does not offer the action {topics.FLY}")

    def connect_newest(self, check: Check) -> None:
        """Until every node that is known has been heard on a subscription made now.

        Subscriptions made before it, those of a recording for instance, miss nothing from then on. A node
        that stays silent is not waited for long: the director names it when it is needed.
        """
        known = {node for node in self._heard if not node.startswith(_NAME)}
        heard: set[str] = set()

        def complete() -> bool:
            check()
            return heard >= known

        newest = self.node.create_subscription(
            NodeStatus, topics.STATUS, lambda status: heard.add(status.node), LOCK_STEP
        )
        spin_until(self.executor, complete, _LISTEN_S)
        self.node.destroy_subscription(newest)

    def record_complete(self, recording: FlightRecording, flight: Flight, *, is_lock_step: bool) -> None:
        """Until the recording has all of a flight; its result, on a topic of its own, may overtake the steps.

        In lock-step every stream has a message for each step; else only the number of poses is known.
        """
        streams = {topics.ODOMETRY: len(flight.time)}
        if is_lock_step:
            for topic in (topics.FLIGHT_STEP, topics.CLOUD, topics.SETPOINT):
                streams[topic] = len(flight.time) - 1

        def complete() -> bool:
            has_all = all(recording.counts.get(topic, count) >= count for topic, count in streams.items())
            return flight.flight_id in recording.flights and has_all

        spin_until(self.executor, complete, _RECORD_S)

    def fly(
        self, scenario: Scenario, system: str, timeout_s: float, silence_s: float, check: Check
    ) -> Fly.Result:
        """The result of one flight; BackendError names the node at fault."""
        deadline_s = time.monotonic() + timeout_s
        self._catch_up()
        self._find_director(silence_s, check)
        self._be_heard(deadline_s, check)
        self._twofold.refuse(check)
        self._heard[DIRECTOR] = self._clock.now_s()
        director = self._director

        def finished(future: Any) -> Callable[[], bool]:
            def test() -> bool:
                if future.done():
                    return True
                check()
                silent_s = self._silent_s(silence_s)
                if has_ended(director):
                    raise DirectorSilent(f"{DIRECTOR} ended in the middle of the flight")
                if self._director != director:
                    raise DirectorSilent(f"{DIRECTOR} was started again in the middle of the flight")
                if silent_s > silence_s:
                    raise DirectorSilent(f"{DIRECTOR} gave no sign of life for {silent_s:.1f} s")
                return False

            return test

        request = Fly.Goal(scenario=scenario_to_msg(scenario), system=system, request=uuid.uuid4().hex)
        sent = self._ask_until(lambda: self._action.send_goal_async(request), finished, deadline_s)
        if sent is None:
            raise BackendTimeout(f"{DIRECTOR} did not accept the flight within {timeout_s:.0f} s")
        goal = sent.result()
        try:
            result = self._ask_until(goal.get_result_async, finished, deadline_s)
        except DirectorSilent:
            raise  # nobody is there to take a cancellation: waiting for its answer only delays the error
        except BaseException:
            self._cancel(goal)
            raise
        if result is not None:
            return result.result().result
        self._cancel(goal)
        raise BackendTimeout(f"the flight was not over within {timeout_s:.0f} s and was cancelled")

    def _ask_until(
        self, ask: Callable[[], Any], finished: Callable[[Any], Callable[[], bool]], deadline_s: float
    ) -> Any | None:
        """The answered future of the newest request; None when the time is over.

        A request or its answer may get lost where one side does not know the other yet, and an action client
        does not ask again. What is asked here may be asked twice: one flight, one result.
        """
        while (left_s := deadline_s - time.monotonic()) > 0.0:
            future = ask()
            if spin_until(self.executor, finished(future), min(_ASK_AGAIN_S, left_s)):
                return future
        return None

    def _hear_from(
        self, nodes: Sequence[str], started: Mapping[str, str], deadline_s: float, check: Check
    ) -> None:
        began_s = time.monotonic()
        self._catch_up()  # what lies in the queue may come from a process that is gone
        self._heard.clear()
        self._processes.clear()
        while missing := [
            node
            for node in nodes
            if node not in self._heard or started.get(node, "") not in ("", *self._processes[node])
        ]:
            check()
            if time.monotonic() > deadline_s:
                names = ", ".join(dict.fromkeys(missing))
                waited_s = time.monotonic() - began_s
                raise BackendTimeout(f"{names} did not answer within {waited_s:.0f} s: not running?")
            self.executor.spin_once(timeout_sec=0.05)

    def _find_director(self, patience_s: float, check: Check) -> None:
        """The one heard last may have ended since; another one may speak."""
        end_s = self._clock.now_s() + patience_s

        def decided() -> bool:
            check()
            return not has_ended(self._director) or self._clock.now_s() > end_s

        spin_until(self.executor, decided, 10.0 * patience_s)
        if has_ended(self._director):
            raise DirectorSilent(f"{DIRECTOR} has ended: start it again")

    def _be_heard(self, deadline_s: float, check: Check) -> None:
        """Speak until the director's status says that it hears this client; once for each director."""
        while self._heard_by != self._director:
            check()
            if time.monotonic() > deadline_s:
                raise BackendTimeout(f"{DIRECTOR} does not hear this client: is discovery blocked?")
            self._status.publish(NodeStatus(node=self.node.get_name(), process=own_process(), step=-1))
            spin_until(self.executor, lambda: self._heard_by == self._director, _ASK_EVERY_S)

    def _catch_up(self) -> None:
        """Read what has come since the last flight: another director may be there."""
        idle = 0
        for _ in range(_BACKLOG):
            before = self._messages
            self.executor.spin_once(timeout_sec=0.0)
            idle = idle + 1 if self._messages == before else 0
            if idle == _IDLE_LOOKS:
                return

    def _silent_s(self, patience_s: float) -> float:
        """How long the director has not been heard. Before that is too long, what lies unread is read.

        Whoever listens to more than it can handle (images of three cameras on a busy machine) has the director's
        signs of life waiting behind the rest.
        """
        if self._clock.now_s() - self._heard[DIRECTOR] > patience_s:
            for status in waiting(self._news):
                self._on_status(status)
        return self._clock.now_s() - self._heard[DIRECTOR]

    def has_heard(self, node: str) -> bool:
        """The node has given a sign of life."""
        return node in self._heard

    def is_flying(self, node: str) -> bool:
        """The node said so last."""
        return self._states.get(node) == NodeStatus.FLYING

    def _cancel(self, goal: Any) -> None:
        with contextlib.suppress(Exception):
            future = goal.cancel_goal_async()
            spin_until(self.executor, future.done, 1.0)

    def _on_status(self, status: NodeStatus) -> None:
        self._messages += 1
        self._states[status.node] = status.state
        news = status.node == self._narrator and status.message not in ("", self._told)
        if news and self._tell is not None and status.state != NodeStatus.FAILED:
            self._told = status.message
            self._tell(status.message)
        self._heard[status.node] = self._clock.now_s()
        self._processes[status.node].add(status.process)
        self._peers.hear(status.node, status.process, self._clock.now_s())
        if status.node == DIRECTOR and peer_key(self.node.get_name(), own_process()) in status.hears:
            self._heard_by = status.process
