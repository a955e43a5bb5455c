"""From a log and a plan to a search: the mission, the rules for obstacles, the target, the vehicle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from uav_testgen.campaign.replication.seen_obstacles import seen_boxes, that_fit
from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.config import parse_config, read_yaml
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.series import OF_THE_PATH
from uav_testgen.flight.ulog.logged_series import logged_series
from uav_testgen.flight.ulog.obstacle_ring import ring_of
from uav_testgen.flight.ulog.reader import FlightLog
from uav_testgen.generator.surrealist.config import SurrealistConfig
from uav_testgen.generator.surrealist.fitness import Variable, series
from uav_testgen.loop.system import System
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.aerialist import is_aerialist, load_obstacles
from uav_testgen.scenario.formats.missions import load_mission
from uav_testgen.scenario.formats.plan_file import GeoPoint
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Mission, Obstacle, Scenario
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.parameters import parameter_fields

# A landing this far from the mission's is another mission's.
_MAX_LANDING_ERROR_M = 20.0
_NOTED_LANDING_ERROR_M = 3.0
_ROOM_AROUND_M = 30.0
_MOST_SEEN = 5
"""Obstacles from a log; every one of them has its turn in every round."""
_OPTIONS = {
    "obstacles": "--obstacles",
    "budget": "--budget",
    "min_rounds": "--min-rounds",
    "fitness": "--fitness",
    "stop_at_m": "--min-dist",
}
_SET_ELSEWHERE = {
    **_OPTIONS,
    "mutators": "--mutators",
    "variable": "--match",
    "runs": "--runs",
    "target": "the log",
    "usual_speed_mps": "the log",
    "restart": "the command itself",
}
"""Settings of the search that a replication takes from somewhere else."""


@dataclass(frozen=True, slots=True)
class ReplicationSetup:
    """Everything a search needs besides who flies."""

    base: Scenario
    target: Trajectory
    config: SurrealistConfig
    notes: tuple[str, ...]


def prepare(
    log: FlightLog,
    plan: Path | None,
    *,
    obstacles: int | None,
    seed_scenario: Path | None,
    search_settings: Mapping[str, Any] | None = None,
    mutators: tuple[str, ...],
    variable: Variable,
    budget: int | None,
    min_rounds: int | None,
    usual_speed_mps: float,
    fitness: str = "replication",
    stop_at_m: float | None = None,
    notes: Sequence[str] = (),
) -> ReplicationSetup:
    """Check that log, plan and seed belong together and put them into one search."""
    mission = mission_of(log, plan)
    remarks = [*log.notes, *_check_landing(log, mission), *notes]
    given = () if seed_scenario is None else seed_obstacles(seed_scenario)
    if seed_scenario is not None and not given:
        raise ConfigError(f"{seed_scenario}: no obstacle in it; a seed has at least one")
    mission = mission.model_copy(update={"home_yaw_rad": round(float(log.trajectory.yaw_rad[0]), 6)})
    ring = ring_of(log.topics)
    settings = {
        "fitness": fitness,
        "target": tuple(tuple(float(value) for value in row) for row in _target(log, variable)),
        "variable": variable,
        "range_m": ring.range_m if ring is not None else 15.0,
        "mutators": mutators,
        "obstacles": 1 if obstacles is None else obstacles,
        "budget": budget,
        "min_rounds": min_rounds,
        "usual_speed_mps": usual_speed_mps,
        "stop_at_m": stop_at_m,
        "restart": False,
    }
    for key in search_settings or {}:
        if key in _SET_ELSEWHERE:
            raise ConfigError(f"setting '{key}': a replication takes it from {_SET_ELSEWHERE[key]}")
    settings |= search_settings or {}
    config = parse_config(SurrealistConfig, settings, source=str(log.path), called=_OPTIONS)
    boxes = () if given else seen_boxes(log)
    arena = room_for(mission, log.trajectory, max(config.obstacles, len(given), len(boxes)))
    base = Scenario(mission=mission, obstacles=given, arena=arena, name=log.path.stem[:200])
    if boxes:
        base, said = _from_the_log(base, boxes, obstacles)
        remarks.append(said)
    return ReplicationSetup(base, log.trajectory, config, tuple(remarks))


def _from_the_log(base: Scenario, boxes: tuple[Obstacle, ...], obstacles: int | None) -> tuple[Scenario, str]:
    """The base with the obstacles the vehicle saw, and a sentence; without any they are drawn at random."""
    at_most = _MOST_SEEN if obstacles is None else obstacles
    kept = that_fit(base, boxes, at_most)
    if not kept:
        return (
            base,
            "obstacle_distance in the log: nothing of it may stand on the mission; the seed is random",
        )
    return base.with_obstacles(kept), (
        f"the seed is what the vehicle saw: {len(kept)} obstacle(s) from obstacle_distance in the log"
        + ("" if len(kept) == len(boxes) else f", of {len(boxes)} seen")
    )


def _target(log: FlightLog, variable: Variable) -> FloatArray:
    return series(log.trajectory, variable) if variable in OF_THE_PATH else logged_series(log, variable)


def seed_obstacles(path: Path) -> tuple[Obstacle, ...]:
    """The obstacles of a scenario file or Aerialist test; the mission in it does not matter."""
    data = read_yaml(path) if path.suffix != ".plan" else None
    return load_obstacles(path) if is_aerialist(data) else load_scenario(path).obstacles


def room_for(mission: Mission, trajectory: Trajectory, obstacles: int) -> Arena:
    """Rules for replicated obstacles: anywhere around the flight, any size of a building."""
    points = np.vstack([np.array(mission.route_enu_m), trajectory.position_enu_m])[:, :2]
    low, high = points.min(axis=0) - _ROOM_AROUND_M, points.max(axis=0) + _ROOM_AROUND_M
    return Arena(
        name="replication",
        east_min_m=math.floor(float(low[0])),
        east_max_m=math.ceil(float(high[0])),
        north_min_m=math.floor(float(low[1])),
        north_max_m=math.ceil(float(high[1])),
        min_side_m=0.2,
        max_side_m=60.0,
        min_height_m=0.0,
        max_height_m=60.0,
        max_obstacles=max(obstacles, 1),
        required_clearance_m=0.5,
    )


def system_settings(system: System, parameters: dict[str, float]) -> tuple[dict[str, Any], list[str]]:
    """Settings of the `lfs` backend; a simulated PX4 takes over the parameters of the log."""
    if not isinstance(system.vehicle, Px4VehicleConfig):
        return {"system": system.model_dump(mode="json")}, []
    settings = system.vehicle.model_dump()
    taken: list[str] = []
    for name, field in parameter_fields().items():
        value = parameters.get(name)
        if value is None:
            continue
        if math.isclose(value, settings[field], rel_tol=1e-5):  # logs hold float32
            continue
        changed = {**settings, field: round(value, 6)}
        try:
            Px4VehicleConfig.model_validate(changed)
        except ValueError:
            continue  # a value outside the model's limits says nothing about the model
        settings = changed
        taken.append(f"{name}={value:g}")
    note = [f"parameters taken from the log: {', '.join(taken)}"] if taken else []
    # The navigator's acceptance radii are parameters of the vehicle and rules of the mission.
    flown = system.changed(
        {
            "vehicle": settings,
            "mission.acceptance_radius_m": settings["nav_acc_rad_m"],
            "mission.altitude_acceptance_m": settings["nav_mc_alt_rad_m"],
            "mission.height_tolerance_m": settings["nav_mc_alt_rad_m"],
        }
    )
    return {"system": flown.model_dump(mode="json")}, note


def mission_of(log: FlightLog, plan: Path | None) -> Mission:
    if plan is None:
        if log.mission is None:
            raise ConfigError(
                f"{log.path}: the log does not tell its mission; give the plan with --plan FILE"
            )
        return log.mission
    if plan.suffix != ".plan":
        return load_mission(plan)
    home = log.home or _planned_start(plan)
    return load_mission(plan, home)


def _planned_start(plan: Path) -> GeoPoint:
    """Take-off item of a plan, for logs that know no place on the globe."""
    data = read_yaml(plan)
    try:
        item = next(item for item in data["mission"]["items"] if item["command"] == 22)
        latitude, longitude = float(item["params"][4]), float(item["params"][5])
    except (KeyError, TypeError, IndexError, ValueError, StopIteration):
        raise InputFileError(
            f"{plan}: no take-off item with a position, and the log has no global position: nobody knows "
            "where the mission starts"
        ) from None
    return (latitude, longitude, 0.0)


def _check_landing(log: FlightLog, mission: Mission) -> list[str]:
    if log.ends_in_air:
        return ["the log ends in the air: only that part is matched"]
    goal, end = mission.route_enu_m[-1], log.trajectory.position_enu_m[-1]
    error_m = math.dist(goal[:2], (float(end[0]), float(end[1])))
    if error_m > _MAX_LANDING_ERROR_M:
        raise ConfigError(
            f"{log.path}: the flight ends {error_m:.1f} m from where the mission lands; the plan is not the "
            "one that was flown"
        )
    if error_m > _NOTED_LANDING_ERROR_M:
        return [f"the flight ends {error_m:.1f} m from where the mission lands"]
    return []
