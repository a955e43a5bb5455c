"""The published search: objectives, tolerances, path seeds, diagnostics."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from uav_testgen.generator.distinct import diversity
from uav_testgen.generator.lexicographic import preference_order, tolerance_filter
from uav_testgen.generator.nsga2 import Nsga2Config, Nsga2Generator
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.footprint import distance_to_point_m, obstacle_iou
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.space import BoxSpace
from uav_testgen.testing.factories import make_box, make_evaluation, make_scenario


def test_small_differences_leave_the_decision_to_the_next_objective() -> None:
    rows = np.array([[100.0, 0.0, 60.0], [110.0, -9.0, 60.0], [300.0, -99.0, 1.0]])
    assert preference_order(rows, (25.0, 0.5, 5.0)) == [1, 0, 2]
    assert preference_order(rows, (1.0, 0.5, 5.0)) == [0, 1, 2]


def test_filter_keeps_one_of_each_band() -> None:
    rows = np.array([[101.0, -1.1, 60.0], [102.0, -1.2, 61.0], [151.0, -1.1, 60.0]])
    assert tolerance_filter(rows, (25.0, 0.5, 5.0)) == [0, 2]
    with pytest.raises(ValueError, match="positive"):
        preference_order(rows, (0.0, 1.0, 1.0))


def test_space_decodes_bounds_in_aerialist_axes() -> None:
    space = BoxSpace(make_scenario().arena, 1)
    (low,) = space.decode(np.zeros(6))
    (high,) = space.decode(np.ones(6))
    assert low.center_enu_m == (10.0, -40.0, 5.0)
    assert high.center_enu_m == (40.0, 30.0, 12.5)
    (long_north,) = space.decode(np.array([0.5, 0.5, 1.0, 0.0, 0.0, 0.0]))
    assert long_north.size_m == (2.0, 20.0, 10.0)  # l lies along north when nothing is rotated
    assert long_north.yaw_rad == 0.0


def test_first_population_stands_on_the_route() -> None:
    base = make_scenario(mission="mission2")
    generator = Nsga2Generator(base, Nsga2Config(population=30, seed_spread_m=1.0), seed=0)
    route = np.array(base.mission.route_enu_m)[:, :2]
    points = np.concatenate([np.linspace(a, b, 200) for a, b in pairwise(route)])
    near = []
    for scenario in generator.ask(10):
        for obstacle in scenario.obstacles:
            near.append(min(distance_to_point_m(obstacle, x, y) for x, y in points[::4]))
    assert np.mean(np.array(near) < 2.0) > 0.9


@pytest.mark.parametrize("mission", ["mission2", "mission4", "mission5"])
@pytest.mark.parametrize("seed", [1, 7, 42])
def test_the_whole_first_population_can_be_flown(mission: str, seed: int) -> None:
    generator = Nsga2Generator(make_scenario(mission=mission), Nsga2Config(population=20), seed)
    asked = generator.ask(20)
    assert len(asked) == 20, "none is lost to a broken rule"
    assert not [problem for scenario in asked for problem in problems(scenario)]


def test_later_generations_are_full_and_repeat_no_layout() -> None:
    _, told = searched(generations=6, population=6)
    layouts = [scenario.obstacles for scenario in told]
    assert len(layouts) == 6 * 6, "children that break a rule are bred again"
    overlaps = [obstacle_iou(one, other) for one, other in combinations(layouts, 2)]
    assert max(overlaps) <= Nsga2Config().max_overlap
    assert max(overlaps) > 0.3, "children still resemble their parents"


def test_an_arena_without_room_still_gives_an_answer() -> None:
    narrow = Arena(east_min_m=10.0, east_max_m=12.5, north_min_m=-5.0, north_max_m=5.0, min_side_m=2.4)
    base = make_scenario().model_copy(update={"arena": narrow})
    generator = Nsga2Generator(base, Nsga2Config(population=4), seed=0)
    assert len(generator.ask(4)) <= 4


def test_objectives_are_those_of_the_report() -> None:
    generator = Nsga2Generator(make_scenario(), Nsga2Config(population=4), seed=0)
    scenario = generator.ask(1)[0]
    near = generator.objectives(make_evaluation(0, scenario, distance_m=1.2))
    touching = generator.objectives(make_evaluation(1, scenario, distance_m=0.0))
    assert near is not None and touching is not None
    assert near[0] == pytest.approx(120.0)
    assert touching[0] == 0.1
    assert near[1] == 0.0, "the first flight has nothing to differ from"
    assert touching[1] == 0.0, "the same flight again is not new"
    assert generator.objectives(make_evaluation(2, scenario, distance_m=None)) is None


def searched(generations: int = 6, population: int = 6) -> tuple[Nsga2Generator, list[Scenario]]:
    """A search that was told `DISTANCES_M` in each generation, and what it had asked."""
    generator = Nsga2Generator(make_scenario(), Nsga2Config(population=population), seed=0)
    asked: list[Scenario] = []
    for _ in range(generations):
        batch = generator.ask(population)
        generator.tell(
            [
                make_evaluation(number, scenario, distance_m=distance_of(number, population))
                for number, scenario in enumerate(batch, start=len(asked))
            ]
        )
        asked += batch
    return generator, asked


def distance_of(number: int, population: int = 6) -> float:
    """From 0.5 m upwards in each generation."""
    return 0.5 + 0.1 * (number % population)


def test_the_report_has_a_row_for_each_generation() -> None:
    generator, asked = searched()
    rows = generator.report().generations
    assert len(rows) >= 2
    assert [row["generation"] for row in rows] == list(range(len(rows)))
    assert rows[-1]["best_distance_m"] == pytest.approx(0.5)
    assert rows[0]["median_distance_m"] == pytest.approx(0.75)
    assert rows[0]["evaluations"] < rows[-1]["evaluations"] <= len(asked)
    assert rows[-1]["max_novelty_m"] >= rows[-1]["mean_novelty_m"] >= 0.0
    assert [row["valid_share"] for row in rows] == [1.0] * len(rows)
    assert all(0.0 < row["diversity"] <= 1.0 for row in rows)


def test_diversity_is_0_for_clones_and_1_for_strangers() -> None:
    here, there, half = [make_box(20.0)], [make_box(35.0)], [make_box(22.0)]
    assert diversity([here, here]) == pytest.approx(0.0)
    assert diversity([here, there]) == 1.0
    assert diversity([here, half, there]) == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert diversity([here]) == 1.0


def test_the_final_selection_is_one_of_each_tolerance_band() -> None:
    generator, asked = searched()
    selection = generator.report().selection
    assert selection is not None and 0 < len(selection) < len(asked)
    # All flights are alike in novelty and duration, so bands of 25 cm decide: from 0.5, 0.75 and 1.0 m on.
    kept = [distance_of(number) for number in selection]
    assert kept == sorted(kept) and kept[0] == 0.5
    assert len({distance_m // 0.25 for distance_m in kept}) == len(kept)


def test_nothing_told_nothing_reported() -> None:
    report = Nsga2Generator(make_scenario(), seed=0).report()
    assert (report.generations, report.selection) == ((), ())
