"""The messages of a planner profile: which topics and types a planner reads, and with which it answers."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.registry import nearest_and_known

PATH: Final = "nav_msgs/Path"
POSE: Final = "geometry_msgs/PoseStamped"
TWIST: Final = "geometry_msgs/Twist"
TWIST_STAMPED: Final = "geometry_msgs/TwistStamped"
MULTI_DOF: Final = "trajectory_msgs/MultiDOFJointTrajectory"
PX4_SETPOINT: Final = "px4_msgs/TrajectorySetpoint"
GOAL_TYPES: Final = (POSE, PATH)
ANSWER_TYPES: Final = (PATH, POSE, TWIST, TWIST_STAMPED, MULTI_DOF, PX4_SETPOINT)
GOAL_QUANTITIES: Final = ("position", "x", "y", "z", "yaw", "orientation")
ANSWER_QUANTITIES: Final = ("path", "position", "velocity", "acceleration", "yaw", "yaw_rate")
TOPIC_NAME = re.compile(r"/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*")
_TYPE = re.compile(r"[a-z][a-z0-9_]*(/(msg|srv))?/[A-Z][A-Za-z0-9]*")
_PLACE = re.compile(r"[a-z][a-z0-9_]*(\[\d{1,4}\]|\[\])?(\.[a-z][a-z0-9_]*(\[\d{1,4}\]|\[\])?)*")
Constant = bool | int | float | str


def short_type(name: str) -> str:
    """`nav_msgs/Path` of `nav_msgs/msg/Path`."""
    return name.replace("/msg/", "/").replace("/srv/", "/")


class Named(RoomConfig):
    """Anything that has a topic."""

    topic: str = Field(max_length=200, description="topic, from the root namespace [-]")

    @field_validator("topic")
    @classmethod
    def _topic(cls, value: str) -> str:
        if not TOPIC_NAME.fullmatch(value):
            raise ValueError("is no topic name: words of letters, digits and _, separated by /")
        return "/" + value.lstrip("/")


def _checked_type(value: str) -> str:
    if not _TYPE.fullmatch(value):
        raise ValueError("is no message type: package/Name is expected, e.g. nav_msgs/Path")
    return short_type(value)


def _checked_places(value: dict[str, Any], known: tuple[str, ...] | None) -> dict[str, Any]:
    for name, place in value.items():
        if known is not None and name not in known:
            raise ValueError(f"unknown quantity '{name[:60]}'{nearest_and_known(name, list(known))}")
        places = (name,) if known is None else (place if isinstance(place, tuple) else (place,))
        if known is not None and isinstance(place, tuple) and len(place) != 3:
            raise ValueError(f"'{name}' names {len(place)} fields: one, or one for each of x, y and z")
        for text in places:
            if not _PLACE.fullmatch(text):
                raise ValueError(
                    f"'{str(text)[:60]}' is no field: words separated by dots, e.g. pose.position"
                )
    return value


class GoalOut(Named):
    """Where the planner shall go: sent when the goal changes, and to a planner that asks for it regularly."""

    topic: str = Field("/goal_pose", max_length=200, description="topic [-]")
    type: str = Field(
        POSE, max_length=200, description=f"{', '.join(GOAL_TYPES)}, or another with fields [-]"
    )
    fields: dict[str, str | tuple[str, ...]] = Field(
        default_factory=dict, description="of another type: quantity -> field, e.g. position: target"
    )
    constants: dict[str, Constant] = Field(default_factory=dict, description="other fields -> value")
    period_s: float | None = Field(
        None, gt=0, le=60, description="sent again after this simulated time; none: only when it changes [s]"
    )

    _type = field_validator("type")(_checked_type)

    @field_validator("fields")
    @classmethod
    def _fields(cls, value: dict[str, Any]) -> dict[str, Any]:
        return _checked_places(value, GOAL_QUANTITIES)

    @field_validator("constants")
    @classmethod
    def _constants(cls, value: dict[str, Any]) -> dict[str, Any]:
        return _checked_places(value, None)

    @model_validator(mode="after")
    def _is_mapped(self) -> GoalOut:
        if self.type not in GOAL_TYPES and not ({"position", "x"} & self.fields.keys()):
            raise ValueError(
                f"type {self.type} is not one of {', '.join(GOAL_TYPES)}: say with fields where the position "
                "goes, e.g. fields: {position: target}"
            )
        return self


class OdometryOut(Named):
    """Where the vehicle is (nav_msgs/Odometry)."""

    topic: str = Field("/odom", max_length=200, description="topic [-]")
    twist_frame: Literal["body", "world"] = Field(
        "body",
        description="axes of the velocity: body as REP-147 says, or world as many planners read it [-]",
    )


class PoseOut(Named):
    """A pose (geometry_msgs/PoseStamped) in the world frame."""


class CloudOut(Named):
    """What the cameras see (sensor_msgs/PointCloud2)."""

    topic: str = Field("/camera/depth/points", max_length=200, description="topic [-]")
    frame: Literal["optical", "camera", "body", "world"] = Field(
        "optical", description="optical (x right, y down, z forward), camera (x forward), body or world [-]"
    )


class DepthOut(Named):
    """The first camera's depth image (sensor_msgs/Image) and its CameraInfo."""

    topic: str = Field("/camera/depth/image_raw", max_length=200, description="topic [-]")
    info_topic: str = Field("", max_length=200, description="CameraInfo; empty: camera_info beside it [-]")
    encoding: Literal["32FC1", "16UC1"] = Field(
        "32FC1", description="32FC1: metres, NaN for nothing; 16UC1: millimetres, 0 for nothing [-]"
    )

    @property
    def info(self) -> str:
        """Topic of the CameraInfo."""
        given = "/" + self.info_topic.lstrip("/") if self.info_topic else ""
        return given or self.topic.rpartition("/")[0] + "/camera_info"

    @field_validator("info_topic")
    @classmethod
    def _info_topic(cls, value: str) -> str:
        if value and not TOPIC_NAME.fullmatch(value):
            raise ValueError("is no topic name: words of letters, digits and _, separated by /")
        return value


