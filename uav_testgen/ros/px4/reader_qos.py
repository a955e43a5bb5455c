"""How `/fmu/out` is read: whatever durability a PX4 release offers, a volatile reader gets its samples."""

from __future__ import annotations

from typing import Final

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

PX4_READER: Final = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=10,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE,
)
"""Best effort, because PX4 writes so. Old samples are not wanted: what counts is the age."""
