"""The small functions that the unit vectors check, as one adapter per implementation.

Angles are degrees, polar triples are (elevation, azimuth, radius); all numbers are float32 values. They
stand here and not in the planner, because nothing but the replay of vectors calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.vfh3d.base import FieldOfView, Float32Array


@dataclass(frozen=True, slots=True)
class CostSample:
    """Arguments of the cost of one direction."""

    elevation_deg: float
    azimuth_deg: float
    obstacle_distance_m: float
    goal: Float32Array
    position: Float32Array
    velocity: Float32Array
    closest_point: Float32Array
    facing: bool
    pitch_cost_param: float
    yaw_cost_param: float
    velocity_cost_param: float
    obstacle_cost_param_m: float


class UnitHelpers(Protocol):
    """What an adapter offers; every function is pure."""

    def cartesian_to_polar(self, point: Float32Array, origin: Float32Array) -> Float32Array:
        """Polar triple of ``point`` seen from ``origin``, histogram convention."""

    def cartesian_to_polar_fcu(self, point: Float32Array, origin: Float32Array) -> Float32Array:
        """Polar triple of ``point`` seen from ``origin``, body (FCU) convention."""

    def polar_to_cartesian(self, polar: Float32Array, origin: Float32Array) -> Float32Array:
        """Point at a polar triple of the histogram convention."""

    def wrap_polar(self, elevation_deg: float, azimuth_deg: float) -> tuple[float, float]:
        """Elevation and azimuth folded into their ranges."""

    def polar_to_index(self, elevation_deg: float, azimuth_deg: float, cell_deg: int) -> tuple[int, int]:
        """(row, column) of a direction in a grid of ``cell_deg``."""

    def angle_difference(self, a_deg: float, b_deg: float) -> float:
        """Signed a - b in [-180, 180)."""

    def wrap_180(self, angle_deg: float) -> float:
        """Angle in [-180, 180)."""

    def wrap_pi(self, angle_rad: float) -> float:
        """Angle in [-pi, pi)."""

    def scale_to_fov(self, fovs: Sequence[FieldOfView], elevation_deg: float, azimuth_deg: float) -> float:
        """Speed factor for a direction (FCU convention)."""

    def inside_fov(self, fovs: Sequence[FieldOfView], elevation_deg: float, azimuth_deg: float) -> bool:
        """Is a direction (FCU convention) seen by any camera?"""

    def setpoint_from_path(
        self, path: Float32Array, path_time_s: float, now_s: float, velocity_mps: float, initial: Float32Array
    ) -> tuple[bool, Float32Array]:
        """(valid, setpoint) on a path; ``initial`` is returned when the path has fewer than two points."""

    def pad_matrix(self, matrix: Float32Array, radius: int) -> Float32Array:
        """(30, 60) matrix with ``radius`` more lines on each side, polar topology."""

    def smooth_matrix(self, matrix: Float32Array, radius: int) -> Float32Array:
        """(30, 60) matrix spread by the triangular kernel of ``radius``."""

    def cost_function(self, sample: CostSample) -> tuple[float, float]:
        """(obstacle cost, other cost) of one direction."""

    def best_candidates(self, matrix: Float32Array, count: int) -> Float32Array:
        """(n, 3) rows [cost, elevation, azimuth] of the cheapest cells, ascending."""


def load_unit_helpers(implementation: str) -> UnitHelpers:
    """The adapter of an implementation."""
    if implementation == "reference":
        from uav_testgen.testing.golden.reference_functions import ReferenceFunctions

        return ReferenceFunctions()
    if implementation == "compiled":
        from uav_testgen.testing.golden.compiled_functions import CompiledFunctions

        return CompiledFunctions()
    raise PlannerInputError(
        f"no unit vectors are replayed on '{implementation}'; choose reference or compiled"
    )
