"""The node graph as data: which nodes, which parameters, which processes. No ROS import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.graph.description import GraphPlan as GraphPlan
    from uav_testgen.graph.description import load_graph as load_graph
    from uav_testgen.graph.description import resolve as resolve

__getattr__, __all__ = public_names(
    __name__,
    {
        "description": "GraphPlan load_graph resolve",
    },
)
