"""Where the time of one LFS step goes: the stages of the compiled step, timed one by one.

    .venv/bin/python benchmarks/profile_step.py [--scenes 8]

Every stage is run in a compiled loop over the states of flights of the shipped campaign; later rows contain the earlier
ones, and the difference is shown. CPU time, least of several rounds.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import numpy as np
from numba import njit

from uav_testgen.cli._bench_scenes import campaign_scenes
from uav_testgen.cli._measure import RUNS, calibration_us, fly_scenes
from uav_testgen.core.body import POSITION, VELOCITY, YAW
from uav_testgen.loop.rig import believed_views, make_rig
from uav_testgen.loop.stepwise import SteppedFlight
from uav_testgen.loop.system import named_system
from uav_testgen.planner.vfh3d.compiled.bulk import coarse_cells, fill_block
from uav_testgen.planner.vfh3d.compiled.candidates import search
from uav_testgen.planner.vfh3d.compiled.cost import azimuth_costs
from uav_testgen.planner.vfh3d.compiled.cycle import closest_point, plan_from_cloud, take_in
from uav_testgen.planner.vfh3d.compiled.goal import goal_geometry, is_facing_goal
from uav_testgen.planner.vfh3d.compiled.histogram import fill_histogram
from uav_testgen.planner.vfh3d.compiled.obstacle_cost import clear_obstacle_costs, fill_obstacle_costs
from uav_testgen.planner.vfh3d.compiled.planner import fov_array
from uav_testgen.planner.vfh3d.compiled.polar import norm3
from uav_testgen.planner.vfh3d.compiled.workspace import make_parameters, make_workspace
from uav_testgen.planner.vfh3d.planner import details_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.sensing.cloud import see
from uav_testgen.vehicle.mission import FLYING
from uav_testgen.world.packed import pack

OPTIONS = {"nogil": True, "error_model": "numpy"}
NO_TRACE = np.zeros((0, 0, 2), np.float32)
NO_INDICES = np.zeros(0, np.int64)
STAGES = ("histogram: cells of the points", "histogram: sums", "goal, facing, obstacle costs", "search")
KEPT, STEPS = "kept points", "steps"


@njit(**OPTIONS)
def run_camera(placed: Any, ground: Any, run: Any, points: Any, poses: Any) -> int:
    n = 0
    for k in range(poses.shape[0]):
        n += see(
            placed, ground, run.camera, run.noise, 0, k, 0, poses[k, :3], 0.0, 0.0, poses[k, 3], run.scratch, run.depth,
            points,
        )  # fmt: skip
    return n


@njit(**OPTIONS)
def run_nodes(w: Any, n: Any, p: Any, goal: Any, line: Any, nodes: Any, stage: int) -> int:
    found = 0
    padded = fill_block(w.fresh.x, w.fresh.y, w.fresh.z, n)
    for k in range(nodes.shape[0]):
        x, y, z, vx, vy, vz = nodes[k]
        if stage == 0:
            coarse_cells(w.fresh.x, w.fresh.y, w.fresh.z, padded, x, y, z, w.grid.cell, w.grid.range)
            continue
        cells = fill_histogram(w.fresh, n, padded, x, y, z, w.grid)
        if stage == 1:
            continue
        e, a, d, line_a = goal_geometry(x, y, z, goal, line)
        facing = is_facing_goal(w.grid, cells, e, a, p.min_range, p.max_range)
        azimuth_costs(
            a, line_a, facing, p.yaw_weight, w.grid.yaw_cost, w.grid.line_cost, w.grid.azimuth_least
        )
        rows, columns = fill_obstacle_costs(w.grid, cells, p.obstacle_weight)
        if stage == 3:
            speed = norm3(vx, vy, vz)
            found += search(w.grid, rows, columns, vx, vy, vz, speed, e, d, p, w.selection)
        clear_obstacle_costs(w.grid, cells, rows)
    return found


@njit(**OPTIONS)
def run_plan(rounds: int, w: Any, n: int, state: Any, goal: Any, line: Any, p: Any, trace: Any) -> int:
    nodes = 0
    for _ in range(rounds):
        nodes = plan_from_cloud(w.fresh, n, state, goal, line, p, w, trace)[1]
    return nodes


@njit(**OPTIONS)
def run_take_in(
    rounds: int, cloud: Any, n_memory: int, state: Any, yaw: Any, fovs: Any, p: Any, w: Any, none: Any
) -> int:
    n = 0
    for _ in range(rounds):
        n = take_in(
            cloud, n_memory, state[0], state[1], state[2], yaw, np.float32(0.0), fovs, np.float32(0.1), p, w,
            none, none,
        )[1]  # fmt: skip
    return n


def least_us(action: Any, rounds: int = 15) -> float:
    """Least CPU time of an action in microseconds."""
    action()
    best = math.inf
    for _ in range(rounds):
        begin = time.process_time_ns()
        action()
        best = min(best, time.process_time_ns() - begin)
    return best / 1e3


class Profiler:
    """Times the stages at states of one flight."""

    def __init__(self, scene: Scenario) -> None:
        self.system = named_system()
        self.parameters = make_parameters(self.system.planner.parameters, self.system.autopilot)
        self.fovs = fov_array(believed_views(self.system))
        self.flight = SteppedFlight(self.system, scene, 0)
        self.world = pack(scene)
        (self.run,), (self.memory,) = make_rig(self.system.rig, scene.visibility, self.system.timing.dt_s)
        self.w = make_workspace(self.parameters)
        self.goal = np.array(scene.mission.route_enu_m[-1], np.float32)
        self.start = np.array(scene.mission.route_enu_m[0], np.float32)
        self.line = np.zeros(3, np.float32)
        self.n_memory = 0

    def thin(self, rounds: int, cloud: Any, state: Any, yaw: Any) -> int:
        """New cloud and memory to kept points, several times."""
        p, w = self.parameters, self.w
        return int(run_take_in(rounds, cloud, self.n_memory, state, yaw, self.fovs, p, w, NO_INDICES))

    def step(self, sums: dict[str, float] | None) -> bool:
        """One step of the flight; adds the stages to `sums` if given. False when the flight is over."""
        body = self.flight.body.copy()
        clouds = self.flight.sense()
        plan = self.flight.plan(clouds)
        result = details_of(plan)
        state = np.concatenate([body[POSITION : POSITION + 3], body[VELOCITY : VELOCITY + 3]])
        state = state.astype(np.float32)
        yaw = np.float32(math.degrees(body[YAW]))
        n = self.thin(1, clouds[0], state, yaw)
        if sums is not None and result is not None and result.planned_now:
            poses = np.append(body[POSITION : POSITION + 3], body[YAW])[None].repeat(20, axis=0)
            world = (self.world.obstacles, self.world.ground)
            camera = least_us(lambda: run_camera(*world, self.run, self.memory.points[0], poses))
            _add(sums, "camera", camera / 20)
            many = least_us(lambda: self.thin(20, clouds[0], state, yaw))
            one = least_us(lambda: self.thin(1, clouds[0], state, yaw))
            _add(sums, "thin new cloud, memory", (many - one) / 19)
            self._plan(n, state, sums)
        for source, target in zip(self.w.fresh, self.w.memory, strict=True):
            target[:n] = source[:n]
        self.n_memory = n
        return self.flight.move(plan) == FLYING

    def _plan(self, n: int, state: Any, sums: dict[str, float]) -> None:
        w, p, goal, line = self.w, self.parameters, self.goal, self.line
        closest_point(state[0], state[1], goal, self.start, p.cruise, line)
        run_plan(1, w, n, state, goal, line, p, NO_TRACE)
        order = w.nodes.order[: self.system.planner.parameters.n_expanded_nodes]
        fields = (w.nodes.x, w.nodes.y, w.nodes.z, w.nodes.vx, w.nodes.vy, w.nodes.vz)
        nodes = np.stack([field[order] for field in fields], axis=1)
        before = least_us(lambda: run_nodes(w, n, p, goal, line, nodes[:0], 0))
        begin = before
        for stage, name in enumerate(STAGES):
            now = least_us(lambda s=stage: run_nodes(w, n, p, goal, line, nodes, s))  # type: ignore[misc]
            _add(sums, name, now - before)
            before = now
        many = least_us(lambda: run_plan(5, w, n, state, goal, line, p, NO_TRACE))
        one = least_us(lambda: run_plan(1, w, n, state, goal, line, p, NO_TRACE))
        _add(sums, "tree: duplicates, children, next node", (many - one) / 4 - (before - begin))
        _add(sums, KEPT, float(n))
        _add(sums, STEPS, 1.0)


def _add(sums: dict[str, float], name: str, value: float) -> None:
    sums[name] = sums.get(name, 0.0) + value


def profile(scene_count: int) -> dict[str, float]:
    """Microseconds per step of each stage, averaged over every fortieth planned step of some flights."""
    sums: dict[str, float] = {}
    for scene in campaign_scenes(scene_count):
        profiler = Profiler(scene)
        while profiler.step(sums if profiler.flight.step % 40 == 0 else None):
            pass
    steps = sums.pop(STEPS)
    return {name: value / steps for name, value in sums.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=4)
    parts = profile(parser.parse_args().scenes)
    kept = parts.pop(KEPT)
    total = sum(parts.values())
    for name, value in parts.items():
        print(f"{name:40s} {value:8.1f} us {100 * value / total:5.1f} %")
    print(f"{'sum (planned step)':40s} {total:8.1f} us   {kept:.0f} kept points on average")
    flown = fly_scenes(campaign_scenes(4), RUNS)
    print(f"{'whole flight, all steps':40s} {flown['step_us']:8.1f} us")
    print(f"{'calibration_us':40s} {calibration_us():8.0f} us")


if __name__ == "__main__":
    main()
