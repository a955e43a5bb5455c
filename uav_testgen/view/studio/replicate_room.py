"""Replication over the wire: show a flight log, and follow the search that matches it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
from starlette.requests import Request

from uav_testgen.campaign.record import unpack_trajectory
from uav_testgen.campaign.replication.setup import mission_of
from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.similarity import dtw_m
from uav_testgen.flight.ulog.reader import FlightLog, read_log
from uav_testgen.generator.surrealist.fitness import series
from uav_testgen.view.studio.answering import Routes
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.jobs import Jobs
from uav_testgen.view.studio.store_reader import StoreReader

_MOST_LOGS = 8
_PATH_POINTS = 800


class ReplicateRoom:
    """Routes of replications."""

    def __init__(self, folder: StudioFolder, jobs: Jobs) -> None:
        self._folder, self._jobs = folder, jobs
        self._logs: OrderedDict[tuple[str, int], FlightLog] = OrderedDict()
        self._distances: dict[Path, dict[int, float]] = {}
        self._lock = threading.Lock()

    def routes(self) -> Routes:
        """What it answers to."""
        return [
            ("GET", "/api/replicate/log", self._log), ("GET", "/api/replicate", self._follow),
        ]  # fmt: skip

    async def _log(self, request: Request) -> Any:
        path = self._folder.inside(request.query_params.get("path", ""))
        plan = request.query_params.get("plan", "")
        return await asyncio.to_thread(self._log_json, path, self._folder.inside(plan) if plan else None)

    def _log_json(self, path: Path, plan: Path | None) -> dict[str, Any]:
        log = self._read(path)
        route, notes = [], list(log.notes)
        try:
            route = [[round(value, 2) for value in point] for point in mission_of(log, plan).route_enu_m]
        except InputFileError as error:
            notes.append(str(error).replace(f"{self._folder.root}{os.sep}", ""))
        return {
            "path": self._folder.relative(path),
            "log": track_json(log.trajectory),
            "duration_s": round(float(log.trajectory.t_s[-1] - log.trajectory.t_s[0]), 1),
            "vehicle": log.vehicle,
            "ends_in_air": log.ends_in_air,
            "route": route,
            "notes": notes,
        }

    def _read(self, path: Path) -> FlightLog:
        if path.suffix.lower() != ".ulg" or not path.is_file():
            raise InputFileError(f"{path.name}: not a flight log (.ulg) of this folder")
        key = (str(path), path.stat().st_mtime_ns)
        with self._lock:
            if key not in self._logs:
                try:
                    self._logs[key] = read_log(path, accept_cut=True)
                except InputFileError as error:
                    raise InputFileError(str(error).replace(f"{self._folder.root}{os.sep}", "")) from None
                while len(self._logs) > _MOST_LOGS:
                    self._logs.popitem(last=False)
            return self._logs[key]

    async def _follow(self, request: Request) -> Any:
        return await asyncio.to_thread(self._view, request.query_params.get("path", ""))

    def _view(self, given: str) -> dict[str, Any]:
        """Log, seed and best so far on one map, and the distance of every evaluation to the log."""
        folder, note, kind = self._jobs.existing(given)
        if kind.name != "replication":
            raise ConfigError(f"{given[:200]}: not a replication")
        reader = self._jobs.reader(folder)
        found = self._jobs.summary(folder)
        found |= {
            "command": self._jobs.command_text(given),
            "log_end": self._jobs.log_end(folder)[-12:],
            "scene": reader.header.get("base_scenario"),
        }
        config = reader.header.get("config") or {}
        found["budget"] = config.get("budget") or 200
        log_file = self._log_of(str(note.settings.get("log", "")) if note is not None else "")
        if log_file is None:
            return {**found, "trouble": found["trouble"] or "the log it matches is not in this folder"}
        log = self._read(log_file)
        distances = self._measured(folder, reader, series(log.trajectory, "trajectory"))
        numbers = [one["number"] for one in reader.evaluations if one["number"] in distances]
        best = min(numbers, key=lambda number: distances[number], default=None)
        seed = min(numbers, default=None)
        return {
            **found,
            "log": track_json(log.trajectory),
            "distances": [round(distances[number], 3) for number in numbers],
            "numbers": numbers,
            "seed": self._flown(reader, seed),
            "best": self._flown(reader, best),
        }

    def _log_of(self, given: str) -> Path | None:
        path = self._folder.inside(given) if given else None
        return path if path is not None and path.is_file() else None

    def _measured(self, folder: Path, reader: StoreReader, target: FloatArray) -> dict[int, float]:
        """DTW distance to the log, as the search itself measures it, of every evaluation that flew."""
        known = self._distances.setdefault(folder, {})
        if len(known) > len(reader.evaluations):
            known.clear()
        for one in reader.evaluations:
            if one["number"] in known:
                continue
            flown = _trajectory(reader, one["number"])
            if flown is not None and len(flown):
                known[one["number"]] = float(dtw_m(target, series(flown, "trajectory")))
        return known

    def _flown(self, reader: StoreReader, number: int | None) -> dict[str, Any] | None:
        if number is None:
            return None
        body, flown = reader.body_of(number), _trajectory(reader, number)
        if body is None or flown is None:
            return None
        return {
            "number": number,
            "track": track_json(flown),
            "obstacles": body["scenario"].get("obstacles", []),
        }


def _trajectory(reader: StoreReader, number: int) -> Trajectory | None:
    body = reader.body_of(number)
    packed = body.get("trajectory") if body is not None else None
    try:
        return None if packed is None else unpack_trajectory(packed)
    except (ValueError, TypeError):
        return None


def track_json(trajectory: Trajectory) -> dict[str, list[float]]:
    """Time and place, thinned for drawing."""
    keep = np.unique(
        np.linspace(0, len(trajectory.t_s) - 1, min(_PATH_POINTS, len(trajectory.t_s))).astype(int)
    )
    position = trajectory.position_enu_m[keep]
    columns = {"t": trajectory.t_s[keep], "x": position[:, 0], "y": position[:, 1], "z": position[:, 2]}
    return {name: np.round(values, 2).tolist() for name, values in columns.items()}
