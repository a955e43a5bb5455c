"""The compiled planner: float32, pruned only where the result is provably the same.

Reading order: `grid` (tables), `polar` (angles), `bulk` (angles of many points), `memory`, `histogram`,
`cost`, `candidates`, `tree`, `cycle`; `guide_kernel` is the second half of the planner.
"""

from uav_testgen.planner.vfh3d.compiled.guide import FastWaypointGenerator
from uav_testgen.planner.vfh3d.compiled.planner import FastPlanner

__all__ = ["FastPlanner", "FastWaypointGenerator"]
