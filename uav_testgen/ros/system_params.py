"""The system under test as parameters of a node: `system` names it, the others replace parts of it.

    system          preset or YAML file
    vehicle.model   another vehicle: a model, the name of a system whose vehicle is meant, or file.py:Class
    planner.name    another planner: a name or file.py:Class
    camera          another camera preset or YAML file

Single values carry the names they have in the system, e.g. `vehicle.mpc_xy_cruise_mps` or `timing.dt_s`.
"""

from __future__ import annotations

from pydantic import Field
from rclpy.node import Node

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.loop.system import OwnVehicleConfig, System, assemble
from uav_testgen.ros.params import declare_config


class VehicleChoice(RoomConfig):
    """Below `vehicle.`."""

    model: str = Field(default="", description="Another vehicle: a model, a system's, or file.py:Class")


class PlannerName(RoomConfig):
    """Below `planner.`."""

    name: str = Field(default="", description="Another planner: a name, module:Class or file.py:Class")


class SystemChoice(RoomConfig):
    """Which system the graph is set up for; the same parameters for every node that belongs to it."""

    system: str = Field(default=DEFAULT_SYSTEM, description="System under test: a preset or a YAML file")
    vehicle: VehicleChoice = Field(default_factory=VehicleChoice, description="Another vehicle")
    planner: PlannerName = Field(default_factory=PlannerName, description="Another planner")
    camera: str = Field(default="", description="Another camera: a preset or a YAML file")


def declare_system(node: Node) -> System:
    """The system the node's parameters choose."""
    choice = declare_config(node, SystemChoice)
    return assemble(
        choice.system or None,
        vehicle=choice.vehicle.model or None,
        planner=choice.planner.name or None,
        camera=choice.camera or None,
    )


def declare_motion(node: Node, system: System) -> System:
    """The values of a system that decide how the vehicle moves and when a flight ends."""
    changes: dict[str, RoomConfig] = {
        name: declare_config(node, type(part), prefix=name, defaults=part, live=True)
        for name, part in (("timing", system.timing), ("mission", system.mission))
    }
    if not isinstance(system.vehicle, OwnVehicleConfig):
        kind = type(system.vehicle)
        changes["vehicle"] = declare_config(
            node, kind, prefix="vehicle", defaults=system.vehicle, without=("model",), live=True
        )
    return system.changed(changes)


def declare_planning(node: Node, system: System) -> System:
    """The values of a system that decide how 3DVFH* plans and guides."""
    choice = system.planner
    return system.changed(
        {
            "timing": declare_config(
                node, type(system.timing), prefix="timing", defaults=system.timing, live=True
            ),
            "planner.parameters": declare_config(
                node, type(choice.parameters), prefix="planner", defaults=choice.parameters, live=True
            ),
            "planner.autopilot": declare_config(
                node, type(system.autopilot), prefix="autopilot", defaults=system.autopilot, live=True
            ),
        }
    )
