"""Which modes programs outside PX4 have registered, and which of them say that they are done."""

from __future__ import annotations

from typing import Any

from rclpy.node import Node

from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.reader_qos import PX4_READER
from uav_testgen.ros.px4.topics import Direction, fmu_topic


class Registrations:
    """Listens to what such programs and PX4 say to each other."""

    def __init__(self, node: Node, messages: Any, namespace: str) -> None:
        self.names: dict[int, str] = {}
        """Name by nav_state."""
        self.completed: dict[int, int] = {}
        """Result by nav_state, since `begin`."""
        listened: tuple[tuple[Direction, str, str, Any], ...] = (
            ("out", "register_ext_component_reply", "RegisterExtComponentReply", self._registered),
            ("in", "unregister_ext_component", "UnregisterExtComponent", self._left),
            # The mode itself tells it; PX4 passes it on. Either is enough.
            ("in", "mode_completed", "ModeCompleted", self._done),
            ("out", "mode_completed", "ModeCompleted", self._done),
        )
        for direction, base, name, use in listened:
            kind = compat.optional_class(messages, name)
            if kind is not None:
                topic = fmu_topic(direction, base, kind, namespace)
                node.create_subscription(kind, topic, use, PX4_READER)

    def begin(self) -> None:
        """A flight begins: what was done before does not count."""
        self.completed.clear()

    def modes(self, status: Any) -> dict[int, str]:
        """Registered modes; the status knows also those registered before we listened."""
        known = compat.registered_modes(status)
        return {**dict.fromkeys(known, ""), **self.names}

    def _registered(self, reply: Any) -> None:
        if reply.success and int(reply.mode_id) in compat.EXTERNAL_MODES:
            self.names[int(reply.mode_id)] = bytes(reply.name).partition(b"\0")[0].decode(errors="replace")

    def _left(self, message: Any) -> None:
        self.names.pop(int(message.mode_id), None)

    def _done(self, message: Any) -> None:
        self.completed[int(message.nav_state)] = int(message.result)
