"""Small evaluations with a given distance, for tests of what comes after flying."""

from __future__ import annotations

from statistics import median

from uav_testgen.flight.model import Ending
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Scenario, obstacle_on_ground
from uav_testgen.testing.still_backend import StillBackend


def scenario_at(north_m: float, count: int = 1, east_m: float = 20.0) -> Scenario:
    """Mission 2 with boxes in a row from (east, north)."""
    obstacles = tuple(
        obstacle_on_ground(east_m + 6.0 * index, north_m, (3.0, 4.0, 15.0), name=f"box {index}")
        for index in range(count)
    )
    return Scenario(mission=named_mission("mission2"), obstacles=obstacles)


def verdict_at(distance_m: float, duration_s: float = 90.0) -> Verdict:
    """The verdict on a flight that came this near."""
    outcome = Outcome.PASS
    if distance_m < 1.5:
        outcome = Outcome.HARD_FAIL if distance_m < 0.25 else Outcome.SOFT_FAIL
    return Verdict(
        outcome=outcome,
        ending=Ending.GOAL_REACHED,
        min_distance_3d_m=distance_m + 0.125,
        min_distance_horizontal_m=distance_m + 0.125,
        min_distance_aerialist_m=distance_m,
        moment_s=5.0,
        obstacle_index=0,
        completed=True,
        duration_s=duration_s,
        sentence=f"{distance_m} m",
    )


def evaluation_at(
    number: int,
    distance_m: float,
    *,
    north_m: float = -5.0,
    east_m: float = 20.0,
    count: int = 1,
    runs: tuple[float, ...] = (),
    duration_s: float = 90.0,
    fly: bool = True,
) -> Evaluation:
    """An evaluation whose nominal run came this near, with further `runs`."""
    scenario = scenario_at(north_m, count, east_m)
    distances = (distance_m, *runs)
    return Evaluation(
        number=number,
        scenario=scenario,
        status=EvaluationStatus.VALID,
        verdicts=tuple(verdict_at(value, duration_s) for value in distances),
        distances_m=distances,
        distance_m=median(runs or distances),
        failure_probability=sum(value < 1.5 for value in runs or distances) / len(runs or distances),
        trajectory=StillBackend().fly(scenario, number).trajectory if fly else None,
        details={"flights": len(distances)},
    )
