"""How the drone moves: the paper's kinematic rule, PX4 in mission and in offboard mode, and the mission they fly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.vehicle.config import MissionRules as MissionRules
    from uav_testgen.vehicle.config import PaperVehicleConfig as PaperVehicleConfig
    from uav_testgen.vehicle.px4.config import Px4VehicleConfig as Px4VehicleConfig
    from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig as Px4OffboardConfig

__getattr__, __all__ = public_names(
    __name__,
    {
        "config": "MissionRules PaperVehicleConfig",
        "px4.config": "Px4VehicleConfig",
        "px4_offboard.config": "Px4OffboardConfig",
    },
)
