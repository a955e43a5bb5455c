"""Algorithms 1 and 2, held to sequences of evaluations that were worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from uav_testgen.generator.surrealist.greedy import GreedySearch, GreedySettings, Mutator

pytestmark = pytest.mark.unit

Point = tuple[float, ...]
Function = Callable[[Point], float | None]


def along(axis: int, step: float = 4.0) -> Mutator[Point]:
    """A mutator that shifts one coordinate."""

    def apply(point: Point, by: float) -> Point:
        moved = list(point)
        moved[axis] += by
        return tuple(moved)

    return Mutator(f"axis {axis}", step, apply)


def searched(
    function: Function,
    seed: Point = (0.0,),
    mutators: list[Mutator[Point]] | None = None,
    refuses: Callable[[Point], bool] = lambda point: False,
    **settings: float,
) -> tuple[GreedySearch[Point], list[Point]]:
    """The finished search and everything it had evaluated, in order."""
    search = GreedySearch(
        seed,
        [along(0)] if mutators is None else mutators,
        GreedySettings(**settings),  # type: ignore[arg-type]
        key=lambda point: None if refuses(point) else repr(point),
    )
    flown: list[Point] = []
    while not search.finished:
        flown += search.wanted.values()
        search.tell({key: function(point) for key, point in search.wanted.items()})
    return search, flown


def firsts(points: list[Point]) -> list[float]:
    """First coordinates."""
    return [point[0] for point in points]


def test_parabola_is_climbed_step_by_step_and_halved_at_the_top() -> None:
    search, flown = searched(lambda point: -((point[0] - 10.0) ** 2))
    assert firsts(flown) == [
        0.0,  # seed
        4.0, -4.0,  # up is better
        8.0,  # 0 is remembered
        12.0,  # as good as 8, hence no improvement; 4 is remembered: halve to 2
        10.0, 6.0,  # the top
        11.0, 9.0,  # 12 and 8 are remembered (idle 1), then 1 (idle 2)
        10.5, 9.5,
        10.25, 9.75,
        10.125, 9.875,  # idle 5: the local search ends
        14.0,  # second round, first step 4; everything nearer is remembered
    ]  # fmt: skip
    assert search.best.properties == (10.0,)
    assert search.best.fitness == 0.0
    assert search.seed_fitness == -100.0
    assert search.round == 2
    assert [(item.evaluation, item.fitness) for item in search.improvements] == [
        (3, -36.0),
        (4, -4.0),
        (7, 0.0),
    ]
    assert search.needed_budget == 7


def test_step_doubles_after_more_than_max_seq_moves_in_one_direction() -> None:
    _, flown = searched(lambda point: point[0], mutators=[along(0, 1.0)], budget=8, max_seq=2, min_rounds=1)
    # Third move up: the step becomes 2, then 4, then 8. The lower halves of the pairs are remembered.
    assert firsts(flown) == [0.0, 1.0, -1.0, 2.0, 3.0, 5.0, 9.0, 17.0]


def test_step_doubles_downwards_too() -> None:
    _, flown = searched(lambda point: -point[0], mutators=[along(0, 1.0)], budget=8, max_seq=2, min_rounds=1)
    assert firsts(flown) == [0.0, 1.0, -1.0, -2.0, -3.0, -5.0, -9.0, -17.0]


def test_the_paper_doubles_after_the_sixth_move() -> None:
    _, flown = searched(lambda point: point[0], mutators=[along(0, 1.0)], budget=11, min_rounds=1)
    assert firsts(flown) == [0.0, 1.0, -1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 20.0]


def test_equal_improvements_take_the_lower_one() -> None:
    """Line 12 asks for strictly more than mu2, line 20 only for more than the best."""
    search, _ = searched(lambda point: abs(point[0]), budget=3, min_rounds=1)
    assert search.best.properties == (-4.0,)


def test_plateau_ends_the_local_search_only_with_a_tolerance() -> None:
    _, flat = searched(lambda point: 1.0, epsilon=1e-6)
    assert firsts(flat) == [0.0, 4.0, -4.0]
    # Table 1 has epsilon 0: nothing is less than 0 apart, so the step is halved MAX_IT times.
    _, halved = searched(lambda point: 1.0)
    assert firsts(halved) == [0.0, 4.0, -4.0, 2.0, -2.0, 1.0, -1.0, 0.5, -0.5, 0.25, -0.25]


def test_improvements_within_the_tolerance_do_not_count() -> None:
    search, _ = searched(lambda point: 0.01 * point[0], epsilon=0.05, max_it=2)
    assert search.best.properties == (0.0,)


def test_local_budget_is_shared_over_mutators_and_ensured_rounds() -> None:
    """41 evaluations: after the seed 40 / (2 mutators x 2 rounds) = 10 for each local search."""
    search, flown = searched(
        lambda point: point[0] + point[1],
        (0.0, 0.0),
        [along(0, 1.0), along(1, 1.0)],
        budget=41,
        min_rounds=2,
        max_seq=1000,
    )
    first_axis = [point for point in flown[1:] if point[1] == 0.0]
    # A pair costs two, then one each while the other half is remembered.
    assert firsts(first_axis) == [1.0, -1.0, *[float(step) for step in range(2, 10)]]
    assert len(flown) == 41
    assert search.evaluations == 41
    assert search.best.properties[0] > 9.0, "the second round goes on with the first axis"


def test_every_mutator_is_tried_in_every_round() -> None:
    """Line 10 does not short-circuit: the second axis is searched although the first one improved."""
    search, flown = searched(
        lambda point: -abs(point[0] - 4.0) - abs(point[1] - 4.0), (0.0, 0.0), [along(0), along(1)]
    )
    assert search.best.properties == (4.0, 4.0)
    assert {item.round for item in search.improvements} == {1}
    assert len(set(flown)) == len(flown), "nothing is evaluated twice"


def test_refused_solutions_cost_nothing_and_have_no_fitness() -> None:
    search, flown = searched(lambda point: point[0], refuses=lambda point: point[0] > 6.0, budget=100)
    assert max(firsts(flown)) <= 6.0
    # Up to 4; 8 is refused, so 2 more; then 7, 6.5, 6.25 … are refused until five halvings in a row failed.
    assert search.best.properties == (6.0,)
    assert search.refused > 0
    assert search.evaluations == len(flown) < 20


def test_failed_flights_are_paid_for_but_improve_nothing() -> None:
    search, flown = searched(lambda point: None if point[0] == 4.0 else point[0], budget=4, min_rounds=1)
    # 4 has no fitness and -4 is worse: halve. 2 is paid with the last of the budget and counts.
    assert firsts(flown) == [0.0, 4.0, -4.0, 2.0]
    assert search.best.properties == (2.0,)


def test_seed_without_fitness_is_replaced_by_anything_that_has_one() -> None:
    search, _ = searched(lambda point: None if point[0] == 0.0 else -1.0, budget=3)
    assert search.seed_fitness is None
    assert search.best.fitness == -1.0


def test_global_budget_is_never_exceeded_and_its_last_flight_counts() -> None:
    for budget in range(1, 12):
        search, flown = searched(lambda point: point[0], budget=budget, min_rounds=1)
        assert len(flown) == budget == search.evaluations
    search, flown = searched(lambda point: point[0], budget=2)
    assert firsts(flown) == [0.0, 4.0]
    assert search.best.properties == (4.0,)


def test_symmetric_pair_is_one_evaluation() -> None:
    """Turned by +90 and -90 degrees a box is the same box."""
    quarter = Mutator("turn", 90.0, lambda point, by: ((point[0] + by) % 180.0,))
    _, flown = searched(lambda point: -point[0], mutators=[quarter], max_it=1)
    assert firsts(flown) == [0.0, 90.0]


def test_impossible_mutants_are_no_solutions() -> None:
    half_line = Mutator("shrink", 4.0, lambda point, by: (point[0] + by,) if point[0] + by > 0.0 else None)
    search, flown = searched(lambda point: -point[0], (1.0,), [half_line])
    assert min(firsts(flown)) > 0.0
    assert search.best.properties[0] < 0.3


def test_without_mutators_only_the_seed_is_evaluated() -> None:
    search, flown = searched(lambda point: 0.0, mutators=[])
    assert (flown, search.finished) == ([(0.0,)], True)


def test_a_missing_answer_is_an_error() -> None:
    search = GreedySearch((0.0,), [along(0)], GreedySettings(), key=repr)
    with pytest.raises(ValueError, match="no answer"):
        search.tell({})


def test_rotated_valley_needs_several_rounds_and_gets_there() -> None:
    """Coordinate-wise search zigzags along a diagonal; rounds go on while they improve."""

    def valley(point: Point) -> float:
        along_it, across = point[0] + point[1] - 6.0, point[0] - point[1]
        return -(along_it**2) - 0.5 * across**2

    search, _ = searched(valley, (0.0, 0.0), [along(0), along(1)], budget=400)
    assert search.round > 2
    assert math.dist(search.best.properties, (3.0, 3.0)) < 0.3
