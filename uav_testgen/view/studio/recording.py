"""What the drone saw and what its planner thought in every step of one flight, to be looked at moment by moment."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from uav_testgen.core.arrays import Float32Array
from uav_testgen.core.body import LAND, LEG, POSITION, TAKEOFF, YAW
from uav_testgen.core.errors import ConfigError
from uav_testgen.loop.stepwise import SteppedFlight, StepwiseOptions
from uav_testgen.loop.system import System
from uav_testgen.planner.vfh3d.base import CELL_DEG, PlannerResult
from uav_testgen.planner.vfh3d.planner import details_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import FLYING
from uav_testgen.view.studio.branch import FlightStopped
from uav_testgen.view.studio.decision import decision_json

MOST_STEPS = 20_000
MOST_POINTS = 1500
PHASES = {TAKEOFF: "take-off", LEG: "leg", LAND: "landing"}


class Moment(NamedTuple):
    """One step; arrays as small as they can be sent."""

    t_s: float
    phase: str
    position_enu_m: tuple[float, float, float]
    yaw_rad: float
    goal_enu_m: tuple[float, float, float]
    depth_m: Float32Array
    """(rows, columns) of the first camera; infinite where nothing returned."""
    points_enu_m: Float32Array
    histogram_m: Float32Array
    """(30, 60), 0 where nothing is."""
    costs: Float32Array | None
    """(30, 60), None where nothing was planned."""
    way_costs: Float32Array | None
    """What turning, climbing and leaving the way cost without obstacles."""
    candidates: tuple[tuple[float, float, float], ...]
    """(cost, elevation, azimuth) in degrees, cheapest first."""
    tree_enu_m: Float32Array
    tree_parent: Any
    path_enu_m: Float32Array
    planned: bool


class Recording(NamedTuple):
    """All steps of a flight."""

    moments: tuple[Moment, ...]
    far_m: float
    dt_s: float


def record(
    system: System, scenario: Scenario, seed: int, is_stopped: Callable[[], bool] = lambda: False
) -> Recording:
    """Fly step by step and keep everything; the path is that of the compiled flight."""
    if not system.planner.is_shipped:
        raise ConfigError(
            f"planner '{system.planner.name}' does not say what it thinks; choose vfh3d to see it"
        )
    flight = SteppedFlight(system, scenario, seed, StepwiseOptions(record_planner=True))
    flight.reset()
    moments: list[Moment] = []
    while flight.tracker.code == FLYING and len(moments) < MOST_STEPS:
        if is_stopped():
            raise FlightStopped
        seen = flight.sense()
        plan = flight.plan(seen)
        moments.append(_moment(flight, seen, details_of(plan)))
        flight.move(plan)
    far_m = max(camera.far_m for camera in system.rig.cameras)
    return Recording(tuple(moments), far_m, system.timing.dt_s)


def _moment(flight: SteppedFlight, seen: tuple[Float32Array, ...], result: PlannerResult | None) -> Moment:
    x, y, z = (float(value) for value in flight.body[POSITION : POSITION + 3])
    east, north, up = (float(value) for value in flight.tracker.goal)
    points = np.concatenate(seen) if seen else np.zeros((0, 3), np.float32)
    none = np.zeros((0, 3), np.float32)
    costs = result.trace.costs if result is not None and result.trace is not None else None
    return Moment(
        t_s=flight.t_s,
        phase=PHASES.get(flight.tracker.phase, "flight"),
        position_enu_m=(x, y, z),
        yaw_rad=float(flight.body[YAW]),
        goal_enu_m=(east, north, up),
        depth_m=flight.observe(seen).depth_m[0],
        points_enu_m=points[:: max(1, math.ceil(len(points) / MOST_POINTS))],
        histogram_m=result.histogram_m.copy() if result is not None else np.zeros((30, 60), np.float32),
        costs=costs.cost_matrix.copy() if costs is not None else None,
        way_costs=costs.raw_other_cost.copy() if costs is not None else None,
        candidates=tuple(
            (float(c.cost), float(c.elevation_deg), float(c.azimuth_deg)) for c in costs.candidates
        )
        if costs is not None
        else (),
        tree_enu_m=costs.tree.position_enu_m.copy() if costs is not None else none,
        tree_parent=costs.tree.parent.copy() if costs is not None else np.zeros(0, np.int64),
        path_enu_m=result.path_enu_m.copy() if result is not None else none,
        planned=bool(result is not None and result.planned_now),
    )


def moment_json(recording: Recording, index: int) -> dict[str, Any]:
    """One step as the page draws it."""
    moment = recording.moments[index]
    depth = np.where(np.isfinite(moment.depth_m), np.minimum(moment.depth_m, 1e4), -1.0)
    return {
        "index": index,
        "t_s": round(moment.t_s, 3),
        "phase": moment.phase,
        "position": [round(value, 3) for value in moment.position_enu_m],
        "yaw": moment.yaw_rad,
        "goal": [round(value, 3) for value in moment.goal_enu_m],
        "far_m": recording.far_m,
        "depth": np.round(depth, 2).tolist(),
        "points": np.round(moment.points_enu_m, 2).tolist(),
        "histogram": np.round(moment.histogram_m, 2).tolist(),
        "costs": _finite(moment.costs),
        "cell_deg": CELL_DEG,
        **decision_json(moment),
        "tree": np.round(moment.tree_enu_m, 2).tolist(),
        "parents": np.asarray(moment.tree_parent).tolist(),
        "path": np.round(moment.path_enu_m, 2).tolist(),
        "planned": moment.planned,
    }


def _finite(costs: Float32Array | None) -> list[list[float | None]] | None:
    if costs is None:
        return None
    return [[round(float(value), 1) if math.isfinite(value) else None for value in row] for row in costs]
