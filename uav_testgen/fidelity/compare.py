"""A folder of records in, all figures out: what the command line and the calibration share."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from uav_testgen import __version__
from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.flown import FlownRecord, Progress, fly_records
from uav_testgen.fidelity.intervals import held_by
from uav_testgen.fidelity.logs import load_all
from uav_testgen.fidelity.missions_left_out import missions_left_out
from uav_testgen.fidelity.records import Record, Skipped, measured_by, relabelled, without
from uav_testgen.fidelity.summary import summarise
from uav_testgen.loop.system import System
from uav_testgen.predict.runs import DEFAULT_RUNS


@dataclass(frozen=True, slots=True)
class Comparison:
    """Predictions and their summary."""

    predictions: list[FlownRecord]
    summary: dict[str, Any]

    def rows(self) -> list[dict[str, Any]]:
        """One plain object per record."""
        return [
            {
                "id": p.record.id,
                "mission": p.record.mission,
                "seed": p.seed,
                "measure": p.record.measure,
                "measured_m": p.record.distance_m,
                "predicted_m": p.distance_m,
                "ending": p.ending.value,
                **p.distribution.to_json(),
            }
            for p in self.predictions
        ]


@dataclass(frozen=True, slots=True)
class RecordChoice:
    """Which records of a folder are compared, and on which mission they are flown."""

    folder: Path
    without: tuple[str, ...] = ()
    as_mission: tuple[str, ...] = ()
    keep_impossible: bool = False
    measure_of: tuple[str, ...] = ()
    plans: Path | None = None
    """Where the .plan files are that scenes of logs name."""

    def load(self) -> tuple[list[Record], list[Skipped]]:
        """The records; those that contradict physics are set aside, with the reason."""
        records, skipped = load_all(self.folder, self.plans)
        records = relabelled(without(records, self.without), self.as_mission)
        records = measured_by(records, self.measure_of)
        good = []
        for record in records:
            if record.impossible and not self.keep_impossible:
                reason = (
                    "the recorded path leads through the solid part of an obstacle, "
                    "so that obstacle was not in the simulator"
                )
                skipped.append(Skipped(record.mission, record.id, reason))
            else:
                good.append(record)
        return good, skipped

    def to_json(self) -> dict[str, Any]:
        """What was asked for, for the summary."""
        return {
            "without": list(self.without),
            "as_mission": list(self.as_mission),
            "measure_of": list(self.measure_of),
            "keep_impossible": self.keep_impossible,
        }


def compare(
    chosen: RecordChoice,
    system: System,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    jobs: int = 0,
    every: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Fly the chosen records and compare."""
    records, skipped = chosen.load()
    records = records[::every]
    if not records:
        reasons = "; ".join(f"{s.where} {s.reason}" for s in skipped[:3])
        raise InputFileError(f"{chosen.folder}: no usable record ({reasons or 'files are empty'})")
    predictions = fly_records(records, system, runs, seed, jobs, progress)
    summary = describe(predictions, skipped, system, runs, seed)
    return Comparison(predictions, summary | chosen.to_json())


def describe(
    predictions: list[FlownRecord], skipped: list[Skipped], system: System, runs: int, seed: int
) -> dict[str, Any]:
    """The summary with where it comes from. Distances are finite: every record has an obstacle."""
    assert all(math.isfinite(p.distance_m) for p in predictions)
    return {
        **summarise(predictions, seed),
        "missions_left_out": missions_left_out(predictions),
        "intervals": held_by(predictions, system, runs, seed),
        "system": system.name,
        "preset_version": system.version,
        "measures": sorted({p.record.measure for p in predictions}),
        "runs": runs,
        "seed": seed,
        "version": __version__,
        "skipped": [asdict(s) for s in skipped],
    }
