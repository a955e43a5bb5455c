"""Vehicle state and flight step to messages and back."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from geometry_msgs.msg import Pose, PoseStamped, Quaternion
from nav_msgs.msg import Odometry, Path
from numpy.typing import ArrayLike
from std_msgs.msg import Header
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import PITCH, POSITION, ROLL, VELOCITY, YAW
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.core.frames import euler_from_quaternion_wxyz, quaternion_wxyz_from_euler
from uav_testgen.planner.base import Pose as PlannerPose
from uav_testgen.ros.convert.parts import point_to_msg, vector_to_msg, xyz_from_msg
from uav_testgen.ros.topics import BASE_FRAME, MAP_FRAME

Vector = tuple[float, float, float]
MAX_DISTANCE_M = 100_000.0
MAX_SPEED_MPS = 500.0
MAX_IMAGE_AGE_S = 60.0
MAX_GUIDE_DELAY_S = 60.0


class Motion(NamedTuple):
    """Where the vehicle is and how it moves, ENU; attitude is roll, pitch, yaw applied as Rz Ry Rx."""

    position_enu_m: Vector
    velocity_enu_mps: Vector
    attitude_rad: Vector
    rates_radps: Vector = (0.0, 0.0, 0.0)
    """About the vehicle's own axes: forward, left, up."""

    @property
    def quaternion_wxyz(self) -> tuple[float, float, float, float]:
        """The attitude as the planner takes it."""
        return quaternion_wxyz_from_euler(*self.attitude_rad)


def motion_of(body: FloatArray) -> Motion:
    """The motion of a body (`core.body`)."""
    position, velocity = body[POSITION : POSITION + 3].tolist(), body[VELOCITY : VELOCITY + 3].tolist()
    return Motion(tuple(position), tuple(velocity), (float(body[ROLL]), float(body[PITCH]), float(body[YAW])))


def body_of(motion: Motion) -> FloatArray:
    """The body (`core.body`) of a motion."""
    return np.array([*motion.position_enu_m, *motion.velocity_enu_mps, *motion.attitude_rad])


def pose_of(motion: Motion) -> PlannerPose:
    """The motion as planners see it."""
    return PlannerPose(
        np.array(motion.position_enu_m), np.array(motion.velocity_enu_mps), np.array(motion.attitude_rad)
    )


class Variances(NamedTuple):
    """How sure an odometry is, per axis; position and velocity in the axes they are given in."""

    position_m2: Vector
    attitude_rad2: Vector
    velocity_m2ps2: Vector
    rates_rad2ps2: Vector


EXACT: Final = Variances((1e-6,) * 3, (1e-6,) * 3, (1e-6,) * 3, (1e-4,) * 3)
"""Of the simulated vehicle, which knows where it is. Not zero: that reads as unknown, and no filter can invert it.
Rates come from the difference of two attitudes."""


def rates_between(before: Motion, after: Motion, dt_s: float) -> Vector:
    """The mean angular rate that turned one attitude into the other, in the vehicle's axes."""
    w, x, y, z = before.quaternion_wxyz
    aw, ax, ay, az = after.quaternion_wxyz
    turn = (
        w * aw + x * ax + y * ay + z * az,
        w * ax - x * aw - y * az + z * ay,
        w * ay + x * az - y * aw - z * ax,
        w * az - x * ay + y * ax - z * aw,
    )
    sine = math.sqrt(turn[1] ** 2 + turn[2] ** 2 + turn[3] ** 2)
    if sine < 1e-12:
        return (0.0, 0.0, 0.0)
    angle_rad = 2.0 * math.atan2(sine, abs(turn[0]))
    scale = math.copysign(angle_rad / (sine * dt_s), turn[0])
    return (scale * turn[1], scale * turn[2], scale * turn[3])


def odometry_to_msg(motion: Motion, header: Header, sure: Variances = EXACT) -> Odometry:
    """Odometry as REP-147 wants it: pose in the map, twist in the vehicle's own axes."""
    message = Odometry(header=header, child_frame_id=BASE_FRAME)
    w, x, y, z = motion.quaternion_wxyz
    message.pose.pose = Pose(
        position=point_to_msg(motion.position_enu_m), orientation=Quaternion(w=w, x=x, y=y, z=z)
    )
    message.twist.twist.linear = vector_to_msg(_turned(motion.velocity_enu_mps, (w, -x, -y, -z)))
    message.twist.twist.angular = vector_to_msg(motion.rates_radps)
    message.pose.covariance = _diagonal((*sure.position_m2, *sure.attitude_rad2))
    message.twist.covariance = _diagonal((*sure.velocity_m2ps2, *sure.rates_rad2ps2))
    return message


