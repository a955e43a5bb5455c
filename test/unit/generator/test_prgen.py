"""The layouts of `prgen` have the geometry section II of the paper describes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from uav_testgen.core.errors import ConfigError, InvalidScenario
from uav_testgen.generator.prgen import PrgenConfig, PrgenGenerator
from uav_testgen.generator.registry import build_generator
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.footprint import gap_m
from uav_testgen.scenario.formats.missions import mission_names, named_mission
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_mission, make_scenario


def long_axis(box):
    """Unit vector along the longer side, and the length."""
    x_is_long = box.size_m[0] >= box.size_m[1]
    angle = box.yaw_rad + (0.0 if x_is_long else 0.5 * math.pi)
    return np.array([math.cos(angle), math.sin(angle)]), max(box.size_m[:2])


def measured(generator, scenario):
    """What a layout is, worked out from its two boxes alone."""
    first, second = scenario.obstacles
    flight = np.array(generator.segment.direction)
    axis, length = long_axis(first)
    axis = axis if axis @ flight > 0 else -axis  # part A leads ahead
    centre = np.array(first.center_enu_m[:2])
    start = np.array(generator.segment.start_enu_m)
    # centre + s·axis lies on the segment's line.
    normal = np.array([-flight[1], flight[0]])
    s = ((start - centre) @ normal) / (axis @ normal)
    crossing = centre + s * axis
    return {
        "length": length,
        "part_a": length / 2 - s,
        "crossing": crossing,
        "obtuse_deg": math.degrees(math.acos(-(axis @ flight))),
        "a_is_left": float(axis @ normal) > 0,
        "a_end": centre + length / 2 * axis,
        "axis": axis,
        "second_axis": long_axis(second)[0],
        "second_length": long_axis(second)[1],
    }


@pytest.mark.parametrize("mission", mission_names())
def test_layouts_follow_the_paper(mission):
    base = make_scenario(mission=mission)
    generator = PrgenGenerator(base, seed=5)
    arena = base.arena
    for scenario in generator.ask(12):
        assert problems(scenario) == ()
        layout = measured(generator, scenario)
        first, second = scenario.obstacles
        assert min(first.size_m[:2]) == min(second.size_m[:2]) == 2.0
        assert first.size_m[2] == second.size_m[2] == 20.0
        # One third of the first wall on side A of the segment, two thirds on side B.
        assert layout["part_a"] == pytest.approx(layout["length"] / 3.0, abs=2e-3)
        assert 90.0 < layout["obtuse_deg"] < 180.0
        assert abs(layout["axis"] @ layout["second_axis"]) < 1e-5
        assert layout["second_length"] == pytest.approx(1.75 * layout["length"], abs=1e-3)
        assert 4.0 - 1e-3 <= gap_m(first, second) <= 6.0 + 1e-3
        # The second wall stands beyond the end of part A, about as far back as ahead of the first.
        to_second = np.array(second.center_enu_m[:2]) - layout["a_end"]
        assert to_second @ layout["axis"] == pytest.approx(gap_m(first, second) + 1.0, abs=2e-3)
        onward = layout["second_axis"] * np.sign(
            layout["second_axis"] @ np.array(generator.segment.direction)
        )
        assert abs(to_second @ onward) <= 0.15 * layout["second_length"] + 2e-3
        assert arena.east_min_m < layout["crossing"][0] < arena.east_max_m


def test_containment_constraints_for_extreme_diagonals():
    base = make_scenario(mission="mission2")
    generator = PrgenGenerator(base, seed=8)
    arena = base.arena
    for scenario in generator.ask(40):
        layout = measured(generator, scenario)
        diagonal = math.hypot(layout["length"], 2.0)
        east = scenario.obstacles[0].center_enu_m[0]
        assert arena.east_min_m < east - diagonal / 2 and east + diagonal / 2 < arena.east_max_m
        north = layout["crossing"][1]
        # Mission 2 drifts to the south (left in the test frame): part A is there.
        assert diagonal / 3 < north - arena.north_min_m
        assert 2 * diagonal / 3 < arena.north_max_m - north


@pytest.mark.parametrize(
    "end, a_is_left",
    [((50.0, -6.0), False), ((50.0, 6.0), True)],
)
def test_other_slopes_are_mirrored(end, a_is_left):
    base = make_scenario(mission=make_mission(((*end, 10.0),)))
    generator = PrgenGenerator(base, seed=1)
    assert [measured(generator, s)["a_is_left"] for s in generator.ask(4)] == [a_is_left] * 4


def test_the_other_direction_is_turned_by_half_a_circle():
    """The same line flown back: part A changes to the other side of the map with the drift."""
    there = make_mission(((50.0, -6.0, 10.0),))
    back = make_mission(((0.0, 0.0, 10.0),)).model_copy(update={"home_enu_m": (50.0, -6.0, 0.0)})
    sides = []
    for mission in (there, back):
        generator = PrgenGenerator(make_scenario(mission=mission), seed=1)
        layout = measured(generator, generator.ask(1)[0])
        sides.append((layout["a_is_left"], bool(layout["axis"][1] > 0)))
    # Turned by half a circle the side seen from the drone is the same, on the map it is the other one.
    assert sides[0][0] == sides[1][0]
    assert sides[0][1] != sides[1][1]


def test_level_leg_puts_part_a_towards_the_farther_border():
    generator = PrgenGenerator(make_scenario(mission=make_mission(((50.0, 0.0, 10.0),))), seed=1)
    assert generator.part_a_side == -1  # 40 m to the south, 30 m to the north
    assert measured(generator, generator.ask(1)[0])["a_is_left"] is False


def test_mirrored_share():
    generator = PrgenGenerator(make_scenario(), PrgenConfig(mirror_share=0.5), seed=1)
    sides = [measured(generator, scenario)["a_is_left"] for scenario in generator.ask(30)]
    assert 5 < sum(sides) < 25


def test_asking_in_pieces_changes_nothing():
    whole = build_generator("prgen", make_scenario(), seed=4).ask(9)
    pieces = build_generator("prgen", make_scenario(), seed=4)
    assert [s.id for s in whole] == [s.id for part in (2, 3, 4) for s in pieces.ask(part)]


def test_proposals_differ():
    scenarios = build_generator("prgen", make_scenario(), seed=4).ask(50)
    assert len({scenario.id for scenario in scenarios}) == 50


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"gap_min_m": 6.5}, "gap_min_m must not be above gap_max_m"),
        ({"obtuse_min_deg": 80.0}, "greater than 90"),
        ({"diagonal_min_m": 1.0}, "diagonal_min_m must be above width_m"),
        ({"gap": 3}, "did you mean"),
    ],
)
def test_wrong_settings(settings, message):
    with pytest.raises(ConfigError, match=message):
        build_generator("prgen", make_scenario(), settings)


def test_impossible_settings_say_so_instead_of_running_for_ever():
    generator = build_generator(
        "prgen", make_scenario(), {"gap_min_m": 60.0, "gap_max_m": 70.0, "max_tries": 20}
    )
    with pytest.raises(InvalidScenario, match="in 20 tries; widen the ranges"):
        generator.ask(1)


def test_mission_outside_the_arena_is_refused_at_once():
    with pytest.raises(InvalidScenario, match="no leg enters"):
        build_generator("prgen", make_scenario(mission=make_mission(((-50.0, 0.0, 10.0),))))


def test_random_respects_a_small_arena():
    arena = Arena(max_side_m=5.0, max_obstacles=2, max_height_m=18.0)
    base = Scenario(mission=named_mission("mission1"), arena=arena)
    for scenario in build_generator("random", base, seed=2).ask(20):
        assert 1 <= len(scenario.obstacles) <= 2
        assert all(max(box.size_m[:2]) <= 5.0 and box.size_m[2] <= 18.0 for box in scenario.obstacles)


def test_random_uses_the_whole_range_of_counts():
    counts = {len(s.obstacles) for s in build_generator("random", make_scenario(), seed=3).ask(40)}
    assert counts == {1, 2, 3}
