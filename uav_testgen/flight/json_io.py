"""Flights as JSON and trajectories as CSV.

A flights file holds the runs of one test: `{"test": "001-….yaml", "runs": [flight, …]}`. Numbers are
rounded to a micrometre, microsecond and microradian: less than anything measures, and a third of the
size. Clouds and planner traces are not kept here; recordings (MCAP) are for that.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from uav_testgen.core.config import read_text, read_yaml
from uav_testgen.core.errors import InputFileError
from uav_testgen.core.files import write_text
from uav_testgen.flight.model import Ending, Flight, Trajectory

_DECIMALS = 6
_CSV_COLUMNS = ("t_s", "x_m", "y_m", "z_m", "yaw_rad")


def flight_to_json(flight: Flight) -> dict[str, Any]:
    """Plain data of a flight."""
    trajectory = flight.trajectory
    return {
        "scenario_id": flight.scenario_id,
        "backend": flight.backend,
        "system": flight.system,
        "seed": flight.seed,
        "ending": flight.ending.value,
        "reason": flight.reason,
        "trajectory": {
            "t_s": _rounded(trajectory.t_s),
            "position_enu_m": _rounded(trajectory.position_enu_m),
            "velocity_enu_mps": _rounded(trajectory.velocity_enu_mps),
            "yaw_rad": _rounded(trajectory.yaw_rad),
            **_tilt(trajectory),
        },
        "details": flight.details,
    }


def _tilt(trajectory: Trajectory) -> dict[str, Any]:
    """Roll and pitch where they are known at every sample."""
    tilt = {"roll_rad": trajectory.roll_rad, "pitch_rad": trajectory.pitch_rad}
    if not all(np.isfinite(values).all() for values in tilt.values()):
        return {}
    return {name: _rounded(values) for name, values in tilt.items()}


def flight_from_json(data: Any, source: str = "flight") -> Flight:
    """Inverse of `flight_to_json`; InputFileError names the field."""
    try:
        parts = data["trajectory"]
        trajectory = Trajectory(
            t_s=np.array(parts["t_s"], dtype=np.float64),
            position_enu_m=np.array(parts["position_enu_m"], dtype=np.float64).reshape(-1, 3),
            velocity_enu_mps=np.array(parts["velocity_enu_mps"], dtype=np.float64).reshape(-1, 3),
            yaw_rad=np.array(parts["yaw_rad"], dtype=np.float64),
            # Older files, and vehicles that do not tell, have neither.
            roll_rad=np.array(parts["roll_rad"], dtype=np.float64) if "roll_rad" in parts else None,  # type: ignore[arg-type]
            pitch_rad=np.array(parts["pitch_rad"], dtype=np.float64) if "pitch_rad" in parts else None,  # type: ignore[arg-type]
        )
        columns = (trajectory.t_s, trajectory.position_enu_m, trajectory.velocity_enu_mps, trajectory.yaw_rad)
        if not all(np.isfinite(values).all() for values in columns):
            raise ValueError("a trajectory has values that are not finite")
        return Flight(
            scenario_id=str(data["scenario_id"]),
            backend=str(data["backend"]),
            system=str(data["system"]),
            seed=int(data["seed"]),
            ending=Ending(data["ending"]),
            reason=str(data["reason"]),
            trajectory=trajectory,
            details=dict(data.get("details") or {}),
        )
    except KeyError as error:
        raise InputFileError(f"{source}: field {error} is missing") from None
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputFileError(f"{source}: not a flight ({error})") from None


def save_flights(path: Path, test: str, flights: Sequence[Flight]) -> None:
    """Write the runs of one test."""
    data = {"test": test, "runs": [flight_to_json(flight) for flight in flights]}
    write_text(path, json.dumps(data, separators=(",", ":"), allow_nan=False) + "\n")


def load_flights(path: Path) -> tuple[str, list[Flight]]:
    """(test file name, runs) of a flights file; a file with one bare flight counts as one run."""
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise InputFileError(f"{path}: an object with 'test' and 'runs' is expected")
    if "runs" not in data and "trajectory" in data:
        return path.stem, [flight_from_json(data, str(path))]
    runs = data.get("runs")
    if not isinstance(runs, list):
        raise InputFileError(f"{path}: field 'runs' must be a list of flights")
    flights = [flight_from_json(run, f"{path}: run {number + 1}") for number, run in enumerate(runs)]
    return str(data.get("test", path.stem)), flights


def trajectory_to_csv(trajectory: Trajectory) -> str:
    """One line per sample, with a header; ENU."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    rows = np.column_stack([trajectory.t_s, trajectory.position_enu_m, trajectory.yaw_rad])
    writer.writerows(_rounded(rows))
    return text.getvalue()


def load_trajectory_csv(path: Path) -> Trajectory:
    """Inverse of `trajectory_to_csv`, velocities from the positions; InputFileError names the line."""
    lines = list(csv.reader(io.StringIO(read_text(path))))
    if not lines or tuple(cell.strip() for cell in lines[0]) != _CSV_COLUMNS:
        raise InputFileError(f"{path}: line 1: the header must be {','.join(_CSV_COLUMNS)}")
    rows = []
    for number, cells in enumerate(lines[1:], start=2):
        try:
            row = [float(cell) for cell in cells]
        except ValueError:
            row = []
        if len(row) != len(_CSV_COLUMNS) or not all(math.isfinite(value) for value in row):
            raise InputFileError(f"{path}: line {number}: {len(_CSV_COLUMNS)} finite numbers are expected")
        rows.append(row)
    table = np.array(rows, dtype=np.float64).reshape(-1, len(_CSV_COLUMNS))
    positions = table[:, 1:4]
    try:
        velocities = (
            np.gradient(positions, table[:, 0], axis=0) if len(table) > 1 else np.zeros_like(positions)
        )
        return Trajectory(table[:, 0], positions, velocities, table[:, 4])
    except ValueError as error:
        raise InputFileError(f"{path}: {error}") from None


def _rounded(values: np.ndarray) -> list[Any]:
    rounded: list[Any] = np.round(values, _DECIMALS).tolist()
    return rounded
