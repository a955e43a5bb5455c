"""`ros2 launch uav_testgen px4.launch.py`: see --show-args."""

import sys
from pathlib import Path

from launch import LaunchDescription

sys.path.insert(0, str(Path(__file__).resolve().parent))

from graph_actions import graph_launch


def generate_launch_description() -> LaunchDescription:
    """The graph of the variant 'px4'."""
    return graph_launch("px4", extra={"scenario": ("", "Scenario file to announce", "scenario_node.file")})
