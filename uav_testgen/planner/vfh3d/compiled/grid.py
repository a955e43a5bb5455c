"""Sizes, float32 constants and direction tables of the polar grids.

Everything a kernel would otherwise recompute per cell is a table here. Rows are padded from 60 to 64
columns so that a row is a whole number of SIMD registers.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from uav_testgen.planner.vfh3d.base import AZIMUTH_COLUMNS, CELL_DEG, ELEVATION_ROWS, Float32Array

F32 = np.float32
U64 = np.uint64
"""Indices of SIMD loops are unsigned: the compiler then need not look for negative ones, which count
from the end of an array."""

ROWS: Final = ELEVATION_ROWS
COLUMNS: Final = AZIMUTH_COLUMNS
STRIDE: Final = 64
"""Floats per stored row; columns 60..63 are padding."""
CELLS: Final = ROWS * STRIDE
PADDED: Final = 96
"""Floats per row of the obstacle grid, which repeats columns of the other end on both sides …"""
LEFT: Final = 16
"""… so many on the left: enough for the widest smoothing kernel."""
COLUMN_BLOCK: Final = 16
"""Columns treated at a time: two SIMD registers."""
BLOCKS: Final = STRIDE // COLUMN_BLOCK

YAW, LINE, OTHER, SMOOTHED, LEAST, PITCH = (k * STRIDE for k in range(6))
"""Where the rows of costs stand in the one array that holds them all: with one base address and constant
distances the compiler keeps the search in registers and needs no checks for overlap."""
COST_ROWS: Final = 6 * STRIDE

FINE_DEG: Final = 2
FINE_ROWS: Final = 180 // FINE_DEG
FINE_COLUMNS: Final = 360 // FINE_DEG
FINE_CELLS: Final = FINE_ROWS * FINE_COLUMNS
"""Cells of the 2 degree grid: also the largest possible number of kept points, one per cell."""

PI: Final = F32(math.pi)
TWO_PI: Final = F32(2.0) * PI
DEG_PER_RAD: Final = F32(180.0) / PI
RAD_PER_DEG: Final = PI / F32(180.0)

ZERO: Final = F32(0.0)
HALF: Final = F32(0.5)
ONE: Final = F32(1.0)
TWO: Final = F32(2.0)
QUARTER_TURN: Final = F32(90.0)
HALF_TURN: Final = F32(180.0)
FULL_TURN: Final = F32(360.0)
INFINITY: Final = F32(np.inf)
NAN: Final = F32(np.nan)


def _cell_centres() -> tuple[Float32Array, Float32Array]:
    rows = np.arange(ROWS) * CELL_DEG + CELL_DEG // 2 - 90
    columns = np.arange(COLUMNS) * CELL_DEG + CELL_DEG // 2 - 180
    return rows.astype(np.float32), columns.astype(np.float32)


def _c_library(function: Any, values: Float32Array) -> Float32Array:
    """Sine or cosine in float32; float64 rounded once is the correctly rounded float32 value."""
    return np.array([function(float(value)) for value in values], np.float64).astype(np.float32)


def _unit_vectors() -> tuple[Float32Array, Float32Array, Float32Array]:
    """Unit vectors of all cell centres as three (rows, stride) tables, normalised once more."""
    direction = np.zeros((3, ROWS, STRIDE), np.float32)
    direction[0, :, :COLUMNS] = COS_E[:, None] * SIN_Z
    direction[1, :, :COLUMNS] = COS_E[:, None] * COS_Z
    direction[2, :, :COLUMNS] = SIN_E[:, None]
    x, y, z = direction
    length = np.sqrt(x * x + (y * y + z * z))
    length[:, COLUMNS:] = 1.0
    unit = direction / length
    return unit[0].copy(), unit[1].copy(), unit[2].copy()


def _sampling_steps() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Columns between two evaluated cells of each row: 1 near the horizon, 19 at the poles."""
    return np.floor(1.0 / np.cos(np.radians(ROW_DEG.astype(np.float64))) + 0.5).astype(np.int64)


ROW_DEG, COLUMN_DEG = _cell_centres()
"""Cell centres: -87, -81 … 87 and -177, -171 … 177."""
COLUMN_DEG_PADDED: Final = np.concatenate([COLUMN_DEG, np.zeros(STRIDE - COLUMNS, np.float32)])
COS_E, SIN_E = (_c_library(function, ROW_DEG * RAD_PER_DEG) for function in (math.cos, math.sin))
COS_Z, SIN_Z = (_c_library(function, COLUMN_DEG * RAD_PER_DEG) for function in (math.cos, math.sin))
UNIT_X, UNIT_Y, UNIT_Z = _unit_vectors()
UNITS: Final = np.concatenate([UNIT_X.ravel(), UNIT_Y.ravel(), UNIT_Z.ravel()])
"""The three tables one after the other."""
SAMPLING_STEP: Final = _sampling_steps()
SPARSE_ROW: Final = SAMPLING_STEP > 1
"""Rows near the poles, of which only some columns are evaluated and the rest interpolated."""
FIRST_DENSE_ROW: Final = int(np.argmin(SPARSE_ROW))
LAST_DENSE_ROW: Final = ROWS - 1 - FIRST_DENSE_ROW