class ToPlanner(RoomConfig):
    """What the planner is sent; null leaves it out."""

    goal: GoalOut | None = Field(GoalOut(), description="where to go")
    odometry: OdometryOut | None = Field(OdometryOut(), description="where the vehicle is")
    pose: PoseOut | None = Field(None, description="the vehicle's pose")
    camera_pose: PoseOut | None = Field(None, description="the first camera's pose, optical axes")
    cloud: CloudOut | None = Field(CloudOut(), description="points seen")
    depth: DepthOut | None = Field(None, description="depth image and CameraInfo")
    tf: bool = Field(True, description="/tf and /tf_static: world -> body -> camera -> optical [-]")

    def topics(self) -> list[str]:
        """All topics, in a fixed order."""
        given = (self.goal, self.odometry, self.pose, self.camera_pose, self.cloud, self.depth)
        found = [one.topic for one in given if one is not None]
        return [*found, *([self.depth.info] if self.depth is not None else [])]


class FromPlanner(Named):
    """What the planner answers with."""

    topic: str = Field("/path", max_length=200, description="topic [-]")
    type: str = Field(
        PATH, max_length=200, description=f"{', '.join(ANSWER_TYPES)}, or another with fields [-]"
    )
    fields: dict[str, str | tuple[str, ...]] = Field(
        default_factory=dict,
        description="of another type: quantity -> field, e.g. velocity: twist.linear or path: points[].position",
    )
    only_if: dict[str, Constant] = Field(
        default_factory=dict, description="messages in which a field has another value are passed over"
    )
    axes: Literal["header", "world", "body", "ned"] = Field(
        "header", description="frame of the numbers: that of header.frame_id, else as named [-]"
    )
    nan_is_no_demand: bool | None = Field(
        None,
        description="NaN demands nothing (default for px4_msgs/TrajectorySetpoint); else it is an error [-]",
    )
    lead_s: float = Field(
        0.0,
        ge=0,
        le=5,
        description="fly to where the answer's velocity leads in this time, not to its point [s]",
    )
    engaged: Literal["legs", "always"] = Field(
        "legs", description="legs: the autopilot takes off and lands by itself; always: the planner does [-]"
    )
    yaw: Literal["answer", "ahead"] = Field(
        "answer", description="look where the answer says, or always where the vehicle flies to [-]"
    )

    _type = field_validator("type")(_checked_type)

    @field_validator("fields")
    @classmethod
    def _fields(cls, value: dict[str, Any]) -> dict[str, Any]:
        return _checked_places(value, ANSWER_QUANTITIES)

    @field_validator("only_if")
    @classmethod
    def _only_if(cls, value: dict[str, Any]) -> dict[str, Any]:
        return _checked_places(value, None)

    @model_validator(mode="after")
    def _is_mapped(self) -> FromPlanner:
        if self.type not in ANSWER_TYPES and not ({"path", "position", "velocity"} & self.fields.keys()):
            raise ValueError(
                f"type {self.type} is not one of {', '.join(ANSWER_TYPES)}: say with fields what it means, "
                "e.g. fields: {position: position, yaw: yaw}"
            )
        return self

    @property
    def nan_allowed(self) -> bool:
        """Does NaN mean "no demand"?"""
        return self.type == PX4_SETPOINT if self.nan_is_no_demand is None else self.nan_is_no_demand
