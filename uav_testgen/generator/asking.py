"""Asking and telling a generator that may be the user's own: what it does wrong is said of it, with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from uav_testgen.core.errors import UavTestgenError
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.core.own_line import line_of_method, said_of
from uav_testgen.generator.base import Generator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.model import Scenario

_OURS = __name__.partition(".")[0] + "."


class GeneratorError(UavTestgenError):
    """The user's generator raised an exception or proposed something else than scenarios; the search cannot go on."""

    exit_code = ExitCode.UNFINISHED


def ask(generator: Generator, count: int) -> list[Scenario]:
    """What it proposes next."""
    with _said_of(generator, "ask"):
        proposed = list(generator.ask(count))
    for one in proposed:
        if not isinstance(one, Scenario):
            raise GeneratorError(
                f"generator '{generator.name}': {line_of_method(generator, 'ask')}ask() must return scenarios, "
                f"not {type(one).__name__}; base.with_obstacles((...,)) makes one"
            )
    return proposed


def tell(generator: Generator, evaluations: Sequence[Evaluation]) -> None:
    """What flying them showed."""
    with _said_of(generator, "tell"):
        generator.tell(evaluations)


@contextmanager
def _said_of(generator: Generator, method: str) -> Iterator[None]:
    try:
        yield
    except UavTestgenError:
        raise
    except Exception as error:
        if type(generator).__module__.startswith(_OURS):
            raise  # ours: a fault of this program
        said = f"generator '{generator.name}': {method}(): {said_of(error)}"
        raise GeneratorError(said[:600]) from error
