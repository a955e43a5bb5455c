"""The contract of a planner: what goes in, what comes out, and how an implementation is found by name.

``reference`` (readable NumPy, to read first) and ``compiled`` (to fly) obey the same protocols, so everything
above this room, the replay of recorded vectors included, is written once.

Frames: ENU metres; quaternions are (w, x, y, z) with body x forward, y left, z up. Arrays handed out are
fresh or read-only by agreement: nobody writes into a result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from uav_testgen.core.arrays import Float32Array as Float32Array
from uav_testgen.core.arrays import IntArray as IntArray
from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner.base import FieldOfView as FieldOfView
from uav_testgen.planner.vfh3d.config import PlannerConfig, Px4Parameters

ELEVATION_ROWS: Final = 30
AZIMUTH_COLUMNS: Final = 60
CELL_DEG: Final = 6


NOMINAL_FOV: Final = FieldOfView(0.0, 0.0, 59.0, 46.0)
"""The view of the simulator's 64x48 depth camera."""


class NavState(Enum):
    """Flight mode of the autopilot as far as the waypoint generator cares."""

    MISSION = "mission"
    AUTO_TAKEOFF = "auto_takeoff"
    AUTO_LAND = "auto_land"
    AUTO_RTL = "auto_rtl"
    AUTO_RTGS = "auto_rtgs"
    AUTO_LOITER = "auto_loiter"
    OFFBOARD = "offboard"
    NONE = "none"


class WaypointState(Enum):
    """State of the waypoint generator."""

    TRY_PATH = "TRY_PATH"
    ALTITUDE_CHANGE = "ALTITUDE_CHANGE"
    LOITER = "LOITER"
    DIRECT = "DIRECT"


@dataclass(frozen=True, slots=True)
class PlannerMemory:
    """The remembered cloud and the clock of the cycle that produced it."""

    points_enu_m: Float32Array = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    age_s: Float32Array = field(default_factory=lambda: np.zeros(0, np.float32))
    last_process_time_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cheap direction: cost and cell centre (histogram convention)."""

    cost: float
    elevation_deg: float
    azimuth_deg: float


@dataclass(frozen=True, slots=True)
class Expansion:
    """One expanded tree node with its candidates, before duplicates were dropped."""

    node: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """The look-ahead tree as arrays over the node index; node 0 is the vehicle."""

    position_enu_m: Float32Array
    velocity_enu_mps: Float32Array
    total_cost: Float32Array
    heuristic: Float32Array
    parent: IntArray
    closed: npt.NDArray[np.bool_]
    depth: IntArray
    closed_order: IntArray
    expansions: tuple[Expansion, ...] = ()

    def __len__(self) -> int:
        return len(self.parent)


@dataclass(frozen=True, slots=True)
class CostTrace:
    """Costs at the vehicle position, made only when something is planned."""

    obstacle_facing_goal: bool
    raw_obstacle_cost: Float32Array
    """(30, 60), the obstacle term at every cell centre before sub-sampling and smoothing."""
    raw_other_cost: Float32Array
    cost_matrix: Float32Array
    candidates: tuple[Candidate, ...]
    tree: Tree


@dataclass(frozen=True, slots=True)
class PlannerTrace:
    """Inner results of one cycle, recorded only on request because they cost time."""

    yaw_deg: float
    pitch_deg: float
    kept_new: IntArray
    """Indices of kept points in the concatenation of the clouds."""
    kept_memory: IntArray
    """Indices of surviving points in the memory before the cycle."""
    compressed_row_m: Float32Array
    """(60,) nearest obstacle per azimuth column at flight height, 0 = none."""
    costs: CostTrace | None


@dataclass(frozen=True, slots=True)
class PlannerResult:
    """What one cycle decided."""

    time_s: float
    cloud_enu_m: Float32Array
    """(n, 3) kept points: new ones in sensor order, then remembered ones. It is the next cycle's memory."""
    cloud_age_s: Float32Array
    histogram_m: Float32Array
    """(30, 60) mean distance per direction cell, 0 = nothing there."""
    closest_point_enu_m: Float32Array
    planned_now: bool
    """False when the histogram was empty: then path, tree size and path time are those of before."""
    path_enu_m: Float32Array
    """(n, 3) end of the path first, vehicle position at planning time last; (0, 3) before any planning."""
    last_path_time_s: float
    tree_size: int
    cruise_velocity_mps: float
    obstacle_distance_m: Float32Array | None
    """(60,) ranges clockwise from north, NaN outside the view; None unless CP_DIST > 0."""
    trace: PlannerTrace | None = None

    @property
    def histogram_empty(self) -> bool:
        """True when no obstacle was in range."""
        return not self.planned_now


class Planner(Protocol):
    """A 3DVFH* local planner. Non-finite poses, goals or times are refused with PlannerInputError."""

    config: PlannerConfig
    px4: Px4Parameters

    def __init__(
        self, config: PlannerConfig, px4: Px4Parameters, fovs: Sequence[FieldOfView] = (NOMINAL_FOV,)
    ) -> None: ...

    def reset(self) -> None:
        """Forget memory, path and goals; parameters and fields of view stay."""

    def set_fovs(self, fovs: Sequence[FieldOfView]) -> None:
        """Replace the fields of view, for callers that estimate them from the clouds."""

    def set_goal(self, goal_enu_m: npt.ArrayLike, previous_goal_enu_m: npt.ArrayLike) -> None:
        """Fly to ``goal`` along the line from ``previous_goal``."""

    def set_mission_item_speed(self, speed_mps: float) -> None:
        """Speed demanded by the mission; NaN = none, the cruise parameter counts."""

    def get_memory(self) -> PlannerMemory:
        """The remembered cloud."""

    def set_memory(self, memory: PlannerMemory) -> None:
        """Continue from a remembered cloud."""

    def plan(
        self,
        time_s: float,
        position_enu_m: npt.ArrayLike,
        velocity_enu_mps: npt.ArrayLike,
        quaternion_wxyz: npt.ArrayLike,
        clouds: Sequence[npt.ArrayLike],
        *,
        trace: bool = False,
    ) -> PlannerResult:
        """One cycle: take in the clouds (one (n, 3) array per camera, world frame), plan if needed.

        NaN points are skipped; an empty cloud, or no cloud at all, only lets the memory age.
        """


