"""Names of PX4's topics. The version suffix comes from the imported message class, never from a table."""

from __future__ import annotations

from typing import Any, Literal

Direction = Literal["in", "out"]


def fmu_topic(direction: Direction, base: str, message_class: type[Any], namespace: str = "") -> str:
    """Full topic name, e.g. `/fmu/out/vehicle_status_v1`.

    From release 1.16 a PX4 message may carry MESSAGE_VERSION; a version above 0 is part of the topic's name.
    `namespace` is the vehicle's, as set by PX4's UXRCE_DDS namespace option (e.g. `px4_1`).
    """
    if direction not in ("in", "out"):
        raise ValueError(f"direction must be 'in' or 'out', got {direction!r}")
    version = int(getattr(message_class, "MESSAGE_VERSION", 0))
    suffix = f"_v{version}" if version > 0 else ""
    prefix = f"/{namespace.strip('/')}" if namespace.strip("/") else ""
    return f"{prefix}/fmu/{direction}/{base}{suffix}"
