"""The compiled planner reproduces everything that was recorded from the real one, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from test.golden.vectors import files
from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.loop.system import named_system
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Waypoint
from uav_testgen.testing.golden.records import Record, read_record
from uav_testgen.testing.golden.replay import replay_file
from uav_testgen.testing.golden.report import CaseCheck
from uav_testgen.testing.golden.stage import plan_stage

pytestmark = pytest.mark.xdist_group("compiled")


def _stem(path: Path) -> str:
    return path.name.split(".")[0]


def _assert_passed(check: CaseCheck) -> None:
    assert check.worst, "nothing was compared"
    assert not check.failures, "\n".join(
        f"{f.quantity}: {f.value} > {f.tolerance} {f.detail}" for f in check.failures
    )


@pytest.mark.parametrize("kind", ["unit", "stage", "sequence", "closed_loop"])
def test_all_vectors(kind: str) -> None:
    checks = [check for path in files(kind) for check in replay_file(kind, path, "compiled")]
    assert checks
    for check in checks:
        _assert_passed(check)


@pytest.mark.parametrize("path", files("stage"), ids=_stem)
def test_stage_bit_for_bit(path: Path) -> None:
    """Costs of every candidate, tree and path are the recorded float32 numbers, ties included."""
    record = read_record(path)
    result = plan_stage(record, "compiled")
    output = record.record("output")
    assert np.array_equal(result.histogram_m, output.matrix("histogram").astype(np.float32))
    assert np.array_equal(result.path_enu_m, _f32(output, "path", (None, 3)))
    assert result.trace is not None
    if result.trace.costs is None:
        assert output.flag("histogram_empty")
        return
    costs, tree = result.trace.costs, output.record("tree")
    assert np.array_equal(costs.raw_other_cost, _f32(output, "raw_other_cost", (30, 60)))
    assert np.array_equal(costs.cost_matrix, _f32(output, "cost_matrix", (30, 60)))
    assert np.array_equal(costs.tree.parent, tree.integers("parent"))
    assert np.array_equal(costs.tree.position_enu_m, _f32(tree, "position", (None, 3)))
    assert np.array_equal(costs.tree.total_cost, _f32(tree, "total_cost", (None,)))
    for ours, recorded in zip(costs.tree.expansions, output.records("expansions"), strict=True):
        expected = recorded.array("candidates", (None, 3)).astype(np.float32)
        found = [[c.cost, c.elevation_deg, c.azimuth_deg] for c in ours.candidates]
        assert np.array_equal(np.array(found, np.float32), expected)


def _f32(record: Record, name: str, shape: tuple[int | None, ...]) -> np.ndarray:
    return record.array(name, shape).astype(np.float32)


def loop_scenario(record: Record) -> Scenario:
    """A closed-loop file as a scenario of ours."""
    boxes = tuple(
        Obstacle(
            center_enu_m=tuple(box.array("center", (3,))),
            size_m=tuple(box.array("size", (3,))),
            yaw_rad=box.number("yaw"),
        )
        for box in record.record("scene").records("boxes")
    )
    mission = Mission(
        waypoints=(Waypoint(position_enu_m=tuple(record.array("goal", (3,)))),),
        home_enu_m=tuple(record.array("start", (3,))),
        home_yaw_rad=record.number("start_yaw"),
        takeoff=False,
        land=False,
    )
    return Scenario(mission=mission, obstacles=boxes)


@pytest.mark.parametrize("path", files("closed_loop"), ids=_stem)
def test_whole_flight_in_one_compiled_function(path: Path) -> None:
    """The LFS flies the recorded loops: renderer, memory, tree and motion together, within a nanometre."""
    record = read_record(path)
    system = named_system("paper").changed({"mission.time_limit_s": 45.0, "mission.stuck_time_s": 0.0})
    flight = LfsBackend(LfsConfig(system=system)).fly(loop_scenario(record), 0)
    outcome = record.record("result")
    recorded = [step.array("position", (3,)) for step in record.records("steps")]
    recorded.append(outcome.array("final_position", (3,)))
    assert flight.ending.value == outcome.text("status")
    assert len(flight.trajectory) == len(recorded)
    assert np.abs(flight.trajectory.position_enu_m - np.array(recorded)).max() < 1e-9
    assert flight.details["least_sampled_distance_m"] == pytest.approx(
        outcome.number("min_box_distance"), abs=1e-9
    )
