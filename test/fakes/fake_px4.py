"""A stand-in for PX4 and its agent: a ROS node that speaks the topics of the installed px4_msgs (PX4 1.16).

    python test/fakes/fake_px4.py --speed 2 --at 6:leave_offboard --at 20:clock_jump=40

`--at T:VERB[=VALUE]` makes it misbehave T seconds (of its own time) after arming; before that, see VERBS.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rclpy
from px4_msgs.msg import (
    ArmingCheckReply,
    ArmingCheckRequest,
    FailsafeFlags,
    MessageFormatRequest,
    MessageFormatResponse,
    ModeCompleted,
    OffboardControlMode,
    RegisterExtComponentReply,
    RegisterExtComponentRequest,
    TrajectorySetpoint,
    UnregisterExtComponent,
    VehicleCommand,
    VehicleCommandAck,
    VehicleLandDetected,
    VehicleLocalPosition,
    VehicleOdometry,
    VehicleStatus,
)
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

sys.path.insert(0, str(Path(__file__).parent))
from fake_autopilot import FakeAutopilot

OUT = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
IN = QoSProfile(history=HistoryPolicy.KEEP_LAST, depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
STEP_S = 0.02
LAG_S = 0.1
VERBS = (
    "pilot",  # a person chooses the mode number VALUE
    "boot_stamps",  # the stamps of VALUE samples in a row are the time since boot
    "leave_offboard",  # to POSCTL with failsafe; comes back when asked
    "refuse_offboard",  # to POSCTL, and refuses to come back
    "leave_mode",  # the external mode in charge is gone
    "refuse_modes",  # external modes are not entered
    "deaf",  # the streams of the client are not heard for VALUE seconds
    "clock_jump",  # all stamps step by VALUE seconds
    "reset",  # the estimate jumps by VALUE metres to the north
    "land",  # lands by itself
    "disarm",  # motors off
    "silence",  # no odometry any more
    "exit",  # the process ends
)


FORMATS = {
    "vehicle_odometry": 988836982,
    "vehicle_status": 4151966309,
    "vehicle_land_detected": 1278272063,
    "vehicle_command_ack": 2759281150,
    "failsafe_flags": 977873347,
    "offboard_control_mode": 804464992,
    "trajectory_setpoint": 4128550110,
    "vehicle_command": 3416593583,
}
"""What PX4 1.16 answers to a MessageFormatRequest."""


def suffix(kind: type[Any]) -> str:
    """Version in the topic's name, as PX4 of the installed definitions' release has it."""
    version = getattr(kind, "MESSAGE_VERSION", 0)
    return f"_v{version}" if version else ""


class FakePx4(Node):
    """Publishes like PX4, moves like PX4."""

    def __init__(
        self,
        autopilot: FakeAutopilot | None = None,
        *,
        speed: float = 1.0,
        at: Sequence[tuple[float, str, float]] = (),
        status_suffix: str | None = None,
        odometry: bool = True,
        land_detector: bool = True,
        formats: dict[str, int] | None = None,
        translated: Sequence[str] = (),
        say: bool = False,
        **options: Any,
    ) -> None:
        super().__init__("fake_px4", **options)
        self.autopilot = autopilot or FakeAutopilot()
        self.speed = speed
        self.odometry = odometry
        self.land_detector = land_detector
        self.say = say
        self.finished = False
        self.heard: dict[int, int] = {}
        self.beats: list[float] = []
        self.announced: dict[int, int] = {}
        self.steered: dict[int, int] = {}
        """Messages of the two streams heard while armed, by the mode they met."""
        self.controls: list[tuple[bool, bool, bool]] = []
        """Position, velocity, acceleration as announced while armed."""
        self.setpoints: list[TrajectorySetpoint] = []
        self.formats = FORMATS if formats is None else formats
        self._boot_stamps = 0
        self._at = sorted(at)
        self._armed_at: float | None = None
        self._deaf_until_s = 0.0
        self._stamp_shift_s = 0.0
        self._samples = 0
        self._told: tuple[Any, ...] = ()
        self._told_s = self._landed_s = -math.inf
        self._boot_s = self._now_s = time.monotonic()
        self._epoch_s = time.time() - self._boot_s
        status = suffix(VehicleStatus) if status_suffix is None else status_suffix
        self._status_topic = f"vehicle_status{status}"
        self._out = {
            name: self.create_publisher(kind, f"/fmu/out/{name}", OUT)
            for name, kind in (
                ("vehicle_odometry", VehicleOdometry),
                (self._status_topic, VehicleStatus),
                ("vehicle_land_detected", VehicleLandDetected),
                (f"vehicle_local_position{suffix(VehicleLocalPosition)}", VehicleLocalPosition),
                ("vehicle_command_ack", VehicleCommandAck),
                ("failsafe_flags", FailsafeFlags),
                ("message_format_response", MessageFormatResponse),
                ("register_ext_component_reply", RegisterExtComponentReply),
                ("arming_check_request", ArmingCheckRequest),
                ("mode_completed", ModeCompleted),
            )
        }
        # As a translation node does: other versions of the status beside PX4's own.
        for version in translated:
            self._out[f"vehicle_status{version}"] = self.create_publisher(
                VehicleStatus, f"/fmu/out/vehicle_status{version}", OUT
            )
        for name, kind, use in (
            ("offboard_control_mode", OffboardControlMode, self._on_mode),
            ("trajectory_setpoint", TrajectorySetpoint, self._on_setpoint),
            ("vehicle_command", VehicleCommand, self._on_command),
            ("message_format_request", MessageFormatRequest, self._on_format),
            ("register_ext_component_request", RegisterExtComponentRequest, self._on_registration),
            ("unregister_ext_component", UnregisterExtComponent, self._on_leave),
            ("arming_check_reply", ArmingCheckReply, self._on_check),
            ("mode_completed", ModeCompleted, lambda message: self._out["mode_completed"].publish(message)),
        ):
            self.create_subscription(kind, f"/fmu/in/{name}", use, IN)
        self.create_timer(STEP_S, self._step, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def do(self, verb: str, value: float = 0.0) -> None:
        """Misbehave."""
        autopilot = self.autopilot
        if verb in ("leave_offboard", "refuse_offboard"):
            autopilot.nav_state, autopilot.failsafe = 2, True
            autopilot.obeys_mode = verb == "leave_offboard"
        elif verb == "pilot":
            autopilot.nav_state, autopilot.failsafe = int(value), False
        elif verb == "leave_mode":
            autopilot.unregister(autopilot.nav_state)
        elif verb == "refuse_modes":
            autopilot.obeys_selection = False
        elif verb == "boot_stamps":
            self._boot_stamps = int(value)
        elif verb == "deaf":
            self._deaf_until_s = time.monotonic() + value
        elif verb == "clock_jump":
            self._stamp_shift_s += value
        elif verb == "reset":
            autopilot.reset(value, 0.0, 0.0)
        elif verb == "land":
            autopilot.nav_state = 18
        elif verb == "disarm":
            autopilot.motors_off()
        elif verb == "silence":
            self.odometry = False
        elif verb == "exit":
            self.finished = True
        else:
            raise ValueError(f"unknown verb {verb}; known: {', '.join(VERBS)}")

    def _step(self) -> None:
        now_s = time.monotonic()
        behind_s = self.speed * (now_s - self._now_s)
        self._now_s = now_s
        while behind_s > 0.0:
            self.autopilot.advance(min(behind_s, STEP_S))
            behind_s -= STEP_S
        self._misbehave()
        if self.odometry:
            self._send_odometry()
        self._send_status(now_s)

    def _misbehave(self) -> None:
        if not self.autopilot.armed:
            return
        if self._armed_at is None:
            self._armed_at = self.autopilot.t_s
        while self._at and self.autopilot.t_s - self._armed_at >= self._at[0][0]:
            _, verb, value = self._at.pop(0)
            self.do(verb, value)

    def _stamp_us(self) -> int:
        """Agent's epoch with a lag; the vehicle's time runs at its own speed between corrections."""
        vehicle_s = self.autopilot.t_s + self._stamp_shift_s
        corrected_s = 0.2 * math.floor(vehicle_s / 20.0)
        return int(1e6 * (self._epoch_s + self._boot_s + vehicle_s - LAG_S + corrected_s))

    def _send_odometry(self) -> None:
        autopilot = self.autopilot
        self._samples += 1
        stamp = self._stamp_us()
        burst, self._boot_stamps = self._boot_stamps > 0, max(0, self._boot_stamps - 1)
        if burst or self._samples % 400 == 200:  # one sample in a while is stamped with the time since boot
            stamp = int(1e6 * autopilot.t_s)
        q = [math.cos(0.5 * autopilot.yaw), 0.0, 0.0, math.sin(0.5 * autopilot.yaw)]
        self._out["vehicle_odometry"].publish(
            VehicleOdometry(
                timestamp=stamp,
                timestamp_sample=stamp,
                pose_frame=VehicleOdometry.POSE_FRAME_NED,
                position=autopilot.position,
                q=q,
                velocity_frame=VehicleOdometry.VELOCITY_FRAME_NED,
                velocity=list(autopilot.velocity),
                reset_counter=autopilot.reset_counter,
            )
        )

    def _send_status(self, now_s: float) -> None:
        autopilot = self.autopilot
        state = (
            autopilot.armed,
            autopilot.nav_state,
            autopilot.failsafe,
            autopilot.checks_pass,
            autopilot.landed,
        )
        if state == self._told and now_s - self._told_s < 0.5:
            return
        changed = state != self._told
        if changed and self.say:
            print(f"armed={state[0]} mode={state[1]} landed={state[4]}", flush=True)
        self._told, self._told_s = state, now_s
        self._out["arming_check_request"].publish(ArmingCheckRequest(timestamp=self._stamp_us()))
        self._out[self._status_topic].publish(
            VehicleStatus(
                timestamp=self._stamp_us(),
                arming_state=2 if autopilot.armed else 1,
                nav_state=autopilot.nav_state,
                failsafe=autopilot.failsafe,
                pre_flight_checks_pass=autopilot.checks_pass,
                valid_nav_states_mask=sum(1 << mode for mode in (2, 4, 14, 17, 18, *autopilot.modes)),
                system_id=1,
                component_id=1,
            )
        )
        flags = FailsafeFlags(
            timestamp=self._stamp_us(),
            auto_mission_missing=True,
            manual_control_signal_lost=True,
            gcs_connection_lost=True,
            offboard_control_signal_lost=not autopilot.stream_alive,
        )
        for name in autopilot.failing:
            setattr(flags, name, True)
        self._out["failsafe_flags"].publish(flags)
        if self.land_detector and (changed or now_s - self._landed_s > 1.0):
            self._landed_s = now_s
            self._out["vehicle_land_detected"].publish(
                VehicleLandDetected(timestamp=self._stamp_us(), landed=autopilot.landed)
            )

    def _hears(self) -> bool:
        return time.monotonic() >= self._deaf_until_s

    def _on_mode(self, message: OffboardControlMode) -> None:
        self.beats.append(time.monotonic())
        self._count(self.announced)
        wanted = (message.position, message.velocity, message.acceleration)
        if self.autopilot.armed:
            self.controls.append(wanted)
        if any(wanted) and self._hears():
            self.autopilot.hear_stream()

    def _on_setpoint(self, message: TrajectorySetpoint) -> None:
        self._count(self.steered)
        if self._hears():
            self.setpoints.append(message)
            self.autopilot.hear_setpoint(
                message.position.tolist(),
                message.yaw,
                message.velocity.tolist(),
                message.acceleration.tolist(),
                message.yawspeed,
            )

    def _count(self, heard: dict[int, int]) -> None:
        if self.autopilot.armed:
            mode = self.autopilot.nav_state
            heard[mode] = heard.get(mode, 0) + 1

    def _on_registration(self, request: RegisterExtComponentRequest) -> None:
        name = bytes(request.name).partition(b"\0")[0].decode()
        mode = self.autopilot.register(name) if request.register_mode else -1
        reply = RegisterExtComponentReply(
            timestamp=self._stamp_us(),
            request_id=request.request_id,
            px4_ros2_api_version=1,
            success=mode >= 0,
            arming_check_id=mode - 23 if mode >= 0 else -1,
            mode_id=mode,
            mode_executor_id=-1,
        )
        reply.name = request.name
        self._out["register_ext_component_reply"].publish(reply)

    def _on_leave(self, message: UnregisterExtComponent) -> None:
        self.autopilot.unregister(message.mode_id)

    def _on_check(self, reply: ArmingCheckReply) -> None:
        mode = reply.registration_id + 23
        if mode in self.autopilot.modes and reply.can_arm_and_run:
            self.autopilot.runnable.add(mode)

    def _on_format(self, request: MessageFormatRequest) -> None:
        name = bytes(request.topic_name).partition(b"\0")[0].decode().rpartition("/")[2]
        response = MessageFormatResponse(
            timestamp=self._stamp_us(),
            protocol_version=1,
            success=name in self.formats,
            message_hash=self.formats.get(name, 0),
        )
        response.topic_name = request.topic_name
        self._out["message_format_response"].publish(response)

    def _on_command(self, message: VehicleCommand) -> None:
        self.heard[message.command] = self.heard.get(message.command, 0) + 1
        result = self.autopilot.command(message.command, message.param1, message.param2, message.param3)
        self._out["vehicle_command_ack"].publish(
            VehicleCommandAck(
                timestamp=self._stamp_us(),
                command=message.command,
                result=result,
                target_system=message.source_system,
                target_component=message.source_component,
            )
        )


def parse_at(text: str) -> tuple[float, str, float]:
    """(time, verb, value) of `T:VERB[=VALUE]`."""
    when, _, rest = text.partition(":")
    verb, _, value = rest.partition("=")
    if verb not in VERBS:
        raise argparse.ArgumentTypeError(f"{verb} is not one of {', '.join(VERBS)}")
    return float(when), verb, float(value or 0.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--at", type=parse_at, action="append", default=[])
    parser.add_argument("--failing", action="append", default=[], help="health check that does not pass")
    parser.add_argument("--status-suffix", help="default: that of the installed definitions")
    parser.add_argument("--no-odometry", action="store_true")
    parser.add_argument("--disobeys-land", action="store_true")
    parser.add_argument("--no-land-detector", action="store_true", help="as PX4 1.15")
    parser.add_argument("--say", action="store_true", help="print every change of state")
    arguments = parser.parse_args()
    rclpy.init()
    node = FakePx4(
        FakeAutopilot(failing=tuple(arguments.failing), obeys_land=not arguments.disobeys_land),
        speed=arguments.speed,
        at=arguments.at,
        status_suffix=arguments.status_suffix,
        odometry=not arguments.no_odometry,
        land_detector=not arguments.no_land_detector,
        say=arguments.say,
    )
    try:
        while rclpy.ok() and not node.finished:
            rclpy.spin_once(node, timeout_sec=0.2)
    except (KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
