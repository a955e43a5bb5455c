"""What a scenario asks for and the chosen simulator leaves out, said before anybody trusts the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uav_testgen.backend.registry import make_backend
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.scenario.model import Scenario, Wind
from uav_testgen.vehicle.px4.config import Px4VehicleConfig


def blind_spots(backend: str, settings: Mapping[str, Any], scenario: Scenario) -> tuple[str, ...]:
    """One sentence for each; empty where everything is simulated."""
    if backend not in ("lfs", "graph") or not _is_windy(scenario):
        return ()
    system = make_backend(backend, settings).system  # type: ignore[attr-defined]
    if isinstance(system.vehicle, Px4VehicleConfig):
        return ()
    return (f"system '{system.name}' does not feel the wind of this scenario; {DEFAULT_SYSTEM} does",)


def _is_windy(scenario: Scenario) -> bool:
    if scenario.logical is not None and scenario.logical.wind_mps[1] > 0.0:
        return True
    return _blows(scenario.wind)


def _blows(wind: Wind) -> bool:
    steady = wind.velocity_mean_mps > 0.0 or wind.velocity_variance > 0.0
    gust = wind.gust_velocity_mean_mps > 0.0 or wind.gust_velocity_variance > 0.0
    return steady or (gust and wind.gust_duration_s > 0.0)
