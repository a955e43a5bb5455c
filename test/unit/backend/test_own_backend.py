"""A backend given by file and class: what it lacks is named before anything flies."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.backend.pace import repeats_flights
from uav_testgen.backend.registry import check_settings, make_backend
from uav_testgen.core.errors import ConfigError

MINE = """
class Empty:
    name = "empty"

class Whole(Empty):
    capabilities = None
    def __enter__(self): return self
    def __exit__(self, *error): ...
    def fly(self, scenario, seed): ...

class Wants(Whole):
    def __init__(self, speed): ...
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return str(tmp_path / "mine.py")


def test_what_a_class_lacks_is_said_by_whoever_asks_first(mine: str) -> None:
    for ask in (repeats_flights, lambda name: check_settings(name, {}), make_backend):
        with pytest.raises(ConfigError, match="Empty' has no capabilities and no fly and no __enter__"):
            ask(f"{mine}:Empty")
    assert make_backend(f"{mine}:Whole").name == "empty"


def test_a_class_that_wants_what_nobody_gives_is_invalid_input(mine: str) -> None:
    with pytest.raises(ConfigError, match=r"Wants' cannot be made: .*speed"):
        make_backend(f"{mine}:Wants")
