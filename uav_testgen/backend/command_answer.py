"""What a user's simulator left in its folder, read with suspicion.

* a ULog (`*.ulg`), or `flight.csv`: t_s,x_m,y_m,z_m,yaw_rad in the frame of the scene (east, north, up);
* `obstacles.csv`, if obstacles move by themselves: t_s,obstacle,x_m,y_m,z_m,yaw_rad, the first obstacle is 1;
* `result.json`, if the simulator knows more than the path tells: {"ending": "collision", "reason": "..."}.
"""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from uav_testgen.backend.command_run import CommandRun
from uav_testgen.backend.logged_flight import ending_of, placed
from uav_testgen.core.config import read_text, read_yaml
from uav_testgen.core.errors import InputFileError, UavTestgenError
from uav_testgen.flight.json_io import load_trajectory_csv
from uav_testgen.flight.judged_on import SIMULATOR, noted, on_truth_of
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.flight.obstacle_poses import KEY, ObstaclePoses, poses_to_json
from uav_testgen.flight.ulog.reader import read_log
from uav_testgen.scenario.model import Scenario

_FLIGHT, _OBSTACLES, _RESULT = "flight.csv", "obstacles.csv", "result.json"
_POSE_COLUMNS = ("t_s", "obstacle", "x_m", "y_m", "z_m", "yaw_rad")
_MOST_POSES = 1_000_000
_BEGINS_WITHIN_M = 10.0
_FASTEST_MPS = 100.0
_LEAST_CLIMB_M = 0.5
_IN_AIR_M = 1.0
_TOLD_ENDINGS = {
    Ending.GOAL_REACHED, Ending.COLLISION, Ending.TIME_LIMIT, Ending.STUCK, Ending.LANDED_EARLY, Ending.ABORTED,
}  # fmt: skip


class Limits(Protocol):
    """The settings that matter here."""

    @property
    def arrival_m(self) -> float:
        """A flight that ends this near to the last waypoint reached it."""
        ...


def read_answer(out: Path, scenario: Scenario, seed: int, run: CommandRun, limits: Limits) -> Flight:
    """The flight in a folder; InputFileError names the file and what cannot be."""
    try:
        return _read(out, scenario, seed, run, limits)
    except InputFileError:
        raise
    except (UavTestgenError, OSError, ValueError, TypeError, KeyError) as error:
        raise InputFileError(f"{out}: cannot be read ({str(error)[:200]})") from None


def _read(out: Path, scenario: Scenario, seed: int, run: CommandRun, limits: Limits) -> Flight:
    logs = sorted((path for path in out.rglob("*.ulg") if path.is_file()), key=lambda p: p.stat().st_mtime)
    details: dict[str, Any] = {"wall_s": round(run.wall_s, 3), "exit_code": run.code}
    clock_s = 0.0
    if logs:
        found = read_log(logs[-1], accept_cut=True)
        trajectory, in_air = placed(found.trajectory, scenario), found.ends_in_air
        details |= {"log": str(logs[-1]), "notes": list(found.notes)}
        position = found.topics["vehicle_local_position"]
        clock_s = float(1e-6 * position["timestamp"][0] - position["t_s"][0])
    elif (out / _FLIGHT).exists():
        trajectory = load_trajectory_csv(out / _FLIGHT)
        _check_path(out / _FLIGHT, trajectory, scenario)
        clock_s = float(trajectory.t_s[0])
        trajectory = Trajectory(
            trajectory.t_s - clock_s,
            trajectory.position_enu_m,
            trajectory.velocity_enu_mps,
            trajectory.yaw_rad,
        )
        in_air = bool(trajectory.position_enu_m[-1, 2] - trajectory.position_enu_m[0, 2] > _IN_AIR_M)
        in_air = in_air and scenario.mission.land
    else:
        raise InputFileError(f"{out}: neither a .ulg nor {_FLIGHT} was left there")
    ending, reason = ending_of(
        scenario, trajectory, in_air=in_air, timed_out=run.code is None, arrival_m=limits.arrival_m
    )
    ending, reason = _told_ending(out / _RESULT, ending, reason)
    flight = Flight(scenario.id, "", "", seed, ending, reason, trajectory, details)
    flight = on_truth_of(flight, logs[-1]) if logs else noted(flight, SIMULATOR)
    poses = _poses(out / _OBSTACLES, scenario, clock_s)
    return flight if poses is None else noted(flight, flight.details["judged_on"], **{KEY: poses})


