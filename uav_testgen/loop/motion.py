"""The vehicle as the stepwise loop drives it: cycle by cycle, its poses kept for images that are older."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import SETPOINT_SIZE, body_at, stay_here
from uav_testgen.loop.image_pose import KEPT, POSE_SIZE, keep_pose, pose_before
from uav_testgen.loop.own_vehicle import load_own_vehicle
from uav_testgen.loop.setup import make_vehicle, moments_of
from uav_testgen.loop.system import OwnVehicleConfig, System
from uav_testgen.loop.track import Tracker
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.base import Vehicle
from uav_testgen.vehicle.paper import PaperStepper, PaperVehicle
from uav_testgen.vehicle.px4.model import Px4Stepper
from uav_testgen.vehicle.px4_offboard.model import OffboardStepper, OffboardVehicle
from uav_testgen.world.wind import pack_wind, wind_at


def make_stepper(system: System, scenario: Scenario) -> Vehicle:
    """The vehicle as it is driven from Python."""
    if isinstance(system.vehicle, OwnVehicleConfig):
        return load_own_vehicle(system.vehicle.model, system.vehicle.settings)
    vehicle, _ = make_vehicle(system, scenario)
    if isinstance(vehicle, PaperVehicle):
        return PaperStepper(vehicle)
    return OffboardStepper(vehicle) if isinstance(vehicle, OffboardVehicle) else Px4Stepper(vehicle)


class Motion:
    """The vehicle within a step: cycles before the guide speaks, and those after it."""

    def __init__(self, system: System, scenario: Scenario, seed: int, vehicle: Vehicle | None = None) -> None:
        self.vehicle = vehicle or make_stepper(system, scenario)
        self.moments = moments_of(system, self.vehicle.cycles_per_step(system.timing.dt_s))
        self.body = body_at(scenario.mission.home_enu_m, scenario.mission.home_yaw_rad)
        self.setpoint = np.full(SETPOINT_SIZE, np.nan)
        self._wind_row, self._wind, self._seed = pack_wind(scenario.wind), np.zeros(3), seed
        self._poses, self._cycle = np.zeros((KEPT, POSE_SIZE)), 0
        self.vehicle.start(self.body)
        stay_here(self.body, self.setpoint)

    @property
    def image_pose(self) -> FloatArray:
        """Position, roll, pitch and yaw when the image was taken that is planned with now."""
        pose = np.empty(POSE_SIZE)
        pose_before(self._poses, self._cycle, self.moments.image_cycles, self.body, pose)
        return pose

    @property
    def cycle_s(self) -> float:
        """Length of a cycle of the vehicle."""
        return self.moments.dt_s / self.moments.cycles

    def before_guide(self, tracker: Tracker, t_s: float) -> float:
        """Fly the cycles of the step that began at t on the old set-point; returns when the guide speaks."""
        self._wind[:] = wind_at(self._wind_row, self._seed, t_s)
        self._fly(tracker, range(self.moments.lead))
        return t_s + self.moments.lead * self.cycle_s

    def after_guide(self, tracker: Tracker, setpoint: FloatArray) -> None:
        """Fly the rest of the step on the new set-point."""
        self.setpoint[:] = setpoint
        self._fly(tracker, range(self.moments.lead, self.moments.cycles))

    def _fly(self, tracker: Tracker, cycles: range) -> None:
        for _ in cycles:
            self.vehicle.advance(
                self.body,
                tracker.phase,
                tracker.previous,
                tracker.goal,
                self.setpoint,
                self._wind,
                self.cycle_s,
            )
            self._cycle += 1
            keep_pose(self._poses, self._cycle, self.body)
