"""The name `ros` for a planner that is a ROS node of somebody else: it flies in the graph, not in process."""

from __future__ import annotations

from typing import Any

from uav_testgen.core.errors import ConfigError


class RosPlanner:
    """A ROS node of somebody else, reached through a planner profile (--backend graph --profile FILE)."""

    def __init__(self, **_settings: Any) -> None:
        raise ConfigError(
            "planner 'ros' is a node of its own: it flies with --backend graph --profile NAME|FILE [--start COMMAND]"
        )
