"""A system under test as one value: vehicle, cameras, planner, guide, timing, mission rules and scatter.

Presets are files in config/systems; `named_system("px4_mission_v1.12")` reads one. Everything that decides a
flight besides the scenario and the seed is in here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from uav_testgen.core.config import RoomConfig, load_config, parse_config
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.planner.registry import SHIPPED_PLANNER
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters
from uav_testgen.sensing.camera import DEFAULT_RIG, CameraRig, load_rig
from uav_testgen.vehicle.config import MissionRules, PaperVehicleConfig
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig


class OwnVehicleConfig(RoomConfig):
    """A vehicle of the user's own, given by `module:Class` or `file.py:Class`."""

    model: str = Field(pattern=":", description="module:Class or path/file.py:Class [-]")
    settings: dict[str, Any] = Field(default_factory=dict, description="arguments of the class")


def _vehicle_kind(data: Any) -> str:
    model = data.get("model", "") if isinstance(data, Mapping) else getattr(data, "model", "")
    return "own" if ":" in str(model) else str(model)


VehicleConfig = Annotated[
    Annotated[PaperVehicleConfig, Tag("paper")]
    | Annotated[Px4VehicleConfig, Tag("px4")]
    | Annotated[Px4OffboardConfig, Tag("px4_offboard")]
    | Annotated[OwnVehicleConfig, Tag("own")],
    Discriminator(_vehicle_kind),
]
VEHICLE_MODELS = {
    "paper": PaperVehicleConfig,
    "px4": Px4VehicleConfig,
    "px4_offboard": Px4OffboardConfig,
}


class Timing(RoomConfig):
    """When things happen within a step."""

    dt_s: float = Field(0.1, ge=0.005, le=1.0, description="time between two steps of the loop [s]")
    image_age_s: float = Field(
        0.0, ge=0, le=0.3, description="age of the image when planning with it begins [s]"
    )
    planning_s: float = Field(
        0.0, ge=0, le=0.18, description="time planning takes; the age of a plan counts from its end [s]"
    )
    plan_age_s: float = Field(
        0.0, ge=0, le=0.18, description="time from the beginning of planning to the set-point made of it [s]"
    )
    goal_delay_s: float = Field(
        0.0, ge=0, le=2, description="time from the mission's change of goal to the planner's [s]"
    )


class PlannerChoice(RoomConfig):
    """Which planner decides, and what it is told."""

    name: str = Field(SHIPPED_PLANNER, description="registered name, module:Class or path/file.py:Class [-]")
    implementation: Literal["compiled", "reference"] = Field(
        "compiled", description="of 3DVFH*: compiled, or the readable reference; their paths are equal [-]"
    )
    parameters: PlannerConfig = Field(default_factory=PlannerConfig, description="parameters of 3DVFH*")
    autopilot: Px4Parameters | None = Field(
        None, description="PX4 parameters 3DVFH* reads; none: those of the vehicle"
    )
    view_deg: tuple[float, float] | None = Field(
        None, description="view of a single camera the planner believes, across and up; none: nominal [deg]"
    )
    settings: dict[str, Any] = Field(default_factory=dict, description="arguments of another planner's class")

    @property
    def is_shipped(self) -> bool:
        """3DVFH*, for which compiled flights and calibrated probabilities exist."""
        return self.name == SHIPPED_PLANNER


