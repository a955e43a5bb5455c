"""Scenario, trajectory and verdict values: what they refuse and what identifies them."""

import numpy as np
import pytest
from pydantic import ValidationError

from uav_testgen.flight.model import Ending, Trajectory
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Shape, Waypoint, obstacle_on_ground


def scenario(**changes: object) -> Scenario:
    mission = Mission(waypoints=(Waypoint(position_enu_m=(50.0, 0.0, 10.0)),))
    return Scenario(mission=mission, obstacles=(obstacle_on_ground(20, 0, (4, 6, 20), 30),)).model_copy(
        update=changes
    )


def test_id_follows_content_not_names() -> None:
    base = scenario()
    assert base.id == scenario(name="other", seed=5).id
    assert base.id != scenario(obstacles=(obstacle_on_ground(20.1, 0, (4, 6, 20), 30),)).id
    assert len(base.id) == 16


def test_values_are_frozen() -> None:
    with pytest.raises(ValidationError):
        scenario().seed = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    "bad",
    [
        {"size_m": (0.0, 1.0, 1.0)},
        {"size_m": (1.0, float("nan"), 1.0)},
        {"center_enu_m": (float("inf"), 0.0, 0.0)},
        {"shape": Shape.CYLINDER, "size_m": (1.0, 2.0, 3.0)},
        {"shape": Shape.SPHERE, "size_m": (1.0, 1.0, 3.0)},
    ],
)
def test_impossible_obstacles_are_refused(bad: dict[str, object]) -> None:
    good: dict[str, object] = {"center_enu_m": (0.0, 0.0, 5.0), "size_m": (2.0, 2.0, 10.0)}
    with pytest.raises(ValidationError):
        Obstacle.model_validate({**good, **bad})


def test_mission_needs_a_waypoint() -> None:
    with pytest.raises(ValidationError):
        Mission(waypoints=())


def test_arena_borders_must_be_ordered() -> None:
    with pytest.raises(ValidationError, match="east_min_m must be below east_max_m"):
        Arena(east_min_m=50.0)


def test_trajectory_is_read_only_and_checked() -> None:
    times = np.arange(3.0)
    trajectory = Trajectory(times, np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3))
    assert trajectory.duration_s == 2.0
    with pytest.raises(ValueError, match="read-only"):
        trajectory.t_s[0] = 1.0
    times[0] = -5.0
    assert trajectory.t_s[0] == 0.0, "the record must not follow the caller's array"
    with pytest.raises(ValueError, match="shape"):
        Trajectory(times, np.zeros((2, 3)), np.zeros((3, 3)), np.zeros(3))
    with pytest.raises(ValueError, match="ascend"):
        Trajectory(np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3))


def test_verdict_round_trip() -> None:
    verdict = Verdict(Outcome.SOFT_FAIL, Ending.GOAL_REACHED, 1.2, 1.2, 1.1, 3.0, 0, True, 60.0, "near")
    assert Verdict.from_json(verdict.to_json()) == verdict
    assert verdict.failed
