"""A backend without a planner: the drone follows its route at constant speed and sees nothing.

It is the null hypothesis of every search (what would happen if nothing avoided), and it makes
campaigns testable in milliseconds. A seeded side drift stands in for the scatter of real flights.
"""

from __future__ import annotations

from types import TracebackType

import numpy as np
from pydantic import Field

from uav_testgen.backend.base import Capabilities
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.rng import stream
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.scenario.model import Scenario


class StillConfig(RoomConfig):
    """How the blind drone moves."""

    speed_mps: float = Field(default=3.0, gt=0, le=50, description="Speed along the route [m/s]")
    period_s: float = Field(default=0.5, gt=0, le=10, description="Time between samples [s]")
    drift_m: float = Field(
        default=0.0, ge=0, le=100, description="Standard deviation of a constant side offset [m]"
    )
    work_s: float = Field(
        default=0.0, ge=0, le=600, description="Time each flight takes on the wall clock [s]"
    )


class StillBackend:
    """Flies the straight legs of the mission, offset sideways by a seeded constant."""

    name = "still"
    capabilities = Capabilities(deterministic=True, evidence=Evidence.PREDICTED)
    config_type = StillConfig

    def __init__(self, config: StillConfig | None = None) -> None:
        self.config = config or StillConfig()

    def __enter__(self) -> StillBackend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing was started."""

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        """One blind flight."""
        if self.config.work_s:
            # Stands in for a slow simulator where waiting, interrupting and killing are exercised.
            import time

            time.sleep(self.config.work_s)
        route = np.array(scenario.mission.route_enu_m, dtype=np.float64)
        offset = stream(seed, "still", scenario.id).normal(0.0, 1.0, size=2) * self.config.drift_m
        route[:, :2] += offset
        trajectory = _along(route, self.config.speed_mps, self.config.period_s)
        return Flight(
            scenario_id=scenario.id,
            backend=self.name,
            system="blind",
            seed=seed,
            ending=Ending.GOAL_REACHED,
            reason="followed its route without looking",
            trajectory=trajectory,
        )


def _along(route: np.ndarray, speed_mps: float, period_s: float) -> Trajectory:
    """Samples at constant speed along a polyline, its end included."""
    legs = np.linalg.norm(np.diff(route, axis=0), axis=1)
    reached_s = np.concatenate([[0.0], np.cumsum(legs)]) / speed_mps
    keep = np.concatenate([[True], np.diff(reached_s) > 1e-9])
    route, reached_s = route[keep], reached_s[keep]
    end_s = float(reached_s[-1])
    times = np.append(np.arange(0.0, end_s, period_s), end_s) if end_s > 0 else np.array([0.0])
    times = times[np.concatenate([[True], np.diff(times) > 1e-9])]
    position = np.column_stack([np.interp(times, reached_s, route[:, axis]) for axis in range(3)])
    velocity = np.gradient(position, times, axis=0) if len(times) > 1 else np.zeros_like(position)
    yaw = np.arctan2(velocity[:, 1], velocity[:, 0])
    return Trajectory(times, position, velocity, yaw)