@dataclass(frozen=True, slots=True)
class WaypointInput:
    """Everything the waypoint generator is told in a cycle."""

    position_enu_m: npt.ArrayLike
    velocity_enu_mps: npt.ArrayLike
    quaternion_wxyz: npt.ArrayLike
    goal_enu_m: npt.ArrayLike
    previous_goal_enu_m: npt.ArrayLike
    stay: bool = False
    airborne: bool = True
    nav_state: NavState = NavState.MISSION
    is_land_waypoint: bool = False
    is_takeoff_waypoint: bool = False
    desired_velocity_enu_mps: npt.ArrayLike = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Waypoint:
    """What the generator sends to the autopilot, with the values it went through. Positions are float32."""

    state: WaypointState
    """State after the transition of this cycle."""
    goto_enu_m: Float32Array
    adapted_enu_m: Float32Array
    smoothed_enu_m: Float32Array
    position_enu_m: Float32Array
    orientation_wxyz: Float32Array
    linear_velocity_enu_mps: Float32Array
    """NaN components mean "no demand"."""
    yaw_rad: float
    yaw_rate_radps: float
    speed_mps: float


class WaypointGenerator(Protocol):
    """Turns the planner's path into one smooth position setpoint per cycle.

    A non-finite position, velocity, quaternion or time is refused with PlannerInputError; NaN in goal,
    desired or cruise velocity means "none" and is passed through.
    """

    def __init__(self, config: PlannerConfig, fovs: Sequence[FieldOfView] = (NOMINAL_FOV,)) -> None: ...

    def reset(self) -> None:
        """Back to the state after construction (LOITER, no path)."""

    def set_fovs(self, fovs: Sequence[FieldOfView]) -> None:
        """Replace the fields of view."""

    def set_path(
        self, path_enu_m: npt.ArrayLike, last_path_time_s: float, cruise_velocity_mps: float
    ) -> None:
        """Take the planner's newest output."""

    def update(self, state: WaypointInput) -> None:
        """Take the newest vehicle state and goal."""

    def get(self, time_s: float) -> Waypoint:
        """Run the state machine once."""


@dataclass(frozen=True, slots=True)
class PlannerImplementation:
    """Where the two classes of an implementation live; imported only when used."""

    planner: str
    waypoint_generator: str


IMPLEMENTATIONS: Final[dict[str, PlannerImplementation]] = {
    "reference": PlannerImplementation(
        "uav_testgen.planner.vfh3d.reference.planner:ReferencePlanner",
        "uav_testgen.planner.vfh3d.reference.guide:ReferenceWaypointGenerator",
    ),
    "compiled": PlannerImplementation(
        "uav_testgen.planner.vfh3d.compiled:CompiledPlanner",
        "uav_testgen.planner.vfh3d.compiled:CompiledWaypointGenerator",
    ),
}
"""Implementation name -> classes. Nothing heavy is imported by looking a name up."""


def _load(path: str) -> Any:
    """The object named ``module:attribute``."""
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


def _implementation(name: str) -> PlannerImplementation:
    if name not in IMPLEMENTATIONS:
        raise PlannerInputError(
            f"planner implementation {name!r} is unknown; choose one of {', '.join(IMPLEMENTATIONS)}"
        )
    return IMPLEMENTATIONS[name]


def make_planner(
    name: str,
    config: PlannerConfig | None = None,
    px4: Px4Parameters | None = None,
    fovs: Sequence[FieldOfView] = (NOMINAL_FOV,),
) -> Planner:
    """A planner of the named implementation."""
    made: Planner = _load(_implementation(name).planner)(
        config or PlannerConfig(), px4 or Px4Parameters(), fovs
    )
    return made


def make_waypoint_generator(
    name: str, config: PlannerConfig | None = None, fovs: Sequence[FieldOfView] = (NOMINAL_FOV,)
) -> WaypointGenerator:
    """A waypoint generator of the named implementation."""
    made: WaypointGenerator = _load(_implementation(name).waypoint_generator)(config or PlannerConfig(), fovs)
    return made


def finite_vector(value: npt.ArrayLike, size: int, name: str) -> npt.NDArray[np.float64]:
    """``value`` as a float64 vector of ``size`` finite numbers, or PlannerInputError naming the argument."""
    vector = np.asarray(value, dtype=np.float64)
    if vector.shape != (size,):
        raise PlannerInputError(f"{name} must have {size} numbers, not shape {vector.shape}")
    if not (np.abs(vector) <= np.finfo(np.float32).max).all():  # also false for NaN
        raise PlannerInputError(f"{name} must be finite, got {vector.tolist()}; check the state estimate")
    return vector


def cloud_array(cloud: npt.ArrayLike) -> Float32Array:
    """One camera's cloud as (n, 3) float32; any empty input is an empty cloud."""
    points = np.asarray(cloud, dtype=np.float32)
    if points.size == 0:
        return np.zeros((0, 3), np.float32)
    if points.ndim != 2 or points.shape[1] != 3:
        raise PlannerInputError(f"a cloud must have shape (n, 3), not {points.shape}")
    return points
