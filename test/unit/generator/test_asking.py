"""What a generator of the user's does wrong is said of it, with file and line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.generator.asking import GeneratorError, ask, tell
from uav_testgen.generator.random_baseline import RandomGenerator
from uav_testgen.generator.registry import GENERATORS, build_generator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.testing.factories import make_scenario


class Mine:
    name = "mine"

    def __init__(self, answer: Any = ()) -> None:
        self.answer = answer

    def ask(self, count: int) -> Sequence[Any]:
        return list(self.answer)

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        raise KeyError("margin")


def test_an_exception_names_file_and_line() -> None:
    line = Mine.tell.__code__.co_firstlineno + 1
    with pytest.raises(
        GeneratorError, match=f"'mine': tell\\(\\): {__file__}:{line}: KeyError: 'margin'"
    ) as caught:
        tell(Mine(), [])
    assert caught.value.exit_code is ExitCode.UNFINISHED


def test_something_else_than_scenarios_is_refused_where_it_was_returned() -> None:
    scenario = make_scenario()
    assert ask(Mine([scenario]), 1) == [scenario]
    line = Mine.ask.__code__.co_firstlineno
    with pytest.raises(GeneratorError, match=f"{__file__}:{line}: ask.. must return scenarios, not tuple"):
        ask(Mine([(1, 2)]), 1)
    with pytest.raises(GeneratorError, match="'NoneType' object is not iterable"):
        ask(Mine(None), 1)


def test_a_fault_of_ours_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: RandomGenerator, count: int) -> Sequence[Any]:
        raise RuntimeError("ours")

    monkeypatch.setattr(RandomGenerator, "ask", broken)
    with pytest.raises(RuntimeError, match="ours"):
        ask(build_generator("random", make_scenario()), 1)


def test_a_generator_that_cannot_be_made_names_the_line() -> None:
    class Broken(Mine):
        def __init__(self, seed: int) -> None:
            raise OSError("no corpus")

    line = Broken.__init__.__code__.co_firstlineno + 1
    GENERATORS.add("broken", Broken, listed=False)
    with pytest.raises(ConfigError, match=f"'broken' cannot be made: {__file__}:{line}: OSError: no corpus"):
        build_generator("broken", make_scenario())
