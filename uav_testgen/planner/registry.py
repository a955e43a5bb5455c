"""Planners by name; `module:Class` and `file.py:Class` work too."""

from __future__ import annotations

from typing import Any, Final

from uav_testgen.core.errors import ConfigError
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


def load_planner(name: str) -> Any:
    """The class, object or function behind a name; ConfigError if it cannot be a planner."""
    found = PLANNERS.load(name)
    if is_plugin(name) and (isinstance(found, type) or not callable(found)):
        check_planner(found, name)
    return found


def check_planner(planner: Any, name: str) -> None:
    """ConfigError names the methods that a class or an object lacks."""
    lacking = [method for method in ("reset", "plan") if not callable(getattr(planner, method, None))]
    if lacking:
        kind = f"class {planner.__name__}" if isinstance(planner, type) else f"a {type(planner).__name__}"
        raise ConfigError(
            f"planner '{name}': {kind} has no method {' and no '.join(lacking)}; "
            "a planner has reset(setup) and plan(observation)"
        )


def is_foreign(name: str) -> bool:
    """Is it code that does not belong to this package, and that another process can load by this name?"""
    if is_plugin(name):
        return True
    return name in PLANNERS.names() and not PLANNERS.built_in_target(name).startswith("uav_testgen.")
