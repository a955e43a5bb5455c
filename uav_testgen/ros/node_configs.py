"""Parameters of the nodes themselves; those of the core come from the rooms' own configurations."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from uav_testgen.config import RoomConfig
from uav_testgen.errors import ConfigError
from uav_testgen.ros.flight_director import DirectorConfig
from uav_testgen.scenario.model import Scenario
from uav_testgen.sensing.camera import DEFAULT_RIG
from uav_testgen.vehicle.base import Vehicle
from uav_testgen.vehicle.config import MissionRules, PaperVehicleConfig
from uav_testgen.vehicle.paper import PaperVehicleStepper


class DepthCloudConfig(RoomConfig):
    """What depth_cloud_node renders and when."""

    rig: str = Field(default=DEFAULT_RIG, description="Cameras: a preset of config/cameras or a YAML file")
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
    rig: str = Field(default=DEFAULT_RIG, description="Cameras whose fields of view the planner is told")
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


class VehicleNodeConfig(RoomConfig):
    """Which vehicle vehicle_node moves; defaults are those of the `lfs` backend."""

    vehicle: str = Field(default="paper", description="Vehicle model where the flight names none")
    dt_s: float = Field(default=0.1, ge=0.005, le=1.0, description="Time between two steps [s]")
    paper: PaperVehicleConfig = Field(default_factory=PaperVehicleConfig, description="The paper's vehicle")
    mission: MissionRules = Field(default_factory=MissionRules, description="Begin and end of a flight")


def make_vehicle(name: str, config: VehicleNodeConfig, scenario: Scenario) -> Vehicle:
    """A vehicle model by name, on the ground of a scenario."""
    if name == "paper":
        return PaperVehicleStepper(config.paper, scenario.mission.speed_mps)
    raise ConfigError(f"unknown vehicle '{name}'; known: paper")


class RecorderNodeConfig(RoomConfig):
    """What recorder_node writes."""

    file: str = Field(default="flight.mcap", description="MCAP file; refused if it exists")
    clouds: bool = Field(default=True, description="Record clouds too (about 40 kB per step)")


class CampaignNodeConfig(RoomConfig):
    """The campaign campaign_node runs through the graph."""

    file: str = Field(default="", description="Campaign file (YAML)")
    out: str = Field(default="results/graph", description="Folder of the results")
