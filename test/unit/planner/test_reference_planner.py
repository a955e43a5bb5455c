from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner import NOMINAL_FOV, PlannerConfig, PlannerResult, Px4Parameters
from uav_testgen.planner.vfh3d.base import PlannerMemory, make_planner
from uav_testgen.planner.vfh3d.reference.planner import (
    ReferencePlanner,
    closest_point_on_track,
    stopping_speed_limit,
)

LEVEL = (1.0, 0.0, 0.0, 0.0)
WALL = [[8.0, y, z] for y in np.arange(-2, 2, 0.2) for z in np.arange(3, 7, 0.2)]


def _planner(**config: float) -> ReferencePlanner:
    planner = ReferencePlanner(PlannerConfig(**config), Px4Parameters(), [NOMINAL_FOV])  # type: ignore[arg-type]
    planner.set_goal((30, 0, 5), (0, 0, 5))
    return planner


def _plan(
    planner: ReferencePlanner, cloud: object = WALL, time_s: float = 100.0, **more: object
) -> PlannerResult:
    return planner.plan(time_s, (0, 0, 5), (1, 0, 0), LEVEL, [cloud], **more)  # type: ignore[arg-type, list-item]


def test_path_goes_round_the_wall() -> None:
    result = _plan(_planner(), trace=True)
    assert result.planned_now
    assert result.path_enu_m[-1].tolist() == [0, 0, 5]
    steps = np.linalg.norm(np.diff(result.path_enu_m, axis=0), axis=1)
    assert steps == pytest.approx(np.full(len(steps), 2.0), abs=1e-5)
    assert result.last_path_time_s == 100.0
    assert result.trace is not None and result.trace.costs is not None
    tree = result.trace.costs.tree
    assert len(tree.closed_order) == 40
    assert len(result.path_enu_m) == tree.depth[~tree.closed].max() + 1
    assert np.array_equal(np.flatnonzero(tree.closed), np.sort(tree.closed_order))


def test_same_input_same_result() -> None:
    first, second = _plan(_planner()), _plan(_planner())
    assert np.array_equal(first.path_enu_m, second.path_enu_m)


def test_empty_cloud_keeps_the_old_path() -> None:
    planner = _planner()
    before = _plan(planner)
    turned = (0.0, 0.0, 0.0, 1.0)  # looking back: the wall stays in memory
    remembered = planner.plan(100.1, (0, 0, 5), (1, 0, 0), turned, [[]])
    assert remembered.planned_now
    empty = planner.plan(100.2, (0, 0, 5), (1, 0, 0), LEVEL, [[]])  # in view and not measured: gone
    assert not empty.planned_now
    assert empty.histogram_empty
    assert len(empty.cloud_enu_m) == 0
    assert np.array_equal(empty.path_enu_m, remembered.path_enu_m)
    assert empty.last_path_time_s == 100.1
    assert empty.tree_size == remembered.tree_size
    assert before.planned_now


@pytest.mark.parametrize("clouds", [[], [[]], [[[math.nan] * 3]], [[], []]])
def test_nothing_seen_plans_nothing(clouds: list[object]) -> None:
    result = _planner().plan(1.0, (0, 0, 5), (0, 0, 0), LEVEL, clouds)  # type: ignore[arg-type]
    assert not result.planned_now
    assert result.path_enu_m.shape == (0, 3)
    assert result.last_path_time_s == 0.0


@pytest.mark.parametrize(
    ("config", "size"),
    [({"children_per_node": 0}, 1), ({"n_expanded_nodes": 0}, 1), ({"tree_node_distance_m": 0}, 1)],
)
def test_tree_of_the_root_only(config: dict[str, float], size: int) -> None:
    result = _plan(_planner(**config))
    assert result.planned_now
    assert result.tree_size == size
    assert result.path_enu_m.tolist() == [[0, 0, 5]]


def test_one_expansion_of_one_child() -> None:
    result = _plan(_planner(children_per_node=1, n_expanded_nodes=1))
    assert result.tree_size == 2
    assert len(result.path_enu_m) == 2


def test_goal_at_the_vehicle_is_survived() -> None:
    planner = _planner()
    planner.set_goal((0, 0, 5), (0, 0, 5))
    result = _plan(planner)
    assert result.planned_now
    assert np.isfinite(result.path_enu_m).all()
    assert len(result.path_enu_m) == 2  # no direction is cheaper than infinite: one step, then no more


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
@pytest.mark.parametrize("argument", ["time", "position", "velocity", "quaternion", "goal"])
def test_non_finite_input_is_refused_and_nothing_is_lost(bad: float, argument: str) -> None:
    planner = _planner()
    _plan(planner)
    memory = planner.get_memory()
    values = {
        "time": 101.0,
        "position": (0.0, 0.0, 5.0),
        "velocity": (1.0, 0.0, 0.0),
        "quaternion": LEVEL,
        "goal": (30.0, 0.0, 5.0),
    }
    values[argument] = bad if argument == "time" else (bad, *values[argument][1:])  # type: ignore[index]
    with pytest.raises(PlannerInputError, match=argument):
        planner.set_goal(values["goal"], (0, 0, 5))
        planner.plan(values["time"], values["position"], values["velocity"], values["quaternion"], [WALL])  # type: ignore[arg-type]
    assert planner.get_memory() is memory


