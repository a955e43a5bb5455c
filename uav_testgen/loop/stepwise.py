"""The same loop step by step in Python: any planner, any vehicle, any renderer, clouds and traces on request.

It calls the functions the compiled flight is made of, so for the same parts the trajectory is equal to the last
bit. It is also the model for the ROS nodes, which do one of these steps each.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from uav_testgen.core.arrays import Float32Array, FloatArray
from uav_testgen.core.body import (
    POSITION,
    ROLL,
    VELOCITY,
    YAW,
    body_at,
)
from uav_testgen.flight.model import Flight
from uav_testgen.loop.autopilot import system_for
from uav_testgen.loop.cameras import ImagePose, cameras_seen, image_pose_at
from uav_testgen.loop.decide import Decider
from uav_testgen.loop.image_pose import image_time
from uav_testgen.loop.motion import Motion
from uav_testgen.loop.own_vehicle import VehicleError
from uav_testgen.loop.planner_of import PlannerNotMade, fault_of, make_system_planner, planner_setup
from uav_testgen.loop.planner_watch import PlannerHangs, PlannerIsLate, PlannerLimits, Unwatched
from uav_testgen.loop.system import System
from uav_testgen.loop.track import Tracker
from uav_testgen.planner.base import Observation, Plan, Pose
from uav_testgen.planner.vfh3d.base import PlannerResult
from uav_testgen.planner.vfh3d.planner import Vfh3dPlanner, details_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.sensing import base as sensing
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.sensing.noise import DelayLine
from uav_testgen.vehicle.mission import FLYING, PLANNER_FAILED, PLANNER_LATE

MOST_TRACEBACK = 4000


class StepwiseOptions(NamedTuple):
    """How the stepwise loop flies and what it keeps."""

    renderer: str = "analytic"
    record_clouds: bool = False
    record_planner: bool = False
    limits: PlannerLimits = PlannerLimits()


def make_renderer(name: str) -> sensing.Renderer:
    """The renderer of a name; Open3D is imported only if it is asked for."""
    if name == "open3d":
        from uav_testgen.sensing.open3d_renderer import Open3DRenderer

        return Open3DRenderer()
    from uav_testgen.sensing.analytic_renderer import AnalyticRenderer

    return AnalyticRenderer()


def pose_of(body: FloatArray) -> Pose:
    """The body as planners see it."""
    return Pose(
        body[POSITION : POSITION + 3].copy(),
        body[VELOCITY : VELOCITY + 3].copy(),
        body[ROLL : YAW + 1].copy(),
    )


class _Image(NamedTuple):
    """A cloud on its way to the planner, and where the vehicle was when it was seen."""

    points_enu_m: Float32Array
    pose: ImagePose


class SteppedFlight:
    """One flight that is advanced step by step."""

    def __init__(
        self, system: System, scenario: Scenario, seed: int, options: StepwiseOptions | None = None,
        planner: Any = None, watch: Unwatched | None = None,
    ) -> None:  # fmt: skip
        self.options = options or StepwiseOptions()
        system = system_for(system, scenario)
        self.system, self.scenario, self.seed = system, scenario, seed
        rig = system.rig
        self.sensor = DepthSensor.of(scenario, rig, make_renderer(self.options.renderer), seed=seed)
        speed_mps = scenario.mission.speed_mps
        watch = watch or Unwatched()
        with watch.start():
            self.planner = make_system_planner(system, speed_mps, self.options.record_planner, planner)
        self.tracker = Tracker(scenario, system.mission, world=self.sensor.world)
        self.motion = Motion(system, scenario, seed)
        self._delays: list[DelayLine[_Image]] = [DelayLine(one.noise.latency_s) for one in rig.cameras]
        self._frames: tuple[sensing.DepthFrame, ...] = ()
        self._seen_from: tuple[ImagePose, ...] = ()
        self._decider = Decider(self.planner, watch, system.positions_only)
        self.step = 0
        self.watch = watch
        self.tracker.begin(self.motion.body)

    def reset(self) -> None:
        """Tell the planner that the flight begins."""
        with self.watch.start():
            self.planner.reset(planner_setup(self.system, self.scenario, self.seed))

    @property
    def t_s(self) -> float:
        """Simulated time."""
        return self.step * self.system.timing.dt_s

    @property
    def body(self) -> FloatArray:
        """The vehicle's body."""
        return self.motion.body

    def sense(self) -> tuple[Float32Array, ...]:
        """The clouds that reach the planner now, one per camera."""
        x, y, z, roll, pitch, yaw = (float(value) for value in self.motion.image_pose)
        taken_s = image_time(self.t_s, self.motion.moments.image_age_s)
        self._frames = self.sensor.frames(taken_s, sensing.Pose((x, y, z), yaw, pitch, roll), self.step)
        here = image_pose_at(taken_s, (x, y, z), (roll, pitch, yaw))
        arrived = [
            delay.push(self.t_s, _Image(frame.points_enu_m, here))
            for delay, frame in zip(self._delays, self._frames, strict=True)
        ]
        self._seen_from = tuple(here if image is None else image.pose for image in arrived)
        return tuple(
            np.zeros((0, 3), np.float32) if image is None else image.points_enu_m for image in arrived
        )

    def observe(self, clouds: tuple[Float32Array, ...]) -> Observation:
        """What the planner is shown."""
        pose, rig, seen_from = pose_of(self.body), self.system.rig, self._seen_from
        return Observation(
            t_s=self.t_s,
            position_enu_m=pose.position_enu_m,
            velocity_enu_mps=pose.velocity_enu_mps,
            attitude_rad=pose.attitude_rad,
            goal_enu_m=self.tracker.goal.copy(),
            previous_enu_m=self.tracker.previous.copy(),
            clouds_enu_m=clouds,
            phase=self.tracker.phase,
            take_cameras=lambda: cameras_seen(rig, seen_from),
        )

    def plan(self, clouds: tuple[Float32Array, ...]) -> Plan:
        """One call of the planner."""
        return self._decider.plan(self.observe(clouds))

    def guide(self, plan: Plan, now_s: float) -> FloatArray:
        """The set-point for the newest pose."""
        is_late = self.motion.moments.is_late
        return self._decider.guide(plan, pose_of(self.body), self.tracker.goal, now_s, is_late)

    def move(self, plan: Plan) -> int:
        """Guide and move; returns the code of what happened (FLYING: go on)."""
        now_s = self.motion.before_guide(self.tracker, self.t_s)
        self.motion.after_guide(self.tracker, self.guide(plan, now_s))
        self.step += 1
        self.tracker.after_step(self.body, self.t_s)
        return self.tracker.code


