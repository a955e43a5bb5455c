"""Walls are refused, gaps and ways round are found."""

from __future__ import annotations

import pytest

from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.feasibility import DETOUR_MARGIN_M, infeasibilities, is_feasible, problems
from uav_testgen.scenario.validity import Rule, violations
from uav_testgen.testing.factories import make_box, make_mission, make_scenario

# A rule set that allows walls long enough to close the whole region.
WIDE = Arena(max_side_m=500.0, max_obstacles=10)


def with_walls(*walls):
    return make_scenario(*walls, mission=make_mission()).model_copy(update={"arena": WIDE})


def region_width_m():
    return WIDE.north_max_m - WIDE.north_min_m + 2 * DETOUR_MARGIN_M


def test_a_wall_across_everything_is_infeasible():
    (violation,) = infeasibilities(with_walls(make_box(25.0, -5.0, (2.0, region_width_m() + 1.0, 20.0))))
    assert violation.rule is Rule.FEASIBLE
    assert "leg 1" in violation.message
    assert "2 parts" in violation.message


def test_there_is_a_way_round_a_wall_that_leaves_room():
    # Clearance 1.5 m plus a little must be left on one side of the bounding region.
    assert is_feasible(with_walls(make_box(25.0, -5.0, (2.0, region_width_m() - 3.2, 20.0))))
    assert not is_feasible(with_walls(make_box(25.0, -5.0, (2.0, region_width_m() - 2.8, 20.0))))


@pytest.mark.parametrize("gap_m, feasible", [(2.9, False), (3.1, True)])
def test_a_gap_must_be_wider_than_twice_the_clearance(gap_m, feasible):
    half = region_width_m()
    south = make_box(25.0, -0.5 * (half + gap_m), (2.0, half, 20.0))
    north = make_box(25.0, 0.5 * (half + gap_m), (2.0, half, 20.0))
    assert is_feasible(with_walls(south, north)) is feasible


def test_a_low_wall_does_not_block_the_flight():
    low = make_box(25.0, -5.0, (2.0, region_width_m() + 1.0, 8.0))
    high = make_box(25.0, -5.0, (2.0, region_width_m() + 1.0, 9.0))
    assert is_feasible(with_walls(low))
    assert not is_feasible(with_walls(high))


def test_landing_and_home_need_the_column_to_the_ground():
    (violation,) = infeasibilities(with_walls(make_box(50.0, 3.0, (4.0, 4.0, 2.0))))
    assert "waypoint 1 (landing)" in violation.message
    assert violation.numbers["distance_m"] == pytest.approx(1.0)
    (violation,) = infeasibilities(with_walls(make_box(0.0, 2.0, (2.0, 2.0, 2.0))))
    assert violation.message.startswith("home")


def test_waypoint_inside_an_obstacle():
    mission = make_mission(((25.0, 0.0, 10.0), (50.0, 0.0, 10.0)))
    scenario = make_scenario(make_box(25.0, 0.0), mission=mission)
    (violation,) = infeasibilities(scenario)
    assert violation.numbers["distance_m"] == 0.0
    assert violation.obstacle_index == 0


def test_enclosed_waypoint():
    walls = (
        make_box(50.0, 10.0, (24.0, 2.0, 20.0)),
        make_box(50.0, -10.0, (24.0, 2.0, 20.0)),
        make_box(40.0, 0.0, (2.0, 18.0, 20.0)),
        make_box(60.0, 0.0, (2.0, 18.0, 20.0)),
    )
    assert [violation.rule for violation in infeasibilities(with_walls(*walls))] == [Rule.FEASIBLE]


def test_no_obstacles_are_feasible():
    assert is_feasible(make_scenario())


def test_sentences_count_obstacles_from_one_and_fields_from_zero():
    far = make_box(25.0, -30.0)
    near_home = make_box(0.0, 2.0, (2.0, 2.0, 2.0))
    too_tall, across = make_box(20.0, 10.0, (4.0, 4.0, 40.0)), make_box(21.0, 10.0)
    scenario = make_scenario(far, near_home, too_tall, across, mission=make_mission())
    scenario = scenario.model_copy(update={"arena": WIDE})
    said = {one.obstacle_index: str(one) for one in problems(scenario) if one.rule is Rule.FEASIBLE}
    assert "from obstacle 2, " in said[1] and "move obstacle 2 away" in said[1]
    rules = {one.rule: one for one in violations(scenario)}
    assert "obstacle 3: height is 40.000 m" in rules[Rule.HEIGHT].message
    assert (rules[Rule.HEIGHT].obstacle_index, rules[Rule.APART].other_index) == (2, 3)
    assert "obstacle 3 and obstacle 4 overlap" in rules[Rule.APART].message


def test_sentences_call_an_obstacle_by_its_name():
    wall = make_box(0.0, 2.0, (2.0, 2.0, 2.0)).model_copy(update={"name": "low wall"})
    scenario = make_scenario(wall, make_box(0.5, 2.0), mission=make_mission())
    said = {one.obstacle_index: str(one) for one in problems(scenario) if one.rule is Rule.FEASIBLE}
    assert "from 'low wall', " in said[0] and "move 'low wall' away" in said[0]
    rules = {one.rule: one for one in violations(scenario)}
    assert "'low wall': height is 2.000 m" in rules[Rule.HEIGHT].message
    assert "'low wall' and obstacle 2 overlap" in rules[Rule.APART].message
