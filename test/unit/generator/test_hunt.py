"""The parts of `hunt`: ideas in the frame of a leg, the archive of elites, variations, and the race for runs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from uav_testgen.generator.hunt.archive import Elite, Elites
from uav_testgen.generator.hunt.config import HuntConfig
from uav_testgen.generator.hunt.fresh import FreshIdeas
from uav_testgen.generator.hunt.generator import HuntGenerator
from uav_testgen.generator.hunt.idea import Box, Idea, idea_of, obstacles_of
from uav_testgen.generator.hunt.variation import Variation
from uav_testgen.scenario.footprint import obstacle_iou
from uav_testgen.scenario.formats.missions import named_arena
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.segment import segments_inside
from uav_testgen.testing.evaluations import evaluation_at
from uav_testgen.testing.factories import make_scenario

BASE = make_scenario(mission="mission2")
SEGMENTS = segments_inside(BASE.mission, BASE.arena)
WALL = Idea(0, (Box(12.0, -2.0, math.radians(60.0), 15.0, 2.0),))


def told(generator: HuntGenerator, points: float, count: int) -> None:
    """Tell that everything asked for is expected to earn this."""
    asked = generator.ask(count)
    generator.tell(
        [
            replace(evaluation_at(number, 1.0, fly=False), scenario=scenario, expected_points=points)
            for number, scenario in enumerate(asked)
        ]
    )


def test_a_layout_read_back_from_its_obstacles_covers_the_same_ground() -> None:
    obstacles = obstacles_of(WALL, SEGMENTS, 20.0)
    for leg in range(len(SEGMENTS)):
        again = obstacles_of(idea_of(obstacles, leg, SEGMENTS), SEGMENTS, 20.0)
        assert obstacle_iou(obstacles, again) == pytest.approx(1.0, abs=1e-3)


def test_moving_along_a_leg_keeps_the_distance_from_it() -> None:
    start, ahead = np.array(SEGMENTS[0].start_enu_m), np.array(SEGMENTS[0].direction)
    left = np.array([-ahead[1], ahead[0]])
    for idea in (WALL, WALL.moved(7.5)):
        centre = np.array(obstacles_of(idea, SEGMENTS, 20.0)[0].center_enu_m[:2]) - start
        assert centre @ left == pytest.approx(-2.0, abs=1e-3)
        assert centre @ ahead == pytest.approx(idea.along_m, abs=1e-3)


def test_mirrored_twice_is_the_same() -> None:
    assert WALL.mirrored() != WALL and WALL.mirrored().mirrored() == WALL


def test_a_cell_keeps_the_best_and_the_gain_is_what_it_is_better() -> None:
    elites = Elites(4.0)
    assert elites.add(Elite(WALL, 2.0, 1.0, 0)) == 2.0
    assert elites.add(Elite(WALL, 1.5, 4.0, 1)) == 0.0
    assert elites.add(Elite(WALL.moved(0.2), 3.0, 0.5, 2)) == 1.0
    assert elites.add(Elite(WALL.moved(12.0), 2.5, 5.0, 3)) == 2.5
    assert [elite.number for elite in elites.best()] == [2, 3]
    assert [elite.number for elite in elites.hardest()] == [3, 2]
    assert (elites.bar(1), elites.bar(2), elites.bar(3)) == (3.0, 2.5, 0.0)


def test_variations_keep_to_the_arena_and_change_something() -> None:
    variation = Variation(HuntConfig(step=1.0), BASE.arena, len(SEGMENTS))
    rng = np.random.default_rng(1)
    pair = replace(WALL, boxes=(*WALL.boxes, replace(WALL.boxes[0], along_m=20.0)))
    for way, change in variation.ways.items():
        for idea in (WALL, pair):
            changed = change(rng, idea)
            assert changed != idea, way
            assert 0 <= changed.leg < len(SEGMENTS)
            for box in changed.boxes:
                assert BASE.arena.min_side_m <= box.width_m <= BASE.arena.max_side_m
                assert BASE.arena.min_side_m <= box.length_m <= BASE.arena.max_side_m
    assert len(variation.simplify(rng, pair).boxes) == 1


def test_the_bar_of_the_race_rises_with_what_was_found() -> None:
    generator = HuntGenerator(BASE, HuntConfig(suite_size=2, first_ideas=8), 3)
    assert [stage.score_above for stage in generator.stages[:3]] == [0.0, 0.0, 0.0]
    told(generator, 1.0, 8)
    low = generator.stages[2].score_above
    told(generator, 4.0, 8)
    assert generator.stages[2].score_above > low > 0.0
    assert generator.stages[1].score_above < generator.stages[2].score_above


def test_a_stepped_wall_ends_in_a_post_ahead_of_its_end() -> None:
    fresh = FreshIdeas(BASE, SEGMENTS, 3)
    drawn = [fresh.draw(np.random.default_rng(seed)) for seed in range(200)]
    pairs = [idea for idea in drawn if idea is not None and len(idea.boxes) == 2]
    stepped = [idea for idea in pairs if max(idea.boxes[1].length_m, idea.boxes[1].width_m) < 4.0]
    assert len(stepped) > 50
    for idea in stepped:
        wall, post = idea.boxes
        along_m, across_m = wall.tip_m
        assert wall.length_m > 10.0 > post.length_m
        assert math.dist((post.along_m, post.across_m), (along_m, across_m)) < 6.0
        assert post.across_m > across_m > 0.0
        # A step towards the drone, which comes from behind: to the left of the wall's direction.
        beyond_m = np.array([post.along_m - along_m, post.across_m - across_m])
        assert beyond_m @ np.array([-math.sin(wall.turn_rad), math.cos(wall.turn_rad)]) > 0.5 * post.width_m


def test_one_box_at_most_means_single_boxes() -> None:
    fresh = FreshIdeas(BASE, SEGMENTS, 1)
    drawn = [fresh.draw(np.random.default_rng(seed)) for seed in range(100)]
    assert {len(idea.boxes) for idea in drawn if idea is not None} == {1}


def test_what_earns_nothing_is_not_varied() -> None:
    generator = HuntGenerator(BASE, HuntConfig(first_ideas=1, first_share=0.0), 3)
    told(generator, 0.0, 4)
    assert len(generator._elites) == 0
    assert len(generator.ask(3)) == 3


@pytest.mark.parametrize("name", ["sbft2024", "sbft2025", "sbft2026"])
def test_it_obeys_every_arena(name: str) -> None:
    arena = named_arena(name)
    base = Scenario(mission=BASE.mission, arena=arena)
    generator = HuntGenerator(base, HuntConfig(first_ideas=1, first_share=0.0), 5)
    told(generator, 2.0, 4)
    for scenario in generator.ask(12):
        assert 1 <= len(scenario.obstacles) <= min(3, arena.max_obstacles)


def test_no_layout_is_flown_twice() -> None:
    generator = HuntGenerator(BASE, HuntConfig(first_ideas=4, max_overlap=0.5), 5)
    told(generator, 2.0, 6)
    layouts = [scenario.obstacles for scenario in generator.ask(10)]
    overlaps = [obstacle_iou(one, other) for place, one in enumerate(layouts) for other in layouts[:place]]
    assert max(overlaps) <= 0.5
