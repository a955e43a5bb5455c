"""recorder_node: writes the topics of the graph into an MCAP file for Foxglove and `ros2 bag`.

Subscribes  everything of docs/reference/ros.md, as raw bytes
Parameters  file: FILE.mcap or the folder of a bag (refused if it exists), clouds;
            live: a PX4 flies, in the namespace px4_namespace
The file is finished when the node is told to stop (SIGINT, SIGTERM).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.graph_node import GraphNode
from uav_testgen.ros.node_configs import RecorderNodeConfig
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.px4.recorded import px4_topics
from uav_testgen.ros.recording import FlightRecording


class RecorderNode(GraphNode):
    """A recording with a heartbeat."""

    def __init__(self, **options: Any) -> None:
        super().__init__("recorder_node", **options)
        self.config = declare_config(self, RecorderNodeConfig)
        live = px4_topics(self.config.px4_namespace) if self.config.live else None
        self.recording = FlightRecording(self, Path(self.config.file), self.config.clouds, live)
        self.get_logger().info(f"recording to {self.recording.path}")
        self.take_part()

    def destroy_node(self) -> None:
        """Finish the file before the node goes."""
        self.recording.close()
        super().destroy_node()


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen recorder_node`."""
    return run_nodes([RecorderNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
