"""Plays a recording to topics: the bytes of the file go out as they are."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import rclpy
from mcap.exceptions import McapError
from mcap.reader import make_reader
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile

from uav_testgen.errors import InputFileError, MissingDependency
from uav_testgen.graph.environment import settings_over
from uav_testgen.ros.message_schema import message_class

_DEPTH = 100


def play(file: Path, rate: float, namespace: str, domain: int | None, wait_s: float) -> dict[str, int]:
    """Publish everything once; returns the number of messages by topic."""
    os.environ.update(settings_over(os.environ))
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=domain)
    node = Node("replay", context=context, namespace=namespace, start_parameter_services=False)
    try:
        return _play(node, file, rate, wait_s)
    except (McapError, EOFError, ValueError) as error:
        raise InputFileError(f"{file}: not a readable MCAP recording ({error})") from None
    finally:
        node.destroy_node()
        rclpy.try_shutdown(context=context)


def _play(node: Node, file: Path, rate: float, wait_s: float) -> dict[str, int]:
    counts: dict[str, int] = {}
    with file.open("rb") as stream:
        reader = make_reader(stream)
        summary = reader.get_summary()
        if summary is None:
            raise InputFileError(f"{file}: the recording has no end; it was not finished")
        publishers = {
            channel.id: _publisher(node, channel, summary.schemas[channel.schema_id].name, file)
            for channel in summary.channels.values()
        }
        begun_s, first_ns = time.monotonic(), None
        for _schema, channel, message in reader.iter_messages():
            if first_ns is None:
                first_ns = message.log_time
            if rate > 0.0:
                due_s = begun_s + 1e-9 * (message.log_time - first_ns) / rate
                time.sleep(max(0.0, due_s - time.monotonic()))
            publishers[channel.id].publish(message.data)
            counts[channel.topic] = counts.get(channel.topic, 0) + 1
    time.sleep(wait_s)
    return counts


def _publisher(node: Node, channel: Any, type_name: str, file: Path) -> Any:
    """A publisher under the node's namespace, latched if the recorded topic was."""
    try:
        kind = message_class(type_name)
    except (ImportError, AttributeError):
        raise MissingDependency(
            f"{file}: topic {channel.topic} has type {type_name}, which is not installed"
        ) from None
    profile = QoSProfile(depth=_DEPTH)
    if "transient_local" in channel.metadata.get("offered_qos_profiles", ""):
        profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
    topic = channel.topic.lstrip("/") if node.get_namespace() != "/" else channel.topic
    return node.create_publisher(kind, topic, profile)
