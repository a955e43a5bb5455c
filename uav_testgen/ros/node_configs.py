"""Parameters of the nodes themselves; those of the core come from the rooms' own configurations."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.core.config import RoomConfig
from uav_testgen.ros.flight_director import DirectorConfig
from uav_testgen.vehicle.config import MissionRules, PaperVehicleConfig
from uav_testgen.vehicle.px4.config import Px4VehicleConfig


def rig_for(vehicle: str, rig: str) -> str:
    """The camera rig asked for, or the one that goes with the vehicle."""
    return rig or str(LfsConfig(vehicle=vehicle).camera)


class DepthCloudConfig(RoomConfig):
    """What depth_cloud_node renders and when."""

    rig: str = Field(
        default="", description="Cameras: a preset of config/cameras or a YAML file; empty: the vehicle's"
    )
    renderer: Literal["open3d", "analytic"] = Field(
        default="open3d", description="open3d or analytic; their clouds are equal"
    )
    lock_step: bool = Field(
        default=True, description="Render every flight step; false: the newest odometry, at the camera's rate"
    )


class PlannerNodeConfig(RoomConfig):
    """How planner_node runs the planner."""

    implementation: Literal["fast", "strict"] = Field(
        default="fast", description="fast (compiled) or strict (readable reference); their paths are equal"
    )
    rig: str = Field(
        default="", description="Cameras whose fields of view the planner is told; empty: the vehicle's"
    )
    lock_step: bool = Field(
        default=True, description="Answer every flight step; false: plan on the newest cloud and odometry"
    )
    max_age_s: float = Field(
        default=0.5, gt=0, le=10, description="Not in lock-step: older clouds and odometry are not used [s]"
    )


class ScenarioNodeConfig(DirectorConfig):
    """What scenario_node announces and whom it waits for."""

    file: str = Field(default="", description="Scenario file announced at the start; empty: none")
    expected_nodes: tuple[str, ...] = Field(
        default=("depth_cloud_node", "planner_node", "vehicle_node", "oracle_node"),
        description="Nodes that must be ready before a flight and alive during it",
    )
    vehicle: str = Field(
        default="", description="Vehicle model where a goal names none; empty: the vehicle's own"
    )


class OracleNodeConfig(RoomConfig):
    """How often oracle_node speaks during a flight."""

    oracle: str = Field(default="separation", description="Registered name of the oracle")
    every_steps: int = Field(
        default=10, ge=1, le=10_000, description="A developing verdict after this many steps [1]"
    )


class VehicleChoice(RoomConfig):
    """Which vehicle the graph is set up for: camera, planner and mission rules go with it, as in `lfs`."""

    vehicle: Literal["paper", "px4"] = Field(
        default="paper", description="Vehicle model: the paper's rule, or the calibrated autopilot"
    )


class VehicleNodeConfig(RoomConfig):
    """How vehicle_node moves; defaults are those of the `lfs` backend for the chosen vehicle."""

    dt_s: float = Field(default=0.1, ge=0.005, le=1.0, description="Time between two steps [s]")
    paper: PaperVehicleConfig = Field(default_factory=PaperVehicleConfig, description="The paper's vehicle")
    px4_vehicle: Px4VehicleConfig = Field(
        default_factory=Px4VehicleConfig, description="The simulated autopilot"
    )
    mission: MissionRules = Field(default_factory=MissionRules, description="Begin and end of a flight")

    @classmethod
    def defaults_for(cls, vehicle: str) -> VehicleNodeConfig:
        """What goes with a vehicle."""
        lfs = LfsConfig(vehicle=vehicle)
        return cls(dt_s=lfs.dt_s, paper=lfs.paper, px4_vehicle=lfs.px4_vehicle, mission=lfs.mission)


class RecorderNodeConfig(RoomConfig):
    """What recorder_node writes."""

    file: str = Field(default="flight.mcap", description="MCAP file; refused if it exists")
    clouds: bool = Field(default=True, description="Record clouds too (about 40 kB per step)")


class CampaignNodeConfig(RoomConfig):
    """The campaign campaign_node runs through the graph."""

    file: str = Field(default="", description="Campaign file (YAML)")
    out: str = Field(default="results/graph", description="Folder of the results")
