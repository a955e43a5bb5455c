"""Message types and their fields by name: what a planner profile says, checked against the real type.

A place is a path of fields with an index where needed: `pose.position`, `position[2]`, `points[].position` (of all).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest_and_known

_WORD = re.compile(r"^(?P<name>[a-z][a-z0-9_]*)(\[(?P<index>\d*)\])?$")
_CONTAINER = re.compile(r"^(?:sequence<(?P<sequence>[^,>]+)(?:, \d+)?>|(?P<array>[^\[]+)\[\d+\])$")


def message_class(name: str, where: str, folder: str = "msg") -> Any:
    """The class of `package/Name`; ConfigError says what is not installed and what to do."""
    package, _, kind = name.rpartition("/")
    package = package.partition("/")[0]
    try:
        module = importlib.import_module(f"{package}.{folder}")
    except Exception as error:
        raise ConfigError(
            f"{where}: {name}: package {package} cannot be imported here ({error}); source the workspace that "
            "builds it before you start, or name another type"
        ) from None
    found = getattr(module, kind, None)
    if not hasattr(found, "get_fields_and_field_types") and folder == "msg":
        known = [word for word in dir(module) if word[:1].isupper()]
        raise ConfigError(f"{where}: {package} has no message '{kind}'{nearest_and_known(kind, known)}")
    return found


def field_type(kind: Any, place: str, where: str) -> str:
    """The type at a place of a message class as ROS names it; ConfigError where there is no such field."""
    current, text = kind, ""
    words = place.split(".")
    for number, word in enumerate(words):
        match = _WORD.match(word)
        fields = current.get_fields_and_field_types() if current is not None else {}
        if match is None or match["name"] not in fields:
            owner = f"{kind.__name__}{'.' if number else ''}{'.'.join(words[:number])}"
            raise ConfigError(
                f"{where}: {owner} has no field '{word}'{nearest_and_known(word, list(fields))}"
            )
        text = fields[match["name"]]
        container = _CONTAINER.match(text)
        if match["index"] is not None:
            if container is None:
                raise ConfigError(f"{where}: {place}: {match['name']} is {text}, which has no elements")
            text = container["sequence"] or container["array"]
        is_one = "/" in text and _CONTAINER.match(text) is None
        current = message_class(text, where) if is_one else None
    return text


def read(message: Any, place: str) -> Any:
    """The value at a place; a list where the place says `[]`. IndexError where an element is missing."""
    return _read(message, place.split("."))


def _read(value: Any, words: Sequence[str]) -> Any:
    for number, word in enumerate(words):
        match = _WORD.match(word)
        assert match is not None
        value = getattr(value, match["name"])
        if match["index"] == "":
            return [_read(item, words[number + 1 :]) for item in value]
        if match["index"] is not None:
            value = value[int(match["index"])]
    return value


def write(message: Any, place: str, value: Any) -> None:
    """Set a field, or the x, y, z (or three elements) of one."""
    *parents, last = place.split(".")
    owner = _read(message, parents)
    match = _WORD.match(last)
    assert match is not None
    if match["index"]:
        getattr(owner, match["name"])[int(match["index"])] = value
        return
    present = getattr(owner, match["name"])
    if isinstance(value, tuple) and hasattr(present, "z"):
        names = "xyzw" if len(value) == 4 else "xyz"
        for name, number in zip(names, value, strict=True):
            setattr(present, name, float(number))
    elif isinstance(value, tuple):
        setattr(owner, match["name"], [float(number) for number in value])
    else:
        setattr(owner, match["name"], type(present)(value))


def vector(value: Any) -> tuple[float, float, float]:
    """Three numbers of a point, a vector, something that has a position, or an array."""
    for name in ("pose", "position", "translation"):
        if not hasattr(value, "x") and hasattr(value, name):
            value = getattr(value, name)
    if hasattr(value, "x"):
        return (float(value.x), float(value.y), float(getattr(value, "z", 0.0)))
    x, y, z = (float(number) for number in value)
    return (x, y, z)
