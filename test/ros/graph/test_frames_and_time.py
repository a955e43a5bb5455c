"""Frames and times as a user's node finds them: REP-103 and REP-105, every camera, images stamped when taken."""

from __future__ import annotations

import importlib.util
import itertools
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, Image, PointCloud2
from tf2_msgs.msg import TFMessage
from uav_testgen_msgs.msg import FlightStep

from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.flight.model import Flight
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.ros.convert.cloud import cloud_from_msg
from uav_testgen.ros.executor import spin_until
from uav_testgen.ros.matching import stamp_ns
from uav_testgen.ros.qos import LATCHED_READER, SENSOR
from uav_testgen.ros.tf_listener import insert_all
from uav_testgen.ros.tf_tree import Placed, TransformTree
from uav_testgen.scenario.model import Scenario

from .conftest import ANALYTIC
from .scenes import box, mission

SCENE = Scenario(mission=mission((14.0, 2.0, 6.0)), obstacles=(box(7.0, 0.6), box(10.0, 8.0)))
CAMERAS = {"front": "camera", "left": "camera_left", "right": "camera_right"}
IMAGE_AGE_NS = 160_000_000
DEEP = QoSProfile(depth=50_000)
LONG_NS = 600 * 10**9
"""A listener keeps ten seconds; this one looks back at the whole flight."""


class UserNode:
    """Listens as somebody else's node would, and looks up transforms in what it has heard."""

    def __init__(self, backend: GraphBackend) -> None:
        assert backend.client is not None
        self.node, self.executor = backend.client.node, backend.client.executor
        self.heard: dict[str, list[Any]] = defaultdict(list)
        self.tree = TransformTree(kept_ns=LONG_NS)
        self.tf2 = tf2_buffer()
        camera = [
            (f"camera/{name}/depth/{what}", kind, SENSOR)
            for name in CAMERAS
            for what, kind in (("image", Image), ("camera_info", CameraInfo), ("points", PointCloud2))
        ]
        self.subscriptions = [
            self.node.create_subscription(kind, topic, self.heard[topic].append, qos)
            for topic, kind, qos in (
                ("odometry", Odometry, DEEP),
                ("flight/step", FlightStep, DEEP),
                ("clock", Clock, DEEP),
                ("camera/depth/points", PointCloud2, DEEP),
                *camera,
            )
        ] + [
            self.node.create_subscription(TFMessage, "tf", lambda m: self.take(m, False), DEEP),
            self.node.create_subscription(
                TFMessage, "tf_static", lambda m: self.take(m, True), LATCHED_READER
            ),
        ]
        backend.client.connect_newest(lambda: None)

    def take(self, message: TFMessage, static: bool) -> None:
        insert_all(self.tree, message, static=static)
        for one in message.transforms if self.tf2 is not None else ():
            self.tf2.set_transform_static(one, "test") if static else self.tf2.set_transform(one, "test")

    def lookup(self, target: str, source: str, stamp: int) -> Placed:
        """Ours, and tf2's own answer beside it where it is installed."""
        found = self.tree.lookup(target, source, stamp)
        if self.tf2 is not None:
            from rclpy.time import Time

            moved = self.tf2.lookup_transform(target, source, Time(nanoseconds=stamp)).transform.translation
            assert np.allclose(found.translation_m, (moved.x, moved.y, moved.z), atol=1e-6)
        return found

    def has_heard(self, steps: int) -> bool:
        """Everything of a flight that is sent reliably has been handled."""
        if len(self.heard["odometry"]) <= steps or len(self.heard["camera/depth/points"]) < steps:
            return False
        last_ns = stamp_ns(self.heard["odometry"][-1])
        ticks = self.heard["clock"]
        if not ticks or ticks[-1].clock.sec * 10**9 + ticks[-1].clock.nanosec < last_ns:
            return False
        try:
            self.tree.lookup("map", "base_link", last_ns)
        except PlannerInputError:
            return False
        return len(self.heard["flight/step"]) >= steps

    def close(self) -> None:
        for subscription in self.subscriptions:
            self.node.destroy_subscription(subscription)


def tf2_buffer() -> Any:
    """tf2's own buffer, where a ROS installation has it; the wheels have none."""
    if importlib.util.find_spec("tf2_ros") is None:
        return None
    import tf2_ros
    from rclpy.duration import Duration

    return tf2_ros.Buffer(cache_time=Duration(nanoseconds=LONG_NS))


@pytest.fixture(scope="module")
def flown() -> Iterator[tuple[UserNode, Flight]]:
    """One flight with three cameras and a clock for nodes with timers."""
    settings = {**ANALYTIC, "vehicle_node": {"clock_hz": 250.0}}
    config = GraphConfig(camera="three_cameras", settings=settings)
    with GraphBackend(config) as backend:
        user = UserNode(backend)
        flight = backend.fly(SCENE, 0)
        steps = flight.details["steps"]
        assert spin_until(user.executor, lambda: user.has_heard(steps), 60.0)
        yield user, flight
        user.close()


def test_the_tree_is_that_of_rep_105(flown: tuple[UserNode, Flight]) -> None:
    user, _ = flown
    tree = user.tree
    for stem in CAMERAS.values():
        optical, link = f"{stem}_optical", f"{stem}_link"
        assert [tree.parent(optical), tree.parent(link)] == [link, "base_link"]
    assert tree.parent("base_link") == "map" and tree.parent("map") is None
    moment = stamp_ns(user.heard["flight/step"][3])
    # REP-103: bodies x forward, y left, z up; optical frames z forward, x right, y down.
    turned = user.lookup("camera_link", "camera_optical", moment).rotation
    assert np.allclose(turned, [[0, 0, 1], [-1, 0, 0], [0, -1, 0]], atol=1e-12)
    left = user.lookup("base_link", "camera_left_link", moment)
    assert np.allclose(left.rotation[:, 0], [0.5, math.sqrt(0.75), 0.0], atol=1e-9), "it looks to the left"
    assert np.allclose(left.translation_m, [0.0, 0.0, -0.03])


