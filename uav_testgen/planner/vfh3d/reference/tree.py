"""The look-ahead tree: repeated expansion of the cheapest open node, then the deepest branch is the path."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt
from numpy import float32 as F32

from uav_testgen.planner.vfh3d.base import Candidate, Expansion, Float32Array, Tree
from uav_testgen.planner.vfh3d.config import PlannerConfig
from uav_testgen.planner.vfh3d.reference import polar
from uav_testgen.planner.vfh3d.reference.candidates import best_candidates
from uav_testgen.planner.vfh3d.reference.cost import CostState, CostWeights, cost_matrices
from uav_testgen.planner.vfh3d.reference.histogram import make_histogram

_SAME_NODE_M: Final = F32(0.2)


class _Nodes:
    """Nodes in the order they were made, in arrays large enough for the fullest possible tree."""

    def __init__(self, capacity: int) -> None:
        self.size = 0
        self.position = np.zeros((capacity, 3), F32)
        self.velocity = np.zeros((capacity, 3), F32)
        self.total_cost = np.zeros(capacity, F32)
        self.heuristic = np.zeros(capacity, F32)
        self.parent = np.zeros(capacity, np.int64)
        self.depth = np.zeros(capacity, np.int64)
        self.closed = np.zeros(capacity, bool)

    def add(
        self,
        position: Float32Array,
        velocity: Float32Array,
        total: npt.ArrayLike,
        heuristic: npt.ArrayLike,
        parent: int,
        depth: int,
    ) -> None:
        i = self.size
        self.position[i], self.velocity[i] = position, velocity
        self.total_cost[i], self.heuristic[i] = total, heuristic
        self.parent[i], self.depth[i] = parent, depth
        self.size = i + 1

    def distance_to(self, location: Float32Array) -> Float32Array:
        return polar.norm(self.position[: self.size] - location)

    def to_tree(self, expansions: list[Expansion]) -> Tree:
        n = self.size
        return Tree(
            position_enu_m=self.position[:n],
            velocity_enu_mps=self.velocity[:n],
            total_cost=self.total_cost[:n],
            heuristic=self.heuristic[:n],
            parent=self.parent[:n],
            closed=self.closed[:n],
            depth=self.depth[:n],
            closed_order=np.array([expansion.node for expansion in expansions], np.int64),
            expansions=tuple(expansions),
        )


class StarPlanner:
    """Builds one tree over a fixed cloud."""

    def __init__(
        self, config: PlannerConfig, cloud: Float32Array, goal: Float32Array, closest_point: Float32Array
    ) -> None:
        self._config = config
        self._weights = CostWeights.of(config)
        self._cloud = cloud
        self._goal = goal
        self._closest_point = closest_point
        self._nodes = _Nodes(1 + config.n_expanded_nodes * config.children_per_node)

    def build(self, position: Float32Array, velocity: Float32Array) -> Tree:
        """Grow the tree from the vehicle."""
        root_cost = self._heuristic(position)
        self._nodes.add(position, velocity, root_cost, root_cost, parent=0, depth=0)
        expansions: list[Expansion] = []
        origin: int | None = 0
        while origin is not None and len(expansions) < self._config.n_expanded_nodes:
            candidates = self._candidates(origin)
            self._append_children(origin, candidates)
            self._nodes.closed[origin] = True
            expansions.append(Expansion(origin, candidates))
            origin = self._next_origin()
        return self._nodes.to_tree(expansions)

    def _heuristic(self, position: Float32Array) -> Float32Array:
        """Weighted distance to the goal of one or many positions."""
        weight = F32(self._config.tree_heuristic_weight)
        return np.asarray(polar.norm(self._goal - position) * weight, F32)

    def _candidates(self, origin: int) -> tuple[Candidate, ...]:
        """Histogram, costs and best directions as seen from a node, over the same cloud and track point."""
        position = self._nodes.position[origin]
        state = CostState(position, self._nodes.velocity[origin], self._goal, self._closest_point)
        costs = cost_matrices(make_histogram(self._cloud, position), state, self._weights, self._config)
        return best_candidates(costs.cost, self._config.children_per_node)

    def _append_children(self, origin: int, candidates: tuple[Candidate, ...]) -> None:
        """One node per direction, unless a node is already there.

        The step itself, read as m/s, is the velocity in the children's costs.
        """
        nodes = self._nodes
        if not candidates:
            nodes.total_cost[origin] = F32(math.inf)
            return
        start = nodes.position[origin]
        spent = nodes.total_cost[origin] - nodes.heuristic[origin]
        locations = self._locations(start, candidates)
        heuristics = self._heuristic(locations)
        for candidate, location, heuristic in zip(candidates, locations, heuristics, strict=True):
            if (nodes.distance_to(location) < _SAME_NODE_M).any():
                continue
            total = F32(spent + F32(candidate.cost) + heuristic)
            nodes.add(location, location - start, total, heuristic, origin, int(nodes.depth[origin]) + 1)

    def _locations(self, start: Float32Array, candidates: tuple[Candidate, ...]) -> Float32Array:
        """Where one edge in each direction ends."""
        elevation = np.array([candidate.elevation_deg for candidate in candidates], F32)
        azimuth = np.array([candidate.azimuth_deg for candidate in candidates], F32)
        length = np.full(len(candidates), self._config.tree_node_distance_m, F32)
        return polar.polar_to_cartesian(polar.Polar(elevation, azimuth, length), start)

    def _next_origin(self) -> int | None:
        """The cheapest open node within reach of the vehicle; the oldest of equal ones; None if none."""
        nodes = self._nodes
        in_reach = nodes.distance_to(nodes.position[0]) < F32(self._config.max_sensor_range_m)
        cost = nodes.total_cost[: nodes.size]
        # An infinite or NaN cost never wins a comparison, so such nodes are not expandable.
        expandable = in_reach & ~nodes.closed[: nodes.size] & (cost < math.inf)
        if not expandable.any():
            return None
        return int(np.argmin(np.where(expandable, cost, F32(math.inf))))


def path_of(tree: Tree) -> Float32Array:
    """Positions from the deepest open node (the oldest of equal ones, whatever it costs) back to the root."""
    node = int(np.argmax(np.where(tree.closed, 0, tree.depth)))  # the root when nothing deeper is open
    nodes = [node]
    while node != 0:
        node = int(tree.parent[node])
        nodes.append(node)
    return tree.position_enu_m[nodes]
