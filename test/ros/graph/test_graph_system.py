"""Which system a graph flies, and what may be claimed of it. Nothing is started here."""

from __future__ import annotations

import pytest

from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.errors import ConfigError
from uav_testgen.loop.system import named_system
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig


def test_the_shipped_system_is_the_one_that_was_calibrated() -> None:
    system = GraphBackend().system
    assert system == named_system(DEFAULT_SYSTEM) and system.is_calibrated


@pytest.mark.parametrize("node", ["planner_node", "vehicle_node", "depth_cloud_node"])
def test_nothing_was_calibrated_with_a_node_from_outside(node: str) -> None:
    system = GraphBackend(GraphConfig(without=(node,))).system
    assert not system.is_calibrated and system.name == f"{DEFAULT_SYSTEM} with another {node}"


def test_a_graph_that_runs_already_is_taken_as_it_is() -> None:
    """Who flies in it is not known, so no system is asked for and nothing is claimed."""
    config = GraphConfig(start=False)
    assert config.asked_system == "" and not GraphBackend(config).system.is_calibrated
    assert GraphConfig(start=False, system="paper").asked_system == "paper"


def test_a_live_vehicle_is_not_the_calibrated_model() -> None:
    pytest.importorskip("px4_msgs")
    from uav_testgen.ros.backends.px4 import Px4Backend, Px4Config

    assert Px4Backend().system.name == "px4_live" and not Px4Backend().system.is_calibrated
    external = Px4Backend(Px4Config(sut="external")).system
    assert external.name == "px4_live with another planner_node"


def test_parts_are_replaced_and_wrong_names_refused() -> None:
    config = GraphConfig(system="paper", planner="straight", changes={"timing.dt_s": 0.2})
    system = GraphBackend(config).system
    assert (system.planner.name, system.timing.dt_s) == ("straight", 0.2)
    with pytest.raises(ConfigError, match="did you mean 'paper'"):
        GraphBackend(GraphConfig(system="papr"))
