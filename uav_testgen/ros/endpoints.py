"""The publishers of a topic, as discovery knows them, and the topics on which only one may speak."""

from __future__ import annotations

from typing import Final

from rclpy.node import Node

from uav_testgen.graph.peers import Peers
from uav_testgen.graph.sole_publishers import Endpoint, SolePublishers
from uav_testgen.ros import topics

SOLE_TOPICS: Final = (topics.FLIGHT_STEP, topics.ODOMETRY, topics.CLOUD, topics.SETPOINT)
"""A second publisher with valid messages on one of these would change a flight unnoticed."""
_UNKNOWN: Final = "_NODE_NAME_UNKNOWN_"


def sole_publishers(node: Node, peers: Peers) -> SolePublishers:
    """A watch over those topics in the namespace of a node."""

    def look(topic: str) -> list[Endpoint]:
        return [
            Endpoint(tuple(info.endpoint_gid), _full_name(info.node_namespace, info.node_name))
            for info in node.get_publishers_info_by_topic(node.resolve_topic_name(topic))
        ]

    return SolePublishers(SOLE_TOPICS, look, peers)


def _full_name(namespace: str, name: str) -> str:
    """As `ros2 node list` shows it; empty while discovery knows the endpoint and not yet its node."""
    return "" if name == _UNKNOWN else f"{namespace.rstrip('/')}/{name}"
