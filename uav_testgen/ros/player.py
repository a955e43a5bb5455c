"""Plays a recording to topics: the bytes of the file go out as they are."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rclpy
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile

from uav_testgen.core.errors import BackendError, InputFileError, MissingDependency
from uav_testgen.graph.environment import settings_over, temporarily_set
from uav_testgen.ros.message_schema import message_class
from uav_testgen.ros.recording_file import Channel, open_recording

_DEPTH = 100
# Longer silence in a recording of a flight is a damaged time stamp; nobody wants to wait for its end.
_LONGEST_PAUSE_S = 3600.0
# Readers that are already there need this long to find the player; without it they miss the beginning.
_DISCOVERY_S = 1.5
# A reader that was asked for and has not come by now will not come; on a busy machine it may take seconds.
_LONGEST_WAIT_S = 60.0
# A reader that hangs does not hold the player longer than this.
_LONGEST_DELIVERY_S = 20.0
_LOOK_EVERY_S = 0.05
# What a PX4 was told: played again, it would arm and fly whatever PX4 listens here.
_COMMANDS = "/fmu/in/"


def play(
    file: Path,
    rate: float,
    namespace: str,
    domain: int | None,
    wait_s: float,
    wait_for: Sequence[str] = (),
) -> dict[str, int]:
    """Publish everything once, not before each topic of `wait_for` has a reader; returns counts by topic.

    What went to an autopilot (/fmu/in) is not published.
    """
    context = rclpy.Context()
    with temporarily_set(settings_over(os.environ)):
        rclpy.init(context=context, domain_id=domain)
        node = Node("replay", context=context, namespace=namespace, start_parameter_services=False)
    try:
        return _play(node, file, rate, wait_s, wait_for)
    finally:
        node.destroy_node()
        rclpy.try_shutdown(context=context)


def _play(node: Node, file: Path, rate: float, wait_s: float, wait_for: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    with open_recording(file) as recording:
        publishers = {
            number: _publisher(node, channel, file)
            for number, channel in recording.channels.items()
            if _COMMANDS not in channel.topic
        }
        topics = {recording.channels[number].topic: made for number, made in publishers.items()}
        _await_readers(topics, wait_for, file)
        unheard = {f"/{name.lstrip('/')}" for name in wait_for}
        begun_s, first_ns = time.monotonic(), None
        for message in recording.messages():
            if first_ns is None:
                first_ns = message.time_ns
            if rate > 0.0:
                pause_s = begun_s + 1e-9 * (message.time_ns - first_ns) / rate - time.monotonic()
                if pause_s > _LONGEST_PAUSE_S / min(rate, 1.0):
                    raise InputFileError(
                        f"{file}: {pause_s:.0f} s without a message, a damaged time stamp; play with --rate 0"
                    )
                time.sleep(max(0.0, pause_s))
            if message.channel not in publishers:
                continue
            publishers[message.channel].publish(message.data)
            topic = recording.channels[message.channel].topic
            counts[topic] = counts.get(topic, 0) + 1
            if topic in unheard:
                # We know the reader; whether the reader knows us, only its answer tells. Until then it takes
                # nothing, and what is not latched would be lost.
                unheard.remove(topic)
                waited_from_s = time.monotonic()
                _deliver([publishers[message.channel]])
                begun_s += time.monotonic() - waited_from_s
    _deliver(publishers.values())
    time.sleep(wait_s)
    return counts


def _deliver(publishers: Iterable[Any]) -> None:
    """Readers that found us late still get what is kept for them: do not leave before they have it."""
    end_s = time.monotonic() + _LONGEST_DELIVERY_S
    for publisher in publishers:
        left_s = end_s - time.monotonic()
        if left_s > 0.0 and publisher.get_subscription_count():
            publisher.wait_for_all_acked(Duration(seconds=left_s))


def _await_readers(publishers: Mapping[str, Any], wait_for: Sequence[str], file: Path) -> None:
    """Readers have had their time to find us, and those asked for have found us."""
    awaited = {}
    for name in wait_for:
        topic = f"/{name.lstrip('/')}"
        if topic not in publishers:
            raise InputFileError(f"{file}: has no topic {topic}; it has {', '.join(sorted(publishers))}")
        awaited[topic] = publishers[topic]
    begun_s = time.monotonic()
    time.sleep(_DISCOVERY_S)
    while missing := [
        topic for topic, publisher in awaited.items() if not publisher.get_subscription_count()
    ]:
        if time.monotonic() - begun_s > _LONGEST_WAIT_S:
            raise BackendError(
                f"{file}: nobody reads {', '.join(missing)} after {_LONGEST_WAIT_S:.0f} s; "
                "start the reader in the same ROS domain, or play without --wait-for"
            )
        time.sleep(_LOOK_EVERY_S)


def _publisher(node: Node, channel: Channel, file: Path) -> Any:
    """A publisher under the node's namespace, latched if the recorded topic was."""
    try:
        kind = message_class(channel.type_name)
    except (ImportError, AttributeError):
        raise MissingDependency(
            f"{file}: topic {channel.topic} has type {channel.type_name}, which is not installed"
        ) from None
    if not hasattr(kind, "get_fields_and_field_types"):
        raise InputFileError(f"{file}: {channel.type_name} is not a message type")
    profile = QoSProfile(depth=_DEPTH)
    if channel.latched:
        profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
    topic = channel.topic.lstrip("/") if node.get_namespace() != "/" else channel.topic
    return node.create_publisher(kind, topic, profile)
