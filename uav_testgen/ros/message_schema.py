"""Message definitions as text, made from the message classes themselves.

A recording must carry its schemas, and the `.msg` files are not where the classes are in every installation.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

_PRIMITIVES = {"boolean": "bool", "octet": "byte", "float": "float32", "double": "float64"}
_SEPARATOR = "=" * 80
_FIELD = re.compile(
    r"(?:sequence<(?P<item>.+?)(?:, (?P<limit>\d+))?>|(?P<single>[^\[]+)(?:\[(?P<length>\d+)\])?)$"
)


def type_name(message_class: Any) -> str:
    """`nav_msgs/msg/Odometry`."""
    package = message_class.__module__.split(".")[0]
    return f"{package}/msg/{message_class.__name__}"


def message_class(name: str) -> Any:
    """The class behind `nav_msgs/msg/Odometry` or `nav_msgs/Odometry`; ImportError if not installed."""
    package, kind = name.split("/")[0], name.split("/")[-1]
    return getattr(importlib.import_module(f"{package}.msg"), kind)


def definition(message: Any) -> str:
    """The definition with those of all contained types, in the form MCAP calls `ros2msg`."""
    waiting: list[Any] = [message]
    parts: list[str] = []
    seen: set[str] = set()
    while waiting:
        current = waiting.pop(0)
        name = type_name(current)
        if name in seen:
            continue
        seen.add(name)
        lines = []
        for field, kind in current.get_fields_and_field_types().items():
            text, inner = _field_type(kind)
            lines.append(f"{text} {field}")
            if inner is not None:
                waiting.append(message_class(inner))
        body = "\n".join(lines) + "\n"
        short = name.replace("/msg/", "/")
        parts.append(body if not parts else f"{_SEPARATOR}\nMSG: {short}\n{body}")
    return "".join(parts)


def _field_type(kind: str) -> tuple[str, str | None]:
    """(.msg text, name of the contained message type) of a field type as the classes spell it."""
    match = _FIELD.match(kind)
    assert match is not None, kind
    base = match["item"] or match["single"]
    suffix = ""
    if match["item"]:
        suffix = f"[<={match['limit']}]" if match["limit"] else "[]"
    elif match["length"]:
        suffix = f"[{match['length']}]"
    if "/" in base:
        return base + suffix, base
    base = re.sub(r"^(w?string)<(\d+)>$", r"\1<=\2", base)
    return _PRIMITIVES.get(base, base) + suffix, None
