"""What was named at the start is offered to the page, and only that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.registry import GENERATORS
from uav_testgen.oracle.requirement import REQUIREMENTS
from uav_testgen.planner.registry import PLANNERS
from uav_testgen.view.studio.choices import choices_json, read_settings
from uav_testgen.view.studio.job_kinds import check_generator, check_requirements
from uav_testgen.view.studio.own_parts import offer

CODE = """
from uav_testgen import Plan

class Straight:
    def reset(self, setup): ...
    def plan(self, observation):
        return Plan(position_enu_m=observation.goal_enu_m)

class Nothing:
    def ask(self, n): return []
    def tell(self, evaluations): ...

class Quick:
    name = "quick"
    def __init__(self, limit_s=60.0): self.limit_s = limit_s
    def judge(self, scenario, flight): ...
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "mine.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for registry in (PLANNERS, GENERATORS, REQUIREMENTS):
        for name in [one for one in registry.names() if one.startswith(str(tmp_path))]:
            registry._targets.pop(name)


def test_named_parts_are_in_the_menus_and_accepted(folder: Path) -> None:
    own = offer(
        ["mine.py:Straight"], ["mine.py:Nothing"], ["mine.py:Quick(limit_s=5)", "always (distance > 1)"]
    )
    planner = f"{folder}/mine.py:Straight"
    found = choices_json(own)
    assert own.planners == (planner,) and planner in found["planners"]
    assert found["own"]["requirements"] == (f"{folder}/mine.py:Quick(limit_s=5)", "always (distance > 1)")
    assert (
        f"{folder}/mine.py:Nothing" in found["generators"]
        and f"{folder}/mine.py:Quick" in found["requirements"]
    )
    assert read_settings({"planner": planner}) == {"planner": planner}
    check_generator(own.generators[0], {})
    check_requirements(own.requirements)
    for refused in ("mine.py:Straight", f"{folder}/mine.py:Quick", "other.py:Straight"):
        with pytest.raises(ConfigError):
            read_settings({"planner": refused})


@pytest.mark.parametrize("name", ["mine.py:Missing", "nowhere.py:Straight", "unknown"])
def test_a_wrong_name_is_told_at_the_start(folder: Path, name: str) -> None:
    with pytest.raises(ConfigError):
        offer([name])
