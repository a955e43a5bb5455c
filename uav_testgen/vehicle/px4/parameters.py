"""Which PX4 parameters the simulated autopilot has, by the names PX4 gives them.

The fields of `Px4VehicleConfig` carry those names in small letters, with a unit behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pydantic import ValidationError

from uav_testgen.vehicle.px4.config import Px4VehicleConfig

_UNITS = {"mps", "mps2", "mps3", "m", "s", "deg", "degps"}
_FAMILIES = ("MPC_", "NAV_", "MC_")


@lru_cache(maxsize=1)
def parameter_fields() -> Mapping[str, str]:
    """PX4's name of every simulated parameter, and the field that holds it."""
    found = {}
    for field in Px4VehicleConfig.model_fields:
        stem, _, unit = field.rpartition("_")
        name = (stem if unit in _UNITS else field).upper()
        if name.startswith(_FAMILIES):
            found[name] = field
    return found


def usual_value(name: str) -> float:
    """What a simulated parameter is where nobody sets it."""
    return float(Px4VehicleConfig.model_fields[parameter_fields()[name]].default)


def with_values(vehicle: Px4VehicleConfig, values: Mapping[str, float]) -> Px4VehicleConfig:
    """The vehicle with the simulated ones of these parameters; ValueError names the one out of its bounds."""
    changes = {field: values[name] for name, field in parameter_fields().items() if name in values}
    try:
        return Px4VehicleConfig.model_validate({**vehicle.model_dump(), **changes})
    except ValidationError as error:
        problem = error.errors()[0]
        field = str(problem["loc"][0])
        name = next((one for one, known in parameter_fields().items() if known == field), field)
        raise ValueError(f"PX4 parameter {name} = {problem['input']}: {problem['msg'].lower()}") from None
