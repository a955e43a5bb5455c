"""The arrays a planning call works in, allocated once and reused; and the parameters as a typed tuple.

Everything is a NamedTuple because Numba passes those to compiled code without boxing. Buffers that a call
uses sparsely (grids) are all zero between calls: who writes a cell also clears it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from uav_testgen.planner.vfh3d.base import CELL_DEG, Float32Array
from uav_testgen.planner.vfh3d.compiled.bulk import BLOCK
from uav_testgen.planner.vfh3d.compiled.grid import (
    BLOCKS,
    CELLS,
    COLUMN_BLOCK,
    COST_ROWS,
    F32,
    FINE_CELLS,
    INFINITY,
    LEAST,
    LINE,
    ONE,
    OTHER,
    PADDED,
    ROWS,
    SMOOTHED,
    STRIDE,
    YAW,
)
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

Int32Array = npt.NDArray[np.int32]

NODE_BLOCK = 32
"""Tree nodes compared at a time."""
OCCUPIED_BITS = 8192
POINT_CAPACITY = FINE_CELLS + BLOCK
"""Kept points: at most one per 2 degree cell, plus the filling of the last SIMD block."""


class Parameters(NamedTuple):
    """Planner parameters in the types the kernels compute with."""

    max_range: np.float32
    min_range: np.float32
    pitch_weight: np.float32
    yaw_weight: np.float32
    velocity_weight: np.float32
    obstacle_weight: np.float32
    heuristic_weight: np.float32
    max_age: np.float32
    min_points: int
    radius: int
    children: int
    expansions: int
    node_distance: np.float32
    cruise: np.float32
    kernel: Float32Array
    """2·radius + 1 weights of the smoothing kernel."""


class Grid(NamedTuple):
    """Histogram and obstacle cost around one centre. Full grids are rows of 64 (60 used)."""

    cells: Int32Array
    """Occupied cells in order of first touch."""
    distance: Float32Array
    """Mean distance in each occupied cell."""
    cost: Float32Array
    """Obstacle cost of each occupied cell."""
    sums: Float32Array
    """Scratch: sum of distances and number of points of every cell, zero between calls."""
    obstacle: Float32Array
    """Obstacle cost, not yet smoothed: rows of 96 whose ends repeat the columns of the other end."""
    cell: Int32Array
    """Scratch: cell of every point."""
    range: Float32Array
    """Scratch: distance of every point."""
    costs: Float32Array
    """The rows of costs that follow, and the pitch cost of every row, in one array."""
    yaw_cost: Float32Array
    line_cost: Float32Array
    azimuth_least: Float32Array
    """Least yaw and line cost in each block of columns."""
    other: Float32Array
    """Scratch: one row of the other costs."""
    vertical: Float32Array
    """Scratch: one vertically smoothed row with a margin on both sides."""
    smoothed: Float32Array
    width: int
    """16, the columns treated at a time. A loop whose length the compiler knew would be unrolled before it
    could be turned into SIMD code."""


class Cloud(NamedTuple):
    """Kept points as one array per coordinate."""

    x: Float32Array
    y: Float32Array
    z: Float32Array
    age: Float32Array


class Chunk(NamedTuple):
    """Scratch for the directions of many points."""

    x: Float32Array
    y: Float32Array
    z: Float32Array
    cell: Int32Array
    squared: Float32Array
    elevation: Float32Array
    azimuth: Float32Array


class Nodes(NamedTuple):
    """The look-ahead tree as one array per property."""

    x: Float32Array
    y: Float32Array
    z: Float32Array
    vx: Float32Array
    vy: Float32Array
    vz: Float32Array
    total: Float32Array
    heuristic: Float32Array
    key: Float32Array
    """Total cost of nodes that may still be expanded, infinity for the others and beyond the last node."""
    key_bits: Int32Array
    """The same memory as whole numbers, which order non-negative costs in the same way."""
    parent: Int32Array
    depth: Int32Array
    closed: npt.NDArray[np.uint8]
    order: Int32Array
    """Nodes in order of expansion."""
    occupied: npt.NDArray[np.uint64]
    """One bit per (hashed) half-metre cube that holds a node."""


class Found(NamedTuple):
    """Cells below a bound, in no particular order."""

    cost: Float32Array
    cell: Int32Array


class Selection(NamedTuple):
    """The cheapest cells so far, ascending; one more than wanted, to see ties."""

    cost: Float32Array
    cell: Int32Array
    found: Found
    guess: Float32Array
    """One number: what the last node needed. Decides how much is computed, never the result."""
    matrix: Float32Array
    """(30, 64) all costs; filled only where ties make the whole matrix necessary."""


class Workspace(NamedTuple):
    """All buffers of one planner."""

    grid: Grid
    memory: Cloud
    fresh: Cloud
    chunk: Chunk
    fine_count: Int32Array
    """Points per 2 degree cell, all zero between calls."""
    fine_touched: Int32Array
    nodes: Nodes
    selection: Selection
    path: Float32Array


def make_parameters(config: PlannerConfig, px4: Px4Parameters) -> Parameters:
    """Parameters in kernel types; values are rounded to float32 as the original does."""
    radius = math.ceil(F32(config.smoothing_margin_deg) / F32(CELL_DEG))
    offset = np.abs(np.arange(2 * radius + 1) - radius)
    kernel = np.maximum(0, 1 + radius - offset).astype(np.float32) * (ONE / F32(1 + radius))
    return Parameters(
        max_range=F32(config.max_sensor_range_m),
        min_range=F32(config.min_sensor_range_m),
        pitch_weight=F32(config.pitch_cost_param),
        yaw_weight=F32(config.yaw_cost_param),
        velocity_weight=F32(config.velocity_cost_param),
        obstacle_weight=F32(config.obstacle_cost_param_m),
        heuristic_weight=F32(config.tree_heuristic_weight),
        max_age=F32(config.max_point_age_s),
        min_points=config.min_num_points_per_cell,
        radius=radius,
        children=config.children_per_node,
        expansions=config.n_expanded_nodes,
        node_distance=F32(config.tree_node_distance_m),
        cruise=F32(px4.mpc_xy_cruise_mps),
        kernel=kernel,
    )


def make_grid(point_capacity: int = POINT_CAPACITY) -> Grid:
    """An empty grid."""
    costs = np.zeros(COST_ROWS, np.float32)
    return Grid(
        cells=np.zeros(CELLS + 1, np.int32),
        distance=np.zeros(CELLS, np.float32),
        cost=np.zeros(CELLS, np.float32),
        sums=np.zeros(2 * CELLS, np.float32),
        obstacle=np.zeros(ROWS * PADDED, np.float32),
        cell=np.zeros(point_capacity, np.int32),
        range=np.zeros(point_capacity, np.float32),
        costs=costs,
        yaw_cost=costs[YAW : YAW + STRIDE],
        line_cost=costs[LINE : LINE + STRIDE],
        azimuth_least=costs[LEAST : LEAST + BLOCKS],
        other=costs[OTHER : OTHER + STRIDE],
        vertical=np.zeros(3 * STRIDE, np.float32),
        smoothed=costs[SMOOTHED : SMOOTHED + STRIDE],
        width=COLUMN_BLOCK,
    )


def make_cloud() -> Cloud:
    """An empty cloud with room for every 2 degree cell."""
    return Cloud(*(np.zeros(POINT_CAPACITY, np.float32) for _ in range(4)))


def make_chunk() -> Chunk:
    """Scratch for as many points as a cloud can hold."""
    x, y, z, squared, elevation, azimuth = (np.zeros(POINT_CAPACITY, np.float32) for _ in range(6))
    return Chunk(x, y, z, np.zeros(POINT_CAPACITY, np.int32), squared, elevation, azimuth)


def _make_nodes(count: int, expansions: int) -> Nodes:
    padded = (count // NODE_BLOCK + 1) * NODE_BLOCK
    x, y, z, vx, vy, vz, total, heuristic, key = (np.full(padded, INFINITY) for _ in range(9))
    return Nodes(
        x, y, z, vx, vy, vz, total, heuristic, key,
        key_bits=key.view(np.int32),
        parent=np.zeros(count, np.int32),
        depth=np.zeros(count, np.int32),
        closed=np.zeros(count, np.uint8),
        order=np.zeros(expansions + 1, np.int32),
        occupied=np.zeros(OCCUPIED_BITS // 64, np.uint64),
    )  # fmt: skip


def make_workspace(parameters: Parameters) -> Workspace:
    """Fresh buffers for one planner."""
    nodes = 1 + parameters.children * parameters.expansions
    return Workspace(
        grid=make_grid(),
        memory=make_cloud(),
        fresh=make_cloud(),
        chunk=make_chunk(),
        fine_count=np.zeros(FINE_CELLS, np.int32),
        fine_touched=np.zeros(FINE_CELLS + 1, np.int32),
        nodes=_make_nodes(nodes, parameters.expansions),
        selection=Selection(
            cost=np.zeros(parameters.children + 2, np.float32),
            cell=np.zeros(parameters.children + 2, np.int32),
            found=Found(np.zeros(CELLS + 1, np.float32), np.zeros(CELLS + 1, np.int32)),
            guess=np.full(1, 5000.0, np.float32),
            matrix=np.zeros(CELLS, np.float32),
        ),
        path=np.zeros((parameters.expansions + 2, 3), np.float32),
    )
