"""Distances that were flown before, kept in a file so that a long calibration can be interrupted.

One JSON line per flight. The key is made of everything that decides a flight (settings, test, version), so
a line is never used for another flight; after a change of the simulator start a new file.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from uav_testgen import __version__
from uav_testgen.core.errors import StoreError
from uav_testgen.fidelity.flown import Progress, fly_records
from uav_testgen.fidelity.records import Record
from uav_testgen.loop.system import System
from uav_testgen.predict.prediction import NO_SCATTER

PORTION = 40
"""Flights between two writes: what an interruption can cost."""


def flight_key(system: System, record: Record) -> str:
    """Name of an undisturbed flight."""
    flown = system.model_dump_json(exclude={"scatter", "calibration", "name", "version", "description"})
    text = f"{__version__} {flown} {record.scenario.model_dump_json()}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Outcome(NamedTuple):
    """What an undisturbed flight came to: its least distance, and whether it had no end."""

    distance_m: float
    is_open: bool


class FlownBefore:
    """Undisturbed flights, from the file or flown now."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, Outcome] = {}
        if path is not None and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._read(line)

    def _read(self, line: str) -> None:
        """Take a line; one that was cut off by an interruption is flown again."""
        try:
            data = json.loads(line)
            self._known[str(data["key"])] = Outcome(float(data["distance_m"]), bool(data["open"]))
        except (ValueError, KeyError, TypeError):
            return

    def outcomes(
        self,
        records: Sequence[Record],
        system: System,
        seed: int,
        jobs: int,
        progress: Progress | None = None,
    ) -> list[Outcome]:
        """Outcome of every record, without bias."""
        keys = [flight_key(system, record) for record in records]
        missing = [(key, record) for key, record in zip(keys, records, strict=True) if key not in self._known]
        for start in range(0, len(missing), PORTION if self._path else max(len(missing), 1)):
            part = missing[start : start + PORTION] if self._path else missing
            flown = fly_records([r for _, r in part], system, 0, seed, jobs, scatter=NO_SCATTER)
            for (key, _), prediction in zip(part, flown, strict=True):
                run = prediction.distribution.runs[0]
                self._known[key] = Outcome(run.distance_m, run.is_open)
            self._append([key for key, _ in part])
            if progress is not None:
                progress(len(records) - len(missing) + start + len(part), len(records))
        return [self._known[key] for key in keys]

    def _append(self, keys: list[str]) -> None:
        if self._path is None:
            return
        lines = [
            json.dumps({"key": key, "distance_m": outcome.distance_m, "open": outcome.is_open})
            for key, outcome in ((key, self._known[key]) for key in keys)
            if math.isfinite(outcome.distance_m)
        ]
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in lines))
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be written ({error.strerror})") from None
