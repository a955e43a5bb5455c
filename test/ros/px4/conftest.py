"""The bridge and a fake PX4 in one process, with a planner that flies straight to the goal."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("rclpy")
pytest.importorskip("px4_msgs")

from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Waypoint

HERE = Path(__file__).parent
FAKE = HERE.parents[1] / "fakes" / "fake_px4.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Real time matters here: one of these tests at a time."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("px4"))


def load_fake() -> ModuleType:
    """The module test/fakes/fake_px4.py, which is also a program."""
    if "fake_px4" not in sys.modules:
        spec = importlib.util.spec_from_file_location("fake_px4", FAKE)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["fake_px4"] = module
        spec.loader.exec_module(module)
    return sys.modules["fake_px4"]


def small_scenario(*obstacles: Obstacle, **changes: Any) -> Scenario:
    """Up, eight metres east, down."""
    mission: dict[str, Any] = {
        "waypoints": (Waypoint(position_enu_m=(108.0, 50.0, 3.0)),),
        "home_enu_m": (100.0, 50.0, 0.0),
        "takeoff_altitude_m": 3.0,
    }
    return Scenario(mission=Mission(**{**mission, **changes}), obstacles=obstacles)


def goes_out_in(heard: dict[int, int], mode: int) -> bool:
    """Did a stream go out in one mode of PX4 only? What was on its way when the mode changed comes later.

    On a crowded machine that is more than a message or two, so it is compared with the stream itself: one that
    went on through take-off or landing would be nearly as long as the flight.
    """
    astray = max((count for other, count in heard.items() if other != mode), default=0)
    return heard[mode] > 10 and astray <= max(2, heard[mode] // 4)


class Stage:
    """Bridge, fake PX4, and what the rest of a graph would see and say."""

    def __init__(self, executor: Any, context: Any, make_node: Callable[..., Any]) -> None:
        from nav_msgs.msg import Odometry
        from uav_testgen_msgs.msg import Flight, FlightCommand, FlightStep, NodeStatus, Setpoint
        from uav_testgen_msgs.msg import Scenario as ScenarioMsg

        from uav_testgen.ros import topics
        from uav_testgen.ros.qos import LATCHED, LOCK_STEP

        self._executor, self._context = executor, context
        self.graph = make_node("graph")
        self.odometry: list[Any] = []
        self.steps: list[Any] = []
        self.records: list[Any] = []
        self.status: Any = None
        self.said: list[str] = []
        self.planner_answers = True
        self.answer: Callable[[Any], dict[str, Any]] = lambda step: {"position": step.goal}
        """What the planner demands in a step: fields of Setpoint."""
        self.fake: Any = None
        self.bridge: Any = None
        self._ids = FlightCommand, NodeStatus, Setpoint
        self._scenario = self.graph.create_publisher(ScenarioMsg, topics.SCENARIO, LATCHED)
        self._command = self.graph.create_publisher(FlightCommand, topics.FLIGHT_COMMAND, LOCK_STEP)
        self._setpoint = self.graph.create_publisher(Setpoint, topics.SETPOINT, LOCK_STEP)
        for kind, topic, use, qos in (
            (Odometry, topics.ODOMETRY, self.odometry.append, LOCK_STEP),
            (FlightStep, topics.FLIGHT_STEP, self._on_step, LOCK_STEP),
            (Flight, topics.FLIGHT, self.records.append, LATCHED),
            (NodeStatus, topics.STATUS, self._on_status, LOCK_STEP),
        ):
            self.graph.create_subscription(kind, topic, use, qos)

    def start(self, fake: dict[str, Any] | None = None, **parameters: float | str) -> None:
        """Bring both to life; patience is short, so that failures come soon."""
        from rclpy.parameter import Parameter

        from uav_testgen.ros.nodes.px4_bridge_node import Px4BridgeNode

        if fake is not None:
            self.fake = load_fake().FakePx4(context=self._context, **fake)
            self._executor.add_node(self.fake)
        settings: dict[str, float | str] = {
            "offboard.connect_timeout_s": 4.0,
            "offboard.armable_timeout_s": 4.0,
            "offboard.settle_s": 0.5,
            "offboard.engage_timeout_s": 4.0,
            "offboard.recover_timeout_s": 3.0,
            "offboard.takeoff_timeout_s": 6.0,
            **{name.replace("__", "."): value for name, value in parameters.items()},
        }
        self.bridge = Px4BridgeNode(
            context=self._context,
            parameter_overrides=[Parameter(name, value=value) for name, value in settings.items()],
        )
        self._executor.add_node(self.bridge)

    def announce(self, scenario: Scenario) -> None:
        from rclpy.time import Time

        from uav_testgen.ros.convert import scenario_to_msg

        self.flight_id = time.time_ns()
        message = scenario_to_msg(scenario)
        message.header.stamp = Time(nanoseconds=self.flight_id).to_msg()
        self._scenario.publish(message)

    def order(self, command: str, reason: str = "") -> None:
        kind = self._ids[0]
        self._command.publish(kind(flight_id=self.flight_id, command=getattr(kind, command), reason=reason))

    def state(self, name: str) -> bool:
        """The bridge is in this state for the flight announced last."""
        wanted = getattr(self._ids[1], name)
        return bool(self.status and self.status.flight_id == self.flight_id and self.status.state == wanted)

    def _on_status(self, status: Any) -> None:
        if status.node == "px4_bridge_node":
            self.status = status
            self.said.append(status.message)

    def _on_step(self, step: Any) -> None:
        self.steps.append(step)
        if self.planner_answers:
            self._setpoint.publish(self._ids[2](header=step.header, **self.answer(step)))


@pytest.fixture
def stage(ros_executor: Any, ros_context: Any, make_node: Callable[..., Any]) -> Iterator[Stage]:
    made = Stage(ros_executor, ros_context, make_node)
    yield made
    if made.bridge is not None and made.bridge.offboard.in_control and made.fake is not None:
        made.fake.autopilot.armed = False
