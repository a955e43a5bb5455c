"""What happens to a flight: progress of the mission, collisions, the ending, and the record of it all.

The kernels are shared by compiled flights and by `Tracker`, which follows a flight whose motion comes from
elsewhere: the stepwise loop, `vehicle_node`, a live PX4.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uav_testgen.core.arrays import FloatArray, IntArray
from uav_testgen.core.body import BODY_SIZE, LEG, PITCH, POSITION, ROLL, VELOCITY, YAW
from uav_testgen.core.kernel import kernel
from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.loop.endings import ENDINGS
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.config import MissionRules
from uav_testgen.vehicle.mission import (
    FLYING,
    HIT_GROUND,
    HIT_OBSTACLE,
    REACHED,
    STARTS_INSIDE,
    TIME_UP,
    after_step,
    new_progress,
    pack_mission,
    set_goal,
)
from uav_testgen.world.distance import point_distance
from uav_testgen.world.ground import height_at
from uav_testgen.world.motion import place_obstacles
from uav_testgen.world.packed import PackedWorld, pack


@kernel
def least_distance(placed: Any, body: Any) -> float:
    """Distance to the nearest obstacle, infinite without obstacles."""
    least = np.inf
    for k in range(placed.shape[0]):
        d = point_distance(placed[k], body[POSITION], body[POSITION + 1], body[POSITION + 2], False)
        least = d if d < least else least
    return least


@kernel
def is_below_ground(ground: Any, body: Any) -> bool:
    """Is the vehicle under the surface? False where there is no ground."""
    height = height_at(ground.vector, ground.heights, body[POSITION], body[POSITION + 1])
    return bool(body[POSITION + 2] < height)


@kernel
def distance_at(obstacles: Any, moving: bool, placed: Any, body: Any, t_s: float) -> float:
    """Distance to the nearest obstacle at time t; moving ones are placed there first."""
    if moving:
        place_obstacles(obstacles, t_s, placed)
    return float(least_distance(placed, body))


@kernel
def track_step(
    mission: Any, progress: Any, ground: Any, body: Any, distance_m: float, t_s: float
) -> tuple[int, int]:
    """(code, waypoint reached in this step or -1) after a step that ended at time t.

    Near the ground only a leg counts as a crash: take-off and landing touch it.
    """
    phase, before = progress[0].phase, progress[0].goal_index
    code = after_step(mission, progress, body, t_s)
    if code != FLYING:
        return code, -1
    reached = before if progress[0].goal_index > before else -1
    if distance_m == 0.0:
        code = HIT_OBSTACLE
    elif phase == LEG and is_below_ground(ground, body):
        code = HIT_GROUND
    elif t_s >= mission.time_limit_s - 1e-9:
        code = TIME_UP
    return code, reached


def landing_height_m(world: PackedWorld, scenario: Scenario) -> float:
    """Ground below the last waypoint; NaN where there is none."""
    x, y, _ = scenario.mission.route_enu_m[-1]
    return float(height_at(world.ground.vector, world.ground.heights, x, y))


def trajectory_of(t_s: FloatArray, track: FloatArray) -> Trajectory:
    """The record of a track of bodies."""
    return Trajectory(
        t_s=t_s,
        position_enu_m=track[:, POSITION : POSITION + 3],
        velocity_enu_mps=track[:, VELOCITY : VELOCITY + 3],
        yaw_rad=track[:, YAW],
        roll_rad=track[:, ROLL],
        pitch_rad=track[:, PITCH],
    )


class Tracker:
    """Follows one flight. `code` is FLYING until something ends it."""

    def __init__(
        self,
        scenario: Scenario,
        rules: MissionRules,
        *,
        always_takes_off: bool = False,
        world: PackedWorld | None = None,
    ) -> None:
        self.scenario = scenario
        self.world = world or pack(scenario)
        self.mission = pack_mission(scenario.mission, rules, landing_height_m(self.world, scenario))
        if always_takes_off:
            # A real vehicle stands on the ground: it climbs to where the mission begins.
            self.mission = self.mission._replace(takeoff=True)
        self.progress = new_progress(self.mission)
        self.goal, self.previous = np.zeros(3), np.zeros(3)
        set_goal(self.mission, self.progress, self.goal, self.previous)
        self._placed = self.world.obstacles.copy()
        self._times_s: list[float] = []
        self._track: list[FloatArray] = []
        self.waypoint_times_s: list[float] = []
        self.least_m = math.inf
        self.code = FLYING

    @property
    def phase(self) -> int:
        """TAKEOFF, LEG or LAND."""
        return int(self.progress["phase"][0])

    @property
    def goal_index(self) -> int:
        """Corner of the route flown to."""
        return int(self.progress["goal_index"][0])

    @property
    def rows(self) -> int:
        """Samples recorded."""
        return len(self._times_s)

    @property
    def last_s(self) -> float:
        """Time of the newest sample; minus infinity before the first."""
        return self._times_s[-1] if self._times_s else -math.inf

    def see(self, body: FloatArray, t_s: float) -> float:
        """Record a body; returns its distance to the nearest obstacle, where touching one ends the flight."""
        self._times_s.append(t_s)
        self._track.append(np.array(body, dtype=np.float64))
        distance_m = self.distance_m(body, t_s)
        self.least_m = min(self.least_m, distance_m)
        return distance_m

    def distance_m(self, body: FloatArray, t_s: float) -> float:
        """Distance to the nearest obstacle at time t."""
        return float(distance_at(self.world.obstacles, self.world.moving, self._placed, body, t_s))

    def begin(self, body: FloatArray) -> None:
        """The first sample."""
        if self.see(body, 0.0) == 0.0:
            self.code = STARTS_INSIDE

    def after_step(self, body: FloatArray, t_s: float) -> None:
        """Record the end of a step and let the mission go on."""
        distance_m = self.see(body, t_s)
        self.progress_to(body, t_s, distance_m)

    def progress_to(self, body: FloatArray, t_s: float, distance_m: float = math.inf) -> None:
        """Let the mission go on without recording."""
        if self.code != FLYING:
            return
        code, reached = track_step(self.mission, self.progress, self.world.ground, body, distance_m, t_s)
        self.code = int(code)
        if reached >= 0:
            self.waypoint_times_s.append(round(t_s, 6))
        set_goal(self.mission, self.progress, self.goal, self.previous)

    def complete(self) -> None:
        """The vehicle has landed where the mission says, by its own account."""
        if self.code == FLYING:
            self.code = REACHED

    def flight(
        self, *, backend: str, system: str, seed: int, details: dict[str, Any],
        ending: tuple[Ending, str] | None = None, **extra: Any,
    ) -> Flight:  # fmt: skip
        """The flight so far; `ending` counts while nothing else has ended it."""
        found = ENDINGS.get(self.code) or ending or (Ending.ABORTED, "the flight was stopped")
        track = np.array(self._track, dtype=np.float64).reshape(-1, BODY_SIZE)
        return make_flight(
            self.scenario, backend, system, seed, found, np.array(self._times_s), track, self.least_m,
            self.waypoint_times_s, details, **extra,
        )  # fmt: skip


def make_flight(
    scenario: Scenario, backend: str, system: str, seed: int, ending: tuple[Ending, str], t_s: FloatArray,
    track: FloatArray, least_m: float, waypoint_times_s: list[float], details: dict[str, Any], **extra: Any,
) -> Flight:  # fmt: skip
    """The record of a flight, the same for every way to fly."""
    return Flight(
        scenario_id=scenario.id,
        backend=backend,
        system=system,
        seed=seed,
        ending=ending[0],
        reason=ending[1],
        trajectory=trajectory_of(t_s, track),
        details={
            "steps": max(len(t_s) - 1, 0),
            "least_sampled_distance_m": least_m if math.isfinite(least_m) else None,
            "waypoint_times_s": waypoint_times_s,
            **details,
        },
        **extra,
    )


def waypoint_times(steps: IntArray, dt_s: float) -> list[float]:
    """Times of the steps that reached a waypoint; -1 marks those not reached."""
    return [round(dt_s * int(step), 6) for step in steps if step >= 0]