def motion_from_msgs(odometry: Odometry) -> Motion:
    """Motion from odometry; PlannerInputError names what is wrong."""
    position = _finite(xyz_from_msg(odometry.pose.pose.position), "position", MAX_DISTANCE_M)
    orientation = odometry.pose.pose.orientation
    quaternion = (orientation.w, orientation.x, orientation.y, orientation.z)
    if not abs(sum(part * part for part in quaternion) - 1.0) < 1e-3:
        raise PlannerInputError(f"orientation {quaternion} is not a unit quaternion")
    if odometry.header.frame_id != MAP_FRAME:
        raise PlannerInputError(f"frame '{odometry.header.frame_id}' is not '{MAP_FRAME}'")
    body = _finite(xyz_from_msg(odometry.twist.twist.linear), "velocity", MAX_SPEED_MPS)
    return Motion(position, _turned(body, quaternion), euler_from_quaternion_wxyz(quaternion))


def with_exact_attitude(motion: Motion, step: FlightStep) -> Motion:
    """The motion of an odometry message, velocity and attitude from the flight step if it states them.

    Turning a velocity into body axes and back, or angles into a quaternion and back, loses the last bit.
    """
    velocity, attitude = xyz_from_msg(step.velocity), xyz_from_msg(step.attitude)
    if not all(math.isfinite(number) for number in (*velocity, *attitude)):
        return motion
    return Motion(motion.position_enu_m, velocity, attitude)


def motion_from_step(step: FlightStep) -> Motion:
    """Motion as the vehicle itself states it; PlannerInputError if it is not finite."""
    return _stated(step, "")


def _stated(step: FlightStep, prefix: str) -> Motion:
    position, velocity, attitude = (
        xyz_from_msg(getattr(step, prefix + name)) for name in ("position", "velocity", "attitude")
    )
    return Motion(
        _finite(position, f"{prefix}position", MAX_DISTANCE_M),
        _finite(velocity, f"{prefix}velocity", MAX_SPEED_MPS),
        _finite(attitude, f"{prefix}attitude", 1000.0),
    )


def image_motion_from_step(step: FlightStep) -> Motion:
    """Motion with the pose at which the image of this step was taken; PlannerInputError if not finite."""
    motion = motion_from_step(step)
    if step.image_age == 0.0:
        return motion
    if not 0.0 < step.image_age < MAX_IMAGE_AGE_S:
        raise PlannerInputError(f"image_age {step.image_age} is not between 0 and {MAX_IMAGE_AGE_S:g} s")
    return motion._replace(
        position_enu_m=_finite(xyz_from_msg(step.image_position), "image position", MAX_DISTANCE_M),
        attitude_rad=_finite(xyz_from_msg(step.image_attitude), "image attitude", 1000.0),
    )


def guide_motion_from_step(step: FlightStep, present: Motion) -> tuple[Motion, float]:
    """Motion and time for which the set-point is made: later than the step where the step says so."""
    if not step.guide_time > step.time:
        return present, step.time
    return _stated(step, "guide_"), step.guide_time


def check_step(step: FlightStep) -> None:
    """PlannerInputError unless the mission part of a flight step makes sense."""
    _finite(xyz_from_msg(step.goal), "goal", MAX_DISTANCE_M)
    _finite(xyz_from_msg(step.previous_goal), "previous goal", MAX_DISTANCE_M)
    if not 0.0 <= step.time < 1e9:
        raise PlannerInputError(f"time {step.time} is not a flight time")
    if step.guide_time > step.time:
        _stated(step, "guide_")
    if step.guide_time > step.time + MAX_GUIDE_DELAY_S:
        raise PlannerInputError(f"guide_time {step.guide_time} is more than {MAX_GUIDE_DELAY_S:g} s ahead")
    if step.nav_state > FlightStep.OFFBOARD:
        raise PlannerInputError(f"nav_state {step.nav_state} is unknown")


def path_to_msg(points_enu_m: ArrayLike, header: Header) -> Path:
    """Corner points in flight order."""
    poses = [
        PoseStamped(header=header, pose=Pose(position=point_to_msg(point), orientation=Quaternion(w=1.0)))
        for point in np.asarray(points_enu_m, dtype=np.float64).reshape(-1, 3)
    ]
    return Path(header=header, poses=poses)


def _diagonal(variances: tuple[float, ...]) -> FloatArray:
    """Row by row, as the messages want their 6 x 6 covariances."""
    matrix = np.zeros(36)
    matrix[::7] = variances
    return matrix


def _finite(vector: Vector, name: str, limit: float) -> Vector:
    if not all(abs(number) <= limit for number in vector):
        raise PlannerInputError(f"{name} {vector} is not finite or beyond {limit:g}")
    return vector


def _turned(vector: Vector, quaternion_wxyz: tuple[float, float, float, float]) -> Vector:
    """The vector rotated by a unit quaternion."""
    w, x, y, z = quaternion_wxyz
    vx, vy, vz = vector
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return (
        vx + w * tx + (y * tz - z * ty),
        vy + w * ty + (z * tx - x * tz),
        vz + w * tz + (x * ty - y * tx),
    )
