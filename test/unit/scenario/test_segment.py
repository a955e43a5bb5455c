"""The segment of interest of the seven missions, and the stated rule for missions without a crossing leg."""

from __future__ import annotations

import pytest

from uav_testgen.core.errors import InvalidScenario
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.segment import segment_of_interest, segments_inside
from uav_testgen.testing.factories import make_mission


@pytest.mark.parametrize(
    "number, leg, crosses",
    [(1, 0, True), (2, 0, True), (3, 0, True), (4, 2, True), (5, 2, True), (6, 1, False), (7, 0, True)],
)
def test_shipped_missions(number, leg, crosses):
    segment = segment_of_interest(named_mission(f"mission{number}"), Arena())
    assert (segment.leg, segment.crosses_both_borders) == (leg, crosses)


def test_the_leg_nearest_the_middle_line_wins():
    # Middle line at -5 m north; the way back is nearer to it.
    mission = make_mission(((50.0, 20.0, 10.0), (50.0, -4.0, 10.0), (0.0, -6.0, 10.0)))
    segment = segment_of_interest(mission, Arena())
    assert segment.leg == 2
    assert segment.start_enu_m[0] == pytest.approx(40.0)
    assert segment.direction[0] < 0.0


def test_longest_part_where_no_leg_crosses_both_borders():
    mission = make_mission(((20.0, 0.0, 10.0), (20.0, 28.0, 10.0), (0.0, 28.0, 10.0)))
    segment = segment_of_interest(mission, Arena())
    assert (segment.leg, segment.crosses_both_borders) == (1, False)
    assert segment.length_m == pytest.approx(28.0)


def test_mission_outside_the_arena():
    mission = make_mission(((-50.0, 0.0, 10.0),))
    assert segments_inside(mission, Arena()) == ()
    with pytest.raises(InvalidScenario, match="no leg enters the obstacle area"):
        segment_of_interest(mission, Arena())
