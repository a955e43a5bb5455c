"""Small, valid values for tests: scenarios, flights, verdicts, evaluations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.flight.model import Ending, Flight, Trajectory
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Waypoint, obstacle_on_ground
from uav_testgen.shape.mesh import unit_form
from uav_testgen.shape.own import make_form

Points = Sequence[tuple[float, float, float]]

TETRAHEDRON, _ = unit_form(
    [
        [(0, 0, 0), (0, 1, 0), (1, 0, 0)],
        [(0, 0, 0), (1, 0, 0), (0, 0, 1)],
        [(0, 0, 0), (0, 0, 1), (0, 1, 0)],
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    ]
)
"""The triangles of a convex mesh."""
GATE, _ = make_form("gate", {})
"""The triangles of a mesh that is not convex."""


def make_box(
    east_m: float = 25.0,
    north_m: float = 0.0,
    size_m: tuple[float, float, float] = (4.0, 6.0, 20.0),
    yaw_deg: float = 0.0,
) -> Obstacle:
    """A box on the ground, by default valid in the competition's arena."""
    return obstacle_on_ground(east_m, north_m, size_m, yaw_deg)


def make_mission(points: Points = ((50.0, 0.0, 10.0),)) -> Mission:
    """A mission through the given points, landing at the last."""
    return Mission(waypoints=tuple(Waypoint(position_enu_m=point) for point in points), name="made")


def make_scenario(*obstacles: Obstacle, mission: str | Mission = "mission2") -> Scenario:
    """A scenario on a shipped or given mission."""
    chosen = named_mission(mission) if isinstance(mission, str) else mission
    return Scenario(mission=chosen, obstacles=obstacles, name="made")


def make_trajectory(points: Points, period_s: float = 0.1) -> Trajectory:
    """Samples at a constant period."""
    position = np.array(points, dtype=np.float64).reshape(-1, 3)
    t_s = np.arange(len(position), dtype=np.float64) * period_s
    velocity = np.zeros_like(position)
    if len(position) > 1:
        velocity[:] = np.gradient(position, t_s, axis=0)
    return Trajectory(t_s, position, velocity, np.zeros(len(position)))


def make_flight(
    scenario: Scenario,
    points: Points,
    ending: Ending = Ending.GOAL_REACHED,
    period_s: float = 0.1,
    seed: int = 0,
) -> Flight:
    """A flight along the given samples."""
    return Flight(
        scenario_id=scenario.id,
        backend="made",
        system="made",
        seed=seed,
        ending=ending,
        reason="made for a test",
        trajectory=make_trajectory(points, period_s),
    )


def make_verdict(distance_m: float | None = 1.0, ending: Ending = Ending.GOAL_REACHED) -> Verdict:
    """A verdict with one distance for all measures."""
    outcome = Outcome.INCONCLUSIVE
    if distance_m is not None:
        outcome = (
            Outcome.HARD_FAIL
            if distance_m < 0.25
            else Outcome.SOFT_FAIL
            if distance_m < 1.5
            else Outcome.PASS
        )
    return Verdict(
        outcome=outcome,
        ending=ending,
        min_distance_3d_m=distance_m,
        min_distance_horizontal_m=distance_m,
        min_distance_aerialist_m=distance_m,
        moment_s=None if distance_m is None else 10.0,
        obstacle_index=None if distance_m is None else 0,
        completed=ending is Ending.GOAL_REACHED,
        duration_s=60.0,
        sentence="made for a test",
    )


def make_evaluation(
    number: int,
    scenario: Scenario,
    distance_m: float | None = 1.0,
    status: EvaluationStatus = EvaluationStatus.VALID,
) -> Evaluation:
    """An evaluation with one verdict if it is valid, none otherwise."""
    if status is not EvaluationStatus.VALID:
        return Evaluation(number, scenario, status, message="made for a test")
    straight = make_trajectory([(float(step), 0.0, 10.0) for step in range(5)])
    return Evaluation(
        number, scenario, status, (make_verdict(distance_m),), (distance_m,), distance_m, 0.5, straight
    )
