"""Random worlds: A* and Dijkstra agree, paths are walkable, whatever is thrown at the parser is survived."""

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uav_testgen.core.config import parse_config
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.fleet.cells import distance
from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.paths import PathMethod, shortest_path
from uav_testgen.fleet.scenario import FleetScenario, load_fleet_scenario
from uav_testgen.fleet.world import CellWorld

cells = st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 1))


@given(st.sets(cells, max_size=40), cells, cells)
def test_both_methods_find_shortest_walkable_paths(blocked: set[Any], start: Any, goal: Any) -> None:
    world = CellWorld((8, 8, 2))
    for cell in blocked - {start}:
        world.set(cell, "blocked", True)
    dijkstra = shortest_path(world, start, goal, PathMethod.DIJKSTRA)
    a_star = shortest_path(world, start, goal, PathMethod.A_STAR)
    assert (dijkstra is None) == (a_star is None)
    if dijkstra is None or a_star is None:
        return
    assert len(dijkstra) == len(a_star) >= distance(start, goal)
    here = start
    for cell in a_star:
        assert distance(here, cell) == 1
        assert world.is_free(cell)
        here = cell
    assert here == goal


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["size", "cells", "id", "init_pos", "tasks", "IType", "Position", "sensors"]),
            inner,
        )
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["environment", "drones", "controllers", "effector", "name"]), json_values
    )
)
def test_any_json_is_accepted_or_refused_with_a_sentence(data: dict[str, Any]) -> None:
    try:
        scenario = parse_config(FleetScenario, data, source="x.json")
    except UavTestgenError as error:
        assert str(error).startswith("x.json: ")
    else:
        assert scenario.max_ticks > 0


@settings(deadline=None, max_examples=25)
@given(st.sets(st.tuples(st.integers(1, 11), st.integers(0, 7)), max_size=20), st.integers(0, 1000))
def test_no_run_hangs_overspends_or_enters_blocked_cells(blocked: set[Any], seed: int) -> None:
    scenario = FleetScenario.model_validate(
        {
            "environment": {"size": [12, 8, 1], "blocked": [[x, y, 0] for x, y in blocked]},
            "drones": [{"id": 1, "battery_max": 600, "init_pos": [0, 0, 0]}],
            "controllers": [{"tasks": [[{"IType": "GOTO", "Position": [11, 7, 0]}]]}],
            "effector": {"enabled": True, "effects": [{"type": "detour", "probability": 0.1}]},
            "max_ticks": 300,
        }
    )
    simulation = FleetSimulation(scenario, seed=seed)
    for _ in simulation.ticks():
        drone = simulation.drones[1]
        assert drone.battery >= 0.0
        assert drone.position not in simulation.world.blocked
    assert simulation.tick <= 300


@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    deadline=None,
    max_examples=60,
)
@given(
    changes=st.lists(st.tuples(st.integers(0, 10_000), st.binary(max_size=6)), min_size=1, max_size=5),
    cut=st.none() | st.integers(0, 2000),
)
def test_a_damaged_file_is_accepted_or_refused_with_a_sentence(
    tmp_path: Path, project_root: Path, changes: list[tuple[int, bytes]], cut: int | None
) -> None:
    content = bytearray((project_root / "config/fleet/package-delivery.json").read_bytes())
    for place, noise in changes:
        start = place % len(content)
        content[start : start + len(noise)] = noise
    path = tmp_path / "fleet.json"
    path.write_bytes(bytes(content[:cut]))
    try:
        load_fleet_scenario(path)
    except UavTestgenError as error:
        assert "fleet.json" in str(error)
