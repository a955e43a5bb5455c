"""What people call an obstacle."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uav_testgen.scenario.model import Obstacle, Scenario


def obstacle_name(scenario: Scenario, index: int) -> str:
    """The obstacle as its file calls it, or by its number."""
    if index < len(scenario.obstacles):
        return called(scenario.obstacles[index], index)
    return f"obstacle {index + 1}"


def called(obstacle: Obstacle, index: int) -> str:
    """The same for an obstacle at hand; numbers count from 1, as people do."""
    return f"'{obstacle.name}'" if obstacle.name else f"obstacle {index + 1}"
