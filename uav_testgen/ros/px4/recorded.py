"""What a recording of a live flight keeps of PX4's own topics, both ways."""

from __future__ import annotations

from typing import Final

from uav_testgen.core.errors import MissingDependency
from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.topics import fmu_topic
from uav_testgen.ros.recording import LiveTopics, Topic

_MORE_OUT: Final = {
    "failsafe_flags": "FailsafeFlags",
    "vehicle_local_position": "VehicleLocalPosition",
    "vehicle_attitude": "VehicleAttitude",
    "vehicle_control_mode": "VehicleControlMode",
    "timesync_status": "TimesyncStatus",
    "mode_completed": "ModeCompleted",
    "register_ext_component_reply": "RegisterExtComponentReply",
}
_MORE_IN: Final = {
    "register_ext_component_request": "RegisterExtComponentRequest",
    "mode_completed": "ModeCompleted",
}


def px4_topics(namespace: str = "") -> LiveTopics:
    """Those for which definitions are installed; best effort, as PX4 writes and reads."""
    try:
        messages = compat.load_messages()
    except MissingDependency:
        return ()
    found = []
    for direction, names in (
        ("out", {**compat.OUT_TOPICS, **_MORE_OUT}),
        ("in", {**compat.IN_TOPICS, **_MORE_IN}),
    ):
        for base, name in names.items():
            kind = compat.optional_class(messages, name)
            if kind is not None:
                topic = fmu_topic(direction, base, kind, namespace)  # type: ignore[arg-type]
                found.append(Topic(topic, kind, best_effort=True))
    return tuple(found)
