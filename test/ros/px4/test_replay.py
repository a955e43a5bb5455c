"""Recorded flights of a real PX4 through the bridge: its odometry against another recorded topic."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.ros.px4.stamps import StampKind, StampWatch

from .conftest import Stage, small_scenario

FILES = ("mission1_csparams", "mission2_csparams", "behaviours")
OUT = "/fmu/out/"
_COMPARED = 500
PLAYED = (
    "vehicle_odometry",
    "vehicle_status_v1",
    "vehicle_land_detected",
    "vehicle_command_ack",
    "failsafe_flags",
)


def messages(path: Path, *topics: str) -> Any:
    """(topic without prefix, log time [s], raw bytes, class name) in order."""
    from mcap.reader import make_reader

    with path.open("rb") as stream:
        for schema, channel, message in make_reader(stream).iter_messages(topics=[OUT + t for t in topics]):
            yield channel.topic.removeprefix(OUT), 1e-9 * message.log_time, message.data, schema.name


@pytest.fixture
def recording(request: pytest.FixtureRequest, shared_data: Path) -> Path:
    path = shared_data / "px4" / f"{request.param}.mcap"
    if not path.is_file():
        pytest.skip(f"recording ../shared/px4/{path.name} is not here")
    return path


@pytest.mark.parametrize("recording", FILES, indirect=True)
def test_odometry_follows_the_recording(
    recording: Path,
    stage: Stage,
    spin_until: Callable[..., None],
    ros_executor: Any,
    make_node: Callable[..., Any],
) -> None:
    from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
    from rclpy.serialization import deserialize_message

    from uav_testgen.ros.message_schema import message_class

    as_px4_writes = QoSProfile(
        depth=10,
        reliability=ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL,
    )
    player = make_node("player")
    classes = {topic: kind for topic, _, _, kind in messages(recording, *PLAYED)}
    publishers = {
        topic: player.create_publisher(message_class(kind), OUT + topic, as_px4_writes)
        for topic, kind in classes.items()
    }
    stage.start(None, odometry_hz=0.0, offboard__settle_s=0.0)
    stage.announce(small_scenario())
    spin_until(lambda: bool(stage.status) and stage.status.flight_id == stage.flight_id, "the scenario")

    truth: list[tuple[float, ...]] = []
    sent = seen = newest_us = 0
    for topic, _, raw, kind in messages(recording, *PLAYED):
        if topic == "vehicle_odometry":
            seen += 1
            if seen > 400 and seen % 6:
                continue  # all of the time on the ground, then enough of the flight
        publishers[topic].publish(raw)
        if topic == "vehicle_odometry":
            sample = deserialize_message(raw, message_class(kind))
            if sample.timestamp < newest_us - 10_000_000:
                continue  # stamped with the time since boot, as single samples are: the bridge leaves it out
            newest_us = sample.timestamp
            truth.append((*sample.position, *sample.velocity, *sample.q))
            sent += 1
            # One at a time: best effort loses what nobody takes, and losses are not what is tested here.
            expected = sent
            spin_until(lambda: len(stage.odometry) >= expected, f"odometry {expected}", timeout_s=20.0)  # noqa: B023
            if seen <= 400 and not stage.state("READY"):
                time.sleep(
                    0.01
                )  # the bridge waits for a healthy PX4 by the wall clock: the ground in real time
    assert stage.state("READY"), "recorded on the ground, healthy and disarmed"
    ready_offset = np.array(stage.bridge.origin.offset_m)
    assert np.linalg.norm(ready_offset - (100.0, 50.0, 0.0)) < 1.0

    ours = np.array(
        [
            (o.pose.pose.position.x, o.pose.pose.position.y, o.pose.pose.position.z)
            for o in stage.odometry[-_COMPARED:]
        ]
    )
    recorded = np.array(truth[-_COMPARED:])
    assert np.ptp(recorded[:, 2]) > 1.5, "the recording holds a flight"
    enu = recorded[:, [1, 0, 2]] * (1.0, 1.0, -1.0)
    assert np.abs(ours - (enu + ready_offset)).max() < 1e-3
    for odometry, row in zip(stage.odometry[-_COMPARED::20], recorded[::20], strict=True):
        w, x, y, z = row[6:10]
        yaw_ned = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        q = odometry.pose.pose.orientation
        yaw = math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))
        assert math.cos(yaw - (0.5 * math.pi - yaw_ned)) > 1.0 - 1e-6
        v = odometry.twist.twist.linear
        assert math.hypot(v.x, v.y, v.z) == pytest.approx(float(np.linalg.norm(row[3:6])), abs=1e-4)


@pytest.mark.parametrize("recording", FILES, indirect=True)
def test_recorded_stamps_are_survived(recording: Path) -> None:
    """Boot-time samples are outliers, corrections are no jumps, the real-time factor is the recorded one."""
    from px4_msgs.msg import VehicleOdometry
    from rclpy.serialization import deserialize_message

    watch, outliers = StampWatch(), 0
    for _, received_s, raw, _ in messages(recording, "vehicle_odometry"):
        sample = deserialize_message(raw, VehicleOdometry)
        outliers += watch.see(int(sample.timestamp), received_s) is StampKind.OUTLIER
    assert watch.jumps == 0
    assert outliers <= 9
    assert watch.real_time_factor == pytest.approx(0.99, abs=0.012)


def test_recorded_behaviour_drives_the_state_machine(shared_data: Path) -> None:
    """Offboard start, loss of the stream, recovery and landing as a real PX4 showed them."""
    from rclpy.serialization import deserialize_message

    from uav_testgen.ros.message_schema import message_class
    from uav_testgen.ros.px4 import compat
    from uav_testgen.ros.px4.offboard import Offboard, View
    from uav_testgen.ros.px4.offboard import Stage as Phase

    path = shared_data / "px4" / "behaviours.mcap"
    if not path.is_file():
        pytest.skip("recording ../shared/px4/behaviours.mcap is not here")
    offboard, commands = Offboard(), []
    began_s: float | None = None
    now_s = odometry_s = status_s = 0.0
    status: Any = None
    landed = True
    phases: list[tuple[Phase, float]] = []
    for topic, t_s, raw, kind in messages(path, *PLAYED):
        began_s = t_s if began_s is None else began_s
        now_s = t_s - began_s
        if topic == "vehicle_odometry":
            odometry_s = now_s
        elif topic.startswith("vehicle_status"):
            status, status_s = deserialize_message(raw, message_class(kind)), now_s
        elif topic == "vehicle_land_detected":
            landed = deserialize_message(raw, message_class(kind)).landed
        if status is None:
            continue
        if offboard.stage is Phase.IDLE:
            offboard.connect(now_s)
        if offboard.stage is Phase.READY and now_s > 6.0:
            offboard.start(now_s)
        if offboard.stage is Phase.FLYING and now_s > 32.0:
            offboard.finish(now_s)
        view = View(
            now_s=now_s,
            agent=True,
            odometry_age_s=now_s - odometry_s,
            status_age_s=now_s - status_s,
            armed=compat.is_armed(status),
            nav_state=status.nav_state,
            failsafe=status.failsafe,
            checks_pass=status.pre_flight_checks_pass,
            landed=landed,
        )
        commands += offboard.tick(view)
        if not phases or offboard.stage is not phases[-1][0]:
            phases.append((offboard.stage, round(now_s, 1)))
    order = ["SETTLING", "READY", "ENGAGING", "FLYING", "HOLDING", "FLYING", "LANDING", "OVER"]
    assert [phase.name for phase, _ in phases] == order
    times = [t_s for _, t_s in phases]
    assert times[3:] == pytest.approx([10.2, 22.2, 29.3, 32.0, 47.3], abs=0.2)
    assert offboard.failure is None
    assert offboard.holds == 1 and "went to POSCTL (failsafe)" in offboard.events[0]
    assert set(commands) == {compat.SET_OFFBOARD, compat.ARM, compat.LAND}
