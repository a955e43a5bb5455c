"""Distances that were flown before, kept in a store so that a long calibration can be interrupted.

The key is made of everything that decides a flight (settings, test, version), so a record is never used for another
flight; after a change of the simulator start a new store.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import NamedTuple

from uav_testgen import __version__
from uav_testgen.fidelity.flown import Progress, fly_records
from uav_testgen.fidelity.records import Record
from uav_testgen.loop.system import System
from uav_testgen.predict.prediction import NO_SCATTER
from uav_testgen.work.store import Store, understood

KIND = "calibration_flight"

PORTION = 40
"""Flights between two writes: what an interruption can cost."""


def flight_key(system: System, record: Record) -> str:
    """Name of an undisturbed flight."""
    flown = system.model_dump_json(
        exclude={"scatter", "calibration", "undecided", "name", "version", "description"}
    )
    text = f"{__version__} {flown} {record.scenario.model_dump_json()}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Outcome(NamedTuple):
    """What an undisturbed flight came to: its least distance, and whether it had no end."""

    distance_m: float
    is_open: bool


class FlownBefore:
    """Undisturbed flights, from the store (which it opens) or flown now."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._known: dict[str, Outcome] = {}
        if store is None:
            return
        for record in store.open():
            if record.kind == KIND:
                body = record.body
                with understood(store.path, "a flight of a calibration"):
                    self._known[str(body["key"])] = Outcome(float(body["distance_m"]), bool(body["open"]))

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
        for start in range(0, len(missing), PORTION if self._store else max(len(missing), 1)):
            part = missing[start : start + PORTION] if self._store else missing
            flown = fly_records([r for _, r in part], system, 0, seed, jobs, scatter=NO_SCATTER)
            for (key, _), prediction in zip(part, flown, strict=True):
                run = prediction.distribution.runs[0]
                self._known[key] = Outcome(run.distance_m, run.is_open)
            self._append([key for key, _ in part])
            if progress is not None:
                progress(len(records) - len(missing) + start + len(part), len(records))
        return [self._known[key] for key in keys]

    def _append(self, keys: list[str]) -> None:
        if self._store is None:
            return
        known = ((key, self._known[key]) for key in keys)
        self._store.append(
            [
                (KIND, {"key": key, "distance_m": outcome.distance_m, "open": outcome.is_open})
                for key, outcome in known
                if math.isfinite(outcome.distance_m)
            ]
        )
