"""What all vehicles share: the layout of the body state and the phases of a mission.

The vehicle side knows the mission, as PX4's navigator does; the planner only hears goals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Layout of the body state, one float64 vector: position ENU, velocity ENU, attitude.
POSITION: Final = 0
VELOCITY: Final = 3
ROLL: Final = 6
PITCH: Final = 7
YAW: Final = 8
BODY_SIZE: Final = 9

# Phases of a mission.
TAKEOFF: Final = 0
LEG: Final = 1
LAND: Final = 2


def body_at(position_enu_m: tuple[float, float, float], yaw_rad: float) -> FloatArray:
    """A body at rest and level."""
    body = np.zeros(BODY_SIZE)
    body[POSITION : POSITION + 3] = position_enu_m
    body[YAW] = yaw_rad
    return body


@dataclass(frozen=True, slots=True)
class StepInput:
    """Everything a vehicle is told in one step."""

    t_s: float
    dt_s: float
    phase: int
    goal_enu_m: FloatArray
    previous_enu_m: FloatArray
    planned_now: bool
    path_enu_m: NDArray[np.float32]
    last_path_time_s: float
    cruise_mps: float


class Vehicle(Protocol):
    """A vehicle model outside compiled flights; it calls the same kernels as they do."""

    name: str

    @property
    def image_age_s(self) -> float:
        """Age of the images the planner works with; 0 if they show the present."""
        ...

    def image_pose(self, body: FloatArray) -> FloatArray:
        """Position, roll, pitch and yaw when the image was taken that is planned with now."""
        ...

    def step(self, body: FloatArray, command: StepInput) -> None:
        """Move the body by one step, in place."""
        ...
