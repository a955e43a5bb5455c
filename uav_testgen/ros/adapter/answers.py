"""What a planner answered, as a Plan in ENU. Known types by their meaning, others by the profile's fields."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import ConfigError, PlannerInputError
from uav_testgen.core.frames import euler_from_quaternion_wxyz, position_ned_to_enu, yaw_enu_to_ned
from uav_testgen.graph.planner_messages import (
    MULTI_DOF,
    PATH,
    POSE,
    PX4_SETPOINT,
    TWIST,
    TWIST_STAMPED,
    FromPlanner,
)
from uav_testgen.planner.base import Plan
from uav_testgen.planner.follow import MAX_PATH_POINTS
from uav_testgen.ros.adapter.fields import field_type, message_class, read, vector
from uav_testgen.ros.adapter.place import Place, Places, heading_turned
from uav_testgen.ros.convert.motion import MAX_DISTANCE_M, MAX_SPEED_MPS, Motion
from uav_testgen.ros.convert.setpoint import MAX_ACCELERATION_MPS2, MAX_ANGLE_RAD

Raw = dict[str, Any]
"""Quantity -> numbers, in the axes of the message."""
_LIMITS: Final = {
    "path": MAX_DISTANCE_M,
    "position": MAX_DISTANCE_M,
    "velocity": MAX_SPEED_MPS,
    "acceleration": MAX_ACCELERATION_MPS2,
    "yaw": MAX_ANGLE_RAD,
    "yaw_rate": MAX_ANGLE_RAD,
}
_NUMBERS: Final = ("float", "double", "int", "uint")


class AnswerReader:
    """Reads the answers of one profile; made once, so that a wrong type or field is found before a flight."""

    def __init__(self, wanted: FromPlanner, places: Places, where: str) -> None:
        self.wanted = wanted
        self.kind = message_class(wanted.type, f"{where}: from_planner.type")
        self._places = places
        for name, given in wanted.fields.items():
            for place in given if isinstance(given, tuple) else (given,):
                _check_field(self.kind, name, place, f"{where}: from_planner.fields.{name}")
        for place in wanted.only_if:
            field_type(self.kind, place, f"{where}: from_planner.only_if")
        self._extract: Callable[[Any], Raw] = _KNOWN.get(wanted.type, self._mapped)
        if wanted.fields:
            self._extract = self._mapped

    def stamp_ns(self, message: Any) -> int:
        """When the planner says its answer is from; 0 where it does not."""
        stamp = getattr(getattr(message, "header", None), "stamp", None)
        return 0 if stamp is None else int(stamp.sec) * 1_000_000_000 + int(stamp.nanosec)

    def plan(self, message: Any, motion: Motion) -> Plan | None:
        """The answer; None for a message to be passed over. PlannerInputError says what cannot be flown."""
        wanted = self.wanted
        if any(read(message, place) != value for place, value in wanted.only_if.items()):
            return None
        try:
            raw = {name: value for name, value in self._extract(message).items() if value is not None}
        except (IndexError, TypeError, ValueError, AttributeError) as error:
            raise PlannerInputError(f"a message cannot be read: {error}") from None
        for name, value in raw.items():
            self._check(name, value)
        if "path" in raw and len(raw["path"]) == 0:
            # No path is an answer, too: the planner knows no way on, so the vehicle stays.
            return Plan(position_enu_m=np.array(motion.position_enu_m), yaw_rad=motion.attitude_rad[2])
        return self._in_world(raw, message, motion)

    def _check(self, name: str, value: Any) -> None:
        numbers = np.asarray(value, dtype=np.float64)
        if name == "path" and len(numbers) > MAX_PATH_POINTS:
            raise PlannerInputError(
                f"a path of {len(numbers)} points, at most {MAX_PATH_POINTS} are followed"
            )
        if np.isnan(numbers).any() and (name == "path" or not self.wanted.nan_allowed):
            raise PlannerInputError(
                f"{name} holds NaN; if that shall mean 'no demand', set from_planner.nan_is_no_demand"
            )
        if (np.abs(numbers) > _LIMITS[name]).any():
            raise PlannerInputError(
                f"{name} {numbers.tolist()!s:.80} is infinite or beyond {_LIMITS[name]:g}"
            )

    def _in_world(self, raw: Raw, message: Any, motion: Motion) -> Plan:
        place, heading_rad, is_ned = self._axes(message, motion)
        vectors: dict[str, FloatArray] = {}
        for name in ("path", "position", "velocity", "acceleration"):
            if name not in raw:
                continue
            given = np.asarray(raw[name], dtype=np.float64)
            is_point = name in ("path", "position")
            if is_ned:
                given = np.array([position_ned_to_enu(tuple(row)) for row in given.reshape(-1, 3)])
                given = given if name == "path" else given[0]
            elif place is not None and is_point:
                given = place.to_world(given)
            elif heading_rad is not None and not is_point:
                given = heading_turned(given, heading_rad)
            vectors[name] = given
        yaw_rad, rate_radps = raw.get("yaw"), raw.get("yaw_rate")
        if is_ned:
            # The function is its own inverse. NaN stays what it is: no demand.
            yaw_rad = yaw_rad if yaw_rad is None or math.isnan(yaw_rad) else yaw_enu_to_ned(yaw_rad)
            rate_radps = None if rate_radps is None else -rate_radps
        elif heading_rad is not None and yaw_rad is not None:
            yaw_rad += heading_rad
        position, velocity = vectors.get("position"), vectors.get("velocity")
        if position is not None and velocity is not None and self.wanted.lead_s > 0.0:
            position = np.where(np.isnan(velocity), position, position + velocity * self.wanted.lead_s)
        is_told = self.wanted.yaw == "answer"
        return Plan(
            path_enu_m=vectors.get("path"),
            position_enu_m=position,
            velocity_enu_mps=velocity,
            acceleration_enu_mps2=vectors.get("acceleration"),
            yaw_rad=yaw_rad if is_told else None,
            yaw_rate_radps=rate_radps if is_told else None,
        )

    def _axes(self, message: Any, motion: Motion) -> tuple[Place | None, float | None, bool]:
        """(frame of points, heading of velocities, is it NED) of a message."""
        axes, frames = self.wanted.axes, self._places.frames
        if self.wanted.type == PX4_SETPOINT or axes == "ned":
            return None, None, True
        frame_id = str(getattr(getattr(message, "header", None), "frame_id", "")) if axes == "header" else ""
        if axes == "body":
            frame_id = frames.body
        place = self._places.named(frame_id, motion)
        return place, None if place is None else motion.attitude_rad[2], False

    def _mapped(self, message: Any) -> Raw:
        found: Raw = {}
        for name, given in self.wanted.fields.items():
            if isinstance(given, tuple):
                found[name] = tuple(float(read(message, place)) for place in given)
                continue
            value = read(message, given)
            if name == "path":
                found[name] = [vector(point) for point in value]
            elif name in ("yaw", "yaw_rate"):
                found[name] = _yaw_of(value) if hasattr(value, "w") else float(value)
            else:
                found[name] = vector(value)
        return found


def _check_field(kind: Any, name: str, place: str, where: str) -> None:
    """ConfigError where a field cannot hold its quantity."""
    text = field_type(kind, place, where)
    is_number = "/" not in text and text.startswith(_NUMBERS) and "[" not in text and "<" not in text
    if (name == "path") != ("[]" in place or text.startswith("sequence<")):
        way_out = "a list of points, e.g. points[].position" if name == "path" else "no list"
        raise ConfigError(f"{where}: {place} is {text}, {way_out} is expected")
    if name in ("yaw", "yaw_rate") and not is_number and not text.endswith("Quaternion"):
        raise ConfigError(f"{where}: {place} is {text}, a number is expected")
    if name in ("position", "velocity", "acceleration") and "string" in text:
        raise ConfigError(f"{where}: {place} is {text}, three numbers are expected")


def _yaw_of(orientation: Any) -> float | None:
    """Heading of a quaternion; none of one that is all zeros."""
    wxyz = (orientation.w, orientation.x, orientation.y, orientation.z)
    length = math.sqrt(sum(part * part for part in wxyz))
    if math.isnan(length):
        return math.nan
    if length < 1e-6:
        return None
    w, x, y, z = (part / length for part in wxyz)
    return euler_from_quaternion_wxyz((w, x, y, z))[2]


def _pose(message: Any) -> Raw:
    return {"position": vector(message.pose.position), "yaw": _yaw_of(message.pose.orientation)}


def _path(message: Any) -> Raw:
    return {"path": [vector(pose.pose.position) for pose in message.poses]}


def _twist(twist: Any) -> Raw:
    return {"velocity": vector(twist.linear), "yaw_rate": float(twist.angular.z)}


def _multi_dof(message: Any) -> Raw:
    """One point is a set-point, several are a path."""
    points = list(message.points)
    if len(points) != 1:
        return {"path": [vector(point.transforms[0].translation) for point in points]}
    point = points[0]
    return {
        "position": vector(point.transforms[0].translation),
        "yaw": _yaw_of(point.transforms[0].rotation),
        "velocity": vector(point.velocities[0].linear) if point.velocities else None,
        "yaw_rate": float(point.velocities[0].angular.z) if point.velocities else None,
        "acceleration": vector(point.accelerations[0].linear) if point.accelerations else None,
    }


def _px4(message: Any) -> Raw:
    return {
        "position": vector(message.position),
        "velocity": vector(message.velocity),
        "acceleration": vector(message.acceleration),
        "yaw": float(message.yaw),
        "yaw_rate": float(message.yawspeed),
    }


_KNOWN: Final[dict[str, Callable[[Any], Raw]]] = {
    PATH: _path,
    POSE: _pose,
    TWIST: _twist,
    TWIST_STAMPED: lambda message: _twist(message.twist),
    MULTI_DOF: _multi_dof,
    PX4_SETPOINT: _px4,
}
