"""What every planner implementation promises, whatever it is given."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from uav_testgen.core.errors import PlannerInputError
from uav_testgen.planner import NavState, PlannerConfig, Px4Parameters, WaypointInput
from uav_testgen.planner.vfh3d.base import (
    IMPLEMENTATIONS,
    FieldOfView,
    Planner,
    PlannerMemory,
    PlannerResult,
    make_planner,
    make_waypoint_generator,
)

LEVEL = (1.0, 0.0, 0.0, 0.0)
BACK = (0.0, 0.0, 0.0, 1.0)
WALL = np.array([[8.0, y, z] for y in np.arange(-2, 2, 0.4) for z in np.arange(3, 7, 0.4)])
every_implementation = pytest.mark.parametrize("name", list(IMPLEMENTATIONS))


def _ready(name: str, **config: float) -> Planner:
    planner = make_planner(name, PlannerConfig(**config), Px4Parameters())  # type: ignore[arg-type]
    planner.set_goal((30, 0, 5), (0, 0, 5))
    return planner


@every_implementation
def test_path_runs_from_its_end_to_the_vehicle(name: str) -> None:
    result = _ready(name).plan(100.0, (0, 0, 5), (1, 0, 0), LEVEL, [WALL])
    assert result.planned_now
    assert result.path_enu_m[-1].tolist() == [0, 0, 5]
    assert np.linalg.norm(np.diff(result.path_enu_m, axis=0), axis=1) == pytest.approx(2.0, abs=1e-5)
    assert result.last_path_time_s == 100.0
    assert result.trace is None


@every_implementation
@pytest.mark.parametrize("clouds", [[], [[]], [[[math.nan] * 3]], [[], [[math.inf, 0, 0]]]])
def test_nothing_seen_keeps_the_old_path(name: str, clouds: list[object]) -> None:
    planner = _ready(name)
    before = planner.plan(100.0, (0, 0, 5), (1, 0, 0), LEVEL, [WALL])
    path = before.path_enu_m.copy()
    after = planner.plan(100.1, (0, 0, 5), (1, 0, 0), LEVEL, clouds)  # type: ignore[arg-type]
    assert not after.planned_now
    assert len(after.cloud_enu_m) == 0
    assert np.array_equal(after.path_enu_m, path)
    assert np.array_equal(before.path_enu_m, path)  # a result handed out does not change any more
    assert after.last_path_time_s == 100.0


@every_implementation
def test_memory_moves_to_another_planner(name: str) -> None:
    first, second = _ready(name), _ready(name)
    first.plan(100.0, (0, 0, 5), (1, 0, 0), LEVEL, [WALL])
    second.set_memory(first.get_memory())
    results = [planner.plan(102.0, (0, 0, 5), (1, 0, 0), BACK, [[]]) for planner in (first, second)]
    assert results[0].planned_now
    assert results[0].cloud_age_s == pytest.approx(2.0)
    assert np.array_equal(results[0].path_enu_m, results[1].path_enu_m)
    first.reset()
    assert len(first.get_memory().points_enu_m) == 0


@every_implementation
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_non_finite_state_is_refused(name: str, place: int, bad: float) -> None:
    planner = _ready(name)
    with pytest.raises(PlannerInputError):
        if place == 0:
            planner.set_goal((bad, 0, 5), (0, 0, 5))
        planner.plan(
            bad if place == 1 else 1.0,
            (0, bad if place == 2 else 0, 5),
            (0, bad if place == 3 else 0, 0),
            (1, bad if place == 4 else 0, 0, 0),
            [WALL],
        )
    assert planner.plan(2.0, (0, 0, 5), (0, 0, 0), LEVEL, [WALL]).planned_now


@every_implementation
def test_misshapen_cloud_is_refused(name: str) -> None:
    with pytest.raises(PlannerInputError):
        _ready(name).plan(1.0, (0, 0, 5), (0, 0, 0), LEVEL, [[1.0, 2.0, 3.0]])


@every_implementation
@pytest.mark.parametrize(
    "config", [{"children_per_node": 0}, {"n_expanded_nodes": 0}, {"tree_node_distance_m": 0}]
)
def test_tree_that_cannot_grow(name: str, config: dict[str, float]) -> None:
    result = _ready(name, **config).plan(1.0, (0, 0, 5), (0, 0, 0), LEVEL, [WALL])
    assert result.planned_now
    assert result.path_enu_m.tolist() == [[0, 0, 5]]
    assert result.tree_size == 1


@every_implementation
def test_goal_at_the_vehicle(name: str) -> None:
    planner = _ready(name)
    planner.set_goal((0, 0, 5), (0, 0, 5))
    result = planner.plan(1.0, (0, 0, 5), (0, 0, 0), LEVEL, [WALL])
    assert np.isfinite(result.path_enu_m).all()


@every_implementation
def test_waypoint_generator_survives_nan_goals(name: str) -> None:
    generator = make_waypoint_generator(name)
    nan3 = (math.nan, math.nan, math.nan)
    for k, nav_state in enumerate(NavState):
        generator.set_path(np.zeros((0, 3)), 0.0, math.nan)
        generator.update(WaypointInput((0, 0, 5), (0, 0, 0), LEVEL, nan3, nan3, nav_state=nav_state))
        generator.get(10.0 + 0.1 * k)
    for k in range(3):
        generator.update(WaypointInput((0, 0, 5), (0, 0, 0), LEVEL, (30, 0, 5), (0, 0, 5)))
        waypoint = generator.get(12.0 + 0.1 * k)
    assert np.isfinite(waypoint.position_enu_m).all()


@every_implementation
@pytest.mark.parametrize("place", range(3))
def test_waypoint_generator_refuses_a_non_finite_pose(name: str, place: int) -> None:
    pose = [[0.0, 0.0, 5.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]
    pose[place][1] = math.nan
    with pytest.raises(PlannerInputError):
        make_waypoint_generator(name).update(WaypointInput(*pose, (30, 0, 5), (0, 0, 5)))


COORDINATE = st.floats(-20, 20, width=32)
POINT = st.tuples(COORDINATE, COORDINATE, COORDINATE)
WILD_CLOUD = hnp.arrays(
    np.float32,
    st.tuples(st.integers(0, 40), st.just(3)),
    elements=st.floats(-30, 30, width=32) | st.sampled_from([math.nan, math.inf, -math.inf, 2.0**127]),
)


@st.composite
def _cases(draw: st.DrawFn) -> dict[str, object]:
    yaw, pitch = draw(st.floats(-3.1, 3.1)), draw(st.floats(-1.2, 1.2))
    cy, sy, cp, sp = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(pitch / 2), math.sin(pitch / 2)
    return {
        "config": PlannerConfig(
            n_expanded_nodes=draw(st.integers(0, 6)),
            children_per_node=draw(st.integers(0, 12)),
            min_num_points_per_cell=draw(st.integers(1, 3)),
            smoothing_margin_deg=draw(st.sampled_from([0.0, 6.0, 40.0, 90.0])),
            max_sensor_range_m=draw(st.sampled_from([0.0, 5.0, 15.0, 40.0])),
            tree_node_distance_m=draw(st.sampled_from([0.0, 0.3, 2.0, 20.0])),
        ),
        "fovs": draw(
            st.lists(
                st.builds(
                    FieldOfView,
                    *(st.floats(-180, 180), st.floats(-40, 40), st.floats(1, 170), st.floats(1, 90)),
                ),
                max_size=3,
            )
        ),
        "goal": draw(POINT),
        "previous": draw(POINT),
        "position": draw(POINT),
        "velocity": draw(POINT),
        "quaternion": (cy * cp, -sy * sp, cy * sp, sy * cp),
        "clouds": draw(st.lists(WILD_CLOUD, max_size=3)),
        "memory": draw(WILD_CLOUD),
    }


def _planned(name: str, case: dict[str, object]) -> PlannerResult:
    planner = make_planner(name, case["config"], Px4Parameters(cp_dist_m=4.0), case["fovs"])  # type: ignore[arg-type]
    planner.set_goal(case["goal"], case["previous"])  # type: ignore[arg-type]
    memory = np.asarray(case["memory"], np.float32)
    planner.set_memory(PlannerMemory(memory, np.zeros(len(memory), np.float32), 99.0))
    return planner.plan(100.0, case["position"], case["velocity"], case["quaternion"], case["clouds"])  # type: ignore[arg-type]


@given(_cases())
@settings(max_examples=40)
def test_wild_input_is_survived_and_implementations_agree(case: dict[str, object]) -> None:
    results = [_planned(name, case) for name in IMPLEMENTATIONS]
    for result in results:
        assert np.isfinite(result.cloud_enu_m).all()
        assert np.isfinite(result.path_enu_m).all()
        assert result.planned_now == bool((result.histogram_m > 0).any())
    first = results[0]
    for other in results[1:]:
        assert np.array_equal(first.cloud_enu_m, other.cloud_enu_m)
        assert first.histogram_m == pytest.approx(other.histogram_m, abs=1e-4)
        assert first.closest_point_enu_m == pytest.approx(other.closest_point_enu_m, abs=1e-3)
        assert first.obstacle_distance_m == pytest.approx(other.obstacle_distance_m, abs=1e-4, nan_ok=True)
