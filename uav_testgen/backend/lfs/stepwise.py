"""The same flight step by step in Python: any renderer, either planner, clouds and traces on request.

It calls the functions the compiled flight is made of, so for the same renderer the trajectory is equal to
the last bit. It is also the model for the ROS nodes, which do one of these steps each.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.backend.lfs import kernel
from uav_testgen.backend.lfs.attitude import quaternion_of
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.lfs.px4_move import Px4VehicleStepper, make_px4
from uav_testgen.backend.lfs.rig import believed_fovs
from uav_testgen.flight.model import Flight
from uav_testgen.planner.vfh3d.base import Planner, PlannerResult, make_planner
from uav_testgen.planner.vfh3d.compiled.planner import fov_array
from uav_testgen.planner.vfh3d.compiled.workspace import make_parameters
from uav_testgen.scenario.model import Scenario
from uav_testgen.sensing.base import Pose, Renderer
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.sensing.noise import DelayLine
from uav_testgen.vehicle import mission as navigator
from uav_testgen.vehicle.base import (
    LAND,
    LEG,
    PITCH,
    POSITION,
    ROLL,
    VELOCITY,
    YAW,
    StepInput,
    Vehicle,
    body_at,
)
from uav_testgen.vehicle.paper import PaperVehicleStepper

Cloud = NDArray[np.float32]


def make_renderer(name: str) -> Renderer:
    """The renderer of a name; Open3D is imported only if it is asked for."""
    if name == "open3d":
        from uav_testgen.sensing.open3d_renderer import Open3DRenderer

        return Open3DRenderer()
    from uav_testgen.sensing.analytic_renderer import AnalyticRenderer

    return AnalyticRenderer()


def make_vehicle(config: LfsConfig, scenario: Scenario, seed: int) -> Vehicle:
    """The vehicle of a configuration."""
    if config.vehicle == "px4":
        smoothing = (config.planner.smoothing_speed_xy, config.planner.smoothing_speed_z)
        parameters = make_parameters(config.planner, config.px4)
        vehicle = make_px4(config.px4_vehicle, parameters, smoothing, scenario, seed)
        return Px4VehicleStepper(vehicle, fov_array(believed_fovs(config)))
    return PaperVehicleStepper(config.paper, scenario.mission.speed_mps)


class SteppedFlight:
    """One flight that is advanced step by step."""

    def __init__(self, config: LfsConfig, scenario: Scenario, seed: int) -> None:
        from uav_testgen.backend.lfs.backend import landing_height_m

        rig = config.rig
        self.config, self.scenario, self.seed = config, scenario, seed
        self.sensor = DepthSensor.of(scenario, rig, make_renderer(config.renderer), seed=seed)
        self.planner: Planner = make_planner(
            config.implementation, config.planner, config.px4, believed_fovs(config)
        )
        self.vehicle = make_vehicle(config, scenario, seed)
        self.mission = navigator.pack_mission(
            scenario.mission, config.mission, landing_height_m(self.sensor.world, scenario)
        )
        self.progress = navigator.new_mission_state(self.mission)
        self.body = body_at(scenario.mission.home_enu_m, scenario.mission.home_yaw_rad)
        self._delays: list[DelayLine[Cloud]] = [DelayLine(camera.noise.latency_s) for camera in rig.cameras]
        self._goal, self._previous = np.zeros(3), np.zeros(3)
        self.step = 0
        self.waypoint_steps = np.full(len(self.mission.route), -1, np.int64)

    @property
    def t_s(self) -> float:
        """Simulated time."""
        return self.step * self.config.dt_s

    def sense(self) -> list[Cloud]:
        """The clouds that reach the planner now, one per camera."""
        x, y, z, roll, pitch, yaw = (float(value) for value in self.vehicle.image_pose(self.body))
        pose = Pose((x, y, z), yaw, pitch, roll)
        frames = self.sensor.frames(self.t_s, pose, self.step)
        arrived = [
            delay.push(self.t_s, frame.points_enu_m)
            for delay, frame in zip(self._delays, frames, strict=True)
        ]
        return [np.zeros((0, 3), np.float32) if cloud is None else cloud for cloud in arrived]

    def plan(self, clouds: list[Cloud]) -> PlannerResult:
        """One planner cycle for the goal of the mission's phase."""
        navigator.set_goal(self.mission, self.progress, self._goal, self._previous)
        self.planner.set_goal(self._goal, self._previous)
        return self.planner.plan(
            self.t_s,
            self.body[POSITION : POSITION + 3],
            self.body[VELOCITY : VELOCITY + 3],
            quaternion_of(self.body[ROLL], self.body[PITCH], self.body[YAW]),
            clouds,
            trace=self.config.record_planner,
        )

    def move(self, result: PlannerResult) -> int:
        """Move the vehicle; returns the code of what happened (FLYING: go on)."""
        phase = int(self.progress.counters[navigator.PHASE])
        self.vehicle.step(
            self.body,
            StepInput(
                t_s=self.t_s,
                dt_s=self.config.dt_s,
                phase=phase,
                goal_enu_m=self._goal,
                previous_enu_m=self._previous,
                planned_now=result.planned_now,
                path_enu_m=result.path_enu_m,
                last_path_time_s=result.last_path_time_s,
                cruise_mps=result.cruise_velocity_mps,
            ),
        )
        self.step += 1
        before = int(self.progress.counters[navigator.NEXT])
        code = int(navigator.after_step(self.mission, self.progress, self.body, self.t_s))
        if code == navigator.FLYING and self.progress.counters[navigator.NEXT] > before:
            self.waypoint_steps[before] = self.step
        if code != navigator.FLYING:
            return code
        code = int(kernel.collision_code(self.distance_m(), self.sensor.world.ground, self.body, phase))
        if code == navigator.FLYING and self.t_s >= self.mission.time_limit_s - 1e-9:
            return navigator.TIME_UP
        return code

    def distance_m(self) -> float:
        """Distance to the nearest obstacle now."""
        return float(kernel.least_distance(self.sensor.world.placed_at(self.t_s), self.body))


