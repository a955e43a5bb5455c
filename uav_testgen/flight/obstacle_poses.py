"""Where obstacles were during a flight, as whoever flew it saw them: they need not have moved as the scene says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.model import Flight

KEY = "obstacle_poses"
"""Key in a flight's details."""
_LEAST_PERIOD_S = 0.05
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class ObstaclePoses:
    """One obstacle's centre (ENU) and heading at ascending times on the clock of the flight."""

    index: int
    t_s: FloatArray
    centre_enu_m: FloatArray
    yaw_rad: FloatArray

    @classmethod
    def of_rows(cls, index: int, rows: Sequence[Sequence[float]]) -> ObstaclePoses:
        """From rows of t_s, x, y, z, yaw in any order; the first of equal times counts."""
        table = np.asarray(rows, dtype=np.float64).reshape(-1, 5)
        if not len(table) or not np.isfinite(table).all():
            raise InputFileError(f"poses of obstacle {index + 1}: finite numbers are expected")
        table = table[np.argsort(table[:, 0], kind="stable")]
        keep = [0]
        for row in range(1, len(table)):
            if table[row, 0] - table[keep[-1], 0] >= _LEAST_PERIOD_S:
                keep.append(row)
        if keep[-1] != len(table) - 1 and table[-1, 0] > table[keep[-1], 0]:
            keep.append(len(table) - 1)
        table = table[keep]
        return cls(index, table[:, 0], table[:, 1:4], np.unwrap(table[:, 4]))

    def at(self, t_s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(centres, headings) at these times; before the first and after the last pose it rests."""
        centre = np.column_stack([np.interp(t_s, self.t_s, self.centre_enu_m[:, axis]) for axis in range(3)])
        return centre, np.interp(t_s, self.t_s, self.yaw_rad)


def poses_to_json(poses: Sequence[ObstaclePoses]) -> list[dict[str, Any]]:
    """Plain data for the details of a flight."""
    return [
        {
            "obstacle": one.index,
            "rows": np.round(np.column_stack([one.t_s, one.centre_enu_m, one.yaw_rad]), _DECIMALS).tolist(),
        }
        for one in poses
    ]


def poses_of(flight: Flight, obstacles: int) -> dict[int, ObstaclePoses]:
    """The poses a flight brings, by obstacle; empty for most. InputFileError where they are none."""
    data = flight.details.get(KEY)
    if data is None:
        return {}
    try:
        found = [ObstaclePoses.of_rows(int(one["obstacle"]), one["rows"]) for one in data]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise InputFileError(f"details.{KEY}: not poses of obstacles ({str(error)[:100]})") from None
    if any(not 0 <= one.index < obstacles for one in found):
        raise InputFileError(f"details.{KEY}: names an obstacle that the scene does not have")
    return {one.index: one for one in found}
