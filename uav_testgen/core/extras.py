"""How to get what is not installed: the one table of modules that come with an extra or with ROS 2.

The sentence has to fit every way this package gets onto a machine: a wheel, a ROS workspace, the source tree.
"""

from __future__ import annotations

import importlib.util

from uav_testgen.core.errors import MissingDependency

EXTRA_OF = {
    "mcap": "ros",
    "open3d": "open3d",
    "pandas": "pandas",
    "pytest": "test",
    "ray": "ray",
    "starlette": "studio",
    "uvicorn": "studio",
    "websockets": "studio",
}
"""Modules that are imported somewhere but belong to no plain installation, and the extra that brings them."""

_FROM_ROS = ("rclpy", "rcl_interfaces", "builtin_interfaces", "ament_index_python", "launch", "launch_ros")


def way_to_get(module: str | None) -> str:
    """What to do about a module that cannot be imported."""
    top = (module or "").partition(".")[0]
    if top in EXTRA_OF:
        return f"install it with: pip install 'uav_testgen[{EXTRA_OF[top]}]' (in the source tree: make setup)"
    if top in _FROM_ROS or top.endswith("_msgs"):
        return (
            "source a ROS 2 workspace in which this package is built, or run 'make setup' in the source tree"
        )
    return "reinstall the package with pip (in the source tree: make setup)"


def require_ros(who: str) -> None:
    """Say at once that ROS 2 is missing, rather than let every started process say it."""
    for module in ("rclpy", "uav_testgen_msgs"):
        if importlib.util.find_spec(module) is None:
            raise MissingDependency(f"{who} needs {module}, which is not installed; {way_to_get(module)}")
