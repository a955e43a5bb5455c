"""What happened: the record of one flight, whoever flew it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.notebook import plan_view, table_html


class Ending(str, Enum):
    """Why a flight was over."""

    GOAL_REACHED = "goal_reached"
    COLLISION = "collision"
    TIME_LIMIT = "time_limit"
    STUCK = "stuck"
    LANDED_EARLY = "landed_early"
    OFFBOARD_LOST = "offboard_lost"
    ABORTED = "aborted"
    PLANNER_ERROR = "planner_error"
    PLANNER_LATE = "planner_late"

    @property
    def is_trouble_of_planner(self) -> bool:
        """Did the planner's code end the flight? Then it says nothing about the scenario, good or bad."""
        return self in (Ending.PLANNER_ERROR, Ending.PLANNER_LATE)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Sampled motion, ENU: times ascending, one row per sample. Arrays are read-only.

    Roll and pitch are NaN where whoever flew it does not tell them.
    """

    t_s: FloatArray
    position_enu_m: FloatArray
    velocity_enu_mps: FloatArray
    yaw_rad: FloatArray
    roll_rad: FloatArray = None  # type: ignore[assignment]
    pitch_rad: FloatArray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        count = len(self.t_s)
        shapes: dict[str, tuple[int, ...]] = {
            "position_enu_m": (count, 3),
            "velocity_enu_mps": (count, 3),
            "yaw_rad": (count,),
            "roll_rad": (count,),
            "pitch_rad": (count,),
        }
        for name in ("t_s", *shapes):
            given = getattr(self, name)
            array = np.ascontiguousarray(np.full(count, np.nan) if given is None else given, dtype=np.float64)
            if name in shapes and array.shape != shapes[name]:
                raise ValueError(f"{name} has shape {array.shape}, expected {shapes[name]}")
            array = array.copy() if array.flags.writeable else array
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if count > 1 and not bool(np.all(np.diff(self.t_s) > 0.0)):
            raise ValueError("t_s must ascend strictly")

    def __len__(self) -> int:
        return len(self.t_s)

    def __repr__(self) -> str:
        return f"<Trajectory: {len(self)} samples, {self.duration_s:.1f} s>"

    @property
    def duration_s(self) -> float:
        """Time from the first to the last sample."""
        return float(self.t_s[-1] - self.t_s[0]) if len(self.t_s) else 0.0


@dataclass(frozen=True, slots=True)
class Flight:
    """One run of one scenario by one backend.

    `system` names the vehicle, cameras and planner that flew; `reason` is the ending as a sentence. `details` holds
    what a backend wants to add (timing, versions, PX4 version) as plain JSON data; `clouds` and `planner_trace` are
    filled on request.
    """

    scenario_id: str
    backend: str
    system: str
    seed: int
    ending: Ending
    reason: str
    trajectory: Trajectory
    details: dict[str, Any] = field(default_factory=dict)
    clouds: tuple[NDArray[np.float32], ...] = ()
    planner_trace: tuple[dict[str, Any], ...] = ()

    @property
    def duration_s(self) -> float:
        """Simulated (or real) flight time."""
        return self.trajectory.duration_s

    def __repr__(self) -> str:
        """Without the samples: thousands of numbers say nothing at a prompt."""
        return (
            f"<Flight of scenario {self.scenario_id} by {self.backend} ({self.system}, seed {self.seed}): "
            f"{self.ending.value} after {self.duration_s:.1f} s, {self.reason}>"
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows = [
            ("ending", self.ending.value),
            ("reason", self.reason),
            ("duration", f"{self.duration_s:.1f} s"),
            ("samples", len(self.trajectory)),
            ("backend", self.backend),
            ("system", self.system),
            ("seed", self.seed),
            ("planner", self.details.get("planner_error")),
        ]
        title = f"Flight of scenario {self.scenario_id}"
        return table_html(title, rows, plan_view([self.trajectory.position_enu_m]))
