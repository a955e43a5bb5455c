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

from uav_testgen.planner.base import Planner, PlannerResult, make_planner
from uav_testgen.testing.golden.motion import move_towards
from uav_testgen.testing.golden.records import FloatArray, Record
from uav_testgen.testing.golden.report import CaseCheck
from uav_testgen.testing.golden.scene import Box, see

START_S: Final = 100.0
STEP_S: Final = 0.1
MAX_STEPS: Final = 450
GOAL_RADIUS_M: Final = 1.0
TRAJECTORY_M: Final = 0.05
BOX_DISTANCE_M: Final = 0.02
PATH_M: Final = 5e-3


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


def _plan(
    planner: Planner, time_s: float, position: FloatArray, yaw: float, velocity: FloatArray, cloud: object
) -> PlannerResult:
    quaternion = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
    return planner.plan(time_s, position, velocity, quaternion, [cloud])  # type: ignore[list-item]


def _target(result: PlannerResult, goal_m: FloatArray) -> FloatArray:
    """First tree node if something was planned now (a path of one node has none), else the goal."""
    if result.planned_now and len(result.path_enu_m) >= 2:
        return np.asarray(result.path_enu_m[-2], np.float64)
    return goal_m


def replay_free(record: Record, name: str, implementation: str) -> CaseCheck:
    """Fly on our own and compare trajectory, length, ending and smallest distance."""
    check = CaseCheck(f"{name} free")
    scene = LoopScene.of(record)
    planner = make_loop_planner(record, implementation)
    position, yaw, velocity = scene.start_m, scene.start_yaw_rad, np.zeros(3)
    trajectory = [position]
    status = "timeout"
    for k in range(MAX_STEPS):
        cloud = see(scene.boxes, position, yaw, ground=scene.ground)
        result = _plan(planner, round(START_S + STEP_S * k, 6), position, yaw, velocity, cloud)
        moved = move_towards(_target(result, scene.goal_m), position, yaw)
        position, yaw, velocity = moved.position_m, moved.yaw_rad, moved.velocity_mps
        trajectory.append(position)
        if np.linalg.norm(scene.goal_m - position) < GOAL_RADIUS_M:
            status = "goal_reached"
            break
        if any(box.contains(position) for box in scene.boxes):
            status = "collision"
            break
    outcome = record.record("result")
    recorded = [step.array("position", (3,)) for step in record.records("steps")]
    recorded.append(outcome.array("final_position", (3,)))
    common = min(len(recorded), len(trajectory))
    check.close(
        "trajectory", np.array(trajectory[:common]), np.array(recorded[:common]), absolute=TRAJECTORY_M
    )
    check.same("status", status, outcome.text("status"))
    check.close("n_steps", len(trajectory) - 1, outcome.number("n_steps"), absolute=1)
    smallest = min(scene.distance_m(point) for point in trajectory)
    check.close("min_box_distance", smallest, outcome.number("min_box_distance"), absolute=BOX_DISTANCE_M)
    return check


def replay_teacher_forced(record: Record, name: str, implementation: str) -> CaseCheck:
    """Plan from each recorded state and compare what was seen, kept and planned."""
    check = CaseCheck(f"{name} teacher-forced")
    scene = LoopScene.of(record)
    planner = make_loop_planner(record, implementation)
    for index, step in enumerate(record.records("steps")):
        at = f"in step {index}"
        position, yaw = step.array("position", (3,)), step.number("yaw")
        cloud = see(scene.boxes, position, yaw, ground=scene.ground)
        result = _plan(planner, step.number("t"), position, yaw, step.array("velocity", (3,)), cloud)
        check.same("n_points", len(cloud), int(step.number("n_points")), at)
        check.same("n_kept", len(result.cloud_enu_m), int(step.number("n_kept")), at)
        check.same("planned", result.planned_now, step.flag("planned"), at)
        if step.flag("planned"):
            check.close("path", result.path_enu_m, step.array("path", (None, 3)), absolute=PATH_M, at=at)
        target = _target(result, scene.goal_m)
        check.close("target", target, step.array("target", (3,)), absolute=PATH_M, at=at)
        distance = scene.distance_m(position)
        check.close("box_distance", distance, step.number("box_distance"), absolute=1e-6, at=at)
    return check
