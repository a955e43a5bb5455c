"""Planners by name; `module:Class` and `file.py:Class` work too."""

from __future__ import annotations

from typing import Final

from uav_testgen.core.registry import Registry

SHIPPED_PLANNER: Final = "vfh3d"

PLANNERS = Registry(
    "planner",
    {
        SHIPPED_PLANNER: "uav_testgen.planner.vfh3d.planner:Vfh3dPlanner",
        "straight": "uav_testgen.planner.straight:StraightPlanner",
        "potential_field": "uav_testgen.planner.potential_field:PotentialFieldPlanner",
    },
    # Not offered where names are chosen from: it needs a profile and the graph.
    unlisted={"ros": "uav_testgen.planner.over_ros:RosPlanner"},
)
