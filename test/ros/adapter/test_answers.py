"""What planners answer, in every type and frame, means the same flight."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import PoseStamped, Twist, TwistStamped
from nav_msgs.msg import Path as PathMsg
from px4_msgs.msg import TrajectorySetpoint
from uav_testgen_msgs.msg import FlightStep, Setpoint

from uav_testgen.core.errors import ConfigError, PlannerInputError
from uav_testgen.graph.planner_messages import FromPlanner
from uav_testgen.graph.planner_profile import Frames, load_profile
from uav_testgen.loop.cameras import OPTICAL_AXES
from uav_testgen.ros.adapter.answers import _KNOWN, AnswerReader
from uav_testgen.ros.adapter.fields import field_type, message_class
from uav_testgen.ros.adapter.place import Places, body_place, quaternion_of
from uav_testgen.ros.convert.motion import Motion
from uav_testgen.sensing.camera import CameraConfig

NORTH = Motion((1.0, 2.0, 3.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.5 * math.pi))
PLACES = Places(Frames(), CameraConfig())


def reader(**given: Any) -> AnswerReader:
    return AnswerReader(FromPlanner(**given), PLACES, "mine.yaml")


def path(frame: str, *points: tuple[float, float, float]) -> PathMsg:
    message = PathMsg()
    message.header.frame_id = frame
    for x, y, z in points:
        pose = PoseStamped()
        pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = x, y, z
        message.poses.append(pose)
    return message


@pytest.mark.parametrize(
    ("frame", "point", "enu"),
    [
        ("map", (5.0, 6.0, 7.0), (5.0, 6.0, 7.0)),
        ("", (5.0, 6.0, 7.0), (5.0, 6.0, 7.0)),
        ("base_link", (4.0, 0.0, 1.0), (1.0, 6.0, 4.0)),  # forward is north
        ("camera_optical", (1.0, -2.0, 4.0), (2.0, 6.0, 5.0)),  # right is east, -y is up, z is forward
    ],
)
def test_a_path_in_any_frame(frame: str, point: Any, enu: Any) -> None:
    plan = reader().plan(path(frame, point), NORTH)
    assert plan is not None and np.allclose(plan.path_enu_m, [enu])


def test_no_path_means_stay() -> None:
    plan = reader().plan(path("map"), NORTH)
    assert plan is not None and np.allclose(plan.position_enu_m, NORTH.position_enu_m)


def test_a_pose_demands_its_heading_unless_told_otherwise() -> None:
    message = PoseStamped()
    message.pose.position.x = 9.0
    message.pose.orientation.z = message.pose.orientation.w = math.sqrt(0.5)
    plan = reader(type="geometry_msgs/PoseStamped").plan(message, NORTH)
    assert plan is not None and plan.yaw_rad == pytest.approx(0.5 * math.pi)
    ahead = reader(type="geometry_msgs/PoseStamped", yaw="ahead").plan(message, NORTH)
    assert ahead is not None and ahead.yaw_rad is None


@pytest.mark.parametrize("kind", ["geometry_msgs/Twist", "geometry_msgs/TwistStamped"])
def test_a_velocity_in_body_axes(kind: str) -> None:
    twist = Twist()
    twist.linear.x, twist.linear.z, twist.angular.z = 2.0, -0.5, 0.1
    message = twist if kind.endswith("Twist") else TwistStamped(twist=twist)
    plan = reader(type=kind, axes="body").plan(message, NORTH)
    assert plan is not None and np.allclose(plan.velocity_enu_mps, (0.0, 2.0, -0.5))
    assert plan.yaw_rate_radps == pytest.approx(0.1) and plan.position_enu_m is None


def test_px4_speaks_ned_and_nan_demands_nothing() -> None:
    nan = math.nan
    message = TrajectorySetpoint(position=[1.0, 2.0, -3.0], velocity=[nan] * 3, acceleration=[nan] * 3)
    message.yaw, message.yawspeed = 0.0, nan
    plan = reader(type="px4_msgs/msg/TrajectorySetpoint").plan(message, NORTH)
    assert plan is not None and np.allclose(plan.position_enu_m, (2.0, 1.0, 3.0))
    assert plan.yaw_rad == pytest.approx(0.5 * math.pi)
    assert np.isnan(np.asarray(plan.velocity_enu_mps)).all() and math.isnan(plan.yaw_rate_radps or 0.0)


def test_a_mapped_type_needs_no_code() -> None:
    message = Setpoint(yaw=0.3)
    message.position.x, message.velocity.x = 4.0, 2.0
    mapped = reader(
        type="uav_testgen_msgs/Setpoint", lead_s=0.5, only_if={"yaw_rate": 0.0},
        fields={"position": "position", "velocity": ("velocity.x", "velocity.y", "velocity.z"), "yaw": "yaw"},
    )  # fmt: skip
    plan = mapped.plan(message, NORTH)
    assert plan is not None and np.allclose(plan.position_enu_m, (5.0, 0.0, 0.0)) and plan.yaw_rad == 0.3
    message.yaw_rate = 1.0
    assert mapped.plan(message, NORTH) is None
    several = reader(type="nav_msgs/Path", fields={"path": "poses[].pose.position"})
    plan = several.plan(path("map", (1.0, 1.0, 1.0), (2.0, 2.0, 2.0)), NORTH)
    assert plan is not None and len(np.asarray(plan.path_enu_m)) == 2


def test_a_timed_trajectory_is_a_set_point_or_a_path() -> None:
    """trajectory_msgs is not on the package index: something of the same shape stands for it."""
    vector, turn = SimpleNamespace(x=1.0, y=2.0, z=3.0), SimpleNamespace(w=1.0, x=0.0, y=0.0, z=0.0)
    twist = SimpleNamespace(linear=vector, angular=SimpleNamespace(z=0.2))
    point = SimpleNamespace(
        transforms=[SimpleNamespace(translation=vector, rotation=turn)], velocities=[twist], accelerations=[]
    )
    read = _KNOWN["trajectory_msgs/MultiDOFJointTrajectory"]
    one = read(SimpleNamespace(points=[point]))
    assert one["position"] == (1.0, 2.0, 3.0) and one["yaw_rate"] == 0.2 and one["acceleration"] is None
    assert read(SimpleNamespace(points=[point, point]))["path"] == [(1.0, 2.0, 3.0)] * 2


@pytest.mark.parametrize(
    ("given", "message", "says"),
    [
        ({}, path("map", (math.nan, 0.0, 0.0)), "path holds NaN"),
        ({}, path("map", (math.inf, 0.0, 0.0)), "infinite or beyond"),
        ({}, path("nowhere", (1.0, 0.0, 0.0)), "frame 'nowhere' is none of the profile's"),
        ({}, path("map", *[(float(i), 0.0, 0.0) for i in range(10_001)]), "at most 10000"),
    ],
)
def test_what_cannot_be_flown_is_named(given: Any, message: Any, says: str) -> None:
    with pytest.raises(PlannerInputError, match=says):
        reader(**given).plan(message, NORTH)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"type": "no_such_msgs/Thing", "fields": {"position": "p"}},
            "package no_such_msgs cannot be imported here",
        ),
        ({"type": "nav_msgs/Pth", "fields": {"position": "p"}}, "has no message 'Pth', did you mean 'Path'?"),
        (
            {"type": "uav_testgen_msgs/Setpoint", "fields": {"position": "positon"}},
            "has no field 'positon', did you mean 'position'?",
        ),
        ({"type": "uav_testgen_msgs/Setpoint", "fields": {"path": "position"}}, "a list of points"),
        ({"type": "nav_msgs/Path", "fields": {"position": "poses"}}, "no list is expected"),
        (
            {"type": "uav_testgen_msgs/Setpoint", "fields": {"velocity": "velocity", "yaw": "position"}},
            "a number",
        ),
    ],
)
def test_a_profile_that_does_not_fit_its_type_is_refused(given: Any, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        reader(**given)
    assert says in str(caught.value) and "mine.yaml: from_planner" in str(caught.value)


def test_ego_planners_type_is_missed_by_name() -> None:
    with pytest.raises(ConfigError, match="source the workspace that builds it"):
        AnswerReader(load_profile("ego_planner").from_planner, PLACES, "ego_planner")


def test_places_are_rotations() -> None:
    for rotation in (OPTICAL_AXES, body_place(Motion((0, 0, 0), (0, 0, 0), (0.3, -0.2, 2.0))).rotation):
        w, x, y, z = quaternion_of(rotation)
        back = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        assert np.allclose(back, rotation)


def test_fields_of_fields() -> None:
    step = message_class("uav_testgen_msgs/FlightStep", "here")
    assert step is FlightStep
    assert field_type(step, "header.stamp.sec", "here") == "int32"
    assert field_type(message_class("nav_msgs/Odometry", "here"), "pose.covariance[3]", "here") == "double"
    with pytest.raises(ConfigError, match="which has no elements"):
        field_type(step, "header[0]", "here")