@pytest.mark.parametrize("cloud", [[1.0, 2.0, 3.0], [[1.0, 2.0]], np.zeros((2, 2, 3))])
def test_misshapen_cloud_is_refused(cloud: object) -> None:
    with pytest.raises(PlannerInputError, match="cloud"):
        _plan(_planner(), cloud)


def test_unknown_implementation_is_refused() -> None:
    with pytest.raises(PlannerInputError, match="reference, compiled"):
        make_planner("slow")


def test_reset_forgets() -> None:
    planner = _planner()
    fresh = _plan(planner)
    planner.reset()
    assert len(planner.get_memory().points_enu_m) == 0
    planner.set_goal((30, 0, 5), (0, 0, 5))
    assert np.array_equal(_plan(planner).path_enu_m, fresh.path_enu_m)


def test_memory_can_be_carried_to_another_planner() -> None:
    first = _planner()
    _plan(first)
    second = _planner()
    second.set_memory(first.get_memory())
    turned = (0.0, 0.0, 0.0, 1.0)
    results = [p.plan(103.0, (0, 0, 5), (1, 0, 0), turned, [[]]) for p in (first, second)]
    assert np.array_equal(results[0].cloud_age_s, results[1].cloud_age_s)
    assert results[0].cloud_age_s == pytest.approx(np.full(len(results[0].cloud_age_s), 3.0))
    assert np.array_equal(results[0].path_enu_m, results[1].path_enu_m)


def test_memory_without_ages_is_refused() -> None:
    with pytest.raises(PlannerInputError, match="ages"):
        _planner().set_memory(PlannerMemory(np.ones((3, 3), np.float32), np.zeros(2, np.float32)))


def test_empty_memory_record() -> None:
    assert PlannerMemory().points_enu_m.shape == (0, 3)


@pytest.mark.parametrize(
    ("position", "cruise", "expected"),
    [
        ((10, 2, 4), 3.0, (30, 0, 5)),
        ((10, 4, 4), 3.0, (10, 0, 5)),
        ((-8, 4, 4), 3.0, (-8, 0, 5)),  # not limited to the segment
        ((10, 2, 4), math.nan, (10, 0, 5)),
    ],
)
def test_closest_point(position: tuple[float, ...], cruise: float, expected: tuple[float, ...]) -> None:
    found = closest_point_on_track(
        np.array(position, np.float32),
        np.array([30, 0, 5], np.float32),
        np.array([0, 0, 9], np.float32),
        np.float32(cruise),
    )
    assert found.tolist() == pytest.approx(expected)


def test_closest_point_when_both_goals_coincide() -> None:
    goal = np.array([3, 4, 5], np.float32)
    found = closest_point_on_track(np.array([50, 0, 0], np.float32), goal, goal, np.float32(3))
    assert found.tolist() == [3, 4, 5]


def test_speed_limits() -> None:
    assert stopping_speed_limit(Px4Parameters(), 15.0) == pytest.approx(8.43, abs=0.01)
    quick = Px4Parameters(mpc_acc_hor_mps2=5, mpc_jerk_max_mps3=20)
    assert stopping_speed_limit(quick, 15.0) == pytest.approx(11.06, abs=0.01)


def test_cruise_velocity() -> None:
    planner = _planner()
    assert _plan(planner, []).cruise_velocity_mps == 5.0
    planner.set_mission_item_speed(2.5)
    assert _plan(planner, []).cruise_velocity_mps == 2.5
    planner.set_mission_item_speed(20.0)
    assert _plan(planner, []).cruise_velocity_mps == pytest.approx(8.43, abs=0.01)


def test_obstacle_distances_only_on_request() -> None:
    assert _plan(_planner()).obstacle_distance_m is None
    planner = ReferencePlanner(PlannerConfig(), Px4Parameters(cp_dist_m=4.0), [NOMINAL_FOV])
    planner.set_goal((30, 0, 5), (0, 0, 5))
    ranges = _plan(planner).obstacle_distance_m
    assert ranges is not None and ranges.shape == (60,)
    assert ranges[15] == pytest.approx(8.0, abs=0.2)  # +x is 90 degrees clockwise from north
    assert np.isnan(ranges[45])
    assert pytest.approx(np.nanmax(ranges)) == 15.01
