"""Fidelity over the wire: which records there are, what a comparison gave, and both paths of one flight."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

from starlette.requests import Request

from uav_testgen.core.errors import ConfigError, InputFileError
from uav_testgen.fidelity.records import Record, load_records
from uav_testgen.view.studio.answering import Routes
from uav_testgen.view.studio.choices import read_settings
from uav_testgen.view.studio.flown import path_json
from uav_testgen.view.studio.folder import StudioFolder
from uav_testgen.view.studio.job_kinds import SAMPLE, records_folder
from uav_testgen.view.studio.jobs import PREDICTIONS, Jobs
from uav_testgen.view.studio.pool import FlightPool
from uav_testgen.view.studio.worker import Flown, Job

_MOST_BYTES = 64 * 1024 * 1024
_MOST_ROWS = 20_000
_FIGURES = (
    "n", "spearman", "median_abs_error_m", "bias_m", "auc_1_5m", "median_path_error_m", "same_side", "brier", "system",
    "runs", "reliability",
)  # fmt: skip


class FidelityRoom:
    """Routes of comparisons with recorded flights."""

    def __init__(self, folder: StudioFolder, jobs: Jobs, pool: FlightPool) -> None:
        self._folder, self._jobs, self._pool = folder, jobs, pool
        self._records: dict[Path, dict[str, Record]] = {}
        self._lock = threading.Lock()

    def routes(self) -> Routes:
        """What it answers to."""
        return [
            ("GET", "/api/fidelity/records", self._list), ("GET", "/api/fidelity", self._show),
            ("GET", "/api/fidelity/pair", self._pair),
        ]  # fmt: skip

    async def _list(self, request: Request) -> Any:
        folders = await asyncio.to_thread(self._folder.with_records)
        return {"records": [{"name": SAMPLE, "label": "eight shipped flights"},
                            *({"name": name, "label": name} for name in folders)]}  # fmt: skip

    async def _show(self, request: Request) -> Any:
        return await asyncio.to_thread(self._view, request.query_params.get("path", ""))

    def _view(self, given: str) -> dict[str, Any]:
        folder, _, kind = self._jobs.existing(given)
        if kind.name != "fidelity":
            raise ConfigError(f"{given[:200]}: not a comparison with recorded flights")
        found = {
            **self._jobs.summary(folder),
            "command": self._jobs.command_text(given),
            "log_end": self._jobs.log_end(folder)[-12:],
            "rows": [],
            "figures": None,
        }
        if found["state"] == "finished":
            summary = _json(_text(folder / "summary.json"))
            found["figures"] = {name: summary.get(name) for name in _FIGURES}
            lines = _text(folder / PREDICTIONS).splitlines()[:_MOST_ROWS]
            kept = ("id", "mission", "measured_m", "predicted_m", "ending", "seed")
            found["rows"] = [{key: row.get(key) for key in kept} for row in map(_json, lines)]
        return found

    async def _pair(self, request: Request) -> Any:
        """The recorded path and the predicted one, flown again by a worker: it is the same to the last bit."""
        given, name = request.query_params.get("path", ""), request.query_params.get("id", "")
        found = await asyncio.to_thread(self._view, given)
        row = next((one for one in found["rows"] if one["id"] == name), None)
        record, settings = await asyncio.to_thread(self._record, given, name)
        if row is None or record is None:
            raise InputFileError(f"{name[:80]}: not one of the compared flights")
        flown: Flown = await self._pool.submit(
            Job("run", settings, record.scenario, int(row["seed"])), first=True
        ).answer
        path = await asyncio.to_thread(path_json, record.scenario, flown.run)
        recorded = record.path_txyz
        return {
            "id": name,
            "measured_m": record.distance_m,
            "predicted_m": row["predicted_m"],
            "scene": record.scenario.model_dump(mode="json"),
            "predicted": {key: path[key] for key in ("t", "x", "y", "z", "d")},
            "recorded": {key: recorded[:, column].round(2).tolist() for column, key in enumerate("txyz")},
        }

    def _record(self, given: str, name: str) -> tuple[Record | None, dict[str, Any]]:
        _, note, _ = self._jobs.existing(given)
        settings = note.settings if note is not None else {}
        if not settings:
            raise InputFileError(
                f"{given[:200]}: was compared from the command line; its records are not known"
            )
        place = records_folder(self._folder, str(settings.get("records", "")))
        with self._lock:
            if place not in self._records:
                self._records[place] = {record.id: record for record in load_records(place)[0]}
        parts = {key: settings[key] for key in ("system", "planner", "camera") if settings.get(key)}
        return self._records[place].get(name), read_settings(parts)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputFileError(f"{path.name}: larger than {_MOST_BYTES} bytes")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputFileError(f"{path.name}: cannot be read ({error.strerror})") from None


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InputFileError(
            "the results of this comparison cannot be read; compare again under another name"
        )
    return data
