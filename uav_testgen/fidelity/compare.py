"""A folder of records in, all figures out: what the command line and the calibration share."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from uav_testgen import __version__
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.flown import Prediction, Progress, fly_records
from uav_testgen.fidelity.records import Record, Skipped, load_records, relabelled, without
from uav_testgen.fidelity.summary import summarise
from uav_testgen.vehicle.px4.preset import Px4Preset, ScatterConfig, load_px4_preset

PAPER_SCATTER = ScatterConfig(model_m=0.8)
"""The paper's vehicle is not calibrated: no bias, and the spread of its errors."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Predictions and their summary."""

    predictions: list[Prediction]
    summary: dict[str, Any]

    def rows(self) -> list[dict[str, Any]]:
        """One plain object per record."""
        return [
            {
                "id": p.record.id,
                "mission": p.record.mission,
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

    def load(self) -> tuple[list[Record], list[Skipped]]:
        """The records; those that contradict physics are set aside, with the reason."""
        records, skipped = load_records(self.folder)
        records = relabelled(without(records, self.without), self.as_mission)
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
            "keep_impossible": self.keep_impossible,
        }


def lfs_config(vehicle: str, preset: Px4Preset) -> LfsConfig:
    """The simulator for a vehicle; the preset counts for px4 only."""
    return LfsConfig(vehicle="px4", px4_vehicle=preset.vehicle) if vehicle == "px4" else LfsConfig()


def compare(
    chosen: RecordChoice,
    vehicle: str = "px4",
    runs: int = 1,
    seed: int = 1,
    jobs: int = 0,
    preset_file: Path | None = None,
    every: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Fly the chosen records and compare."""
    records, skipped = chosen.load()
    records = records[::every]
    if not records:
        reasons = "; ".join(f"{s.where} {s.reason}" for s in skipped[:3])
        raise InputFileError(f"{chosen.folder}: no usable record ({reasons or 'files are empty'})")
    preset = load_px4_preset(preset_file)
    scatter = preset.scatter if vehicle == "px4" else PAPER_SCATTER
    predictions = fly_records(records, lfs_config(vehicle, preset), scatter, runs, seed, jobs, progress)
    summary = describe(predictions, skipped, vehicle, runs, seed)
    return Comparison(predictions, summary | chosen.to_json())


def describe(
    predictions: list[Prediction], skipped: list[Skipped], vehicle: str, runs: int, seed: int
) -> dict[str, Any]:
    """The summary with where it comes from. Distances are finite: every record has an obstacle."""
    assert all(math.isfinite(p.distance_m) for p in predictions)
    return {
        **summarise(predictions, seed),
        "vehicle": vehicle,
        "runs": runs,
        "seed": seed,
        "version": __version__,
        "skipped": [asdict(s) for s in skipped],
    }
