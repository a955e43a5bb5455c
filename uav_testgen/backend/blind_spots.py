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
    return (
        *_unused_conditions(scenario),
        *_beyond_the_camera(backend, scenario),
        *_unfelt_wind(backend, settings, scenario),
    )


def _unused_conditions(scenario: Scenario) -> tuple[str, ...]:
    named = scenario.conditions if scenario.logical is None else scenario.logical.unused
    if not named:
        return ()
    return (f"{', '.join(sorted(named))}: recorded, but no simulator here uses it",)


def _beyond_the_camera(backend: str, scenario: Scenario) -> tuple[str, ...]:
    """Fog so thin that the camera ends before it; without fog nothing is said."""
    from uav_testgen.scenario.model import Visibility
    from uav_testgen.sensing.camera import CameraConfig

    nearest_m = scenario.visibility.range_m if scenario.logical is None else scenario.logical.visibility_m[0]
    camera_m, clear_m = CameraConfig().far_m, Visibility().range_m
    if backend != "lfs" or not camera_m <= nearest_m < clear_m:
        return ()
    return (f"a visibility of {nearest_m:g} m changes nothing: the camera sees {camera_m:g} m at most",)


def _unfelt_wind(backend: str, settings: Mapping[str, Any], scenario: Scenario) -> tuple[str, ...]:
    if backend != "lfs" or not _is_windy(scenario):
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
