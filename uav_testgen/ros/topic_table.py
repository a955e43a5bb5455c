"""Every topic of the graph: type, who publishes it, how it travels, what it means. The page docs/reference/topics.md is
written from this, and a test compares it with a running graph.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from uav_testgen.ros import topics
from uav_testgen.ros.qos import DISPLAY, LATCHED, LOCK_STEP, SENSOR

EVERY_NODE: Final = "every node"
_VEHICLE: Final = "vehicle_node, live px4_bridge_node"
_CAMERA: Final = "depth_cloud_node"
PROFILES: Final = {"lock-step": LOCK_STEP, "latched": LATCHED, "sensor": SENSOR, "display": DISPLAY}


class TopicRow(NamedTuple):
    """One topic. `publisher` are nodes separated by commas; `on_demand`: made only while somebody listens."""

    name: str
    type_name: str
    publisher: str
    profile: str
    meaning: str
    on_demand: bool = False
    live_only: bool = False


_OURS = "uav_testgen_msgs/msg"
TOPICS: Final = (
    TopicRow(
        topics.SCENARIO,
        f"{_OURS}/Scenario",
        "scenario_node",
        "latched",
        "what is flown; its stamp names the flight",
    ),
    TopicRow(
        topics.FLIGHT_COMMAND,
        f"{_OURS}/FlightCommand",
        "scenario_node",
        "lock-step",
        "start and stop of a flight",
    ),
    TopicRow(
        topics.FLIGHT_STEP,
        f"{_OURS}/FlightStep",
        _VEHICLE,
        "lock-step",
        "step k: poses, goal, age of the image",
    ),
    TopicRow(
        topics.ODOMETRY,
        "nav_msgs/msg/Odometry",
        _VEHICLE,
        "lock-step",
        "pose in map, twist in base_link, covariances",
    ),
    TopicRow(
        topics.CLOUD,
        "sensor_msgs/msg/PointCloud2",
        _CAMERA,
        "lock-step",
        "what all cameras see, for the planner",
    ),
    TopicRow(
        topics.camera_topic("NAME", "image"),
        "sensor_msgs/msg/Image",
        _CAMERA,
        "sensor",
        "depth image of one camera, 32FC1, optical frame",
        True,
    ),
    TopicRow(
        topics.camera_topic("NAME", "camera_info"),
        "sensor_msgs/msg/CameraInfo",
        _CAMERA,
        "sensor",
        "its pin-hole model",
        True,
    ),
    TopicRow(
        topics.camera_topic("NAME", "points"),
        "sensor_msgs/msg/PointCloud2",
        _CAMERA,
        "sensor",
        "its cloud, organised, optical frame",
        True,
    ),
    TopicRow(
        topics.DEPTH_IMAGE, "sensor_msgs/msg/Image", _CAMERA, "sensor", "the first camera's image", True
    ),
    TopicRow(
        topics.CAMERA_INFO,
        "sensor_msgs/msg/CameraInfo",
        _CAMERA,
        "sensor",
        "the first camera's pin-hole model",
        True,
    ),
    TopicRow(
        topics.SETPOINT,
        f"{_OURS}/Setpoint",
        "planner_node",
        "lock-step",
        "the answer to a step, with its stamp",
    ),
    TopicRow(topics.PATH, "nav_msgs/msg/Path", "planner_node", "display", "the planned path", True),
    TopicRow(
        topics.TREE,
        "visualization_msgs/msg/MarkerArray",
        "planner_node",
        "display",
        "the look-ahead tree of 3DVFH*",
        True,
    ),
    TopicRow(
        topics.PLANNER_STATUS,
        f"{_OURS}/PlannerStatus",
        "planner_node",
        "display",
        "what the planner did in a step",
        True,
    ),
    TopicRow(
        topics.COST_IMAGE,
        "sensor_msgs/msg/Image",
        "planner_node",
        "display",
        "costs of 3DVFH* by direction, 32FC1",
        True,
    ),
    TopicRow(topics.FLIGHT, f"{_OURS}/Flight", _VEHICLE, "latched", "the record of a flight at its end"),
    TopicRow(
        topics.VERDICT, f"{_OURS}/Verdict", "oracle_node", "latched", "the judgement, developing and final"
    ),
    TopicRow(
        topics.MARKERS,
        "visualization_msgs/msg/MarkerArray",
        "scenario_node",
        "latched",
        "obstacles, safe distance, arena, mission, verdict",
    ),
    TopicRow(
        topics.RUNS,
        "visualization_msgs/msg/MarkerArray",
        "scenario_node",
        "latched",
        "paths of the scenario's flights so far",
    ),
    TopicRow(topics.CLOCK, "rosgraph_msgs/msg/Clock", "vehicle_node", "lock-step", "simulated time"),
    TopicRow(topics.TF, "tf2_msgs/msg/TFMessage", _VEHICLE, "lock-step", "map → base_link", True),
    TopicRow(
        topics.TF_STATIC,
        "tf2_msgs/msg/TFMessage",
        _CAMERA,
        "latched",
        "base_link → each camera → its optical frame",
    ),
    TopicRow(
        topics.STATUS,
        f"{_OURS}/NodeStatus",
        EVERY_NODE,
        "lock-step",
        "sign of life, state, step, whom a node hears",
    ),
    TopicRow(
        topics.DIAGNOSTICS,
        "diagnostic_msgs/msg/DiagnosticArray",
        EVERY_NODE,
        "display",
        "refused messages and facts, for aggregators",
    ),
    TopicRow(
        topics.GOAL,
        "geometry_msgs/msg/PoseStamped",
        "px4_bridge_node",
        "latched",
        "the waypoint flown to, in map",
        live_only=True,
    ),
    TopicRow(
        topics.GOAL_NED,
        "geometry_msgs/msg/PointStamped",
        "px4_bridge_node",
        "latched",
        "the same in PX4's local frame",
        live_only=True,
    ),
)


def topics_page() -> str:
    """The page in Markdown."""
    lines = [
        "# Topics",
        "",
        "Written by `make docs` from `uav_testgen/ros/topic_table.py`; do not edit by hand. Names are relative to the "
        'namespace of the graph, except `/diagnostics`. "On demand": made only while somebody listens.',
        "",
        "| topic | type | published by | QoS | meaning |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| `{row.name}` | `{row.type_name}` | {row.publisher} | {row.profile}{', on demand' if row.on_demand else ''} "
        f"| {row.meaning}{' (live PX4 only)' if row.live_only else ''} |"
        for row in TOPICS
    ]
    lines += ["", "| QoS | reliability | durability | history |", "|---|---|---|---|"]
    lines += [f"| {name} | {_words(profile)} |" for name, profile in PROFILES.items()]
    lines += [
        "",
        "Subscribe with the same or weaker demands: a reliable subscription does not match a sensor topic, a "
        "transient-local one no other than latched topics.",
        "",
        f"Service `{topics.LOAD_SCENARIO}` (`uav_testgen_msgs/srv/LoadScenario`) and action `{topics.FLY}` "
        "(`uav_testgen_msgs/action/Fly`) are offered by `scenario_node`.",
        "",
    ]
    return "\n".join(lines)


def _words(profile: QoSProfile) -> str:
    reliable = profile.reliability == ReliabilityPolicy.RELIABLE
    latched = profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
    return (
        f"{'reliable' if reliable else 'best effort'} | {'transient local' if latched else 'volatile'} "
        f"| keep last {profile.depth}"
    )


def matches(profile: str, offered: Any) -> bool:
    """Does an endpoint offer what the table says? Discovery tells reliability and durability, not the depth."""
    wanted = PROFILES[profile]
    return bool(offered.reliability == wanted.reliability and offered.durability == wanted.durability)
