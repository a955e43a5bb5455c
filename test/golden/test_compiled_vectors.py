"""The compiled planner reproduces everything that was recorded from the real one, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from test.golden.checks import assert_passed, assert_stage_bit_for_bit, stem
from test.golden.vectors import files
from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.loop.system import named_system
from uav_testgen.scenario.model import Mission, Obstacle, Scenario, Waypoint
from uav_testgen.testing.golden.records import Record, read_record
from uav_testgen.testing.golden.replay import replay_file

pytestmark = pytest.mark.xdist_group("compiled")


@pytest.mark.parametrize("kind", ["unit", "stage", "sequence", "closed_loop"])
def test_all_vectors(kind: str) -> None:
    checks = [check for path in files(kind) for check in replay_file(kind, path, "compiled")]
    assert checks
    for check in checks:
        assert_passed(check)


@pytest.mark.parametrize("path", files("stage"), ids=stem)
def test_stage_bit_for_bit(path: Path) -> None:
    assert_stage_bit_for_bit(path, "compiled")


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


@pytest.mark.parametrize("path", files("closed_loop"), ids=stem)
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
