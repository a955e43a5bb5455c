"""The wire to PX4: subscriptions and publishers with its names, QoS and message classes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from uav_testgen.core.arrays import FloatArray
from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.compat import CommandWords
from uav_testgen.ros.px4.formats import FormatCheck
from uav_testgen.ros.px4.frames import Estimate, estimate_from_odometry, setpoint_to_ned
from uav_testgen.ros.px4.ground import GroundWatch
from uav_testgen.ros.px4.latest import Latest
from uav_testgen.ros.px4.offboard_view import View
from uav_testgen.ros.px4.reader_qos import PX4_READER
from uav_testgen.ros.px4.registrations import Registrations
from uav_testgen.ros.px4.topics import fmu_topic
from uav_testgen.ros.qos import PX4_IN

OnOdometry = Callable[[Any, Estimate, float], None]
_LOOK_AROUND_S = 0.5
_OUT = re.compile(r"/fmu/out/[a-z0-9_]+$")


class Px4Link:
    """Newest values of what PX4 says, and ways to tell it something."""

    def __init__(self, node: Node, namespace: str, on_odometry: OnOdometry) -> None:
        self._node = node
        self._namespace = namespace
        self._on_odometry = on_odometry
        self.messages = compat.load_messages()
        self.odometry: Latest[Estimate] = Latest()
        self.status: Latest[Any] = Latest()
        self.landed: Latest[bool] = Latest()
        self.flags: Latest[Any] = Latest()
        self.unusable = 0
        self._ground = GroundWatch()
        self._answers: dict[int, int] = {}
        self._offered: tuple[float, list[str]] = (-1.0, [])
        self._elsewhere: list[str] = []
        for base, kind, use in (
            ("vehicle_odometry", "VehicleOdometry", self._take_odometry),
            ("vehicle_status", "VehicleStatus", self._keep(self.status)),
            ("vehicle_land_detected", "VehicleLandDetected", self._take_landed),
            ("vehicle_command_ack", "VehicleCommandAck", self._take_answer),
            (*compat.FAILSAFE_FLAGS, self._keep(self.flags)),
        ):
            message_class = compat.optional_class(self.messages, kind)
            if message_class is not None:
                topic = fmu_topic("out", base, message_class, namespace)
                node.create_subscription(message_class, topic, use, PX4_READER)
        self._publishers = {
            base: node.create_publisher(
                getattr(self.messages, kind),
                fmu_topic("in", base, getattr(self.messages, kind), namespace),
                PX4_IN,
            )
            for base, kind in compat.IN_TOPICS.items()
        }
        self.registrations = Registrations(node, self.messages, namespace)
        self.formats = FormatCheck(
            node,
            self.messages,
            namespace,
            [
                *(("out", base, kind) for base, kind in (*compat.OUT_TOPICS.items(), compat.FAILSAFE_FLAGS)),
                *(("in", base, kind) for base, kind in compat.IN_TOPICS.items()),
            ],
        )

    def offered(self) -> list[str]:
        """Topics under /fmu/out that somebody writes; looked up twice a second."""
        now_s = time.monotonic()
        if now_s - self._offered[0] > _LOOK_AROUND_S:
            prefix = f"/{self._namespace.strip('/')}" if self._namespace.strip("/") else ""
            names = [name for name, _ in self._node.get_topic_names_and_types() if _OUT.search(name)]
            written = [name for name in names if self._node.count_publishers(name) > 0]
            self._offered = (now_s, [name for name in written if name.startswith(f"{prefix}/fmu/out/")])
            namespaces = {name.partition("/fmu/out/")[0] for name in written}
            self._elsewhere = sorted(namespaces - {prefix})
        return self._offered[1]

    def view(self, now_s: float) -> View:
        """Everything the state machine wants to know."""
        status = self.status.value
        connected = status is not None and self.odometry.value is not None
        offered = [] if connected else self.offered()
        wrong = [] if connected else compat.mismatches(self.messages, offered, self._namespace)
        if self.formats.wrong():
            wrong += self.formats.wrong(self.translated())
        if wrong:
            installed = compat.message_release(self.messages)
            wrong.append(f"installed are the definitions of px4_msgs {installed}; install those of this PX4")
        return View(
            now_s=now_s,
            agent=connected or bool(offered),
            place="" if connected else self._place(),
            mismatch="; ".join(wrong),
            formats_known=self.formats.done,
            odometry_age_s=self.odometry.age_s(now_s),
            status_age_s=self.status.age_s(now_s),
            armed=status is not None and compat.is_armed(status),
            nav_state=int(status.nav_state) if status is not None else -1,
            failsafe=bool(status.failsafe) if status is not None else False,
            checks_pass=bool(status.pre_flight_checks_pass) if status is not None else False,
            failing=self._failing(status),
            landed=self.on_ground,
            answers=dict(self._answers),
            modes=self.registrations.modes(status),
            completed=dict(self.registrations.completed),
        )

    def not_listened(self, for_s: float, now_s: float) -> None:
        """This process stood still: what PX4 said meanwhile has not been read yet."""
        for latest in (self.odometry, self.status):
            latest.not_listened(for_s, now_s)

    def ask_formats(self, now_s: float) -> None:
        """PX4 is asked what its messages look like; the answers come in by themselves."""
        if self.status.value is not None:
            self.formats.ask(now_s)

    def translated(self) -> set[str]:
        """Topics offered in several versions at once: a translation node stands between PX4 and us."""
        return {base for base, found in compat.offered_versions(self.offered()).items() if len(found) > 1}

    @property
    def on_ground(self) -> bool:
        """PX4's land detector, or what the odometry says where PX4 does not offer it."""
        return self._ground.landed if self.landed.value is None else self.landed.value

    def _failing(self, status: Any) -> tuple[str, ...]:
        if status is None or status.pre_flight_checks_pass:
            return ()
        theirs, ours = self.release()[0], compat.message_release(self.messages)
        if self.formats.same("/fmu/out/failsafe_flags") is False or theirs not in (ours, "unknown"):
            named = compat.failing_checks(status, None)
            return (*named, f"(PX4 {theirs} does not name its checks to px4_msgs {ours})")
        return compat.failing_checks(status, self.flags.value)

    def _place(self) -> str:
        """Where PX4 is looked for, and where somebody else was found."""
        text = f" in ROS domain {self._node.context.get_domain_id()}"
        if self._namespace.strip("/"):
            text += f" under /{self._namespace.strip('/')}"
        if self._elsewhere:
            others = ", ".join(name or "no namespace" for name in self._elsewhere)
            text += f" (but somebody does under {others}: setting px4_namespace)"
        return text

    def release(self) -> tuple[str, str]:
        """PX4's release, which its topics do not carry: a guess, and what it is based on."""
        if found := self.formats.release:
            return found, "guessed from its message formats"
        guess = compat.offered_release(self.offered())
        if guess != "unknown":
            return guess, "guessed from the names of its topics"
        if translated := self.translated():
            return guess, f"several versions of {', '.join(sorted(translated))} are offered: translated?"
        return guess, "no vehicle_status is offered"

    def versions(self) -> dict[str, str]:
        """PX4's release and where that is known from, and the release of our definitions."""
        release, source = self.release()
        return {
            "px4_version": release,
            "px4_version_source": source,
            "px4_msgs_version": compat.message_release(self.messages),
        }

    def send(self, words: CommandWords) -> None:
        """A command; its answer is forgotten first, so that an old one is not taken for the new."""
        self._answers.pop(words.command, None)
        system = int(getattr(self.status.value, "system_id", 0) or 1)
        command = compat.vehicle_command(self.messages, words, system)
        self._publishers["vehicle_command"].publish(command)

    def announce(self, setpoint_px4_enu: FloatArray | None = None) -> None:
        """One beat of offboard_control_mode: OFFBOARD is possible, with the quantities that the set-point demands."""
        asked = None if setpoint_px4_enu is None else setpoint_to_ned(setpoint_px4_enu)
        self._publishers["offboard_control_mode"].publish(compat.control_mode(self.messages, asked))

    def steer(self, setpoint_px4_enu: FloatArray) -> None:
        """One set-point. PX4 obeys it in every mode."""
        setpoint = compat.trajectory_setpoint(self.messages, setpoint_to_ned(setpoint_px4_enu))
        self._publishers["trajectory_setpoint"].publish(setpoint)

    def _keep(self, cell: Latest[Any]) -> Callable[[Any], None]:
        def keep(message: Any) -> None:
            cell.put(message, time.monotonic())

        return keep

    def _take_odometry(self, message: Any) -> None:
        now_s = time.monotonic()
        estimate = estimate_from_odometry(
            tuple(message.position.tolist()),
            tuple(message.velocity.tolist()),
            tuple(message.q.tolist()),
            int(message.pose_frame),
            int(message.velocity_frame),
        )
        if estimate is None:
            self.unusable += 1
            return
        self.odometry.put(estimate, now_s)
        status = self.status.value
        self._ground.see(estimate, status is not None and compat.is_armed(status), now_s)
        self._on_odometry(message, estimate, now_s)

    def _take_landed(self, message: Any) -> None:
        self.landed.put(bool(message.landed), time.monotonic())

    def _take_answer(self, message: Any) -> None:
        self._answers[int(message.command)] = int(message.result)
