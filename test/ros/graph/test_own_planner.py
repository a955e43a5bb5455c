"""Planners of the user's own in a graph: the node of docs/howto/own_planner_node.md as it stands there, and classes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from uav_testgen.core.errors import BackendError
from uav_testgen.flight.model import Ending
from uav_testgen.graph.environment import ros_environment
from uav_testgen.oracle import Outcome, judge
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.ros.executor import spin_until

from .conftest import ANALYTIC, SeparateGraph
from .scenes import short_scene

PAGE = Path(__file__).resolve().parents[3] / "docs" / "howto" / "own_planner_node.md"


def test_the_planner_of_the_page_flies(separate_graph: Callable[..., SeparateGraph], tmp_path: Path) -> None:
    graph = separate_graph(without=["planner_node"])
    with pytest.raises(BackendError, match=r"planner_node.*nobody publishes planner/setpoint"):
        graph.backend.fly(short_scene(), 0)  # nobody plans yet: the error says whose answer is missing
    source = re.search(r"```python no-run\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert source is not None
    script = tmp_path / "my_planner.py"
    script.write_text(source[1], encoding="utf-8")
    environment = {**os.environ, **ros_environment(domain=graph.domain)}
    planner = subprocess.Popen([sys.executable, str(script)], env=environment, stderr=subprocess.DEVNULL)
    node, executor = graph.backend.client.node, graph.backend.client.executor
    try:
        # It is no node of ours and sends no sign of life: wait until it is seen on its topics.
        assert spin_until(executor, lambda: node.count_subscribers("camera/depth/points") > 0, 60.0)
        assert spin_until(executor, lambda: node.count_publishers("planner/setpoint") > 0, 60.0)
        flight = graph.backend.fly(short_scene(), 0)
    finally:
        planner.kill()  # a planner left behind would answer in the flights of other tests
        planner.wait()
    assert flight.ending is Ending.GOAL_REACHED
    heights = flight.trajectory.position_enu_m[:, 2]
    assert heights.max() > 10.0, "it climbs over the box of 12 m"


TROUBLED = """
import ctypes
from uav_testgen import Plan

class Straight:
    def reset(self, setup): ...
    def plan(self, observation):
        return Plan(position_enu_m=observation.goal_enu_m)


class Raises(Straight):
    def plan(self, observation):
        if observation.t_s > 0.45:
            raise RuntimeError("lost the way")
        return super().plan(observation)


class Hangs(Straight):
    def plan(self, observation):
        while observation.t_s > 0.45:
            pass
        return super().plan(observation)


class HangsInC(Straight):
    def plan(self, observation):
        if observation.t_s > 0.45:  # waits for itself, with the lock of the interpreter, deaf to signals
            lock = ctypes.create_string_buffer(64)
            ctypes.PyDLL(None).pthread_mutex_lock(lock)
            ctypes.PyDLL(None).pthread_mutex_lock(lock)
        return super().plan(observation)
"""


@pytest.mark.parametrize("composed", [True, False])
def test_a_call_in_c_that_never_returns_costs_its_flight_only(composed: bool, tmp_path: Path) -> None:
    """Named with file and line; the next flight finds a graph that works."""
    file = tmp_path / "troubled.py"
    file.write_text(TROUBLED)
    settings = {**ANALYTIC, "planner_node": {"planner_timeout_s": 1.0}}
    config = GraphConfig(system="paper", planner=f"{file}:HangsInC", settings=settings, composed=composed)
    with GraphBackend(config) as backend:
        flights = [backend.fly(short_scene(), 0), backend.fly(short_scene(), 1)]
    line = 1 + TROUBLED[: TROUBLED.rindex("pthread_mutex_lock")].count(chr(10))
    for flight in flights:
        assert flight.ending is Ending.PLANNER_LATE, flight.reason
        said = flight.details["planner_error"]
        assert said.startswith("no answer within 1 s, so its process was ended") and f"{file}:{line}" in said
        assert judge(short_scene(), flight).outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(
    ("name", "ending", "said"),
    [
        ("Raises", Ending.PLANNER_ERROR, "RuntimeError: lost the way"),
        ("Hangs", Ending.PLANNER_LATE, "no answer within 1 s, so the call was interrupted"),
    ],
)
def test_what_a_planner_does_wrong_is_the_ending_of_its_flight(
    name: str, ending: Ending, said: str, tmp_path: Path
) -> None:
    """As without ROS: recorded, named with file and line, and neither a pass nor a violation."""
    file = tmp_path / "troubled.py"
    file.write_text(TROUBLED)
    settings = {**ANALYTIC, "planner_node": {"planner_timeout_s": 1.0}}
    config = GraphConfig(system="paper", planner=f"{file}:{name}", settings=settings)
    with GraphBackend(config) as backend:
        flight = backend.fly(short_scene(), 0)
    assert flight.ending is ending, flight.reason
    assert said in flight.details["planner_error"] and f"{file}" in flight.details["planner_traceback"]
    assert judge(short_scene(), flight).outcome is Outcome.INCONCLUSIVE
    assert len(flight.trajectory) > 3
