"""Parameters of px4_bridge_node."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.ros.px4.external import ExternalConfig
from uav_testgen.ros.px4.offboard_view import OffboardConfig
from uav_testgen.vehicle.config import MissionRules
from uav_testgen.vehicle.px4_offboard.carrot import CarrotConfig


def _mission_rules() -> MissionRules:
    """Wider than in our simulations: with its sensor noise PX4 hovers within about half a metre."""
    return MissionRules(
        acceptance_radius_m=1.0,
        altitude_acceptance_m=1.0,
        height_tolerance_m=0.5,
        time_limit_s=450.0,
        stuck_time_s=90.0,
    )


class Px4BridgeConfig(RoomConfig):
    """How px4_bridge_node talks to PX4."""

    sut: Literal["planner", "external"] = Field(
        "planner",
        description="System under test: planner_node through the bridge, or a node of somebody else",
    )
    px4_namespace: str = Field("", max_length=100, description="Namespace of PX4's topics, e.g. px4_1")
    stream_hz: float = Field(20.0, ge=10, le=100, description="Rate of the offboard stream [Hz]")
    step_hz: float = Field(10.0, gt=0, le=50, description="Rate of flight steps, one camera frame each [Hz]")
    odometry_hz: float = Field(50.0, ge=0, le=1000, description="Rate of odometry; 0: every sample [Hz]")
    setpoint_max_age_s: float = Field(
        1.0, gt=0, le=60, description="An older planner setpoint is not flown: hold position [s]"
    )
    max_reset_jump_m: float = Field(
        2.0, gt=0, le=1000, description="An estimator reset that moves the pose farther ends the flight [m]"
    )
    external: ExternalConfig = Field(default_factory=ExternalConfig, description="Patience with that node")
    offboard: OffboardConfig = Field(default_factory=OffboardConfig, description="PX4's patience and ours")
    carrot: CarrotConfig = Field(default_factory=CarrotConfig, description="Speeds")
    mission: MissionRules = Field(default_factory=_mission_rules, description="Begin and end of a flight")
