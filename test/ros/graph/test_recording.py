"""A flight recorded to MCAP is complete, carries its schemas, and can be played back."""

from __future__ import annotations

import importlib.util
import itertools
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
import yaml
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

LATCHED_ONES = {"/scenario", "/flight/runs", "/markers", "/verdict", "/flight/record", "/tf_static"}


def decoded(path: Path) -> dict[str, list]:
    """All messages by topic, read with nothing but the file."""
    found: dict[str, list] = {}
    with path.open("rb") as stream:
        for _, channel, _, message in make_reader(
            stream, decoder_factories=[DecoderFactory()]
        ).iter_decoded_messages():
            found.setdefault(channel.topic.lstrip("/"), []).append(message)
    return found


def assert_is_a_bag(folder: Path, counts: dict[str, int]) -> None:
    """Every field that rosbag2 asks for in version 5; readers that are not ours agree where they are installed."""
    told = yaml.safe_load((folder / "metadata.yaml").read_text())["rosbag2_bagfile_information"]
    assert (told["version"], told["storage_identifier"]) == (5, "mcap")
    assert (told["compression_format"], told["compression_mode"]) == ("", "")
    assert told["message_count"] == sum(counts.values())
    assert 0 < told["duration"]["nanoseconds"] < 300e9
    assert told["starting_time"]["nanoseconds_since_epoch"] >= 0
    (file,) = told["files"]
    assert told["relative_file_paths"] == [file["path"]] and (folder / file["path"]).is_file()
    assert all(file[key] == told[key] for key in ("duration", "starting_time", "message_count"))
    by_topic = {}
    for topic in told["topics_with_message_count"]:
        metadata = topic["topic_metadata"]
        assert metadata["serialization_format"] == "cdr" and "/msg/" in metadata["type"]
        (offered,) = yaml.safe_load(metadata["offered_qos_profiles"])
        assert {type(offered[key]) for key in ("history", "reliability", "durability", "liveliness")} == {int}
        assert (offered["durability"] == 1) == (metadata["name"] in LATCHED_ONES), metadata["name"]
        by_topic[metadata["name"]] = topic["message_count"]
    assert {name: count for name, count in by_topic.items() if count} == counts
    if importlib.util.find_spec("rosbags") is not None:
        from rosbags.rosbag2 import Reader

        with Reader(folder) as bag:
            assert sum(1 for _ in bag.messages()) == bag.message_count == sum(counts.values())
    if shutil.which("ros2") is not None:
        info = subprocess.run(
            ["ros2", "bag", "info", str(folder)], capture_output=True, text=True, check=True
        )
        assert "/flight/step" in info.stdout


def test_a_name_without_ending_is_the_folder_of_a_bag(composed: GraphBackend, tmp_path: Path) -> None:
    composed.record_to(tmp_path / "monday")
    composed.fly(short_scene(), 4)
    assert sorted(path.name for path in (tmp_path / "monday").iterdir()) == ["metadata.yaml", "monday_0.mcap"]
    assert play(tmp_path / "monday", 0.0, "again", composed.domain, 0.0)["/odometry"] > 0


def test_a_second_recording_leaves_the_first_ones_metadata(composed: GraphBackend, tmp_path: Path) -> None:
    (tmp_path / "metadata.yaml").write_text("mine")
    composed.record_to(tmp_path / "second.mcap")
    composed.fly(short_scene(), 4)
    assert (tmp_path / "metadata.yaml").read_text() == "mine" and (
        tmp_path / "second.mcap"
    ).stat().st_size > 0


def log_times_ns(path: Path) -> list[int]:
    """When each message happened."""
    with path.open("rb") as stream:
        return [message.log_time for _, _, message in make_reader(stream).iter_messages()]


def test_record_read_and_play(composed: GraphBackend, tmp_path: Path) -> None:
    path = tmp_path / "flight.mcap"
    composed.fly(short_scene(), 3)
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
    times_ns = log_times_ns(path)
    assert times_ns == sorted(times_ns)
    # In this graph other flights came before: their time is no silence at the beginning of this one.
    assert max(later - earlier for earlier, later in itertools.pairwise(times_ns)) < 1_000_000_000
    for sample, message in zip(flight.trajectory.position_enu_m, found[topics.ODOMETRY], strict=True):
        position = message.pose.pose.position
        assert (position.x, position.y, position.z) == tuple(sample)

    assert_is_a_bag(tmp_path, {f"/{name}": len(messages) for name, messages in found.items()})
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
