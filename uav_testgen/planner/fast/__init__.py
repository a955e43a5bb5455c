"""The compiled planner: float32, pruned only where the result is provably the same.

Reading order: `grid` (tables), `polar` (angles), `bulk` (angles of many points), `memory`, `histogram`,
`cost`, `candidates`, `tree`, `cycle`; `waypoint_kernel` is the second half of the planner.
"""

from uav_testgen.planner.fast.local_planner import FastPlanner
from uav_testgen.planner.fast.unit_helpers import FastUnitHelpers
from uav_testgen.planner.fast.waypoint_generator import FastWaypointGenerator

__all__ = ["FastPlanner", "FastUnitHelpers", "FastWaypointGenerator"]
