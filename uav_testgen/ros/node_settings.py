"""What each node reads from its parameters: at its start, before a change is accepted, and in a rehearsal.

What a node is built of (its topics, its renderer, the system under test) is fixed; the rest may change between flights.
"""

from __future__ import annotations

from typing import Any

from uav_testgen.loop.system import System
from uav_testgen.oracle.base import ORACLES, Oracle
from uav_testgen.oracle.judging import RequirementsOracle
from uav_testgen.oracle.requirement import make_requirements
from uav_testgen.ros.node_configs import (
    OracleNodeConfig,
    PlannerNodeConfig,
    ScenarioNodeConfig,
    VehicleNodeConfig,
)
from uav_testgen.ros.params import declare_config
from uav_testgen.ros.system_params import declare_motion, declare_planning, declare_system


def scenario_settings(node: Any) -> ScenarioNodeConfig:
    """The parameters of the node."""
    return declare_config(node, ScenarioNodeConfig, live=True, fixed=("file", "expected_nodes", "system"))


def vehicle_settings(node: Any) -> tuple[VehicleNodeConfig, System]:
    """The parameters of the node."""
    return declare_config(node, VehicleNodeConfig, live=True), declare_motion(node, declare_system(node))


def planner_settings(node: Any) -> tuple[PlannerNodeConfig, System]:
    """The parameters of the node: how it runs, and the system whose planner it is."""
    chosen = declare_system(node)
    defaults = PlannerNodeConfig(implementation=chosen.planner.implementation)
    config = declare_config(
        node, PlannerNodeConfig, defaults=defaults, live=True, fixed=("implementation", "lock_step")
    )
    system = declare_planning(node, chosen if config.lock_step else _in_real_time(chosen))
    return config, system.changed({"planner.implementation": config.implementation})


def _in_real_time(system: System) -> System:
    """Beside a live vehicle planning takes its own time and goals travel by themselves."""
    return system.changed({"timing.goal_delay_s": 0.0, "timing.planning_s": 0.0})


def oracle_settings(node: Any) -> tuple[OracleNodeConfig, Oracle, Oracle]:
    """The parameters of the node: how often it speaks, by what it judges flights that go on and those that ended.

    Requirements speak about whole flights; until the end the distance does. They may be code, so they are fixed.
    """
    config = declare_config(node, OracleNodeConfig, live=True, fixed=("oracle", "requirements"))
    kind = ORACLES.load(config.oracle)
    limits = declare_config(node, kind.config_type, prefix="limits", live=True)
    oracle: Oracle = kind(limits)
    if not config.requirements:
        return config, oracle, oracle
    return config, oracle, RequirementsOracle(make_requirements(config.requirements), limits)
