"""Small parts every conversion uses: stamps, points, choices, validation."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, TypeVar

import numpy.typing as npt
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Vector3
from pydantic import BaseModel, ValidationError
from std_msgs.msg import Header

from uav_testgen.core.config import describe_problems
from uav_testgen.core.errors import InvalidScenario
from uav_testgen.ros.topics import MAP_FRAME

Choice = TypeVar("Choice", bound=Enum)
Model = TypeVar("Model", bound=BaseModel)
Triple = Sequence[float] | npt.NDArray[Any]


def time_to_msg(time_s: float) -> Time:
    """Seconds to a stamp, rounded to nanoseconds."""
    nanoseconds = round(time_s * 1e9)
    return Time(sec=nanoseconds // 1_000_000_000, nanosec=nanoseconds % 1_000_000_000)


def time_from_msg(stamp: Time) -> float:
    """Stamp to seconds."""
    return float(stamp.sec) + 1e-9 * float(stamp.nanosec)


def header(time_s: float, frame: str = MAP_FRAME) -> Header:
    """Header with a stamp in seconds; the frame is the ENU map unless told."""
    return Header(stamp=time_to_msg(time_s), frame_id=frame)


def point_to_msg(point: Triple) -> Point:
    """(x, y, z) to a Point."""
    return Point(x=float(point[0]), y=float(point[1]), z=float(point[2]))


def vector_to_msg(vector: Triple) -> Vector3:
    """(x, y, z) to a Vector3."""
    return Vector3(x=float(vector[0]), y=float(vector[1]), z=float(vector[2]))


def xyz_from_msg(message: Point | Vector3) -> tuple[float, float, float]:
    """Point or Vector3 to (x, y, z)."""
    return (message.x, message.y, message.z)


def choice(numbers: dict[Choice, int], number: int, field: str) -> Choice:
    """The enum member behind a message constant."""
    for member, constant in numbers.items():
        if constant == number:
            return member
    known = ", ".join(f"{constant} {member.value}" for member, constant in numbers.items())
    raise InvalidScenario(f"message field {field}: {number} is none of {known}")


def named(choices: type[Choice], name: str, field: str) -> Choice:
    """The enum member with this value."""
    try:
        return choices(name)
    except ValueError:
        known = ", ".join(str(member.value) for member in choices)
        raise InvalidScenario(f"message field {field}: '{name}' is none of {known}") from None


def value(model: type[Model], **fields: Any) -> Model:
    """A validated core value; InvalidScenario names the field that breaks a rule."""
    try:
        return model(**fields)
    except ValidationError as error:
        problems = "; ".join(describe_problems(error, model))
        raise InvalidScenario(f"{model.__name__} message: {problems}") from None
