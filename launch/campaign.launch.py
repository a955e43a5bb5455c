"""`ros2 launch uav_testgen campaign.launch.py campaign:=FILE out:=DIR`: a campaign flown in the graph."""

import sys
from pathlib import Path

from launch import LaunchDescription

sys.path.insert(0, str(Path(__file__).resolve().parent))

from graph_actions import graph_launch


def generate_launch_description() -> LaunchDescription:
    """The lock-step graph with campaign_node; everything ends when the campaign is finished."""
    return graph_launch(
        "lfs",
        with_nodes="campaign_node",
        extra={
            "campaign": ("", "Campaign file", "campaign_node.file"),
            "out": ("", "Folder of the results", "campaign_node.out"),
        },
    )
