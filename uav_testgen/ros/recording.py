"""Writes what happens on the topics into an MCAP file that Foxglove and `ros2 bag` open."""

from __future__ import annotations

import contextlib
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from mcap.writer import Writer
from nav_msgs.msg import Odometry
from nav_msgs.msg import Path as PathMsg
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.subscription import Subscription
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, Image, PointCloud2
from uav_testgen_msgs.msg import (
    Flight,
    FlightCommand,
    FlightStep,
    NodeStatus,
    PlannerStatus,
    Scenario,
    Setpoint,
    Verdict,
)
from visualization_msgs.msg import MarkerArray

from uav_testgen.core.errors import StoreError
from uav_testgen.ros import topics
from uav_testgen.ros.bag_metadata import (
    BAG_METADATA,
    RecordedTopic,
    bag_metadata,
    qos_profiles,
    recording_file,
)
from uav_testgen.ros.executor import waiting
from uav_testgen.ros.frames_tf import tf_message
from uav_testgen.ros.message_schema import definition, type_name

_DEPTH: Final = 5000
"""A flight is quicker than a disk; what waits is kept, not dropped."""
_CDR_STAMP: Final = struct.Struct("<iI")


class Topic(NamedTuple):
    """What is recorded of one topic. `simulated`: its header carries the simulation clock."""

    name: str
    kind: Any
    simulated: bool = False
    latched: bool = False
    best_effort: bool = False
    heavy: bool = False


LiveTopics = tuple[Topic, ...]
"""What a vehicle outside the graph says and hears."""


def recorded_topics(clouds: bool = True) -> list[Topic]:
    """Everything a viewer or an analysis needs."""
    found = [
        Topic(topics.SCENARIO, Scenario, latched=True),
        Topic(topics.ODOMETRY, Odometry, simulated=True),
        Topic(topics.FLIGHT_STEP, FlightStep, simulated=True),
        Topic(topics.CLOCK, Clock, simulated=True),
        Topic(topics.CLOUD, PointCloud2, simulated=True, heavy=True),
        Topic(topics.DEPTH_IMAGE, Image, simulated=True, best_effort=True, heavy=True),
        Topic(topics.CAMERA_INFO, CameraInfo, simulated=True, best_effort=True, heavy=True),
        Topic(topics.SETPOINT, Setpoint, simulated=True),
        Topic(topics.PATH, PathMsg, simulated=True),
        Topic(topics.TREE, MarkerArray),
        Topic(topics.PLANNER_STATUS, PlannerStatus, simulated=True),
        Topic(topics.MARKERS, MarkerArray, latched=True),
        Topic(topics.RUNS, MarkerArray, latched=True),
        Topic(topics.VERDICT, Verdict, latched=True),
        Topic(topics.FLIGHT, Flight, latched=True),
        Topic(topics.FLIGHT_COMMAND, FlightCommand),
        Topic(topics.STATUS, NodeStatus),
    ]
    if tf_message() is not None:
        found += [Topic(topics.TF, tf_message()), Topic(topics.TF_STATIC, tf_message(), latched=True)]
    return [topic for topic in found if clouds or not topic.heavy]


