"""Replay of whole flights: the planner drives a kinematic point past boxes.

Two cases per file. *free*: everything runs by itself and the trajectory is compared. *teacher-forced*: each
step starts from the recorded state while the memory runs on, which separates planner errors from the slow
divergence of a loop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from uav_testgen.core.body import LEG, POSITION, SETPOINT_SIZE, VELOCITY, YAW, body_at
from uav_testgen.planner.vfh3d.base import Planner, PlannerResult, make_planner
from uav_testgen.planner.vfh3d.compiled.first_node import FirstNodeGuide, to_first_node
from uav_testgen.testing.golden.records import FloatArray, Record
from uav_testgen.testing.golden.report import CaseCheck
from uav_testgen.testing.golden.scene import Box, see
from uav_testgen.vehicle.config import PaperVehicleConfig
from uav_testgen.vehicle.paper import PaperStepper, make_paper

START_S: Final = 100.0
STEP_S: Final = 0.1
MAX_STEPS: Final = 450
GOAL_RADIUS_M: Final = 1.0
TRAJECTORY_M: Final = 0.05
BOX_DISTANCE_M: Final = 0.02
PATH_M: Final = 5e-3
YAW_RAD: Final = 5e-3
VEHICLE: Final = PaperVehicleConfig(speed_mps=3.0, yaw_rate_degps=13.5)


@dataclass(frozen=True, slots=True)
class LoopScene:
    """The fixed part of a closed-loop file."""

    boxes: tuple[Box, ...]
    ground: bool
    start_m: FloatArray
    start_yaw_rad: float
    goal_m: FloatArray

    @classmethod
    def of(cls, record: Record) -> LoopScene:
        """From a closed-loop record."""
        scene = record.record("scene")
        return cls(
            boxes=tuple(Box.of(box) for box in scene.records("boxes")),
            ground=scene.flag("ground") if "ground" in scene else True,
            start_m=record.array("start", (3,)),
            start_yaw_rad=record.number("start_yaw"),
            goal_m=record.array("goal", (3,)),
        )

    def distance_m(self, point: FloatArray) -> float:
        """Distance to the nearest box."""
        return min((box.distance_m(point) for box in self.boxes), default=math.inf)


def make_loop_planner(record: Record, implementation: str) -> Planner:
    """A fresh planner with the file's parameters and goal."""
    px4, mission_speed = record.px4_parameters()
    planner = make_planner(implementation, record.planner_config(), px4, record.fields_of_view())
    planner.set_mission_item_speed(mission_speed)
    previous = "prev_goal" if "prev_goal" in record else "start"
    planner.set_goal(record.array("goal", (3,)), record.array(previous, (3,)))
    return planner


class _Flight:
    """Planner, camera and vehicle going round the loop; the state lives in ``body``."""

    def __init__(self, record: Record, implementation: str) -> None:
        self.scene = LoopScene.of(record)
        self.body = body_at(tuple(self.scene.start_m), self.scene.start_yaw_rad)
        self._planner = make_loop_planner(record, implementation)
        self._vehicle = PaperStepper(make_paper(VEHICLE))

    @property
    def position_m(self) -> FloatArray:
        """A copy of the position."""
        return np.array(self.body[POSITION : POSITION + 3])

    def set_state(self, position_m: FloatArray, velocity_mps: FloatArray, yaw_rad: float) -> None:
        """Continue from a given state."""
        self.body = body_at(tuple(position_m), yaw_rad)
        self.body[VELOCITY : VELOCITY + 3] = velocity_mps

    def look_and_plan(self, time_s: float) -> tuple[int, PlannerResult]:
        """(size of the cloud, what was planned) from the present state."""
        yaw = float(self.body[YAW])
        cloud = see(self.scene.boxes, self.position_m, yaw, ground=self.scene.ground)
        quaternion = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
        velocity = self.body[VELOCITY : VELOCITY + 3]
        return len(cloud), self._planner.plan(time_s, self.position_m, velocity, quaternion, [cloud])

    def move(self, result: PlannerResult) -> None:
        """One step of PRGenUAV-LFS's vehicle."""
        setpoint, still = np.empty(SETPOINT_SIZE), np.zeros(3)
        path = np.ascontiguousarray(result.path_enu_m, dtype=np.float32)
        to_first_node(FirstNodeGuide(), self.scene.goal_m, result.planned_now, path, len(path), setpoint)
        self._vehicle.advance(self.body, LEG, self.scene.start_m, self.scene.goal_m, setpoint, still, STEP_S)

    def ending(self) -> str | None:
        """Name of the ending if the flight is over."""
        if np.linalg.norm(self.scene.goal_m - self.position_m) < GOAL_RADIUS_M:
            return "goal_reached"
        if any(box.contains(self.position_m) for box in self.scene.boxes):
            return "collision"
        return None


def replay_free(record: Record, name: str, implementation: str) -> CaseCheck:
    """Fly on our own and compare trajectory, length, ending and smallest distance."""
    check = CaseCheck(f"{name} free")
    flight = _Flight(record, implementation)
    trajectory = [flight.position_m]
    status: str | None = None
    while status is None and len(trajectory) <= MAX_STEPS:
        _, result = flight.look_and_plan(_clock_s(len(trajectory) - 1))
        flight.move(result)
        trajectory.append(flight.position_m)
        status = flight.ending()
    outcome = record.record("result")
    recorded = [step.array("position", (3,)) for step in record.records("steps")]
    recorded.append(outcome.array("final_position", (3,)))
    common = min(len(recorded), len(trajectory))
    check.close(
        "trajectory", np.array(trajectory[:common]), np.array(recorded[:common]), absolute=TRAJECTORY_M
    )
    check.same("status", status or "timeout", outcome.text("status"))
    check.close("n_steps", len(trajectory) - 1, outcome.number("n_steps"), absolute=1)
    smallest = min(flight.scene.distance_m(point) for point in trajectory)
    check.close("min_box_distance", smallest, outcome.number("min_box_distance"), absolute=BOX_DISTANCE_M)
    return check


def replay_teacher_forced(record: Record, name: str, implementation: str) -> CaseCheck:
    """Start each step from the recorded state; compare what was seen, kept, planned and flown."""
    check = CaseCheck(f"{name} teacher-forced")
    flight = _Flight(record, implementation)
    for index, step in enumerate(record.records("steps")):
        at = f"in step {index}"
        position = step.array("position", (3,))
        if index > 0:  # the vehicle's own step from the previous recorded state
            check.close("motion", flight.position_m, position, absolute=PATH_M, at=at)
            turned = math.remainder(float(flight.body[YAW]) - step.number("yaw"), 2 * math.pi)
            check.close("motion.yaw", turned, 0.0, absolute=YAW_RAD, at=at)
        flight.set_state(position, step.array("velocity", (3,)), step.number("yaw"))
        n_points, result = flight.look_and_plan(step.number("t"))
        check.same("n_points", n_points, int(step.number("n_points")), at)
        check.same("n_kept", len(result.cloud_enu_m), int(step.number("n_kept")), at)
        check.same("planned", result.planned_now, step.flag("planned"), at)
        if step.flag("planned"):
            check.close("path", result.path_enu_m, step.array("path", (None, 3)), absolute=PATH_M, at=at)
        distance = flight.scene.distance_m(position)
        check.close("box_distance", distance, step.number("box_distance"), absolute=1e-6, at=at)
        flight.move(result)
    return check


def _clock_s(step: int) -> float:
    """The planner's clock, rounded to microseconds as recorded."""
    return round(START_S + STEP_S * step, 6)