class System(RoomConfig):
    """Everything that decides a flight besides the scenario and the seed."""

    name: str = Field("", description="name of the preset [-]")
    version: int = Field(1, ge=1, description="counts changes of the preset's numbers [1]")
    description: str = Field("", description="what is modelled [-]")
    vehicle: VehicleConfig = Field(default_factory=PaperVehicleConfig, description="how it moves")
    camera: str | CameraRig = Field(DEFAULT_RIG, description="camera preset, a .yaml file or the rig itself")
    planner: PlannerChoice = Field(default_factory=PlannerChoice, description="what decides")
    guide: Literal["waypoint", "first_node"] = Field(
        "first_node",
        description="how 3DVFH*'s path becomes set-points: PX4-Avoidance's waypoints, or its first node [-]",
    )
    timing: Timing = Field(default_factory=Timing, description="when things happen within a step")
    mission: MissionRules = Field(default_factory=MissionRules, description="begin and end of a flight")
    scatter: ScatterConfig = Field(default_factory=ScatterConfig, description="differences between runs")
    calibration: dict[str, Any] = Field(default_factory=dict, description="how the values were found")
    undecided: dict[str, tuple[float, float]] = Field(
        default_factory=dict,
        description="values that flights do not decide, as paths like vehicle.drag_per_s, each with the least and "
        "the largest that fit them as well",
    )

    @field_validator("planner", mode="before")
    @classmethod
    def _planner_by_name(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    @field_validator("undecided")
    @classmethod
    def _ordered_ranges(cls, value: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        for path, (low, high) in value.items():
            if not low <= high:
                raise ValueError(f"undecided {path}: {low:g} is above {high:g}")
        return value

    @model_validator(mode="after")
    def _check_steps(self) -> System:
        if self.mission.time_limit_s / self.timing.dt_s > 1e6:
            raise ValueError("time_limit_s / dt_s must not exceed a million steps")
        return self

    @property
    def rig(self) -> CameraRig:
        """The camera rig, read from its preset or file if need be."""
        return self.camera if isinstance(self.camera, CameraRig) else load_rig(self.camera)

    @property
    def autopilot(self) -> Px4Parameters:
        """What 3DVFH* reads of the autopilot."""
        if self.planner.autopilot is not None:
            return self.planner.autopilot
        if isinstance(self.vehicle, Px4VehicleConfig):
            return Px4Parameters(
                mpc_xy_cruise_mps=self.vehicle.mpc_xy_cruise_mps,
                mpc_acc_hor_mps2=self.vehicle.mpc_acc_hor_mps2,
            )
        return Px4Parameters()

    @property
    def positions_only(self) -> bool:
        """Does the vehicle fly to positions, or does it also follow demanded velocities and accelerations?"""
        return not isinstance(self.vehicle, Px4OffboardConfig)

    @property
    def feels_wind(self) -> bool:
        """Does wind move the vehicle?"""
        return isinstance(self.vehicle, (Px4VehicleConfig, Px4OffboardConfig))

    @property
    def label(self) -> str:
        """Name and version, as results record them."""
        return f"{self.name or 'unnamed'} (preset {self.version})"

    @property
    def is_calibrated(self) -> bool:
        """Were its numbers found on real flights, with this vehicle, camera and planner?"""
        return bool(self.calibration) and self.planner.is_shipped

    def changed(self, changes: Mapping[str, Any]) -> System:
        """The same system with some values replaced; keys are paths like `vehicle.speed_lock`."""
        data = self.model_dump()
        for path, value in changes.items():
            place: Any = data
            *parents, last = path.split(".")
            for part in parents:
                place = place[part] if isinstance(place, dict) and part in place else None
            if not isinstance(place, dict) or last not in place:
                raise ConfigError(f"system '{self.name}' has no field '{path}'")
            place[last] = value.model_dump() if isinstance(value, RoomConfig) else value
        made = parse_config(System, data, source=f"system '{self.name}'")
        # What was measured on real flights was measured with this vehicle, and through these eyes.
        if made.vehicle.model != self.vehicle.model or made.camera != self.camera:
            return made.model_copy(update={"calibration": {}})
        return made


def system_names() -> list[str]:
    """Shipped presets."""
    return sorted(path.stem for path in config_folder("systems").glob("*.yaml"))


def named_system(name: str = DEFAULT_SYSTEM) -> System:
    """A shipped preset by name, or the one in a YAML file."""
    if name.endswith((".yaml", ".yml")):
        return _read(Path(name))
    full = _full_name(name)
    if full is None:
        raise ConfigError(f"unknown system '{name}'{nearest_and_known(name, system_names())}")
    return _shipped(full)


def _full_name(name: str) -> str | None:
    """The shipped preset a name means; without a version the newest one (`px4_offboard`)."""
    names = system_names()
    if name in names:
        return name
    versions = [other for other in names if other.startswith(f"{name}_v")]
    return max(versions, key=_version) if name and versions else None


def _version(name: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", name.rpartition("_v")[2]))


@lru_cache(maxsize=16)
def _shipped(name: str) -> System:
    return _read(config_folder("systems") / f"{name}.yaml")


def _read(path: Path) -> System:
    system = load_config(System, path)
    return system if system.name else system.model_copy(update={"name": path.stem})


def assemble(
    system: str | System | Mapping[str, Any] | None = None,
    *,
    vehicle: str | None = None,
    planner: str | None = None,
    camera: str | None = None,
) -> System:
    """The system of a name, file or value, with single parts replaced.

    `vehicle` is a vehicle model, the name of a system whose vehicle is meant, or code (`file.py:Class`).
    """
    if isinstance(system, System):
        chosen = system
    elif isinstance(system, Mapping):
        chosen = parse_config(System, dict(system), source="system")
    else:
        chosen = named_system(system or DEFAULT_SYSTEM)
    changes: dict[str, Any] = {}
    if vehicle is not None:
        changes["vehicle"] = _vehicle(vehicle)
    if planner is not None:
        changes["planner.name"] = planner
    if camera is not None:
        changes["camera"] = camera
    if not changes:
        return chosen
    parts = ", ".join(f"{key.split('.')[0]} {given}" for key, given in
                      (("vehicle", vehicle), ("planner", planner), ("camera", camera)) if given)  # fmt: skip
    changed = chosen.changed(changes)
    calibration = changed.calibration if changed.vehicle == chosen.vehicle else {}
    return changed.model_copy(update={"name": f"{chosen.name} with {parts}", "calibration": calibration})


def _vehicle(name: str) -> Any:
    if ":" in name:
        return OwnVehicleConfig(model=name)
    if _full_name(name) is not None:
        return named_system(name).vehicle
    if name not in VEHICLE_MODELS:
        known = [*VEHICLE_MODELS, *system_names()]
        raise ConfigError(f"unknown vehicle '{name}'{nearest_and_known(name, known)}")
    return VEHICLE_MODELS[name]()
