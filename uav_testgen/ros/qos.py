"""How messages travel: one profile for each kind of data."""

from __future__ import annotations

from typing import Final

from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_profile_sensor_data,
)

LOCK_STEP: Final = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1000,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Odometry, cloud and setpoint of the lock-step graph: one lost message would stop the flight. Deep, because the graph
does not wait for recorders: at 400 steps a second one that gets no processor for a moment is behind by hundreds."""

LATCHED: Final = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""Scenario, verdict and static frames: whoever comes late still gets the newest."""

LATCHED_READER: Final = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=20,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""Reading latched topics: deeper, so that nonsense from elsewhere does not push out what counts."""

SENSOR: Final = qos_profile_sensor_data
"""Clouds and images of a real camera or of Gazebo: the newest counts, losses are no harm."""

DISPLAY: Final = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Path, tree, markers, status: for people and recorders."""

PX4_IN: Final = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=10,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE,
)
"""Writing `/fmu/in`."""
