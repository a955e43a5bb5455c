"""What counts where nothing else is asked for; one line each, for every door."""

from __future__ import annotations

from typing import Final

DEFAULT_SYSTEM: Final = "px4_mission_v1.12"
"""Calibrated on real flights of PX4 v1.12 with PX4-Avoidance in Gazebo."""
DEFAULT_BACKEND: Final = "lfs"
SAFE_DISTANCE_M: Final = 1.5
"""A flight that comes nearer fails (competition rules)."""
COLLISION_DISTANCE_M: Final = 0.25
"""A flight that comes nearer is scored as a collision (competition rules)."""
VEHICLE_HALF_WIDTH_M: Final = 0.125
"""Subtracted by Aerialist's distance since its 2024 version."""
