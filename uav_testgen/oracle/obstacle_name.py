"""What people call an obstacle."""

from __future__ import annotations

from uav_testgen.scenario.model import Scenario


def obstacle_name(scenario: Scenario, index: int) -> str:
    """The obstacle as its file calls it, or by its number."""
    name = scenario.obstacles[index].name if index < len(scenario.obstacles) else ""
    return f"'{name}'" if name else f"obstacle {index + 1}"
