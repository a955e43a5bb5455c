"""Names of our topics, services, actions and frames; relative, so a namespace can hold several graphs."""

from __future__ import annotations

from typing import Final

from uav_testgen.sensing.frame_names import CAMERA_FRAME as CAMERA_FRAME
from uav_testgen.sensing.frame_names import CAMERA_OPTICAL_FRAME as CAMERA_OPTICAL_FRAME
from uav_testgen.sensing.frame_names import camera_frames as camera_frames
from uav_testgen.sensing.frame_names import ros_word

# Topics
SCENARIO: Final = "scenario"
DEPTH_IMAGE: Final = "camera/depth/image"
CAMERA_INFO: Final = "camera/depth/camera_info"
"""Of the first camera, under a name that is the same for every rig; `camera_topic` names those of each camera."""
CLOUD: Final = "camera/depth/points"
"""What all cameras see, for the planner; a step's cloud carries the stamp of the step."""
SETPOINT: Final = "planner/setpoint"
PATH: Final = "planner/path"
TREE: Final = "planner/tree"
PLANNER_STATUS: Final = "planner/status"
PLANNER_REPORT: Final = "planner/report"
"""What planner_adapter_node has to say about a flight: JSON."""
ODOMETRY: Final = "odometry"
GOAL: Final = "goal_pose"
"""The waypoint flown to, in `map`; for nodes that are the system under test."""
GOAL_NED: Final = "px4/goal_ned"
"""The same in PX4's own local frame: north, east, down of its origin."""
VERDICT: Final = "verdict"
MARKERS: Final = "markers"
COST_IMAGE: Final = "planner/cost"
FLIGHT_STEP: Final = "flight/step"
FLIGHT_COMMAND: Final = "flight/command"
FLIGHT: Final = "flight/record"
RUNS: Final = "flight/runs"
"""Paths of the flights of a scenario so far, for people."""
STATUS: Final = "status"
DIAGNOSTICS: Final = "/diagnostics"
"""Absolute, as everywhere in ROS: aggregators listen there, and each page carries the full name of its node."""
# Relative too: a graph in a namespace must not move the clock or the frames of another one.
CLOCK: Final = "clock"
TF: Final = "tf"
TF_STATIC: Final = "tf_static"

# Services and actions
LOAD_SCENARIO: Final = "load_scenario"
FLY: Final = "fly"

# Frames (REP-103 and REP-105)
MAP_FRAME: Final = "map"
"""ENU, metres; origin at the mission's origin."""
BASE_FRAME: Final = "base_link"
"""Vehicle, x forward, y left, z up."""


def camera_topic(camera: str, what: str) -> str:
    """A topic of one camera of the rig: `camera_topic("left", "image")` is camera/left/depth/image."""
    return f"camera/{ros_word(camera)}/depth/{what}"
