"""The loop of every search: numbers, ends, and what the generator is told."""

from __future__ import annotations

from collections.abc import Sequence

from uav_testgen.campaign.turns import turns
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box, make_evaluation, make_scenario


class Listener:
    """Proposes so many scenarios, and writes down what it hears."""

    name = "listener"

    def __init__(self, supply: int) -> None:
        self.scenarios = [make_scenario(make_box(20.0 + k, 0.0)) for k in range(supply)]
        self.asked = 0
        self.told: list[list[tuple[int, str]]] = []

    def ask(self, count: int) -> Sequence[Scenario]:
        found = self.scenarios[self.asked : self.asked + count]
        self.asked += len(found)
        return found

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        self.told.append([(one.number, one.scenario.name) for one in evaluations])


def flown(first: int, asked: Sequence[Scenario]) -> list[Evaluation]:
    """Evaluations that carry a scenario of another name: as it was written, not as it was asked."""
    return [
        make_evaluation(number, scenario.model_copy(update={"name": "written"}))
        for number, scenario in enumerate(asked, start=first)
    ]


def test_every_batch_is_told_with_the_generators_own_scenarios() -> None:
    generator = Listener(5)
    batches = list(turns(generator, lambda: 2, flown))
    assert [[one.number for one in batch] for batch in batches] == [[0, 1], [2, 3], [4], []]
    assert [len(told) for told in generator.told] == [2, 2, 1]
    assert {name for told in generator.told for _, name in told} == {generator.scenarios[0].name}
    assert {one.scenario.name for batch in batches for one in batch} == {"written"}


def test_no_room_ends_it_before_the_generator_is_asked() -> None:
    generator = Listener(5)
    rooms = iter([3, 0])
    assert [len(batch) for batch in turns(generator, lambda: next(rooms), flown)] == [3]
    assert generator.asked == 3


def test_a_batch_that_is_only_partly_known_is_told_and_is_the_last() -> None:
    generator = Listener(9)

    def known(first: int, asked: Sequence[Scenario]) -> list[Evaluation]:
        return [one for one in flown(first, asked) if one.number < 4]

    batches = list(turns(generator, lambda: 3, known))
    assert [len(batch) for batch in batches] == [3, 1]
    assert generator.told[-1] == [(3, generator.scenarios[0].name)]
