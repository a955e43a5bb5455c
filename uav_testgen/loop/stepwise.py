"""The same loop step by step in Python: any planner, any vehicle, any renderer, clouds and traces on request.

It calls the functions the compiled flight is made of, so for the same parts the trajectory is equal to the last
bit. It is also the model for the ROS nodes, which do one of these steps each.
"""

from __future__ import annotations

import inspect
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
    SETPOINT_SIZE,
    VELOCITY,
    YAW,
    body_at,
    stay_here,
)
from uav_testgen.core.errors import ConfigError, UavTestgenError
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.own_line import line_of, line_of_method, said_of
from uav_testgen.flight.model import Flight
from uav_testgen.loop.autopilot import system_for
from uav_testgen.loop.cameras import ImagePose, cameras_seen, image_pose_at, optical_frames
from uav_testgen.loop.decide import Decider
from uav_testgen.loop.image_pose import KEPT, POSE_SIZE, image_time, keep_pose, pose_before
from uav_testgen.loop.own_vehicle import VehicleError, load_own_vehicle
from uav_testgen.loop.planner_watch import PlannerHangs, PlannerIsLate, PlannerLimits, Unwatched
from uav_testgen.loop.rig import believed_views
from uav_testgen.loop.setup import make_vehicle, moments_of
from uav_testgen.loop.system import OwnVehicleConfig, System
from uav_testgen.loop.track import Tracker
from uav_testgen.planner.base import Observation, Plan, Planner, PlannerSetup, Pose
from uav_testgen.planner.registry import check_planner, load_planner
from uav_testgen.planner.vfh3d.base import PlannerResult
from uav_testgen.planner.vfh3d.planner import GuideSettings, Vfh3dPlanner, details_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.sensing import base as sensing
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.sensing.noise import DelayLine
from uav_testgen.vehicle.base import Vehicle
from uav_testgen.vehicle.mission import FLYING, PLANNER_FAILED, PLANNER_LATE
from uav_testgen.vehicle.paper import PaperStepper, PaperVehicle
from uav_testgen.vehicle.px4.model import Px4Stepper
from uav_testgen.vehicle.px4_offboard.model import OffboardStepper, OffboardVehicle
from uav_testgen.world.wind import pack_wind, wind_at

MOST_TRACEBACK = 4000
_MOST_SAID = 500


class PlannerNotMade(UavTestgenError):
    """The planner's own code failed before it was ready."""

    exit_code = ExitCode.UNFINISHED

    def __init__(self, name: str, error: BaseException) -> None:
        self.said = said_of(error)[:_MOST_SAID]
        super().__init__(f"planner '{name}' cannot be started: {self.said}")


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


def make_stepper(system: System, scenario: Scenario) -> Vehicle:
    """The vehicle as it is driven from Python."""
    if isinstance(system.vehicle, OwnVehicleConfig):
        return load_own_vehicle(system.vehicle.model, system.vehicle.settings)
    vehicle, _ = make_vehicle(system, scenario)
    if isinstance(vehicle, PaperVehicle):
        return PaperStepper(vehicle)
    return OffboardStepper(vehicle) if isinstance(vehicle, OffboardVehicle) else Px4Stepper(vehicle)


def make_system_planner(
    system: System, speed_mps: float | None, trace: bool = False, given: Any = None
) -> Planner:
    """The planner of a system; `given` is an object or class to use instead of the name."""
    if given is not None:
        name = getattr(given, "__name__", type(given).__name__)
        return _made(name, given, {}) if isinstance(given, type) else _checked(name, given)
    choice = system.planner
    if not choice.is_shipped:
        kind = load_planner(choice.name)
        return _made(choice.name, kind, choice.settings) if callable(kind) else _checked(choice.name, kind)
    guide = GuideSettings(system.guide, system.timing.goal_delay_s, system.timing.planning_s)
    return Vfh3dPlanner(
        choice.parameters, system.autopilot, believed_views(system), choice.implementation, guide, speed_mps,
        trace,
    )  # fmt: skip


def _made(name: str, kind: Any, settings: dict[str, Any]) -> Planner:
    """Settings that the planner does not take are ConfigError; what its own code does is PlannerNotMade."""
    try:
        inspect.signature(kind).bind(**settings)
    except TypeError as error:
        raise ConfigError(f"planner '{name}' cannot be made: {kind.__name__}(): {error}") from None
    except ValueError:
        pass  # written in C: it says itself what it takes
    try:
        made = kind(**settings)
    except ConfigError:
        raise  # said by a planner that knows how it is meant to be used
    except (Exception, SystemExit) as error:
        raise PlannerNotMade(name, error) from error
    return _checked(name, made)


def _checked(name: str, planner: Any) -> Planner:
    check_planner(planner, name)
    made: Planner = planner
    return made


def planner_setup(system: System, scenario: Scenario, seed: int) -> PlannerSetup:
    """What a planner is told before a flight."""
    speed_mps = scenario.mission.speed_mps
    return PlannerSetup(
        dt_s=system.timing.dt_s,
        seed=seed,
        cruise_mps=system.autopilot.mpc_xy_cruise_mps if speed_mps is None else speed_mps,
        views=believed_views(system),
        camera_frames=optical_frames(system.rig),
    )


def pose_of(body: FloatArray) -> Pose:
    """The body as planners see it."""
    return Pose(
        body[POSITION : POSITION + 3].copy(),
        body[VELOCITY : VELOCITY + 3].copy(),
        body[ROLL : YAW + 1].copy(),
    )


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


def fault_of(planner: Planner, error: BaseException) -> str:
    """What a planner did wrong, in one line: with file and line of its code, or of its `plan` for a wrong answer."""
    where = "" if line_of(error) else line_of_method(planner, "plan")
    return f"{where}{said_of(error)}"[:_MOST_SAID]


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
