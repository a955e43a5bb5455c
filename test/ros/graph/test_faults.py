"""A node dies, hangs or is missing in the middle of a flight: the flight ends soon and names it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import BackendError
from uav_testgen.ros import topics
from uav_testgen.ros.qos import LOCK_STEP

from .conftest import SeparateGraph, is_running, left_behind, segments_of
from .scenes import long_scene, short_scene

WITHIN_S = 5.0


def crowding() -> float:
    """Processes per processor that want to run; 1 on a machine of one's own."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def allowed_s() -> float:
    """Five seconds on a machine of one's own; every process that waits for a processor adds its share."""
    return WITHIN_S * crowding()


def fly_and_disturb(graph: SeparateGraph, disturb: Callable[[], Any], at_step: int = 10) -> tuple[str, float]:
    """Error text of a flight that is disturbed at a step, and how long after that it came."""
    moments: list[float] = []

    def watch(step: FlightStep) -> None:
        if step.step >= at_step and not moments:
            disturb()
            moments.append(time.monotonic())

    node = graph.backend.client.node
    subscription = node.create_subscription(FlightStep, topics.FLIGHT_STEP, watch, LOCK_STEP)
    try:
        with pytest.raises(BackendError) as caught:
            graph.backend.fly(long_scene(), 0)
        return str(caught.value), time.monotonic() - moments[0]
    finally:
        node.destroy_subscription(subscription)


def test_a_node_hangs_and_every_node_is_killed_in_turn(separate_graph: Callable[..., SeparateGraph]) -> None:
    graph = separate_graph()
    good = graph.backend.fly(short_scene(), 1)
    hanging = graph.processes.pid("planner_node")
    try:
        text, after_s = fly_and_disturb(graph, lambda: os.kill(hanging, signal.SIGSTOP))
    finally:
        os.kill(hanging, signal.SIGCONT)
    assert "planner_node" in text and after_s < allowed_s()
    graph.wait("planner_node")
    for victim in graph.names:
        pid = graph.processes.pid(victim)
        text, after_s = fly_and_disturb(graph, lambda pid=pid: os.kill(pid, signal.SIGKILL))
        assert victim in text
        # On a crowded machine a healthy node may be kept waiting as long as a dead one.
        blamed = [other for other in graph.names if other != victim and other in text]
        assert not blamed or crowding() > 2.0, text
        assert after_s < allowed_s(), text
        graph.processes.start_one(victim)
        graph.wait(victim)
        again = graph.backend.fly(short_scene(), 1)
        assert (again.trajectory.position_enu_m == good.trajectory.position_enu_m).all()
    pids = [graph.processes.pid(name) for name in graph.names]
    used = set().union(*map(segments_of, pids))
    assert used, "the graph talks over shared memory"
    graph.close()
    assert not [pid for pid in pids if is_running(pid)]
    assert not left_behind(used)
