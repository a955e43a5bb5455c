"""Parameters of the nodes themselves; those of the core come from the rooms' own configurations."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.ros.flight_director import DirectorConfig


class DepthCloudConfig(RoomConfig):
    """What depth_cloud_node renders and when."""

    renderer: Literal["open3d", "analytic"] = Field(
        default="open3d", description="open3d or analytic; their clouds are equal"
    )
    lock_step: bool = Field(
        default=True, description="Render every flight step; false: the newest odometry, at the camera's rate"
    )
    points_frame: Literal["map", "optical"] = Field(
        default="map",
        description="Frame of camera/depth/points: map (exact, stamped like the step) or optical (of the first "
        "camera, stamped when the image was taken, as drivers do); each camera's own topics are optical always",
    )


class VehicleNodeConfig(RoomConfig):
    """How vehicle_node tells the time."""

    clock_hz: float = Field(
        default=0.0,
        ge=0,
        le=1000,
        description="Simulated rate of /clock, e.g. 250 for nodes with timers; 0: once for each step [Hz]",
    )


class PlannerNodeConfig(RoomConfig):
    """How planner_node runs the planner."""

    implementation: Literal["compiled", "reference"] = Field(
        default="compiled", description="Of 3DVFH*: compiled or the readable reference; their paths are equal"
    )
    lock_step: bool = Field(
        default=True, description="Answer every flight step; false: plan on the newest cloud and odometry"
    )
    max_age_s: float = Field(
        default=0.5, gt=0, le=10, description="Not in lock-step: older clouds and odometry are not used [s]"
    )
    planner_timeout_s: float = Field(
        default=2.5,
        gt=0,
        le=600,
        description="A call of your own planner that takes longer ends the flight as planner_late [s]",
    )


class PlannerAdapterConfig(RoomConfig):
    """Which planner planner_adapter_node speaks to."""

    profile: str = Field(default="path_planner", description="Planner profile: a shipped name or a YAML file")
    start: str = Field(
        default="", description="Command that starts the planner for each flight; empty: it runs already"
    )


class ScenarioNodeConfig(DirectorConfig):
    """What scenario_node announces and whom it waits for."""

    file: str = Field(default="", description="Scenario file announced at the start; empty: none")
    expected_nodes: tuple[str, ...] = Field(
        default=("depth_cloud_node", "planner_node", "vehicle_node", "oracle_node"),
        description="Nodes that must be ready before a flight and alive during it",
    )
    system: str = Field(
        default="", description="Name of the system asked for where a goal names none; empty: the graph's own"
    )


class OracleNodeConfig(RoomConfig):
    """What oracle_node judges by, and how often it speaks during a flight."""

    oracle: str = Field(default="separation", description="Registered name of the oracle")
    requirements: tuple[str, ...] = Field(
        default=(),
        description="Requirements that decide instead: names with arguments, formulas or file.py:Class",
    )
    every_steps: int = Field(
        default=10, ge=1, le=10_000, description="A developing verdict after this many steps [1]"
    )


class RecorderNodeConfig(RoomConfig):
    """What recorder_node writes."""

    file: str = Field(
        default="flight.mcap", description="FILE.mcap, or the folder of a bag; refused if it exists"
    )
    clouds: bool = Field(default=True, description="Record clouds too (about 40 kB per step)")
    live: bool = Field(default=False, description="A live PX4 flies: its topics too, by the wall clock")
    px4_namespace: str = Field(default="", max_length=100, description="Namespace of PX4's topics")
