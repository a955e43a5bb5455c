"""`ros2 launch uav_testgen replay.launch.py file:=FLIGHT.mcap`: play a recording, with rviz2 if wanted."""

import sys
from pathlib import Path
from typing import Any

from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.substitutions import LaunchConfiguration

from launch import LaunchDescription

sys.path.insert(0, str(Path(__file__).resolve().parent))

from graph_actions import rviz_node


def _rviz(context: Any) -> list[Any]:
    return [rviz_node(str(LaunchConfiguration("namespace").perform(context)))]


def generate_launch_description() -> LaunchDescription:
    """No node of ours: the recording speaks for all of them."""
    command = [
        "uav-testgen", "replay", LaunchConfiguration("file"), "--rate", LaunchConfiguration("rate"),
        "--namespace", LaunchConfiguration("namespace"), "--wait", LaunchConfiguration("wait"),
    ]  # fmt: skip
    return LaunchDescription(
        [
            DeclareLaunchArgument("file", description="Recording: FILE.mcap or the folder of a bag"),
            DeclareLaunchArgument("rate", default_value="1.0", description="Times real time"),
            DeclareLaunchArgument("namespace", default_value="", description="Play below this namespace"),
            DeclareLaunchArgument("wait", default_value="0", description="Keep latched topics this long [s]"),
            DeclareLaunchArgument("rviz", default_value="true", description="Start rviz2 with our view"),
            ExecuteProcess(cmd=command, output="screen"),
            OpaqueFunction(function=_rviz),
        ]
    )
