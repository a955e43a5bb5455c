"""StellaUAV, section III-B (dynamic obstacles): moving between two points, and along polylines."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.scenario.footprint import distance_to_point_m, swept_footprint
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.model import LinearMotion, Mission, MotionMode, Obstacle, Point, Scenario, Waypoint
from uav_testgen.scenario.validity import Rule, violations
from uav_testgen.world.distance import trajectory_distance
from uav_testgen.world.layout import MODE, OBSTACLE_COLUMNS, STATIC
from uav_testgen.world.motion import centres_at, next_kink_s
from uav_testgen.world.packed import pack, pack_obstacles

MISSION = Mission(waypoints=(Waypoint(position_enu_m=(60.0, 0.0, 10.0)),))
START: Point = (0.0, 0.0, 5.0)
CORNERS: tuple[Point, ...] = ((4.0, 0.0, 5.0), (4.0, 3.0, 5.0))
END: Point = (0.0, 3.0, 5.0)


def mover(mode: MotionMode = MotionMode.ONCE, via: tuple[Point, ...] = CORNERS, to: Point = END) -> Obstacle:
    motion = LinearMotion(via_enu_m=via, to_enu_m=to, speed_mps=2.0, start_s=1.0, mode=mode)
    return Obstacle(center_enu_m=START, size_m=(1.0, 1.0, 10.0), motion=motion)


def places(obstacle: Obstacle, times: list[float]) -> list[tuple[float, float]]:
    packed = pack_obstacles([obstacle])
    return [tuple(round(float(value), 9) for value in centres_at(packed, t)[0, :2]) for t in times]  # type: ignore[misc]


def test_once_goes_over_every_corner_and_stops() -> None:
    seen = places(mover(), [0.0, 1.0, 2.0, 3.0, 4.0, 4.5, 6.5, 99.0])
    assert seen == [(0, 0), (0, 0), (2, 0), (4, 0), (4, 2), (4, 3), (0, 3), (0, 3)]


def test_back_and_forth_returns_the_same_way() -> None:
    there_and_back = mover(MotionMode.BACK_AND_FORTH)
    # 11 m there, 11 m back, at 2 m/s from the first second on.
    for later_s in (0.3, 1.7, 2.9, 4.4, 5.4):
        (going, coming) = places(there_and_back, [1.0 + later_s, 12.0 - later_s])
        assert going == pytest.approx(coming)
    assert places(there_and_back, [12.0, 14.0]) == [(0, 0), (4, 0)]


def test_kinks_are_the_corners() -> None:
    once, both = (pack_obstacles([mover(mode)])[0] for mode in (MotionMode.ONCE, MotionMode.BACK_AND_FORTH))
    found, t = [], 0.0
    while math.isfinite(t := next_kink_s(once, t)):
        found.append(t)
    assert found == [1.0, 3.0, 4.5, 6.5]
    found, t = [], 0.0
    for _ in range(9):
        t = next_kink_s(both, t)
        found.append(t)
    assert found == [1.0, 3.0, 4.5, 6.5, 8.5, 10.0, 12.0, 14.0, 15.5]


def test_placed_and_read_agree_at_every_time() -> None:
    scenario = Scenario(mission=MISSION, obstacles=(mover(MotionMode.BACK_AND_FORTH), mover(via=(), to=END)))
    world = pack(scenario)
    for t in np.linspace(0.0, 40.0, 173):
        assert np.array_equal(world.placed_at(t)[:, 1:4], centres_at(world.obstacles, t))


def test_distances_between_samples_are_exact() -> None:
    """A coarse trajectory past a moving box: the least distance is that of a very fine one."""
    row = pack_obstacles([mover(MotionMode.BACK_AND_FORTH)])[0]
    times = np.array([0.0, 7.0, 19.0, 30.0])
    points = np.array([[-5.0, 6.0, 5.0], [9.0, 1.0, 5.0], [-4.0, -3.0, 5.0], [6.0, 7.0, 5.0]])
    least, when_s = trajectory_distance(row, times, points, True)
    fine = np.linspace(0.0, 30.0, 60001)
    flown = np.column_stack([np.interp(fine, times, points[:, axis]) for axis in range(3)])
    centres = np.array([centres_at(row[np.newaxis], t)[0] for t in fine])
    beyond = np.maximum(np.abs(flown[:, :2] - centres[:, :2]) - 0.5, 0.0)
    brute = np.hypot(beyond[:, 0], beyond[:, 1])
    assert least == pytest.approx(float(np.min(brute)), abs=2e-3)
    assert brute[np.searchsorted(fine, when_s)] == pytest.approx(least, abs=5e-3)


def test_straight_motions_keep_their_rows_and_ids() -> None:
    straight = mover(via=())
    assert pack_obstacles([straight]).shape == (1, OBSTACLE_COLUMNS)
    scenario = Scenario(mission=MISSION, obstacles=(straight,))
    # Stored campaigns know the scene by this id: a motion without corners must not change it.
    assert scenario.id == "3ae3829b797d4eba"
    assert Scenario(mission=MISSION, obstacles=(mover(),)).id != scenario.id


def test_corners_that_do_not_move_it_are_no_motion() -> None:
    assert pack_obstacles([mover(via=(START, START), to=START)])[0, MODE] == STATIC


def test_the_whole_way_counts_in_rules(tmp_path: Path) -> None:
    obstacle = mover()
    # The inside of the U stays free: the strip is no convex hull.
    assert distance_to_point_m(obstacle, 2.0, 1.5) == pytest.approx(1.0)
    assert swept_footprint(obstacle).area == pytest.approx(5.0 + 5.0 + 4.0 - 2.0)
    floating = mover(via=((4.0, 0.0, 9.0),))
    scenario = Scenario(mission=MISSION, obstacles=(floating,))
    assert Rule.ON_GROUND in {one.rule for one in violations(scenario)}
    save_scenario(tmp_path / "polyline.yaml", scenario)
    assert load_scenario(tmp_path / "polyline.yaml").obstacles == scenario.obstacles


def test_messages_carry_the_corners() -> None:
    pytest.importorskip("uav_testgen_msgs", reason="the project's messages are not built")
    from uav_testgen.ros.convert.scenario import obstacle_from_msg, obstacle_to_msg

    assert obstacle_from_msg(obstacle_to_msg(mover())) == mover()
