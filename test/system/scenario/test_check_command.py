"""`uav-testgen check` as a user runs it."""

from __future__ import annotations

import json

import pytest

from test.system.command_line import run
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.testing.factories import make_box, make_scenario


def check(*arguments, cwd=None):
    return run("check", *arguments, cwd=cwd)


@pytest.fixture
def files(tmp_path):
    """One good file, one that breaks two rules, one that is not a scenario."""
    save_test(tmp_path / "good.yaml", make_scenario(make_box()))
    bad = make_scenario(make_box(9.0, 0.0, (4.0, 4.0, 30.0)), make_box(20.0, 0.0), make_box(21.0, 0.0))
    save_scenario(tmp_path / "bad.yaml", bad)
    (tmp_path / "broken.yaml").write_text("mission: [unclosed\n")
    return tmp_path


def test_valid_file(files):
    ran = check(files / "good.yaml")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("valid")


def test_every_violation_is_printed_with_its_numbers(files):
    ran = check(files / "good.yaml", files / "bad.yaml")
    assert ran.returncode == 1
    assert "height is 30.000 m" in ran.stdout
    assert "3.000 m over the west border" in ran.stdout
    assert "obstacle 2 and obstacle 3 overlap" in ran.stdout, "people count from 1"


def test_unreadable_file_does_not_hide_the_others(files):
    ran = check(files / "broken.yaml", files / "bad.yaml")
    assert ran.returncode == 2
    assert "broken.yaml: line" in ran.stderr and "Traceback" not in ran.stderr
    assert "INVALID" in ran.stdout


def test_json(files):
    ran = check(files / "bad.yaml", files / "broken.yaml", "--json")
    assert ran.returncode == 2
    data = json.loads(ran.stdout)
    assert data["valid"] is False
    first, second = data["files"]
    assert {violation["rule"] for violation in first["violations"]} == {"contained", "height", "apart"}
    assert first["violations"][1]["numbers"]["beyond_west_m"] == pytest.approx(3.0)
    assert second["readable"] is False and "broken.yaml" in second["error"]


def test_other_arena(files):
    assert check(files / "good.yaml", "--arena", "sbft2024").returncode == 0
    (files / "small.yaml").write_text("max_obstacles: 0\n")
    assert check(files / "good.yaml", "--arena", files / "small.yaml").returncode == 1
    ran = check(files / "good.yaml", "--arena", "sbft2052")
    assert ran.returncode == 2
    assert "unknown arena 'sbft2052'" in ran.stderr


def test_a_logical_scenario_says_how_many_obstacles_are_placed():
    ran = check(config_folder("stella/scenarios") / "scenario-09.json")
    assert ran.returncode == 0
    assert "logical scenario, 4 obstacles to be placed" in ran.stdout


def test_an_over_full_logical_scenario_is_invalid(tmp_path):
    data = json.loads((config_folder("stella/scenarios") / "scenario-10.json").read_text())
    data["environment"]["obstacles"] = [{"kind": "static", "size": "large", "form": "cuboid"}] * 20
    (tmp_path / "full.json").write_text(json.dumps(data))
    ran = check(tmp_path / "full.json")
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "count: its 20 obstacles do not fit into the arena 'stella' (60 m x 50 m)" in ran.stdout


def test_wall_is_refused_before_anything_flies(files):
    (files / "wide.yaml").write_text("max_side_m: 500\n")
    wall = make_scenario(make_box(25.0, -5.0, (2.0, 200.0, 20.0)), mission="mission1")
    save_scenario(files / "wall.yaml", wall)
    ran = check(files / "wall.yaml", "--arena", files / "wide.yaml")
    assert ran.returncode == 1
    assert "feasible: leg 1: no way" in ran.stdout


def test_missing_file_and_no_file(files):
    ran = check(files / "god.yaml")
    assert ran.returncode == 2
    assert "did you mean 'good.yaml'" in ran.stderr
    assert check().returncode == 2


def test_mission_that_never_enters_the_area_is_noted(files):
    (files / "away.yaml").write_text("mission:\n  waypoints:\n    - position_enu_m: [-50, 0, 10]\n")
    ran = check(files / "away.yaml")
    assert ran.returncode == 0
    assert "note: no leg of the mission enters the obstacle area" in ran.stdout
