"""`ros2 launch uav_testgen campaign.launch.py campaign:=FILE out:=DIR`: search, then fly the best."""

import sys
from pathlib import Path

from launch.actions import DeclareLaunchArgument, OpaqueFunction

from launch import LaunchDescription

sys.path.insert(0, str(Path(__file__).resolve().parent))

from campaign_actions import campaign_actions
from graph_actions import graph_launch


def generate_launch_description() -> LaunchDescription:
    """The lock-step graph, `uav-testgen campaign` and `uav-testgen confirm` beside it.

    Everything ends when they are finished, with their exit code.
    """
    description = graph_launch("lfs")
    for argument in (
        DeclareLaunchArgument("campaign", description="Campaign file"),
        DeclareLaunchArgument("out", description="Folder of the results; a campaign found there is resumed"),
        DeclareLaunchArgument("tests", default_value="5", description="How many of the best are flown here"),
        OpaqueFunction(function=campaign_actions),
    ):
        description.add_action(argument)
    return description