def _check_path(path: Path, trajectory: Trajectory, scenario: Scenario) -> None:
    """A path that no flight of this scene can have taken."""
    if len(trajectory) < 2:
        raise InputFileError(f"{path}: {len(trajectory)} samples; a flight has at least 2")
    position = trajectory.position_enu_m
    away_m = float(np.hypot(*(position[0, :2] - np.array(scenario.mission.home_enu_m[:2]))))
    if away_m > _BEGINS_WITHIN_M:
        raise InputFileError(
            f"{path}: begins {away_m:.0f} m from home; positions are metres east, north, up from the scene's origin"
        )
    speed = np.linalg.norm(np.diff(position, axis=0), axis=1) / np.diff(trajectory.t_s)
    if float(speed.max()) > _FASTEST_MPS:
        line = int(speed.argmax()) + 3
        raise InputFileError(f"{path}: line {line}: {speed.max():.0f} m/s, which no multicopter flies")
    if scenario.mission.takeoff and float(position[:, 2].max() - position[0, 2]) < _LEAST_CLIMB_M:
        downwards = float(np.ptp(position[:, 2])) >= _LEAST_CLIMB_M
        why = "; z counts upwards, here it only falls (north, east, down?)" if downwards else ""
        raise InputFileError(f"{path}: the vehicle never left the ground{why}")


def _told_ending(path: Path, ending: Ending, reason: str) -> tuple[Ending, str]:
    """What the simulator says about the end; that it arrived is believed only if its path says so, too."""
    if not path.exists():
        return ending, reason
    data = read_yaml(path)
    told = data.get("ending") if isinstance(data, dict) else None
    known = sorted(one.value for one in _TOLD_ENDINGS)
    if told not in known:
        raise InputFileError(f"{path}: field 'ending' must be one of {', '.join(known)}")
    if told == Ending.GOAL_REACHED.value:
        return ending, reason
    return Ending(told), str(data.get("reason") or f"the simulator says: {told}")[:500]


def _poses(path: Path, scenario: Scenario, clock_s: float) -> list[dict[str, Any]] | None:
    if not path.exists():
        return None
    lines = list(csv.reader(io.StringIO(read_text(path))))
    if not lines or tuple(cell.strip() for cell in lines[0]) != _POSE_COLUMNS:
        raise InputFileError(f"{path}: line 1: the header must be {','.join(_POSE_COLUMNS)}")
    if len(lines) > _MOST_POSES:
        raise InputFileError(f"{path}: {len(lines)} lines, at most {_MOST_POSES} are accepted")
    rows: dict[int, list[list[float]]] = {}
    for number, cells in enumerate(lines[1:], start=2):
        try:
            values = [float(cell) for cell in cells]
        except ValueError:
            values = []
        if len(values) != len(_POSE_COLUMNS) or not all(map(math.isfinite, values)):
            raise InputFileError(f"{path}: line {number}: {len(_POSE_COLUMNS)} finite numbers are expected")
        index = int(values[1]) - 1
        if not 0 <= index < len(scenario.obstacles) or values[1] != index + 1:
            raise InputFileError(
                f"{path}: line {number}: obstacle {values[1]:g}; the scene has 1 to {len(scenario.obstacles)}"
            )
        rows.setdefault(index, []).append([values[0] - clock_s, *values[2:]])
    return poses_to_json([ObstaclePoses.of_rows(index, table) for index, table in sorted(rows.items())])
