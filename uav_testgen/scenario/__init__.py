"""What is tested: frozen scenario values, arena rules, validity, file formats. Start with `model`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.scenario.arena import Arena as Arena
    from uav_testgen.scenario.feasibility import problems as problems
    from uav_testgen.scenario.model import Mission as Mission
    from uav_testgen.scenario.model import Obstacle as Obstacle
    from uav_testgen.scenario.model import Scenario as Scenario
    from uav_testgen.scenario.model import Terrain as Terrain
    from uav_testgen.scenario.model import Visibility as Visibility
    from uav_testgen.scenario.model import Waypoint as Waypoint
    from uav_testgen.scenario.model import Wind as Wind
    from uav_testgen.scenario.validity import violations as violations

__getattr__, __all__ = public_names(
    __name__,
    {
        "model": "Mission Obstacle Scenario Terrain Visibility Waypoint Wind",
        "arena": "Arena",
        "validity": "violations",
        "feasibility": "problems",
    },
)
