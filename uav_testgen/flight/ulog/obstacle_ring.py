"""What a vehicle logged of the obstacles around it: PX4's `obstacle_distance`, sectors around its nose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.ulog.topics import Columns

TOPIC = "obstacle_distance"
_UNUSED_CM = 65535.0
_BODY_FRAME = 12.0
_LOCAL_NED = 1.0


@dataclass(frozen=True, slots=True)
class Ring:
    """Samples since take-off: bearings clockwise from the nose (or from north), distances or infinity."""

    t_s: FloatArray
    bearing_rad: FloatArray
    distance_m: FloatArray
    from_north: bool
    range_m: float

    @property
    def nearest_m(self) -> FloatArray:
        """The nearest obstacle of every sample; the range where nothing is seen."""
        return np.asarray(np.minimum(self.distance_m.min(axis=1), self.range_m))


def ring_of(topics: Mapping[str, Columns]) -> Ring | None:
    """The samples of the flight; None where the log has none that say anything."""
    columns = topics.get(TOPIC)
    if columns is None or any(name not in columns for name in ("increment", "max_distance")):
        return None
    names = [name for name in (f"distances[{index}]" for index in range(72)) if name in columns]
    usable = (
        np.isfinite(columns["increment"]) & (columns["increment"] > 0.0) & (columns["max_distance"] > 0.0)
    )
    if "frame" in columns:
        usable &= np.isin(columns["frame"], (_BODY_FRAME, _LOCAL_NED, 0.0))
    if not names or not np.any(usable):
        return None
    centimetres = np.column_stack([columns[name][usable] for name in names])
    limit_cm = columns["max_distance"][usable][:, np.newaxis]
    seen = (centimetres <= limit_cm) & (centimetres < _UNUSED_CM)
    offset_deg = columns.get("angle_offset", np.zeros(len(usable)))[usable][:, np.newaxis]
    bearing_deg = offset_deg + columns["increment"][usable][:, np.newaxis] * np.arange(len(names))
    frame = columns.get("frame", np.full(len(usable), _BODY_FRAME))[usable]
    return Ring(
        t_s=columns["t_s"][usable],
        bearing_rad=np.radians(bearing_deg),
        distance_m=np.where(seen, 0.01 * centimetres, np.inf),
        from_north=bool(np.all(frame == _LOCAL_NED)),
        range_m=float(0.01 * np.max(limit_cm)),
    )
