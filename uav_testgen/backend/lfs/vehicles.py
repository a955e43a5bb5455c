"""How the flight kernel moves a vehicle: one implementation per vehicle type, chosen when it is compiled.

A vehicle is a NamedTuple. Adding one means adding a branch to the choosers below; kernels for the
other vehicles are not touched, because each type is compiled separately.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from uav_testgen.backend.lfs.px4_move import Px4Vehicle, image_pose_px4, move_px4
from uav_testgen.vehicle.base import LAND, LEG
from uav_testgen.vehicle.image_pose import pose_now
from uav_testgen.vehicle.paper import PaperVehicle, step_paper


def needs_plan(vehicle: Any, phase: int) -> bool:
    """Does the vehicle look at the plan in this phase? If not, only the memory of points is kept up."""
    raise NotImplementedError("compiled code only")


def image_pose(vehicle: Any, body: Any, pose: Any) -> None:
    """Position, roll, pitch and yaw of the vehicle when the image was taken, written into `pose`."""
    raise NotImplementedError("compiled code only")


def move(
    vehicle: Any, body: Any, phase: int, goal: Any, previous: Any, planned: bool, path: Any, path_length: int,
    path_time_s: float, t_s: float, dt_s: float, fovs: Any,
) -> None:  # fmt: skip
    """One step of the vehicle, in place."""
    raise NotImplementedError("compiled code only")


@overload(needs_plan, strict=False)
def _choose_needs_plan(vehicle: Any, phase: Any) -> Any:
    if vehicle.instance_class is PaperVehicle:
        return lambda vehicle, phase: phase == LEG
    return lambda vehicle, phase: phase != LAND


@overload(image_pose, strict=False)
def _choose_image_pose(vehicle: Any, body: Any, pose: Any) -> Any:
    if vehicle.instance_class is Px4Vehicle:
        return lambda vehicle, body, pose: image_pose_px4(vehicle, body, pose)
    return lambda vehicle, body, pose: pose_now(body, pose)


@overload(move, strict=False)
def _choose_move(
    vehicle: Any, body: Any, phase: Any, goal: Any, previous: Any, planned: Any, path: Any, path_length: Any,
    path_time_s: Any, t_s: Any, dt_s: Any, fovs: Any,
) -> Any:  # fmt: skip
    if vehicle.instance_class is PaperVehicle:

        def move_paper(
            vehicle: Any, body: Any, phase: Any, goal: Any, previous: Any, planned: Any, path: Any,
            path_length: Any, path_time_s: Any, t_s: Any, dt_s: Any, fovs: Any,
        ) -> None:  # fmt: skip
            step_paper(vehicle, body, phase, goal, planned, path, path_length, dt_s)

        return move_paper
    if vehicle.instance_class is Px4Vehicle:

        def move_autopilot(
            vehicle: Any, body: Any, phase: Any, goal: Any, previous: Any, planned: Any, path: Any,
            path_length: Any, path_time_s: Any, t_s: Any, dt_s: Any, fovs: Any,
        ) -> None:  # fmt: skip
            move_px4(
                vehicle, body, phase, goal, previous, path, path_length, path_time_s, t_s, dt_s, fovs
            )

        return move_autopilot
    return None
