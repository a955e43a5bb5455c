"""Client side of the graph: sends a scenario to the action `fly` and waits, watching the director."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import rclpy
from rclpy.action import ActionClient
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from uav_testgen_msgs.action import Fly
from uav_testgen_msgs.msg import NodeStatus

from uav_testgen.core.errors import BackendError, BackendTimeout
from uav_testgen.graph.description import DIRECTOR
from uav_testgen.graph.environment import temporarily_set
from uav_testgen.ros import topics
from uav_testgen.ros.convert import scenario_to_msg
from uav_testgen.ros.executor import make_executor, spin_until, take_down
from uav_testgen.ros.qos import LOCK_STEP
from uav_testgen.scenario.model import Scenario

Check = Callable[[], None]


class DirectorSilent(BackendError):
    """The node that runs flights is gone or hangs."""


class GraphClient:
    """A context, a node and an action client of their own, so that several graphs fit in one process."""

    def __init__(self, domain: int | None, namespace: str, environment: Mapping[str, str]) -> None:
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
                f"fly_client_{os.getpid()}",
                context=self._context,
                namespace=namespace,
                enable_rosout=False,
                start_parameter_services=False,
            )
        self.executor = make_executor(self._context)
        self.executor.add_node(self.node)
        self._action = ActionClient(self.node, Fly, topics.FLY)
        self._heard_s: dict[str, float] = {}
        self.node.create_subscription(NodeStatus, topics.STATUS, self._on_status, LOCK_STEP)

    def close(self) -> None:
        """Take everything down."""
        self._action.destroy()
        take_down(self.executor, [self.node])
        rclpy.try_shutdown(context=self._context)

    def wait_for_graph(self, nodes: Sequence[str], timeout_s: float, check: Check) -> None:
        """Until the director offers its action and all nodes have given a sign of life from now on.

        Nodes may compile before they speak for the first time, so this may take longer than any flight.
        """
        self._heard_s.clear()
        deadline = time.monotonic() + timeout_s
        while missing := [node for node in (DIRECTOR, *nodes) if node not in self._heard_s]:
            check()
            if time.monotonic() > deadline:
                names = ", ".join(dict.fromkeys(missing))
                raise BackendTimeout(f"{names} did not answer within {timeout_s:.0f} s: not running?")
            self.executor.spin_once(timeout_sec=0.05)
        if not spin_until(self.executor, self._action.server_is_ready, timeout_s):
            raise BackendTimeout(f"{DIRECTOR} does not offer the action {topics.FLY}")

    def fly(
        self, scenario: Scenario, system: str, timeout_s: float, silence_s: float, check: Check
    ) -> Fly.Result:
        """The result of one flight; BackendError names the node at fault."""
        deadline = time.monotonic() + timeout_s
        self._heard_s[DIRECTOR] = time.monotonic()

        def finished(future: Any) -> Callable[[], bool]:
            def test() -> bool:
                if future.done():
                    return True
                check()
                silent_s = time.monotonic() - self._heard_s[DIRECTOR]
                if silent_s > silence_s:
                    raise DirectorSilent(f"{DIRECTOR} gave no sign of life for {silent_s:.1f} s")
                return False

            return test

        sent = self._action.send_goal_async(Fly.Goal(scenario=scenario_to_msg(scenario), system=system))
        if not spin_until(self.executor, finished(sent), timeout_s):
            raise BackendTimeout(f"{DIRECTOR} did not accept the flight within {timeout_s:.0f} s")
        goal = sent.result()
        result = goal.get_result_async()
        try:
            if spin_until(self.executor, finished(result), deadline - time.monotonic()):
                return result.result().result
        except DirectorSilent:
            raise  # nobody is there to take a cancellation: waiting for its answer only delays the error
        except BaseException:
            self._cancel(goal)
            raise
        self._cancel(goal)
        raise BackendTimeout(f"the flight was not over within {timeout_s:.0f} s and was cancelled")

    def _cancel(self, goal: Any) -> None:
        with contextlib.suppress(Exception):
            future = goal.cancel_goal_async()
            spin_until(self.executor, future.done, 1.0)

    def _on_status(self, status: NodeStatus) -> None:
        self._heard_s[status.node] = time.monotonic()