def test_the_vehicle_is_where_odometry_says(flown: tuple[UserNode, Flight]) -> None:
    user, flight = flown
    odometry = user.heard["odometry"]
    assert len(odometry) == len(flight.trajectory.position_enu_m)
    turned = 0.0
    for before, after in itertools.pairwise(odometry):
        pose = after.pose.pose
        placed = user.lookup(after.header.frame_id, after.child_frame_id, stamp_ns(after))
        assert np.allclose(
            placed.translation_m, (pose.position.x, pose.position.y, pose.position.z), atol=1e-9
        )
        earlier = user.lookup("map", "base_link", stamp_ns(before))
        rates = after.twist.twist.angular
        spin = np.array([[0, -rates.z, rates.y], [rates.z, 0, -rates.x], [-rates.y, rates.x, 0]]) * 0.1
        assert np.allclose(earlier.rotation.T @ placed.rotation, _turn(spin), atol=1e-6)
        turned = max(turned, abs(rates.z))
        assert min(np.diag(np.reshape(after.pose.covariance, (6, 6)))) > 0.0
        assert min(np.diag(np.reshape(after.twist.covariance, (6, 6)))) > 0.0
    assert turned > 0.05, "it turns around the box"


def _turn(spin: np.ndarray) -> np.ndarray:
    """The rotation of a rotation vector, given as its cross-product matrix."""
    angle = math.sqrt(0.5 * float((spin * spin).sum()))
    if angle < 1e-12:
        return np.eye(3)
    unit = spin / angle
    return np.eye(3) + math.sin(angle) * unit + (1.0 - math.cos(angle)) * unit @ unit


def test_images_and_clouds_carry_the_time_at_which_they_were_taken(flown: tuple[UserNode, Flight]) -> None:
    user, _ = flown
    taken = {stamp_ns(step) - IMAGE_AGE_NS for step in user.heard["flight/step"]}
    for name, stem in CAMERAS.items():
        for what in ("image", "camera_info", "points"):
            messages = user.heard[f"camera/{name}/depth/{what}"]
            assert messages, f"camera/{name}/depth/{what}"
            assert {message.header.frame_id for message in messages} == {f"{stem}_optical"}
            assert {stamp_ns(message) for message in messages} <= taken


def test_a_cloud_of_a_camera_is_where_tf_puts_it(flown: tuple[UserNode, Flight]) -> None:
    """All cameras, placed by tf at their stamps, give the cloud in the map that the planner works with."""
    user, _ = flown
    merged = {stamp_ns(cloud) - IMAGE_AGE_NS: cloud for cloud in user.heard["camera/depth/points"]}
    by_stamp: dict[int, dict[str, PointCloud2]] = defaultdict(dict)
    for name in CAMERAS:
        for cloud in user.heard[f"camera/{name}/depth/points"]:
            by_stamp[stamp_ns(cloud)][name] = cloud
    whole = {stamp: clouds for stamp, clouds in by_stamp.items() if len(clouds) == len(CAMERAS)}
    assert len(whole) > 5
    seen = 0
    for stamp, clouds in whole.items():
        placed = [
            user.lookup("map", clouds[name].header.frame_id, stamp).apply(
                cloud_from_msg(clouds[name]).astype(np.float64)
            )
            for name in CAMERAS
        ]
        assert merged[stamp].header.frame_id == "map"
        wanted = cloud_from_msg(merged[stamp])
        assert np.allclose(np.concatenate(placed), wanted, atol=2e-5)
        seen += len(wanted)
    assert seen > 1000


def test_the_clock_ticks_for_nodes_with_timers(flown: tuple[UserNode, Flight]) -> None:
    user, _ = flown
    ticks = [tick.clock.sec * 10**9 + tick.clock.nanosec for tick in user.heard["clock"]]
    steps = [stamp_ns(step) for step in user.heard["flight/step"]]
    within = [tick for tick in ticks if steps[0] <= tick <= steps[-1]]
    gaps = [after - before for before, after in itertools.pairwise(within)]
    # A reader that falls behind loses ticks, as with any clock; those that come are 4 ms apart or multiples of it.
    assert min(gaps) > 0 and not any(gap % 4_000_000 for gap in gaps)
    assert gaps.count(4_000_000) > 0.5 * len(gaps) > 100
    assert set(steps) & set(ticks), "a step is a tick, so the clock advances with the loop"
    assert ticks[0] > 0, "zero would mean that there is no time yet"


def test_a_planner_takes_clouds_in_the_frame_of_the_camera(tmp_path: Any) -> None:
    """Placed through tf at their stamp; equal to the map's cloud up to single precision."""
    settings = {"depth_cloud_node": {"renderer": "analytic", "points_frame": "optical"}}
    with GraphBackend(GraphConfig(settings=settings)) as backend:
        user = UserNode(backend)
        over_tf = backend.fly(SCENE, 0)
        clouds = user.heard["camera/depth/points"]
        user.close()
    assert {cloud.header.frame_id for cloud in clouds} == {"camera_optical"}
    with LfsBackend() as lfs:
        direct = lfs.fly(SCENE, 0)
    assert over_tf.ending is direct.ending
    ours, theirs = over_tf.trajectory.position_enu_m, direct.trajectory.position_enu_m
    count = min(len(ours), len(theirs))
    assert abs(len(ours) - len(theirs)) <= 2
    assert np.linalg.norm(ours[:count] - theirs[:count], axis=1).max() < 0.3
