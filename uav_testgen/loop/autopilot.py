"""The PX4 parameters a test sets, taken over by the system that flies it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.loop.system import System
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.parameters import parameter_fields, with_values


def system_for(system: System, scenario: Scenario) -> System:
    """The system as the test sets it up; the same one where the test sets nothing it has."""
    return with_parameters(system, scenario.parameters)


def with_parameters(system: System, values: Mapping[str, float]) -> System:
    """The system with other parameters; InvalidScenario where a value cannot be flown."""
    if not isinstance(system.vehicle, Px4VehicleConfig) or not set(values) & set(parameter_fields()):
        return system
    try:
        vehicle = with_values(system.vehicle, values)
    except ValueError as error:
        raise InvalidScenario(str(error)) from None
    # The navigator's acceptance radii are parameters of the vehicle and rules of the mission.
    rules = {}
    if "NAV_ACC_RAD" in values:
        rules["acceptance_radius_m"] = vehicle.nav_acc_rad_m
    if "NAV_MC_ALT_RAD" in values:
        rules |= dict.fromkeys(("altitude_acceptance_m", "height_tolerance_m"), vehicle.nav_mc_alt_rad_m)
    mission = system.mission.model_copy(update=rules)
    return system.model_copy(update={"vehicle": vehicle, "mission": mission})


def unused_parameters(system: System | None, names: Collection[str]) -> list[str]:
    """Those that change nothing in a flight of this system."""
    used = (
        set(parameter_fields())
        if system is not None and isinstance(system.vehicle, Px4VehicleConfig)
        else set()
    )
    return sorted(set(names) - used)
