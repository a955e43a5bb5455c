"""What a scenario asks for and the chosen simulator leaves out, said before anybody trusts the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from uav_testgen.backend.registry import make_backend
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.loop.autopilot import unused_parameters
from uav_testgen.loop.system import assemble
from uav_testgen.scenario.model import Scenario, Wind
from uav_testgen.vehicle.px4.parameters import parameter_fields

_WITH_TEST_FILES = ("aerialist", "folder")


def blind_spots(backend: str, settings: Mapping[str, Any], scenario: Scenario) -> tuple[str, ...]:
    """One sentence for each; empty where everything is simulated."""
    return (
        *_unused_conditions(scenario),
        *_beyond_the_camera(backend, scenario),
        *_unfelt_wind(backend, settings, scenario),
        *_unused_parameters(backend, settings, scenario),
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
    if system.feels_wind:
        return ()
    return (f"system '{system.name}' does not feel the wind of this scenario; {DEFAULT_SYSTEM} does",)


def _unused_parameters(backend: str, settings: Mapping[str, Any], scenario: Scenario) -> tuple[str, ...]:
    """PX4 parameters of the test; a real PX4 that a test file is written for has all of them."""
    if not scenario.parameters or backend in _WITH_TEST_FILES:
        return ()
    system = make_backend(backend, settings).system if backend == "lfs" else None  # type: ignore[attr-defined]
    if backend == "graph":
        system = assemble(settings.get("system"))
    unused = unused_parameters(system, scenario.parameters)
    if not unused:
        return ()
    simulated = ", ".join(parameter_fields())
    if backend == "px4":
        return (
            f"PX4 parameters of the test ({', '.join(unused)}) are not sent to the live PX4: set them there",
        )
    if system is None:
        return (f"the test sets PX4 parameters that this simulator does not have: {', '.join(unused)}",)
    return (
        f"the test sets PX4 parameters that change nothing here: {', '.join(unused)}; simulated are {simulated}",
    )


def _is_windy(scenario: Scenario) -> bool:
    if scenario.logical is not None and scenario.logical.wind_mps[1] > 0.0:
        return True
    return _blows(scenario.wind)


def _blows(wind: Wind) -> bool:
    steady = wind.velocity_mean_mps > 0.0 or wind.velocity_variance > 0.0
    gust = wind.gust_velocity_mean_mps > 0.0 or wind.gust_velocity_variance > 0.0
    return steady or (gust and wind.gust_duration_s > 0.0)
