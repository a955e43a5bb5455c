"""A flight recorded to MCAP is complete, carries its schemas, and can be played back."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from nav_msgs.msg import Odometry
from uav_testgen_msgs.msg import Scenario, Verdict

from uav_testgen.core.errors import InputFileError, StoreError
from uav_testgen.ros import topics
from uav_testgen.ros.backends.graph import GraphBackend
from uav_testgen.ros.executor import spin_until
from uav_testgen.ros.player import play
from uav_testgen.ros.qos import LATCHED
from uav_testgen.ros.recording import recorded_topics

from .scenes import short_scene


def decoded(path: Path) -> dict[str, list]:
    """All messages by topic, read with nothing but the file."""
    found: dict[str, list] = {}
    with path.open("rb") as stream:
        for _, channel, _, message in make_reader(
            stream, decoder_factories=[DecoderFactory()]
        ).iter_decoded_messages():
            found.setdefault(channel.topic.lstrip("/"), []).append(message)
    return found


def test_record_read_and_play(composed: GraphBackend, tmp_path: Path) -> None:
    path = tmp_path / "flight.mcap"
    composed.record_to(path)
    flight = composed.fly(short_scene(), 4)
    steps = flight.details["steps"]
    found = decoded(path)
    assert len(found[topics.FLIGHT_STEP]) == steps
    assert len(found[topics.ODOMETRY]) == steps + 1
    assert len(found[topics.CLOUD]) == len(found[topics.SETPOINT]) == steps
    assert found[topics.SCENARIO][-1].id == short_scene().id
    assert found[topics.VERDICT][-1].final
    assert found[topics.TREE] and found[topics.PATH] and found[topics.TF] and found[topics.MARKERS]
    for sample, message in zip(flight.trajectory.position_enu_m, found[topics.ODOMETRY], strict=True):
        position = message.pose.pose.position
        assert (position.x, position.y, position.z) == tuple(sample)

    client = composed.client
    assert client is not None
    seen: dict[str, list] = {"odometry": [], "scenario": [], "verdict": []}
    for name, kind, qos in (
        ("odometry", Odometry, 1000),
        ("scenario", Scenario, LATCHED),
        ("verdict", Verdict, LATCHED),
    ):
        client.node.create_subscription(kind, f"/again/{name}", seen[name].append, qos)
    counts: dict[str, int] = {}
    everything = ("odometry", "scenario", "verdict")
    player = threading.Thread(
        target=lambda: counts.update(play(path, 10.0, "again", composed.domain, 5.0, everything))
    )
    player.start()
    # The verdict of an earlier flight may be the first thing in the file: wait for the stream as well.
    heard = spin_until(client.executor, lambda: all(seen[name] for name in everything), 90.0)
    assert heard, {name: len(messages) for name, messages in seen.items()}
    player.join(30.0)
    spin_until(client.executor, lambda: seen["scenario"][-1].id == short_scene().id, 10.0)
    assert counts["/odometry"] == steps + 1
    assert seen["scenario"][-1].id == short_scene().id


def test_playing_for_a_topic_that_was_not_recorded(composed: GraphBackend, tmp_path: Path) -> None:
    path = tmp_path / "flight.mcap"
    composed.record_to(path)
    composed.fly(short_scene(), 4)
    with pytest.raises(InputFileError, match=r"flight\.mcap: has no topic /odometri; it has .*/odometry"):
        play(path, 0.0, "again", composed.domain, 0.0, ("odometri",))


def test_a_recording_is_never_overwritten(composed: GraphBackend, tmp_path: Path) -> None:
    path = tmp_path / "precious.mcap"
    path.write_text("mine")
    composed.record_to(path)
    with pytest.raises(StoreError, match=r"precious\.mcap: exists"):
        composed.fly(short_scene(), 0)
    assert path.read_text() == "mine"
    assert composed.fly(short_scene(), 0).details["steps"] > 0


def test_every_recorded_type_has_a_schema_that_can_be_parsed() -> None:
    from mcap_ros2._dynamic import generate_dynamic

    from uav_testgen.ros.message_schema import definition, type_name

    for topic in recorded_topics():
        name = type_name(topic.kind)
        assert generate_dynamic(name, definition(topic.kind)), name


def test_late_joiners_get_scenario_and_verdict(composed: GraphBackend) -> None:
    flight = composed.fly(short_scene(), 9)
    client = composed.client
    assert client is not None
    scenarios: list[Scenario] = []
    verdicts: list[Verdict] = []
    one = client.node.create_subscription(Scenario, topics.SCENARIO, scenarios.append, LATCHED)
    two = client.node.create_subscription(Verdict, topics.VERDICT, verdicts.append, LATCHED)
    assert spin_until(client.executor, lambda: bool(scenarios) and bool(verdicts), 20.0)
    assert scenarios[-1].id == flight.scenario_id and scenarios[-1].seed == 9
    assert verdicts[-1].final and verdicts[-1].ending == flight.ending.value
    client.node.destroy_subscription(one)
    client.node.destroy_subscription(two)
