"""Where an obstacle is at time t: one formula, compiled for kernels and plain for reading.

An obstacle rests at its centre until `start_s`, then moves at constant speed towards `to`, in a straight
line or along a polyline. "once" stops there; "back and forth" turns round at both ends for ever.
"""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.kernel import inlined, kernel
from uav_testgen.world.layout import (
    BACK_AND_FORTH,
    CX,
    CY,
    CZ,
    FIRST_LEG,
    LEG_COLUMNS,
    LEGS,
    LENGTH,
    MODE,
    POLYLINE_BACK_AND_FORTH,
    POLYLINE_ONCE,
    SPEED,
    START,
    STATIC,
    TO_X,
    TO_Y,
    TO_Z,
)


@inlined
def travelled_fraction(mode: float, length_m: float, speed_mps: float, start_s: float, t_s: float) -> float:
    """Share 0…1 of the way from the centre to `to` that has been covered at time t."""
    if mode == STATIC or not length_m > 0.0:
        return 0.0
    way_m = speed_mps * (t_s - start_s)
    if not way_m > 0.0:
        return 0.0
    if mode == BACK_AND_FORTH:
        way_m = way_m % (2.0 * length_m)
        if way_m > length_m:
            way_m = 2.0 * length_m - way_m
    return min(way_m / length_m, 1.0)


@kernel
def centre_on_polyline(row: FloatArray, t_s: float) -> tuple[float, float, float]:
    """Centre of an obstacle that follows a polyline."""
    length_m = row[LENGTH]
    way_m = row[SPEED] * (t_s - row[START])
    x, y, z, covered_m = row[CX], row[CY], row[CZ], 0.0
    if not way_m > 0.0:
        return x, y, z
    if row[MODE] == POLYLINE_BACK_AND_FORTH:
        way_m = way_m % (2.0 * length_m)
        if way_m > length_m:
            way_m = 2.0 * length_m - way_m
    for leg in range(int(row[LEGS])):
        at = FIRST_LEG + LEG_COLUMNS * leg
        until_m = row[at + 3]
        if way_m < until_m:
            share = (way_m - covered_m) / (until_m - covered_m)
            return x + share * (row[at] - x), y + share * (row[at + 1] - y), z + share * (row[at + 2] - z)
        x, y, z, covered_m = row[at], row[at + 1], row[at + 2], until_m
    return x, y, z


@kernel
def place_obstacles(packed: FloatArray, t_s: float, placed: FloatArray) -> None:
    """Copy the packed obstacles into `placed` with every centre moved to its position at time t."""
    for k in range(packed.shape[0]):
        for column in range(packed.shape[1]):
            placed[k, column] = packed[k, column]
        if packed[k, MODE] >= POLYLINE_ONCE:
            placed[k, CX], placed[k, CY], placed[k, CZ] = centre_on_polyline(packed[k], t_s)
            continue
        share = travelled_fraction(
            packed[k, MODE], packed[k, LENGTH], packed[k, SPEED], packed[k, START], t_s
        )
        if share > 0.0:
            placed[k, CX] = packed[k, CX] + share * (packed[k, TO_X] - packed[k, CX])
            placed[k, CY] = packed[k, CY] + share * (packed[k, TO_Y] - packed[k, CY])
            placed[k, CZ] = packed[k, CZ] + share * (packed[k, TO_Z] - packed[k, CZ])


@kernel
def next_kink_s(row: FloatArray, t_s: float) -> float:
    """First instant after t at which the velocity changes (start, arrival, reversal); inf if never.

    Between two kinks the centre moves linearly in time, which is what exact distances between
    trajectory samples rely on.
    """
    length_m, speed_mps, start_s = row[LENGTH], row[SPEED], row[START]
    if row[MODE] == STATIC or not length_m > 0.0 or not speed_mps > 0.0:
        return math.inf
    if t_s < start_s:
        return float(start_s)
    if row[MODE] >= POLYLINE_ONCE:
        return float(_next_corner_s(row, t_s))
    leg_s = length_m / speed_mps
    if row[MODE] != BACK_AND_FORTH:
        return float(start_s + leg_s) if t_s < start_s + leg_s else math.inf
    legs = math.floor((t_s - start_s) / leg_s) + 1.0
    kink_s = start_s + legs * leg_s
    if kink_s <= t_s:  # rounding of the division; the following reversal is meant
        kink_s = start_s + (legs + 1.0) * leg_s
    return float(kink_s) if kink_s > t_s else math.inf


@kernel
def _next_corner_s(row: FloatArray, t_s: float) -> float:
    """First time after t at which a corner of the polyline is passed, on the way there or back."""
    length_m, speed_mps, start_s = row[LENGTH], row[SPEED], row[START]
    legs = int(row[LEGS])
    rounds = 0.0
    if row[MODE] == POLYLINE_BACK_AND_FORTH:
        rounds = math.floor(speed_mps * (t_s - start_s) / (2.0 * length_m))
    # Corners in the order in which they are passed; a second round in case rounding hid the first.
    for _ in range(2):
        for k in range(2 * legs):
            if k < legs:
                way_m = row[FIRST_LEG + LEG_COLUMNS * k + 3]
            elif row[MODE] != POLYLINE_BACK_AND_FORTH:
                return math.inf
            elif k == 2 * legs - 1:
                way_m = 2.0 * length_m
            else:
                way_m = 2.0 * length_m - row[FIRST_LEG + LEG_COLUMNS * (2 * legs - 2 - k) + 3]
            kink_s = start_s + (rounds * 2.0 * length_m + way_m) / speed_mps
            if kink_s > t_s:
                return float(kink_s)
        rounds += 1.0
    return math.inf


def centres_at(packed: FloatArray, t_s: float) -> FloatArray:
    """Centres (n, 3) of all obstacles at time t, in NumPy: the readable twin of `place_obstacles`."""
    start_enu_m = packed[:, CX : CZ + 1]
    end_enu_m = packed[:, TO_X : TO_Z + 1]
    length_m = packed[:, LENGTH]
    moves = (packed[:, MODE] != STATIC) & (length_m > 0.0)
    safe_length_m = np.where(moves, length_m, 1.0)
    way_m = np.maximum(packed[:, SPEED] * (t_s - packed[:, START]), 0.0)
    folded_m = way_m % (2.0 * safe_length_m)
    folded_m = np.where(folded_m > safe_length_m, 2.0 * safe_length_m - folded_m, folded_m)
    way_m = np.where(packed[:, MODE] == BACK_AND_FORTH, folded_m, way_m)
    share = np.where(moves, np.minimum(way_m / safe_length_m, 1.0), 0.0)[:, np.newaxis]
    centres = np.where(share > 0.0, start_enu_m + share * (end_enu_m - start_enu_m), start_enu_m)
    for k in np.flatnonzero(packed[:, MODE] >= POLYLINE_ONCE):
        centres[k] = centre_on_polyline(packed[k], t_s)
    return centres