def fly_stepwise(
    system: System,
    scenario: Scenario,
    seed: int,
    options: StepwiseOptions | None = None,
    planner: Any = None,
    watch: Unwatched | None = None,
) -> Flight:
    """One flight in the Python loop. What the planner does wrong ends the flight, with the traceback kept."""
    begin_s = time.thread_time()
    options = options or StepwiseOptions()
    try:
        flight = SteppedFlight(system, scenario, seed, options, planner, watch)
    except (PlannerNotMade, PlannerHangs) as error:
        fault = (
            {"planner_error": error.said, "planner_traceback": traceback.format_exc()[-MOST_TRACEBACK:]}
            if isinstance(error, PlannerNotMade)
            else _interrupted("it was not made", options.limits.start_s)
        )
        code = PLANNER_FAILED if isinstance(error, PlannerNotMade) else PLANNER_LATE
        return flight_of_samples(system, scenario, seed, code, (), fault)
    clouds: list[Float32Array] = []
    traces: list[dict[str, Any]] = []
    details: dict[str, Any] = {}
    planned_steps, is_reset = 0, False
    flight.watch.moved(flight.t_s, flight.body)
    while flight.tracker.code == FLYING:
        seen = flight.sense()
        try:
            if not is_reset:
                flight.reset()
                is_reset = True
            plan = flight.plan(seen)
            result = details_of(plan)
            if result is not None and isinstance(flight.planner, Vfh3dPlanner):
                planned_steps += result.planned_now and flight.planner.used_in(flight.tracker.phase)
                if options.record_planner:
                    traces.append(trace_entry(flight, result))
            else:
                planned_steps += 1
            if options.record_clouds:
                clouds.append(np.concatenate(seen))
            flight.move(plan)
            flight.watch.moved(flight.t_s, flight.body)
        except VehicleError:
            raise
        except PlannerIsLate as error:
            flight.tracker.code = PLANNER_LATE
            details["planner_error"] = str(error)
        except PlannerHangs:
            flight.tracker.code = PLANNER_LATE
            limit_s = options.limits.timeout_s if is_reset else options.limits.start_s
            details.update(_interrupted("no answer" if is_reset else "its reset did not return", limit_s))
        except (Exception, SystemExit) as error:
            if system.planner.is_shipped:
                raise
            flight.tracker.code = PLANNER_FAILED
            details["planner_error"] = fault_of(flight.planner, error)
            details["planner_traceback"] = traceback.format_exc()[-MOST_TRACEBACK:]
    if not system.planner.is_shipped:
        details["planner_slowest_s"] = flight.watch.slowest_s
    return flight.tracker.flight(
        backend="lfs", system=system.name, seed=seed,
        details={"planned_steps": planned_steps, "cpu_s": time.thread_time() - begin_s, **details},
        clouds=tuple(clouds), planner_trace=tuple(traces),
    )  # fmt: skip


def _interrupted(silence: str, limit_s: float) -> dict[str, str]:
    """The details of a call that the alarm ended; to be asked for while its exception is handled."""
    return {
        "planner_error": f"{silence} within {limit_s:g} s, so the call was interrupted",
        "planner_traceback": traceback.format_exc()[-MOST_TRACEBACK:],
    }


def flight_of_samples(
    system: System, scenario: Scenario, seed: int, code: int, samples: Sequence[tuple[float, FloatArray]],
    details: dict[str, Any],
) -> Flight:  # fmt: skip
    """The flight of a planner that is gone: where the vehicle was, from the start on, and how it ended."""
    tracker = Tracker(scenario, system_for(system, scenario).mission)
    home = 0.0, body_at(scenario.mission.home_enu_m, scenario.mission.home_yaw_rad)
    (_, start), *rest = samples or (home,)
    tracker.begin(start)
    for t_s, body in rest:
        tracker.after_step(body, t_s)
    tracker.code = code
    return tracker.flight(backend="lfs", system=system.name, seed=seed, details=details)


def trace_entry(flight: SteppedFlight, result: PlannerResult) -> dict[str, Any]:
    """What the planner thought in one step, as plain data."""
    entry: dict[str, Any] = {
        "t_s": flight.t_s,
        "phase": flight.tracker.phase,
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
