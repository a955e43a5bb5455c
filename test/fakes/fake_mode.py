"""A user's node, the system under test: flies straight to the goal that the bench publishes.

python test/fakes/fake_mode.py                registers a mode, as px4-ros2-interface-lib does
python test/fakes/fake_mode.py --offboard     streams set-points and arms the vehicle itself
--never-done   hovers at the goal    --fails   gives up half-way    --dies   ends with code 5 half-way
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

import rclpy
from geometry_msgs.msg import PointStamped
from px4_msgs.msg import (
    ArmingCheckReply,
    ArmingCheckRequest,
    ModeCompleted,
    OffboardControlMode,
    RegisterExtComponentReply,
    RegisterExtComponentRequest,
    TrajectorySetpoint,
    UnregisterExtComponent,
    VehicleCommand,
    VehicleOdometry,
    VehicleStatus,
)
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

PX4 = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
NAME = "fake mode"
OFFBOARD = 14
NEAR_M = 0.7


def letters(text: str, length: int = 25) -> list[int]:
    return [*text.encode(), *[0] * (length - len(text))]


class FakeMode(Node):
    """Flies when it is selected, or takes the vehicle itself."""

    def __init__(self, wishes: Any, **options: Any) -> None:
        super().__init__("fake_mode", **options)
        self.wishes = wishes
        self.mode_id = OFFBOARD if wishes.offboard else -1
        self.check_id = -1
        self.ended = False
        self.code = 0
        self._beats = 0
        self._done = False
        self._goals: list[tuple[float, float, float]] = []
        self._start: tuple[float, ...] | None = None
        self._place: list[float] | None = None
        self._status: VehicleStatus | None = None
        publish = self.create_publisher
        self._setpoint = publish(TrajectorySetpoint, "/fmu/in/trajectory_setpoint", PX4)
        self._announce = publish(OffboardControlMode, "/fmu/in/offboard_control_mode", PX4)
        self._command = publish(VehicleCommand, "/fmu/in/vehicle_command", PX4)
        self._register = publish(RegisterExtComponentRequest, "/fmu/in/register_ext_component_request", PX4)
        self._leave = publish(UnregisterExtComponent, "/fmu/in/unregister_ext_component", PX4)
        self._reply = publish(ArmingCheckReply, "/fmu/in/arming_check_reply", PX4)
        self._completed = publish(ModeCompleted, "/fmu/in/mode_completed", PX4)
        for kind, topic, use, qos in (
            (PointStamped, "/px4/goal_ned", self._on_goal, LATCHED),
            (VehicleOdometry, "/fmu/out/vehicle_odometry", self._on_odometry, PX4),
            (VehicleStatus, "/fmu/out/vehicle_status_v1", self._on_status, PX4),
            (RegisterExtComponentReply, "/fmu/out/register_ext_component_reply", self._on_reply, PX4),
            (ArmingCheckRequest, "/fmu/out/arming_check_request", self._on_check, PX4),
        ):
            self.create_subscription(kind, topic, use, qos)
        self.create_timer(0.05, self._beat)

    def leave(self) -> None:
        """Take the mode back."""
        if self.check_id >= 0:
            message = UnregisterExtComponent(arming_check_id=self.check_id, mode_id=self.mode_id)
            message.name = letters(NAME)
            self._leave.publish(message)

    def _on_goal(self, goal: PointStamped) -> None:
        point = (goal.point.x, goal.point.y, goal.point.z)
        if point not in self._goals:
            self._goals.append(point)

    def _on_odometry(self, message: VehicleOdometry) -> None:
        self._place = message.position.tolist()

    def _on_status(self, message: VehicleStatus) -> None:
        self._status = message

    def _on_reply(self, reply: RegisterExtComponentReply) -> None:
        if reply.success and reply.request_id == 4711:
            self.mode_id, self.check_id = reply.mode_id, reply.arming_check_id

    def _on_check(self, request: ArmingCheckRequest) -> None:
        if self.check_id >= 0:
            reply = ArmingCheckReply(request_id=request.request_id, registration_id=self.check_id)
            reply.can_arm_and_run = True
            self._reply.publish(reply)

    def _beat(self) -> None:
        self._beats += 1
        if self.mode_id < 0:
            if self._beats % 10 == 1:
                request = RegisterExtComponentRequest(request_id=4711, px4_ros2_api_version=1)
                request.name = letters(NAME)
                request.register_arming_check = request.register_mode = True
                self._register.publish(request)
            return
        if self._status is None or self._place is None or not self._goals:
            return
        armed = self._status.arming_state == 2
        if self.wishes.offboard and not self._done:
            self._announce.publish(OffboardControlMode(position=True))
            if self._beats % 10 == 0 and not armed:
                self._send(176, 1.0, 6.0)
                self._send(400, 1.0)
        if armed and self._status.nav_state == self.mode_id and not (self._done and self.wishes.offboard):
            self._fly(self._place)

    def _fly(self, place: list[float]) -> None:
        goal = self._goals[-1]
        if self._start is None:
            self._start = tuple(place)
        whole_m = math.hypot(goal[0] - self._start[0], goal[1] - self._start[1])
        left_m = math.dist(goal, place)
        if whole_m > 2.0 and left_m < 0.5 * whole_m:
            if self.wishes.dies:
                self.code, self.ended = 5, True
            if self.wishes.fails and not self._done:
                self._finish(100)
        if whole_m > 2.0 and left_m < NEAR_M and not self._done and not self.wishes.never_done:
            self._finish(0)
        share = min(1.0, 3.0 / max(left_m, 1e-6))
        step = [share * (goal[axis] - place[axis]) for axis in range(3)]
        nothing = [math.nan] * 3
        self._setpoint.publish(
            TrajectorySetpoint(
                position=[place[axis] + step[axis] for axis in range(3)],
                velocity=nothing,
                acceleration=nothing,
                jerk=nothing,
                yaw=0.0,
                yawspeed=math.nan,
            )
        )

    def _finish(self, result: int) -> None:
        self._done = True
        if self.wishes.offboard:
            self._send(21)
        else:
            self._completed.publish(ModeCompleted(result=result, nav_state=self.mode_id))

    def _send(self, command: int, param1: float = 0.0, param2: float = 0.0) -> None:
        message = VehicleCommand(command=command, param1=param1, param2=param2, target_system=1)
        message.target_component = message.source_system = message.source_component = 1
        message.from_external = True
        self._command.publish(message)


def parse(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--offboard", "--never-done", "--fails", "--dies"):
        parser.add_argument(name, action="store_true")
    return parser.parse_args(words)


def main() -> int:
    wishes = parse()
    rclpy.init()
    node = FakeMode(wishes)
    try:
        while rclpy.ok() and not node.ended:
            rclpy.spin_once(node, timeout_sec=0.2)
        node.leave()
    except (KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
        pass
    return node.code


if __name__ == "__main__":
    sys.exit(main())
