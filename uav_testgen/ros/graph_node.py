"""What every node of the graph does: report its health, take in the scenario, survive bad messages."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.publisher import Publisher
from uav_testgen_msgs.msg import NodeStatus
from uav_testgen_msgs.msg import Scenario as ScenarioMsg

from uav_testgen.core.errors import InvalidScenario, UavTestgenError
from uav_testgen.ros import topics
from uav_testgen.ros.convert import scenario_from_msg
from uav_testgen.ros.health import Health
from uav_testgen.ros.live_params import LiveParameters
from uav_testgen.ros.matching import stamp_ns
from uav_testgen.ros.qos import LATCHED_READER
from uav_testgen.scenario.model import Scenario


class GraphNode(Node):
    """A node that takes part in flights. Sub-classes say what a new scenario means to them."""

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, **options)
        self.health = Health(self)
        self.scenario: Scenario | None = None
        self.live: LiveParameters | None = None

    def take_part(self) -> None:
        """Listen to scenarios and join the others; called last in a constructor (see `Health.join`)."""
        self.create_subscription(ScenarioMsg, topics.SCENARIO, self._on_scenario, LATCHED_READER)
        self.health.join()

    def prepare(self, scenario: Scenario) -> None:
        """Make ready for a flight of this scenario."""

    def reconfigure(self) -> None:
        """Parameters were changed since the last flight: use them. For nodes that have `live` ones."""

    def guarded(self, topic: str, use: Callable[[Any], None]) -> Callable[[Any], None]:
        """A callback that refuses what the core calls wrong instead of dying of it."""

        def callback(message: Any) -> None:
            try:
                use(message)
            except UavTestgenError as error:
                self.health.refuse(topic, str(error))
            except Exception as error:
                # A fault of ours must not take the node away from the flights to come.
                self.get_logger().error(f"{topic}: {traceback.format_exc()}", throttle_duration_sec=5.0)
                self.health.refuse(topic, f"unexpected {type(error).__name__}: {error}")

        return callback

    def _on_scenario(self, message: ScenarioMsg) -> None:
        flight_id = stamp_ns(message)
        try:
            scenario = scenario_from_msg(message)
        except InvalidScenario as error:
            self.health.refuse(topics.SCENARIO, str(error))
            return
        try:
            if self.live is not None and self.live.take_change():
                self.reconfigure()
            self.prepare(scenario)
        except UavTestgenError as error:
            self.health.enter(NodeStatus.FAILED, flight_id, str(error))
            return
        self.scenario = scenario
        self.taken_in(flight_id)

    def taken_in(self, flight_id: int) -> None:
        """The scenario is prepared: say so. A node that has to wait for something else says it later."""
        self.health.enter(NodeStatus.READY, flight_id)


def wanted(publisher: Publisher) -> bool:
    """Somebody listens: only then is it worth making what only people and recorders look at."""
    return publisher.get_subscription_count() > 0
