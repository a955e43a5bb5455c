"""Small MCAP recordings made for tests."""

from __future__ import annotations

import io
from typing import Any

from mcap.writer import CompressionType, Writer


def recording_bytes(
    compression: CompressionType = CompressionType.ZSTD,
    topic: str = "/place",
    type_name: str = "geometry_msgs/msg/Point",
    messages: int = 3,
) -> bytes:
    """A whole recording of one latched topic."""
    stream = io.BytesIO()
    writer: Any = Writer(stream, compression=compression)
    writer.start(profile="ros2")
    schema = writer.register_schema(type_name, "ros2msg", b"float64 x\nfloat64 y\nfloat64 z\n")
    channel = writer.register_channel(topic, "cdr", schema, {"offered_qos_profiles": "transient_local"})
    for number in range(messages):
        writer.add_message(channel, number, b"\x00\x01\x00\x00" + bytes(24), number)
    writer.finish()
    return stream.getvalue()
