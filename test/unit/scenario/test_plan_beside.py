"""The plan that is written with a test never takes the place of another mission."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.scenario.formats.aerialist import load_test
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.scenario.formats.plan_file import save_plan_beside
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box, make_scenario


def named(name: str, altitude_m: float = 10.0) -> Scenario:
    scenario = make_scenario(make_box())
    first, *rest = scenario.mission.waypoints
    x, y, _ = first.position_enu_m
    changed = first.model_copy(update={"position_enu_m": (x, y, altitude_m)})
    mission = scenario.mission.model_copy(update={"name": name, "waypoints": (changed, *rest)})
    return scenario.model_copy(update={"mission": mission})


def test_a_plan_of_the_user_stays(tmp_path: Path) -> None:
    mine = tmp_path / "mission2.plan"
    mine.write_text('{"my": "own plan"}')
    plan = save_test(tmp_path / "test.yaml", named("mission2"))
    assert plan == tmp_path / "test.plan" and mine.read_text() == '{"my": "own plan"}'
    assert load_test(tmp_path / "test.yaml").plan_path == plan, "the test names the plan that was written"


def test_the_same_mission_is_written_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert save_test(tmp_path / f"{name}.yaml", named("mission2")) == tmp_path / "mission2.plan"


def test_where_both_names_are_taken_nothing_is_written(tmp_path: Path) -> None:
    for name in ("mission2", "test"):
        (tmp_path / f"{name}.plan").write_text("other")
    with pytest.raises(ConfigError, match=r"test\.plan: it holds another mission and is not replaced"):
        save_plan_beside(tmp_path / "test.yaml", named("mission2").mission)
    assert not (tmp_path / "test.yaml").exists()
