"""Predictions that `fidelity --out` wrote, read again instead of flown again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.flown import FlownRecord
from uav_testgen.fidelity.records import Record
from uav_testgen.flight.model import Ending
from uav_testgen.loop.system import System
from uav_testgen.predict.distribution import Distribution, Run


def predicted_before(
    folder: Path, records: Sequence[Record], system: System
) -> tuple[list[FlownRecord], int, int]:
    """The records that have a prediction there (without paths), the number of drawn runs, the seed.

    InputFileError where they are another system's, or none of them is there.
    """
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
        said_of = (summary["system"], summary["preset_version"])
        if said_of != (system.name, system.version):
            raise InputFileError(
                f"{folder}: holds predictions of {said_of[0]} (preset {said_of[1]}), not of {system.label}"
            )
        rows = {row["id"]: row for row in (json.loads(line) for line in lines)}
        flown = []
        for record in records:
            if record.id not in rows:
                continue
            row = rows[record.id]
            runs = tuple(
                Run(float(one["distance_m"]), float(one["duration_s"]), Ending(one["ending"]))
                for one in row["runs"]
            )
            distribution = Distribution(runs, system.scatter.error)
            flown.append(
                FlownRecord(record, int(row["seed"]), distribution, np.zeros((0, 4)), Ending(row["ending"]))
            )
        if not flown:
            raise InputFileError(f"{folder}: holds no prediction of these records")
        return flown, int(summary["runs"]), int(summary["seed"])
    except OSError as error:
        raise InputFileError(f"{folder}: predictions cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputFileError(f"{folder}: no predictions of `fidelity --out` ({str(error)[:200]})") from None
