"""Settings of the low-fidelity simulator."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters
from uav_testgen.sensing.camera import DEFAULT_RIG, CameraRig, load_rig
from uav_testgen.vehicle.config import MissionRules, PaperVehicleConfig
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.preset import load_px4_preset


def _paper_px4() -> Px4Parameters:
    """What the planner believes of the autopilot: 3 m/s, as the paper observed, and the recorded limits."""
    return Px4Parameters(mpc_xy_cruise_mps=3.0, mpc_acc_hor_mps2=5.0, mpc_jerk_max_mps3=20.0)


def _px4_defaults(vehicle: Any) -> dict[str, Any]:
    """What goes with the PX4 vehicle unless something else is asked for: firmware values, real camera."""
    settings = load_px4_preset().vehicle if vehicle is None else Px4VehicleConfig.model_validate(vehicle)
    return {
        "px4_vehicle": settings,
        "px4": Px4Parameters(
            mpc_xy_cruise_mps=settings.mpc_xy_cruise_mps, mpc_acc_hor_mps2=settings.mpc_acc_hor_mps2
        ),
        "camera": "hfs_64x48_offset" if settings.camera_offset else DEFAULT_RIG,
        "mission": MissionRules(
            acceptance_radius_m=settings.nav_acc_rad_m,
            altitude_acceptance_m=settings.nav_mc_alt_rad_m,
            height_tolerance_m=settings.nav_mc_alt_rad_m,
            time_limit_s=900.0,
            stuck_time_s=150.0,
        ),
    }


class LfsConfig(RoomConfig):
    """Everything that decides a flight besides the scenario and the seed."""

    dt_s: float = Field(0.1, ge=0.005, le=1.0, description="time between two sense-plan-move steps [s]")
    vehicle: Literal["paper", "px4"] = Field(
        "paper", description="vehicle model: the paper's rule, or the calibrated autopilot [-]"
    )
    paper: PaperVehicleConfig = Field(default_factory=PaperVehicleConfig, description="the paper's vehicle")
    px4_vehicle: Px4VehicleConfig = Field(
        default_factory=Px4VehicleConfig, description="the simulated autopilot"
    )
    mission: MissionRules = Field(default_factory=MissionRules, description="begin and end of a flight")
    planner: PlannerConfig = Field(default_factory=PlannerConfig, description="planner parameters")
    px4: Px4Parameters = Field(default_factory=_paper_px4, description="PX4 parameters the planner reads")
    camera: str | CameraRig = Field(DEFAULT_RIG, description="camera preset, a .yaml file or the rig itself")
    renderer: Literal["analytic", "open3d"] = Field("analytic", description="who makes the depth image [-]")
    implementation: Literal["fast", "strict"] = Field("fast", description="planner implementation [-]")
    stepwise: bool = Field(
        False, description="fly step by step in Python instead of one compiled function (same flight) [-]"
    )
    record_clouds: bool = Field(False, description="keep the cloud of every step in the flight [-]")
    record_planner: bool = Field(False, description="keep path, tree and costs of every step [-]")
    jobs: int = Field(0, ge=0, le=1024, description="worker processes of a batch, 0 = one per core [1]")
    chunk: int = Field(16, ge=1, le=4096, description="flights handed to a worker at a time [1]")

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("vehicle") == "px4":
            return {**_px4_defaults(data.get("px4_vehicle")), **data}
        return data

    @model_validator(mode="after")
    def _check_steps(self) -> LfsConfig:
        if self.mission.time_limit_s / self.dt_s > 1e6:
            raise ValueError("time_limit_s / dt_s must not exceed a million steps")
        return self

    @property
    def rig(self) -> CameraRig:
        """The camera rig, read from its preset or file if need be."""
        return self.camera if isinstance(self.camera, CameraRig) else load_rig(self.camera)

    @property
    def is_stepwise(self) -> bool:
        """True if the flight cannot be one compiled function."""
        return (
            self.stepwise
            or self.renderer != "analytic"
            or self.implementation != "fast"
            or self.record_clouds
            or self.record_planner
        )
