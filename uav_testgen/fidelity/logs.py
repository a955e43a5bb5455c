"""A user's own PX4 logs as records: NAME.ulg, with the scene it was flown in beside it.

The scene is NAME.yaml, an Aerialist test or a scenario of this package: the obstacles where they really stood, from
the take-off spot, and the mission. A plan NAME.plan beside them replaces the mission; it is placed by the take-off spot
that the log tells. The distance is measured on the log's position estimate.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import InputFileError, UavTestgenError
from uav_testgen.core.frames import position_enu_to_test
from uav_testgen.fidelity.records import FILES, Record, Skipped, load_records
from uav_testgen.fidelity.scenes import SUFFIXES, scene_beside
from uav_testgen.flight.ulog.reader import FlightLog, read_log
from uav_testgen.oracle.separation import separation
from uav_testgen.scenario.formats.aerialist import load_obstacles
from uav_testgen.scenario.formats.aerialist_parameters import own_parameters
from uav_testgen.scenario.formats.plan_file import load_plan
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.px4.config import Px4VehicleConfig
from uav_testgen.vehicle.px4.parameters import parameter_fields, usual_value, with_values

SOURCE = "logs"
FAR_M = 12.0
"""A flight that is farther than this from its legs for most of the time flew another mission."""
_PATH_PERIOD_S = 0.5


def load_all(folder: Path, plans: Path | None = None) -> tuple[list[Record], list[Skipped]]:
    """Records of a folder in JSON lines, then those in PX4 logs, by name; either may be absent."""
    logs = sorted(folder.rglob("*.ulg")) if folder.is_dir() else []
    if not logs:
        return load_records(folder)
    lines = any((folder / name).is_file() for name in FILES)
    records, skipped = load_records(folder) if lines else ([], [])
    for path in logs:
        try:
            records.append(record_of_log(path, folder, plans))
        except UavTestgenError as error:
            where = str(path.relative_to(folder))
            skipped.append(
                Skipped(where, path.stem[:100], " ".join(str(error).removeprefix(f"{path}: ").split())[:300])
            )
    return records, skipped


def record_of_log(path: Path, folder: Path, plans: Path | None = None) -> Record:
    """One log as a record; an error says what is missing."""
    if not any(path.with_suffix(suffix).is_file() for suffix in SUFFIXES):
        raise InputFileError(
            f"{path}: its scene {path.with_suffix('.yaml').name} is missing; put the obstacles and the mission there"
        )
    log = read_log(path)
    scenario = _scene(path, log, plans)
    if not scenario.obstacles:
        raise InputFileError(f"{path}: no obstacles in its scene, so there is no distance to predict")
    _check_mission(path, log, scenario)
    near = separation(scenario, log.trajectory)
    assert near is not None
    # Without its suffix, so that the path of a log below the folder stays readable in tables.
    name = str(path.relative_to(folder).with_suffix(""))
    return Record(
        id=name,
        source=SOURCE,
        mission=_mission_name(scenario),
        scenario=scenario.model_copy(
            update={"name": name[:200], "parameters": _parameters(path, log, scenario)}
        ),
        distance_m=near.aerialist.distance_m,
        path_txyz=_path(log),
        measure="aerialist",
        says_measure=True,
    )


def _scene(path: Path, log: FlightLog, plans: Path | None) -> Scenario:
    plan = path.with_suffix(".plan")
    if not plan.is_file():
        return scene_beside(path, plans)
    if log.home is None:
        raise InputFileError(
            f"{path}: the log does not tell where on the globe it was flown, which {plan.name} needs"
        )
    mission = load_plan(plan, log.home)
    try:
        return scene_beside(path, plans).model_copy(update={"mission": mission})
    except InputFileError:
        # A scene that names no mission, or one that is not here: only its obstacles are needed.
        scene = next(path.with_suffix(suffix) for suffix in SUFFIXES if path.with_suffix(suffix).is_file())
        return Scenario(mission=mission, obstacles=load_obstacles(scene))


def _check_mission(path: Path, log: FlightLog, scenario: Scenario) -> None:
    route = np.array(scenario.mission.route_enu_m)[:, :2]
    flown = log.trajectory.position_enu_m[:, :2]
    legs = [_from_leg_m(flown, begin, end) for begin, end in itertools.pairwise(route)]
    # Detours and flights that never get past a wall stay near the route for most of the time.
    away_m = float(np.median(np.min(legs, axis=0))) if legs else 0.0
    if away_m > FAR_M:
        raise InputFileError(
            f"{path}: the flight stays {away_m:.0f} m (median) from the legs of its mission; is it another mission, or "
            "a plan for another take-off spot?"
        )


def _from_leg_m(points: FloatArray, begin: FloatArray, end: FloatArray) -> FloatArray:
    """Distance of points from a straight leg."""
    way = end - begin
    length = float(way @ way)
    share = np.clip((points - begin) @ way / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(points))
    return np.asarray(np.hypot(*(points - begin - share[:, None] * way).T))


def _parameters(path: Path, log: FlightLog, scenario: Scenario) -> dict[str, float]:
    """What the scene sets, and the simulated parameters that the log says to be other than usual."""
    logged: Mapping[str, float] = {
        name: value
        for name, value in own_parameters(log.parameters).items()
        if name in parameter_fields() and abs(value - usual_value(name)) > 1e-6 * max(1.0, abs(value))
    }
    try:
        with_values(Px4VehicleConfig(), logged)
    except ValueError as error:
        raise InputFileError(f"{path}: {error}") from None
    return {**scenario.parameters, **logged}


def _mission_name(scenario: Scenario) -> str:
    """The mission's own name; without one, its corners, so that flights of one mission are known as such."""
    if scenario.mission.name:
        return scenario.mission.name
    corners = (position_enu_to_test(corner) for corner in scenario.mission.route_enu_m[1:])
    return " ".join(f"{corner[0]:.0f},{corner[1]:.0f}" for corner in corners)


def _path(log: FlightLog) -> FloatArray:
    trajectory = log.trajectory
    t_s = np.arange(0.0, trajectory.t_s[-1] + 1e-9, _PATH_PERIOD_S)
    place = trajectory.position_enu_m
    return np.column_stack([t_s, *(np.interp(t_s, trajectory.t_s, place[:, axis]) for axis in range(3))])
