"""Core values to messages and back, field by field, without logic.

`<value>_to_msg` and `<value>_from_msg` come in pairs; a round trip gives back an equal value. "None" travels
as NaN (numbers), -1 (index) or 0 (mission speed). A message that breaks a rule of the core raises
InvalidScenario naming the field, because messages come from other programs.
"""

from __future__ import annotations

from uav_testgen.ros.convert.flight import (
    flight_from_msg,
    flight_to_msg,
    verdict_from_msg,
    verdict_to_msg,
)
from uav_testgen.ros.convert.parts import (
    header,
    point_to_msg,
    time_from_msg,
    time_to_msg,
    vector_to_msg,
    xyz_from_msg,
)
from uav_testgen.ros.convert.scenario import (
    arena_from_msg,
    arena_to_msg,
    mission_from_msg,
    mission_to_msg,
    obstacle_from_msg,
    obstacle_to_msg,
    scenario_from_msg,
    scenario_to_msg,
    terrain_from_msg,
    terrain_to_msg,
    wind_from_msg,
    wind_to_msg,
)

__all__ = [
    "arena_from_msg",
    "arena_to_msg",
    "flight_from_msg",
    "flight_to_msg",
    "header",
    "mission_from_msg",
    "mission_to_msg",
    "obstacle_from_msg",
    "obstacle_to_msg",
    "point_to_msg",
    "scenario_from_msg",
    "scenario_to_msg",
    "terrain_from_msg",
    "terrain_to_msg",
    "time_from_msg",
    "time_to_msg",
    "vector_to_msg",
    "verdict_from_msg",
    "verdict_to_msg",
    "wind_from_msg",
    "wind_to_msg",
    "xyz_from_msg",
]
