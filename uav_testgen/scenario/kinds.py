"""The categories a scenario is made of: ways of moving, landforms, ground covers."""

from __future__ import annotations

from enum import Enum


class MotionMode(str, Enum):
    """What a moving obstacle does when it arrives at the end of its line."""

    ONCE = "once"
    BACK_AND_FORTH = "back_and_forth"


class Landform(str, Enum):
    """Shape of the ground below the mission."""

    FLAT = "flat"
    DEPRESSION = "depression"
    ELEVATION = "elevation"
    STEEP_TRANSITION = "steep_transition"


class Surface(str, Enum):
    """What covers the ground; a depth camera gets no return from water."""

    LAND = "land"
    WATER = "water"
    MIXTURE = "mixture"
