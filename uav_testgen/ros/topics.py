"""Names of our topics, services, actions and frames; relative, so a namespace can hold several graphs."""

from __future__ import annotations

from typing import Final

# Topics
SCENARIO: Final = "scenario"
DEPTH_IMAGE: Final = "camera/depth/image"
CAMERA_INFO: Final = "camera/depth/camera_info"
CLOUD: Final = "camera/depth/points"
SETPOINT: Final = "planner/setpoint"
PATH: Final = "planner/path"
TREE: Final = "planner/tree"
PLANNER_STATUS: Final = "planner/status"
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
STATUS: Final = "status"
# Relative too: a graph in a namespace must not move the clock or the frames of another one.
DIAGNOSTICS: Final = "diagnostics"
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
CAMERA_FRAME: Final = "camera_link"
"""Camera, x forward, y left, z up."""
CAMERA_OPTICAL_FRAME: Final = "camera_optical"
"""Camera, z forward, x right, y down, as images want it."""
