"""Surrealist, section 3.1.2: test properties come with mutators, each with a default step."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.surrealist.config import SurrealistConfig
from uav_testgen.generator.surrealist.generator import SurrealistGenerator
from uav_testgen.generator.surrealist.own_code import load_mutator
from uav_testgen.testing.factories import make_box, make_evaluation, make_scenario

pytestmark = pytest.mark.unit

CODE = """
class Visible:
    name = "visibility"
    first_step = 100.0

    def apply(self, scenario, by):
        range_m = scenario.visibility.range_m + by
        if range_m <= 0.0:
            return None
        seen = scenario.visibility.model_copy(update={"range_m": range_m})
        return scenario.model_copy(update={"visibility": seen})

class Broken(Visible):
    def apply(self, scenario, by):
        return scenario.absent

class NoScenario(Visible):
    def apply(self, scenario, by):
        return 7

class NoStep:
    name = "x"
    first_step = 0

    def apply(self, scenario, by):
        return scenario

class Unbuildable(Visible):
    def __init__(self):
        raise RuntimeError("no")
"""


@pytest.fixture
def code(tmp_path: Path) -> str:
    """A file with the user's classes."""
    path = tmp_path / "mine.py"
    path.write_text(CODE)
    return str(path)


def test_the_search_uses_it_after_its_own(code: str) -> None:
    config = SurrealistConfig(mutators=("rotate", f"{code}:Visible"), added_obstacle=False)
    generator = SurrealistGenerator(make_scenario(make_box(20.0, 0.0)), config, seed=1)
    (seed,) = generator.ask(2)
    assert [mutator.name for mutator in generator._mutators(seed)] == ["obstacle 1 rotation", "visibility"]
    only = SurrealistGenerator(
        make_scenario(make_box(20.0, 0.0)),
        SurrealistConfig(mutators=(f"{code}:Visible",), added_obstacle=False),
    )
    (seed,) = only.ask(2)
    only.tell([make_evaluation(0, seed)])
    assert [scenario.visibility.range_m for scenario in only.ask(2)] == [1100.0, 900.0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("NoStep", "first_step"), ("Unbuildable", "mine.py:30: RuntimeError"), ("Absent", "Absent")],
)
def test_what_is_no_mutator_is_refused_at_once(code: str, name: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        load_mutator(f"{code}:{name}")


@pytest.mark.parametrize(
    ("name", "reason"), [("Broken", "mine.py:15: AttributeError"), ("NoScenario", "mine.py:18: .*int")]
)
def test_errors_name_file_and_line(code: str, name: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        load_mutator(f"{code}:{name}").apply(make_scenario(), 1.0)


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="waypoints"):
        SurrealistConfig(mutators=("waypoint",))
