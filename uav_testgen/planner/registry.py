"""Planners by name; `module:Class` and `file.py:Class` work too."""

from __future__ import annotations

from typing import Final

from uav_testgen.core.plugin import is_plugin
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


def is_foreign(name: str) -> bool:
    """Is it code that does not belong to this package, and that another process can load by this name?"""
    if is_plugin(name):
        return True
    return name in PLANNERS.names() and not PLANNERS.built_in_target(name).startswith("uav_testgen.")
