"""The table of topics is what a running graph offers, and the shipped views find everything they name in it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from rclpy.qos import QoSProfile
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from uav_testgen.ros import topics
from uav_testgen.ros.backends.graph import GraphBackend
from uav_testgen.ros.qos import DISPLAY, LATCHED_READER
from uav_testgen.ros.tf_listener import insert_all
from uav_testgen.ros.tf_tree import TransformTree
from uav_testgen.ros.topic_table import EVERY_NODE, TOPICS, matches
from uav_testgen.scenario.model import Scenario

from .scenes import box, mission, moving

ROOT = Path(__file__).resolve().parents[3]
RVIZ = ROOT / "rviz" / "uav_testgen.rviz"
FOXGLOVE = ROOT / "config" / "foxglove" / "uav_testgen.json"
NODES = {"scenario_node", "depth_cloud_node", "planner_node", "vehicle_node", "oracle_node"}
NOT_OURS = re.compile(r"/(rosout|parameter_events)$|/_action/")


class Watched:
    """A graph that has flown, and what a viewer would have received."""

    def __init__(self, backend: GraphBackend) -> None:
        assert backend.client is not None
        self.node = backend.client.node
        self.tree = TransformTree()
        self.namespaces: dict[str, set[str]] = {}
        deep = QoSProfile(depth=5000)
        made = [
            self.node.create_subscription(
                TFMessage, topic, lambda m, static=static: insert_all(self.tree, m, static=static), qos
            )
            for topic, static, qos in (("tf", False, deep), ("tf_static", True, LATCHED_READER))
        ]
        made += [
            self.node.create_subscription(MarkerArray, topic, self._taker(topic), qos)
            for topic, qos in (
                (topics.MARKERS, LATCHED_READER),
                (topics.RUNS, LATCHED_READER),
                (topics.TREE, DISPLAY),
            )
        ]
        backend.client.connect_newest(lambda: None)
        scene = Scenario(
            mission=mission((16.0, 0.0, 6.0)),
            obstacles=(box(8.0, 0.6), moving(12.0, -6.0, (12.0, 6.0, 6.0), 1.0)),
        )
        for seed in (1, 2):
            backend.fly(scene, seed)
        end_s = time.monotonic() + 20.0
        while len(self.namespaces) < 3 and time.monotonic() < end_s:
            backend.client.executor.spin_once(timeout_sec=0.1)
        self.offered = {
            name: self.node.get_publishers_info_by_topic(name)
            for name, _ in self.node.get_topic_names_and_types()
            if not NOT_OURS.search(name)
        }
        for subscription in made:
            self.node.destroy_subscription(subscription)

    def _taker(self, topic: str) -> Any:
        def take(message: MarkerArray) -> None:
            found = self.namespaces.setdefault(topic, set())
            found.update(marker.ns for marker in message.markers if marker.ns)

        return take

    def publishers(self, topic: str) -> list[Any]:
        return [info for info in self.offered.get(topic, ()) if info.node_name in NODES]


@pytest.fixture(scope="module")
def watched(composed: GraphBackend) -> Iterator[Watched]:
    yield Watched(composed)


def test_the_pages_are_fresh() -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_ros_docs.py"), "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr[-2000:]


@pytest.mark.parametrize("row", [row for row in TOPICS if not row.live_only], ids=lambda row: row.name)
def test_a_row_of_the_table_is_true(watched: Watched, row: Any) -> None:
    name = f"/{row.name.lstrip('/')}".replace("NAME", "front")
    found = watched.publishers(name)
    wanted = NODES if row.publisher == EVERY_NODE else {row.publisher.split(",")[0]}
    assert {info.node_name for info in found} == wanted
    assert {info.topic_type for info in found} == {row.type_name}
    assert all(matches(row.profile, info.qos_profile) for info in found), found[0].qos_profile


def test_the_table_lacks_nothing(watched: Watched) -> None:
    known = {f"/{row.name.lstrip('/')}".replace("NAME", "front") for row in TOPICS}
    assert {name for name in watched.offered if watched.publishers(name)} <= known


def displays() -> list[dict[str, Any]]:
    return list(yaml.safe_load(RVIZ.read_text())["Visualization Manager"]["Displays"])


def test_every_topic_of_the_rviz_view_exists(watched: Watched) -> None:
    shown = {entry["Topic"]["Value"]: entry["Topic"] for entry in displays() if "Topic" in entry}
    assert {
        topics.MARKERS, topics.RUNS, topics.PATH, topics.TREE, topics.CLOUD, topics.DEPTH_IMAGE, topics.ODOMETRY
    } <= shown.keys()  # fmt: skip
    for name, wish in shown.items():
        offered = watched.publishers(f"/{name}")
        assert offered, name
        for info in offered:
            reliable = info.qos_profile.reliability.name == "RELIABLE"
            latched = info.qos_profile.durability.name == "TRANSIENT_LOCAL"
            assert reliable or wish["Reliability Policy"] == "Best Effort", name
            assert latched or wish["Durability Policy"] == "Volatile", name


def test_every_marker_namespace_of_the_rviz_view_is_drawn(watched: Watched) -> None:
    for entry in displays():
        if entry["Class"].endswith("MarkerArray"):
            assert set(entry["Namespaces"]) == watched.namespaces[entry["Topic"]["Value"]]


def test_every_frame_of_the_rviz_view_exists(watched: Watched) -> None:
    text = RVIZ.read_text()
    named = set(re.findall(r"(?:Fixed|Reference|Target) Frame: (\S+)", text))
    assert named and named <= set(watched.tree.frames)


def test_everything_the_foxglove_layout_names_exists(watched: Watched) -> None:
    panels = json.loads(FOXGLOVE.read_text())["configById"]
    named = set(re.findall(r'"(/[a-z_/]+)[".]', json.dumps(panels)))
    assert {
        f"/{name}" for name in (topics.MARKERS, topics.RUNS, topics.PATH, topics.TREE, topics.CLOUD)
    } <= named
    assert f"/{topics.VERDICT}" in named and f"/{topics.DEPTH_IMAGE}" in named
    missing = [name for name in named if not watched.publishers(name)]
    assert not missing
    assert {panels["3D!scene"]["followTf"], panels["3D!scene"]["fixedFrame"]} <= set(watched.tree.frames)


def test_rviz2_opens_the_view() -> None:
    program = shutil.which("rviz2")
    if program is None:
        pytest.skip("rviz2 is not installed: it comes with a ROS installation, not from the package index")
    if not os.environ.get("DISPLAY"):
        pytest.skip("rviz2 is installed, but there is no display to open it on: set DISPLAY (Xvfb will do)")
    running = subprocess.Popen(
        [program, "-d", str(RVIZ)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        running.wait(15.0)
        pytest.fail(
            f"rviz2 ended with {running.returncode}: {running.stdout.read() if running.stdout else ''}"
        )
    except subprocess.TimeoutExpired:
        running.terminate()
        said = running.communicate(timeout=15.0)[0]
    assert "[ERROR]" not in said and "failed to load" not in said.lower(), said
