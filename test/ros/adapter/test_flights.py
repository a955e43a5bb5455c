"""Planners of others fly in all three ways to pass the time."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.flight.model import Ending

from .conftest import backend, command, scene

EGO_LIKE = """
time: {mode: wall, odometry_hz: 100.0}
limits: {first_answer_s: 60.0, answer_s: 60.0}
frames: {world: world}
to_planner:
  goal: {topic: /move_base_simple/goal}
  odometry: {topic: /drone_0_visual_slam/odom, twist_frame: world}
  camera_pose: {topic: /drone_0_pcl_render_node/camera_pose}
  cloud: {topic: /drone_0_pcl_render_node/cloud, frame: world}
  depth: {topic: /drone_0_pcl_render_node/depth, info_topic: /drone_0_pcl_render_node/camera_info, encoding: 16UC1}
from_planner:
  topic: /drone_0_planning/pos_cmd
  type: uav_testgen_msgs/Setpoint
  fields: {position: position, velocity: velocity, yaw: yaw}
  lead_s: 1.0
"""


def test_simulated_time_at_any_speed_with_a_planner_that_is_reset(tmp_path: Path) -> None:
    profile, word = tmp_path / "quick.yaml", tmp_path / "behaviour"
    word.write_text("lossy")  # publishes best effort, as drivers do
    profile.write_text(
        "time: {mode: sim_time, speed: 4.0}\n"
        "state: {reset: service, service: /path_planner/reset}\n"
        "limits: {first_answer_s: 60.0, answer_s: 60.0}\n"  # of a machine that may be busy elsewhere
    )
    start = command("path_planner_node.py", str(word)) + " --ros-args -p use_sim_time:=true"
    with backend(profile, start) as graph:
        assert not graph.capabilities.deterministic
        flight = graph.fly(scene(), seed=1)
        again = graph.fly(scene(), seed=1)
    assert flight.ending is again.ending is Ending.GOAL_REACHED
    # One process for both flights: it was new for the first and had to forget for the second.
    assert (tmp_path / "behaviour.resets").read_text() == "reset\n"
    assert flight.details["time_mode"] == "sim_time" and flight.details["repeatable"] is False
    report = flight.details["planner_over_ros"]
    assert report["speed"] == 4.0 and report["answers"] > 0
    assert 0.0 <= report["answer_age_s"]["median"] <= report["answer_age_s"]["max"]
    assert not [text for text in report["warnings"] if "/clock" in text]


def test_a_planner_with_wall_timers_flies_at_real_time(tmp_path: Path) -> None:
    profile = tmp_path / "ego_like.yaml"
    profile.write_text(EGO_LIKE)
    with backend(profile, command("ego_like_node.py")) as graph:
        flight = graph.fly(scene(5.0), seed=1)
    assert flight.ending is Ending.GOAL_REACHED, flight.reason
    assert flight.details["time_mode"] == "wall"
    report = flight.details["planner_over_ros"]
    assert report["answers"] > 0 and report["answer_age_s"] is not None
    # Never quicker than the wall's clock; a busy machine may take longer.
    assert flight.details["wall_s"] > 0.9 * flight.duration_s
