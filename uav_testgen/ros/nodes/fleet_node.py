"""fleet_node: a fleet of drones on a grid of cells, visible in rviz2.

Subscribes  fleet/task (std_msgs/String): a task as in a scenario file, JSON, for the first controller
Publishes   fleet/map (latched), fleet/poses, fleet/markers, fleet/report (std_msgs/String: tick and scores)
Parameters  scenario, seed, tick_rate_hz, cell_size_m, level
"""

from __future__ import annotations

import json
import sys
from typing import Any

from geometry_msgs.msg import PoseArray
from nav_msgs.msg import OccupancyGrid
from pydantic import Field
from rclpy.node import Node
from std_msgs.msg import String
from visualization_msgs.msg import MarkerArray

from uav_testgen.core.config import RoomConfig, parse_config
from uav_testgen.core.errors import ConfigError, UavTestgenError
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.library import find_scenario
from uav_testgen.fleet.scenario import load_fleet_scenario
from uav_testgen.fleet.specs import TaskSpec
from uav_testgen.ros.executor import run_nodes
from uav_testgen.ros.fleet_messages import grid_to_msg, markers_to_msg, poses_to_msg
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.qos import DISPLAY, LATCHED

MAX_TASK_CHARACTERS = 100_000


class FleetNodeConfig(RoomConfig):
    """Which fleet, how fast, how large its cells are shown."""

    scenario: str = Field(default="package-delivery", description="Name in config/fleet or a JSON file")
    seed: int = Field(default=0, ge=0, le=2**31 - 1, description="Seed of radio loss and disturbances")
    tick_rate_hz: float = Field(default=4.0, gt=0, le=1000, description="Ticks per second of wall time [1/s]")
    cell_size_m: float = Field(default=1.0, gt=0, le=1000, description="Edge of a cell as shown [m]")
    level: int = Field(default=0, ge=0, le=1000, description="Height level shown as the map")


class FleetNode(Node):
    """Runs the simulation by a timer; it goes on after the last task, because new ones may come."""

    def __init__(self, **options: Any) -> None:
        super().__init__("fleet_node", **options)
        self.config = declare_config(self, FleetNodeConfig)
        scenario = load_fleet_scenario(find_scenario(self.config.scenario))
        self.simulation = FleetSimulation(scenario, seed=self.config.seed)
        if not self.simulation.controllers:
            raise ConfigError(f"fleet scenario '{self.config.scenario}' has no controller to give tasks to")
        self.refused_tasks = 0
        self._map = self.create_publisher(OccupancyGrid, "fleet/map", LATCHED)
        self._poses = self.create_publisher(PoseArray, "fleet/poses", DISPLAY)
        self._markers = self.create_publisher(MarkerArray, "fleet/markers", DISPLAY)
        self._report = self.create_publisher(String, "fleet/report", DISPLAY)
        self.create_subscription(String, "fleet/task", self._take_task, 10)
        self._publish_map()
        self._blocked = len(self.simulation.world.blocked)
        self.create_timer(1.0 / self.config.tick_rate_hz, self.tick)

    def tick(self) -> None:
        """One tick of the fleet and its picture."""
        report = self.simulation.step()
        if len(self.simulation.world.blocked) != self._blocked:
            self._blocked = len(self.simulation.world.blocked)
            self._publish_map()
        self._poses.publish(poses_to_msg(self.simulation, self.config.cell_size_m))
        if self._markers.get_subscription_count() > 0:
            self._markers.publish(markers_to_msg(self.simulation, self.config.cell_size_m))
        scores = [{"task": s.task_id, "drone": s.drone_id, "score": s.score} for s in report.scores]
        self._report.publish(String(data=json.dumps({"tick": report.tick, "scores": scores})))

    def _publish_map(self) -> None:
        self._map.publish(grid_to_msg(self.simulation, self.config.level, self.config.cell_size_m))

    def _take_task(self, message: String) -> None:
        try:
            self._add_task(message.data)
        except UavTestgenError as error:
            self.refused_tasks += 1
            self.get_logger().warning(f"task refused: {error}", throttle_duration_sec=1.0)

    def _add_task(self, text: str) -> None:
        if len(text) > MAX_TASK_CHARACTERS:
            raise ConfigError(f"fleet/task: {len(text)} characters, at most {MAX_TASK_CHARACTERS}")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"fleet/task: not valid JSON ({error})") from None
        if isinstance(data, list):
            data = {"instructions": data}
        if not isinstance(data, dict):
            raise ConfigError("fleet/task: a list of instructions or a task object is expected")
        spec = parse_config(TaskSpec, data, source="fleet/task")
        world = self.simulation.world
        for item in spec.instructions:
            for place in (item.Position, item.From, item.At):
                if place is not None and not world.contains(place):
                    raise ConfigError(f"fleet/task: {place} lies outside the world of size {world.size}")
        controller = self.simulation.controllers[0]
        controller.add_task(spec.to_task(max(controller.records, default=0) + 1))


def main(arguments: list[str] | None = None) -> int:
    """Entry point of `ros2 run uav_testgen fleet_node`."""
    return run_nodes([FleetNode], arguments)


if __name__ == "__main__":
    sys.exit(main())