class FlightRecording:
    """An open recording; messages are written as they came over the wire, without being decoded.

    `flights` are those whose record has come: nothing of them follows any more.

    One time base for all: the simulation clock, which the headers carry, or with `live` the wall clock at
    which a message came.
    """

    def __init__(self, node: Node, path: Path, clouds: bool = True, live: LiveTopics | None = None) -> None:
        """`path` is FILE.mcap, or the folder of a bag, which must not exist either."""
        if path.exists():
            raise StoreError(f"{path}: exists already; recordings are never overwritten")
        path = recording_file(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("xb")
        except OSError as error:
            raise StoreError(f"{path}: cannot be written ({error.strerror})") from None
        self.path = path
        self.counts: dict[str, int] = {}
        self.flights: set[int] = set()
        self._node = node
        self._now_ns = 0
        self._first_ns: int | None = None
        self._channels: list[tuple[Topic, str]] = []
        self._live = live is not None
        self._sequence = 0
        self._undated: list[tuple[int, bytes]] = []
        self._writer = Writer(self._file)
        self._writer.start(profile="ros2", library="uav_testgen")
        self._subscriptions = [self._listen(topic) for topic in (*recorded_topics(clouds), *(live or ()))]

    @classmethod
    @contextlib.contextmanager
    def maybe(
        cls, node: Node, path: Path | None, clouds: bool = True, live: LiveTopics | None = None
    ) -> Iterator[FlightRecording | None]:
        """A recording for the time of a `with`; none where no path is given."""
        if path is None:
            yield None
            return
        recording = cls(node, path, clouds, live)
        try:
            yield recording
        finally:
            recording.close()

    def close(self) -> None:
        """Stop listening and finish the file: without its end the index would be missing."""
        for subscription, write in self._subscriptions:
            for data in waiting(subscription):
                write(data)
            self._node.destroy_subscription(subscription)
        self._subscriptions = []
        if not self._file.closed:
            self._date()
            self._writer.finish()
            self._file.close()
            self._write_metadata()

    def _date(self) -> None:
        """What waited for a time belongs to the flight's first step: a graph's clock goes on from flight to flight."""
        for channel, data in self._undated:
            self._add(channel, self._now_ns, data)
        self._undated.clear()

    def _add(self, channel: int, time_ns: int, data: bytes) -> None:
        self._first_ns = time_ns if self._first_ns is None else min(self._first_ns, time_ns)
        self._sequence += 1
        self._writer.add_message(
            channel_id=channel, log_time=time_ns, publish_time=time_ns, sequence=self._sequence, data=data
        )

    def _write_metadata(self) -> None:
        """What makes the folder a bag; not where another recording has made it one."""
        target = self.path.parent / BAG_METADATA
        topics = [
            RecordedTopic(name, type_name(topic.kind), self.counts[topic.name], _offered(topic))
            for topic, name in self._channels
        ]
        known = bag_metadata(self.path.name, topics, self._first_ns or 0, self._now_ns)
        try:
            with target.open("x", encoding="utf-8") as stream:
                yaml.safe_dump(known, stream, sort_keys=False)
        except FileExistsError:
            pass  # `ros2 bag` reads the file by itself, too
        except OSError as error:
            self._node.get_logger().warning(f"{target}: cannot be written ({error.strerror})")

    def _listen(self, topic: Topic) -> tuple[Subscription, Callable[[bytes], None]]:
        name = self._node.resolve_topic_name(topic.name)
        schema = self._writer.register_schema(
            name=type_name(topic.kind), encoding="ros2msg", data=definition(topic.kind).encode()
        )
        channel = self._writer.register_channel(
            topic=name,
            message_encoding="cdr",
            schema_id=schema,
            metadata={"offered_qos_profiles": _offered(topic)},
        )
        self._channels.append((topic, name))
        self.counts[topic.name] = 0

        def write(data: bytes) -> None:
            self.counts[topic.name] += 1
            # On a busy machine one topic runs ahead of another: each message has its own time, not that of its arrival.
            time_ns = 0
            if self._live:
                time_ns = max(self._now_ns, time.time_ns())
            elif topic.simulated and len(data) >= 12:
                seconds, nanoseconds = _CDR_STAMP.unpack_from(data, 4)
                time_ns = max(0, seconds) * 1_000_000_000 + nanoseconds
            self._now_ns = max(self._now_ns, time_ns)
            if self._now_ns == 0:
                self._undated.append((channel, data))
            else:
                self._date()
                self._add(channel, time_ns or self._now_ns, data)
            if topic.kind is Flight:
                self.flights.add(int(deserialize_message(data, Flight).flight_id))

        def take(data: bytes) -> None:
            write(data)
            # An executor hands over one message and wakes up anew for the next: too slow for a recorder.
            for more in waiting(subscription):
                write(more)

        subscription = self._node.create_subscription(topic.kind, topic.name, take, _qos(topic), raw=True)
        return subscription, write


def _offered(topic: Topic) -> str:
    return qos_profiles(latched=topic.latched, best_effort=topic.best_effort)


def _qos(topic: Topic) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=_DEPTH,
        reliability=ReliabilityPolicy.BEST_EFFORT if topic.best_effort else ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if topic.latched else DurabilityPolicy.VOLATILE,
    )
