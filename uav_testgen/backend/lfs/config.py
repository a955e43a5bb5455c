"""Settings of the low-fidelity simulator."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from uav_testgen.config import RoomConfig
from uav_testgen.planner.config import PlannerConfig, Px4Parameters
from uav_testgen.sensing.camera import DEFAULT_RIG, CameraRig, load_rig
from uav_testgen.vehicle.config import MissionRules, PaperVehicleConfig


def _paper_px4() -> Px4Parameters:
    """What the planner believes of the autopilot: 3 m/s, as the paper observed, and the recorded limits."""
    return Px4Parameters(mpc_xy_cruise_mps=3.0, mpc_acc_hor_mps2=5.0, mpc_jerk_max_mps3=20.0)


class LfsConfig(RoomConfig):
    """Everything that decides a flight besides the scenario and the seed."""

    dt_s: float = Field(0.1, ge=0.005, le=1.0, description="time between two sense-plan-move steps [s]")
    vehicle: Literal["paper"] = Field("paper", description="vehicle model [-]")
    paper: PaperVehicleConfig = Field(default_factory=PaperVehicleConfig, description="the paper's vehicle")
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