def fly_stepwise(config: LfsConfig, scenario: Scenario, seed: int) -> Flight:
    """One flight in the Python loop."""
    from uav_testgen.backend.lfs.backend import make_flight

    begin = time.thread_time()
    flight = SteppedFlight(config, scenario, seed)
    track = [flight.body.copy()]
    record = [[0.0, 0.0, 0.0, flight.distance_m()]]
    clouds: list[Cloud] = []
    traces: list[dict[str, Any]] = []
    code = navigator.STARTS_INSIDE if record[0][kernel.DISTANCE] == 0.0 else navigator.FLYING
    while code == navigator.FLYING:
        seen = flight.sense()
        result = flight.plan(seen)
        # The compiled flight plans only where the vehicle looks at the plan; the record says the same.
        phase = flight.progress.counters[navigator.PHASE]
        planned = result.planned_now and (phase == LEG or (config.vehicle == "px4" and phase != LAND))
        record[-1][: kernel.DISTANCE] = [sum(map(len, seen)), len(result.cloud_enu_m), float(planned)]
        if config.record_clouds:
            clouds.append(np.concatenate(seen))
        if config.record_planner:
            traces.append(trace_entry(flight, result))
        code = flight.move(result)
        track.append(flight.body.copy())
        record.append([0.0, 0.0, 0.0, flight.distance_m()])
    return make_flight(
        config, scenario, seed, code, np.array(track), np.array(record), flight.waypoint_steps,
        time.thread_time() - begin, tuple(clouds), tuple(traces),
    )  # fmt: skip


def trace_entry(flight: SteppedFlight, result: PlannerResult) -> dict[str, Any]:
    """What the planner thought in one step, as plain data."""
    entry: dict[str, Any] = {
        "t_s": flight.t_s,
        "phase": int(flight.progress.counters[navigator.PHASE]),
        "planned": result.planned_now,
        "kept_points": len(result.cloud_enu_m),
        "path_enu_m": result.path_enu_m.tolist(),
        "tree_size": result.tree_size,
        "closest_point_enu_m": result.closest_point_enu_m.tolist(),
        "histogram_m": [
            [int(row), int(column), float(result.histogram_m[row, column])]
            for row, column in zip(*np.nonzero(result.histogram_m), strict=True)
        ],
    }
    costs = result.trace.costs if result.trace is not None else None
    if costs is not None:
        entry["tree"] = {
            "position_enu_m": costs.tree.position_enu_m.tolist(),
            "parent": costs.tree.parent.tolist(),
            "total_cost": [float(c) if math.isfinite(c) else None for c in costs.tree.total_cost],
        }
        entry["candidates"] = [
            [candidate.cost, candidate.elevation_deg, candidate.azimuth_deg] for candidate in costs.candidates
        ]
    return entry
