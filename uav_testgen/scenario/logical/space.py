"""The search space of a logical scenario: its parameters, obstacle places and velocities, as a unit cube.

Each parameter of a range is one number 0..1; a range of no width takes none. Places are shares of the room
that an obstacle of its size has inside the arena, so nothing decoded reaches over the border. Standing
obstacles are put on the lowest ground below them, spheres at a height of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from uav_testgen.core.errors import ConfigError
from uav_testgen.scenario.logical.landform import ground_height_m, lowest_ground_m
from uav_testgen.scenario.logical.ranges import LogicalRanges, ObstacleRanges, Range
from uav_testgen.scenario.model import (
    LinearMotion,
    Obstacle,
    Point,
    Scenario,
    Terrain,
    Visibility,
    Wind,
)
from uav_testgen.shape.forms import FORMS

Vector = NDArray[np.float64]

_DECIMALS = 4
# Rounded numbers may end up this much outside; the borders of the arena are kept by it.
_BORDER_M = 1e-3
_SHARE: Range = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One dimension before fixed ones are left out."""

    name: str
    low: float
    high: float

    @property
    def is_free(self) -> bool:
        """Whether there is anything to choose."""
        return self.high > self.low


class LogicalSpace:
    """Vectors of the unit cube and the concrete scenarios they stand for."""

    def __init__(self, stage: Scenario) -> None:
        if stage.logical is None:
            raise ConfigError(
                f"'{stage.name or 'the case study'}' is not a logical scenario; name a JSON file such as "
                "config/stella/scenarios/scenario-01.json as the case"
            )
        self._stage = stage
        self._logical: LogicalRanges = stage.logical
        self.parameters: tuple[Parameter, ...] = tuple(_parameters(self._logical))
        self.free: tuple[Parameter, ...] = tuple(one for one in self.parameters if one.is_free)

    @property
    def dimension(self) -> int:
        """Number of free parameters."""
        return len(self.free)

    def decode(self, vector: Vector) -> Scenario:
        """The concrete scenario of a vector; its obstacles may still be in each other's way."""
        values = self._values(vector)
        logical, stage = self._logical, self._stage
        terrain = stage.terrain.model_copy(update={"height_m": values["landform_height_m"]})
        direction_rad = math.radians(values["wind_direction_deg"])
        return stage.model_copy(
            update={
                "terrain": terrain,
                "wind": Wind(
                    velocity_mean_mps=values["wind_mps"],
                    direction_enu=(round(math.cos(direction_rad), 6), round(math.sin(direction_rad), 6), 0.0),
                ),
                "visibility": Visibility(range_m=values["visibility_m"], contrast_loss=logical.contrast_loss),
                # Not searched: nothing depends on them, and every further dimension thins the search out.
                "conditions": {
                    name: round(0.5 * (low + high), _DECIMALS)
                    for name, (low, high) in logical.conditions.items()
                },
                "obstacles": tuple(
                    self._obstacle(index, ranges, values, terrain)
                    for index, ranges in enumerate(logical.obstacles)
                ),
            }
        )

    def _values(self, vector: Vector) -> dict[str, float]:
        values = {one.name: one.low for one in self.parameters}
        for one, share in zip(self.free, np.asarray(vector).tolist(), strict=True):
            values[one.name] = one.low + share * (one.high - one.low)
        return {name: round(value, _DECIMALS) + 0.0 for name, value in values.items()}

    def _obstacle(
        self, index: int, ranges: ObstacleRanges, values: dict[str, float], terrain: Terrain
    ) -> Obstacle:
        def value(name: str) -> float:
            return values[f"obstacle{index}.{name}"]

        form = FORMS[ranges.shape]
        size_m, yaw_rad = form.with_sides(*(value(f"{name}_m") for name, _ in form.sides)), 0.0
        if form.turns:
            yaw_rad = -math.radians(value("rotation_deg"))
        half = _half_extents(size_m, yaw_rad)
        body = Obstacle(
            center_enu_m=(0.0, 0.0, 0.0),
            size_m=size_m,
            yaw_rad=yaw_rad,
            shape=ranges.shape,
            triangles=ranges.triangles,
        )

        def standing(prefix: str) -> Point:
            east, north = self._place(half, value(f"{prefix}east"), value(f"{prefix}north"))
            resting = body.model_copy(update={"center_enu_m": (east, north, 0.0)})
            if form.may_float:
                base = ground_height_m(terrain, east, north) + value(f"{prefix}floating_m")
            else:
                base = lowest_ground_m(terrain, resting)
            # Downwards: a standing obstacle may be sunk by the rounding, but must not float.
            lowest = math.floor(base * 10.0**_DECIMALS) / 10.0**_DECIMALS
            return (east, north, lowest + 0.5 * size_m[2])

        motion = None
        if ranges.moving:
            motion = LinearMotion(to_enu_m=standing("end."), speed_mps=value("speed_mps"))
        return body.model_copy(update={"center_enu_m": standing(""), "motion": motion})

    def _place(self, half: tuple[float, float], east_share: float, north_share: float) -> tuple[float, float]:
        arena = self._stage.arena
        sides = ((arena.east_min_m, arena.east_max_m), (arena.north_min_m, arena.north_max_m))
        place = []
        for (low, high), reach, share in zip(sides, half, (east_share, north_share), strict=True):
            room = max(high - low - 2.0 * (reach + _BORDER_M), 0.0)
            middle = 0.5 * (low + high)
            place.append(round(middle + (share - 0.5) * room, _DECIMALS) + 0.0)
        return place[0], place[1]


def _half_extents(size_m: tuple[float, float, float], yaw_rad: float) -> tuple[float, float]:
    cosine, sine = abs(math.cos(yaw_rad)), abs(math.sin(yaw_rad))
    x, y = 0.5 * size_m[0], 0.5 * size_m[1]
    return cosine * x + sine * y, sine * x + cosine * y


def _parameters(logical: LogicalRanges) -> Sequence[Parameter]:
    found = [
        Parameter("landform_height_m", *logical.height_m),
        Parameter("wind_mps", *logical.wind_mps),
        Parameter("wind_direction_deg", *logical.wind_direction_deg),
        Parameter("visibility_m", *logical.visibility_m),
    ]
    for index, ranges in enumerate(logical.obstacles):
        found += [
            Parameter(f"obstacle{index}.{name}", *bounds) for name, bounds in _of_obstacle(ranges, logical)
        ]
    return found


def _of_obstacle(ranges: ObstacleRanges, logical: LogicalRanges) -> list[tuple[str, Range]]:
    form = FORMS[ranges.shape]
    found: list[tuple[str, Range]] = [(f"{name}_m", ranges.size_m) for name, _ in form.sides]
    if form.turns:
        found.append(("rotation_deg", logical.rotation_deg))
    ends = ("", "end.") if ranges.moving else ("",)
    for end in ends:
        found += [(f"{end}east", _SHARE), (f"{end}north", _SHARE)]
        if form.may_float:
            found.append((f"{end}floating_m", logical.floating_m))
    if ranges.moving and ranges.speed_mps is not None:
        found.append(("speed_mps", ranges.speed_mps))
    return found
