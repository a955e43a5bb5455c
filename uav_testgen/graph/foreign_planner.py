"""The graph with a planner of somebody else: planner_adapter_node in place of planner_node, set up by a profile.

The graph moves into a namespace of its own. So the planner has /clock, /tf and every other name for itself.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import Any, Final

from uav_testgen.core.errors import ConfigError
from uav_testgen.graph.companions import split_command
from uav_testgen.graph.description import SystemWish, Value
from uav_testgen.graph.planner_profile import load_profile, profile_path

PLANNER: Final = "ros"
"""Name of every planner that is reached through a profile."""
NODE: Final = "planner_adapter_node"
REPLACED: Final = "planner_node"
NAMESPACE: Final = "uav_testgen"
_BEYOND_S: Final = 3.0
"""The director gives the adapter this much more time than the adapter gives the planner, whom it can name better."""


def resolved_with(profile: str, start: str = "", **options: Any) -> dict[str, Any]:
    """Keyword arguments of `graph.description.resolve`, changed for a graph with such a planner if there is a profile.

    ConfigError where the profile is wrong, does not fit, or the program to start is not there.
    """
    wish: SystemWish = options.get("system") or SystemWish()
    if not profile:
        if wish.planner == PLANNER or start:
            raise ConfigError(
                f"planner '{PLANNER}' needs a planner profile: --profile NAME|FILE (launch: profile:=)"
            )
        return options
    if wish.planner not in ("", PLANNER):
        raise ConfigError(f"a planner profile goes with --planner {PLANNER}, not with '{wish.planner}'")
    if options.get("variant", "lfs") != "lfs":
        raise ConfigError(
            "a planner profile goes with the simulated graph (variant lfs), not with a live PX4"
        )
    limits = load_profile(profile).limits
    check_start(start)
    settings: dict[str, dict[str, Value]] = {
        name: dict(values) for name, values in (options.get("settings") or {}).items()
    }
    adapter = settings.setdefault(NODE, {})
    adapter |= {"profile": str(profile_path(profile).resolve()), "start": start}
    patience_s = max(limits.first_answer_s, limits.answer_s) + _BEYOND_S
    settings["scenario_node"] = {"step_timeout_s": patience_s, **settings.get("scenario_node", {})}
    in_file = wish.system.endswith((".yaml", ".yml"))
    return {
        **options,
        "without": (*options.get("without", ()), REPLACED),
        "with_nodes": (*options.get("with_nodes", ()), NODE),
        "settings": settings,
        "namespace": options.get("namespace") or NAMESPACE,
        "system": wish if in_file else replace(wish, planner=PLANNER),
    }


def check_start(command: str) -> None:
    """ConfigError unless the command names a program that can be found."""
    if not command:
        return
    environment, words = split_command(command)
    if shutil.which(words[0], path=environment.get("PATH")) is None:
        raise ConfigError(f"--start '{command}': no such program: {words[0]}")
