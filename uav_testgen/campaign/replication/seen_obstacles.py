"""Seed obstacles from what the vehicle saw: hits of its logged `obstacle_distance` sectors, grouped into boxes.

A ring of sectors sees only the side of an obstacle that faces the flight, at the height of the flight. So a box is
as long as what was seen, at least a metre thick away from the flight, and a metre higher than the vehicle was. The
search moves and resizes it from there.
"""

from __future__ import annotations

import math

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.flight.ulog.obstacle_ring import Ring, ring_of
from uav_testgen.flight.ulog.reader import FlightLog
from uav_testgen.generator.surrealist.seeds import complaints
from uav_testgen.scenario.boxes import wall
from uav_testgen.scenario.model import Obstacle, Scenario

_CELL_M = 0.25
_ONE_OBSTACLE_M = 2.0
"""Hits this near belong together: about the width of a 5 degree sector at 20 m."""
_FEWEST_HITS = 5
_THINNEST_M = 1.0
_ABOVE_M = 1.0
_FLYING_M = 0.5


def seen_boxes(log: FlightLog) -> tuple[Obstacle, ...]:
    """Boxes where the vehicle saw something, most hits first; none where the log has no such messages."""
    ring = ring_of(log.topics)
    if ring is None:
        return ()
    hits = _hits_enu_m(log, ring)
    boxes = [_box(group, log) for group in _groups(hits) if len(group) >= _FEWEST_HITS]
    return tuple(boxes)


def that_fit(base: Scenario, boxes: tuple[Obstacle, ...], at_most: int) -> tuple[Obstacle, ...]:
    """Those that may stand together on the mission, the most seen first."""
    kept: tuple[Obstacle, ...] = ()
    for box in boxes:
        if len(kept) < at_most and not complaints(base.with_obstacles((*kept, box))):
            kept = (*kept, box)
    return kept


def _hits_enu_m(log: FlightLog, ring: Ring) -> FloatArray:
    """(hits, 3): where a sector met something, at the vehicle's height then."""
    flown = log.trajectory
    place = np.column_stack(
        [np.interp(ring.t_s, flown.t_s, flown.position_enu_m[:, axis]) for axis in range(3)]
    )
    yaw = np.interp(ring.t_s, flown.t_s, np.unwrap(flown.yaw_rad))
    zero = np.full_like(yaw, 0.5 * np.pi) if ring.from_north else yaw
    angle = zero[:, np.newaxis] - ring.bearing_rad
    seen = np.isfinite(ring.distance_m) & (place[:, 2] > _FLYING_M)[:, np.newaxis]
    sample, sector = np.nonzero(seen)
    away = ring.distance_m[sample, sector]
    beam = angle[sample, sector]
    return np.column_stack(
        [place[sample, 0] + away * np.cos(beam), place[sample, 1] + away * np.sin(beam), place[sample, 2]]
    )


def _groups(hits: FloatArray) -> list[FloatArray]:
    """Hits that lie near each other, largest group first."""
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    if len(hits) == 0:
        return []
    cells, member = np.unique(np.floor(hits[:, :2] / _CELL_M), axis=0, return_inverse=True)
    tree = cKDTree(cells * _CELL_M)
    near = tree.sparse_distance_matrix(tree, _ONE_OBSTACLE_M, output_type="coo_matrix")
    _, label = connected_components(near, directed=False)
    owner = label[member.reshape(-1)]
    groups = [hits[owner == number] for number in np.unique(owner)]
    return sorted(groups, key=len, reverse=True)


def _box(hits: FloatArray, log: FlightLog) -> Obstacle:
    """A box around the hits, along the direction in which they spread most."""
    middle = hits[:, :2].mean(axis=0)
    _, _, axes = np.linalg.svd(hits[:, :2] - middle, full_matrices=False)
    along = axes[0]
    yaw = math.atan2(along[1], along[0])
    across = np.array([-along[1], along[0]])
    lengths, widths = (hits[:, :2] - middle) @ along, (hits[:, :2] - middle) @ across
    # What lies behind the seen side is unknown: it grows away from the flight.
    flight = (log.trajectory.position_enu_m[:, :2].mean(axis=0) - middle) @ across
    low, high = float(widths.min()), float(widths.max())
    lacking_m = max(_THINNEST_M - (high - low), 0.0)
    low, high = (low - lacking_m, high) if flight > 0.0 else (low, high + lacking_m)
    center = middle + 0.5 * (lengths.min() + lengths.max()) * along + 0.5 * (low + high) * across
    length_m = max(float(np.ptp(lengths)), _THINNEST_M)
    height_m = float(hits[:, 2].max()) + _ABOVE_M
    return wall(
        (round(float(center[0]), 3), round(float(center[1]), 3)),
        round(yaw, 4),
        round(length_m, 3),
        round(high - low, 3),
        round(height_m, 3),
    )
