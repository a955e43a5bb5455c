"""Landing without the bridge: when its process is gone, whoever is left tells PX4 to come down."""

from __future__ import annotations

import time
from typing import Any

from rclpy.executors import Executor
from rclpy.node import Node

from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.reader_qos import PX4_READER
from uav_testgen.ros.px4.topics import fmu_topic
from uav_testgen.ros.qos import PX4_IN

_LOOK_S = 3.0
_BELIEVE_S = 1.2
"""PX4 tells its status twice a second; the first one may be older than a command to arm."""
_ASK_EVERY_S = 0.5


def land_now(
    node: Node,
    executor: Executor,
    namespace: str = "",
    patience_s: float = 6.0,
    down_within_s: float = 0.0,
) -> bool | None:
    """Command a landing until PX4 is in it. None: no armed vehicle was heard; False: it did not obey.

    With `down_within_s` it is waited that long for PX4 to land and disarm; False: it is still armed.
    """
    messages = compat.load_messages()
    newest: list[Any] = []
    status_topic = fmu_topic("out", "vehicle_status", messages.VehicleStatus, namespace)
    command_topic = fmu_topic("in", "vehicle_command", messages.VehicleCommand, namespace)
    status = node.create_subscription(messages.VehicleStatus, status_topic, newest.append, PX4_READER)
    command = node.create_publisher(messages.VehicleCommand, command_topic, PX4_IN)
    began_s = asked_s = time.monotonic()
    was_armed = False
    tries = 0
    limit_s = patience_s
    try:
        while time.monotonic() - began_s < (limit_s if newest else _LOOK_S):
            executor.spin_once(timeout_sec=0.05)
            if not newest:
                continue
            if not compat.is_armed(newest[-1]):
                if was_armed:
                    return True
                if time.monotonic() - began_s > _BELIEVE_S:
                    return None
                continue
            was_armed = True
            if newest[-1].nav_state in compat.NAV_COMING_DOWN:
                if not down_within_s:
                    return True
                limit_s = patience_s + down_within_s
                continue
            if time.monotonic() - asked_s > _ASK_EVERY_S or not tries:
                asked_s = time.monotonic()
                words = compat.SET_LAND_MODE if tries % 3 == 2 else compat.LAND
                tries += 1
                command.publish(compat.vehicle_command(messages, words, newest[-1].system_id or 1))
        return False if newest else None
    finally:
        node.destroy_subscription(status)
        node.destroy_publisher(command)
