"""A node dies, hangs or is missing in the middle of a flight: the flight ends and names it, and only it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.errors import BackendError
from uav_testgen.ros import topics
from uav_testgen.ros.qos import LOCK_STEP

from .conftest import SeparateGraph, is_running, left_behind, segments_of
from .scenes import long_scene, short_scene


def fly_and_disturb(graph: SeparateGraph, disturb: Callable[[], Any], at_step: int = 10) -> str:
    """Error text of a flight that is disturbed at a step."""
    disturbed: list[int] = []

    def watch(step: FlightStep) -> None:
        if step.step >= at_step and not disturbed:
            disturbed.append(step.step)
            disturb()

    node = graph.backend.client.node
    subscription = node.create_subscription(FlightStep, topics.FLIGHT_STEP, watch, LOCK_STEP)
    try:
        with pytest.raises(BackendError) as caught:
            graph.backend.fly(long_scene(), 0)
    finally:
        node.destroy_subscription(subscription)
    assert disturbed, f"the flight failed before it was disturbed: {caught.value}"
    return str(caught.value)


def named(graph: SeparateGraph, text: str) -> list[str]:
    return [name for name in graph.names if name in text]


def test_a_node_hangs_and_every_node_is_killed_in_turn(separate_graph: Callable[..., SeparateGraph]) -> None:
    graph = separate_graph()
    good = graph.backend.fly(short_scene(), 1)
    hanging = graph.processes.pid("planner_node")
    try:
        text = fly_and_disturb(graph, lambda: os.kill(hanging, signal.SIGSTOP))
    finally:
        os.kill(hanging, signal.SIGCONT)
    assert named(graph, text) == ["planner_node"], text
    for victim in graph.names:
        pid = graph.processes.pid(victim)
        text = fly_and_disturb(graph, lambda pid=pid: os.kill(pid, signal.SIGKILL))
        assert named(graph, text) == [victim], text
        assert "ended in the middle of the flight" in text, "a death is seen, not concluded from silence"
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
