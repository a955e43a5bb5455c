"""Recordings of live flights: one time base, PX4's own topics in both directions, and they can be played."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from uav_testgen.ros.player import play
from uav_testgen.ros.px4.recorded import px4_topics
from uav_testgen.ros.recording import FlightRecording
from uav_testgen.ros.recording_file import open_recording

from .conftest import Stage, small_scenario


def recorded_flight(path: Path, stage: Stage, spin_until: Callable[..., None]) -> None:
    stage.start({"speed": 2.0})
    with FlightRecording.maybe(stage.graph, path, live=px4_topics()):
        stage.announce(small_scenario())
        spin_until(lambda: stage.state("READY"), "READY")
        stage.order("START")
        spin_until(lambda: bool(stage.records), "the record", timeout_s=60.0)
        spin_until(lambda: stage.state("ENDED"), "the last status")


def test_live_recording(
    stage: Stage, spin_until: Callable[..., None], ros_domain: int, tmp_path: Path
) -> None:
    path = tmp_path / "flight.mcap"
    began_ns = time.time_ns()
    recorded_flight(path, stage, spin_until)
    counts: dict[str, int] = {}
    times: list[int] = []
    with open_recording(path) as recording:
        for message in recording.messages():
            topic = recording.channels[message.channel].topic
            counts[topic] = counts.get(topic, 0) + 1
            times.append(message.time_ns)
    assert began_ns <= times[0] and times[-1] <= time.time_ns(), "wall clock for everything"
    assert times == sorted(times)
    for topic in ("/status", "/odometry", "/flight/step", "/scenario"):
        assert counts[topic] > 0
    assert counts["/fmu/out/vehicle_odometry"] > 100 and counts["/fmu/out/vehicle_status_v1"] > 1
    assert counts["/fmu/in/trajectory_setpoint"] > 20 and counts["/fmu/in/vehicle_command"] >= 3

    played: dict[str, int] = {}
    player = threading.Thread(target=lambda: played.update(play(path, 100.0, "again", ros_domain, 0.0)))
    player.start()
    player.join(60.0)
    assert played["/fmu/out/vehicle_odometry"] == counts["/fmu/out/vehicle_odometry"]
    assert not any("/fmu/in/" in topic for topic in played), "nobody is commanded by a recording"


def test_every_recorded_type_has_a_schema_that_can_be_parsed() -> None:
    from mcap_ros2._dynamic import generate_dynamic

    from uav_testgen.ros.message_schema import definition, type_name

    found: list[Any] = list(px4_topics("px4_1"))
    assert any(topic.name == "/px4_1/fmu/in/vehicle_command" for topic in found)
    for topic in found:
        assert generate_dynamic(type_name(topic.kind), definition(topic.kind)), topic.name
