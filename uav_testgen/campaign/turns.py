"""The one loop of every search: ask, evaluate, tell.

Campaigns, comparisons and replications evaluate by flying what is not stored; resuming, reports on unfinished
searches and measurements evaluate by reading what is. A generator cannot tell the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from uav_testgen.generator.asking import ask, tell
from uav_testgen.generator.base import Generator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario

Evaluate = Callable[[int, Sequence[Scenario]], list[Evaluation]]
"""Evaluations of scenarios, whose first has this number; fewer than scenarios end the search."""


def turns(generator: Generator, room: Callable[[], int], evaluate: Evaluate) -> Iterator[list[Evaluation]]:
    """Batches of evaluations, each told to the generator; `room` says how many more may be asked for.

    The last batch is empty if the generator has nothing more to propose.
    """
    first = 0
    while (count := room()) > 0:
        asked = ask(generator, count)
        batch = evaluate(first, asked) if asked else []
        if asked:
            tell(generator, _as_asked(batch, asked, first))
        yield batch
        if not asked or len(batch) < len(asked):
            return
        first += len(asked)


def _as_asked(batch: Sequence[Evaluation], asked: Sequence[Scenario], first: int) -> list[Evaluation]:
    """What the generator is told: its own scenarios, which it may know again by their ids, with what they gave."""
    return [replace(evaluation, scenario=asked[evaluation.number - first]) for evaluation in batch]
