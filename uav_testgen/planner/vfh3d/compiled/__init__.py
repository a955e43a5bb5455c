"""The compiled planner: float32, pruned only where the result is provably the same.

Read `vfh3d.reference` first; files of the same name hold the same part of the algorithm. Only here, in this order:
`grid` (tables), `workspace` (arrays), `bulk` (angles of many points), `attitude`, `goal`, `obstacle_cost` (a part of
`cost`), `cycle` (the steps of `planner` as kernels), `inspection` (results for traces). The guide is `guide_kernel`;
`guide` offers it to Python, `waypoint_guide` and `first_node` to compiled flights.
"""

from uav_testgen.planner.vfh3d.compiled.guide import CompiledWaypointGenerator
from uav_testgen.planner.vfh3d.compiled.planner import CompiledPlanner

__all__ = ["CompiledPlanner", "CompiledWaypointGenerator"]
