"""Our own scenario files: round trip, names, references, recognition of kinds."""

from __future__ import annotations

import json

import pytest
import yaml

from uav_testgen.core.errors import ConfigError, InputFileError, UavTestgenError
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats.missions import named_arena, named_mission
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.formats.scenario_file import MAX_SCENARIO_BYTES, load_scenario, save_scenario
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario, Shape, Terrain, Visibility, Wind
from uav_testgen.testing.factories import make_box, make_scenario


def test_everything_comes_back(tmp_path):
    ball = Obstacle(
        center_enu_m=(25.0, 0.0, 6.0),
        size_m=(2.0, 2.0, 2.0),
        shape=Shape.SPHERE,
        motion=LinearMotion(to_enu_m=(25.0, 9.0, 6.0), speed_mps=1.5, mode="once"),
        name="ball",
    )
    scenario = Scenario(
        mission=named_mission("mission6"),
        obstacles=(make_box(yaw_deg=-12.3456), ball),
        arena=Arena(max_obstacles=9),
        wind=Wind(velocity_mean_mps=2.5),
        visibility=Visibility(range_m=12.0),
        terrain=Terrain(landform="depression", height_m=4.0),
        seed=42,
        name="all of it",
    )
    save_scenario(tmp_path / "all.yaml", scenario)
    assert load_scenario(tmp_path / "all.yaml") == scenario
    (tmp_path / "all.json").write_text(scenario.model_dump_json())
    assert load_scenario(tmp_path / "all.json") == scenario


def test_mission_and_arena_by_name(tmp_path):
    (tmp_path / "s.yaml").write_text("mission: mission4\narena: sbft2024\n")
    scenario = load_scenario(tmp_path / "s.yaml")
    assert scenario.mission == named_mission("mission4")
    assert scenario.arena == named_arena("sbft2024")
    assert scenario.arena.max_obstacles == 4
    assert scenario.name == "s"


@pytest.mark.parametrize("kind", ["plan", "yaml"])
def test_mission_by_file_relative_to_the_scenario(tmp_path, monkeypatch, kind):
    folder = tmp_path / "inner"
    folder.mkdir()
    mission = named_mission("mission5")
    save_plan(folder / "m.plan", mission)
    (folder / "m.yaml").write_text(yaml.safe_dump(mission.model_dump(mode="json")))
    (folder / "s.yaml").write_text(f"mission: m.{kind}\n")
    monkeypatch.chdir(tmp_path)
    assert load_scenario(folder / "s.yaml").mission.waypoints == mission.waypoints


def test_bare_missions_are_scenarios_without_obstacles(tmp_path):
    save_plan(tmp_path / "m.plan", named_mission("mission1"))
    assert load_scenario(tmp_path / "m.plan").mission.waypoints == named_mission("mission1").waypoints
    (tmp_path / "m.yaml").write_text("waypoints:\n  - position_enu_m: [50, 0, 10]\n")
    scenario = load_scenario(tmp_path / "m.yaml")
    assert (scenario.obstacles, scenario.mission.name) == ((), "m")


def test_given_arena_replaces_the_files_own(tmp_path):
    save_scenario(tmp_path / "s.yaml", make_scenario(make_box()))
    assert load_scenario(tmp_path / "s.yaml", Arena(max_obstacles=1)).arena.max_obstacles == 1


def test_shipped_2025_arena_is_the_default():
    assert named_arena("sbft2025") == Arena()


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "a scenario is a mapping"),
        ("[1, 2]", "a scenario is a mapping"),
        ("mission: mission9\n", "unknown mission 'mission9', did you mean"),
        ("mission: ../../etc/passwd\n", "unknown mission '../../etc/passwd'; known: mission"),
        ("mission: /etc/passwd.yaml\n", "no file"),
        ("mission: mission2\narena: nowhere\n", "unknown arena"),
        ("mission: mission2\nobstacle: []\n", "did you mean 'obstacles'"),
        ("mission: mission2\nmission: mission3\n", "duplicate"),
        ("mission: mission2\nobstacles: 5\n", "obstacles"),
        ("mission: mission2\nobstacles:\n  - size_m: [1, 2, .nan]\n    center_enu_m: [0, 0, 0]\n", "finite"),
        ("mission: mission2\nobstacles:\n  - size_m: [1, 2]\n    center_enu_m: [0, 0, 0]\n", "size_m"),
        ("mission: mission2\nseed: -1\n", "seed"),
        ("mission: mission2\nseed: 99999999999999999999999\n", "seed"),
        ("a: &x [1]\nb: *x\n", "aliases"),
        ("mission: !!python/object/apply:os.system ['true']\n", "not valid YAML"),
        ("[" * 60 + "]" * 60, "nested deeper"),
        ("mission: {waypoints: []}\n", "at least 1 item"),
        ("mission: mission2\nname: \x07\n", "not valid YAML"),
    ],
)
def test_wrong_files_say_what_is_wrong(tmp_path, text, message):
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises((ConfigError, InputFileError), match=message) as caught:
        load_scenario(path)
    assert "wrong.yaml" in str(caught.value)


def test_unreadable_files(tmp_path):
    (tmp_path / "big.yaml").write_text("#" * (MAX_SCENARIO_BYTES + 1))
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00mission")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "twice.json").write_text('{"mission": "mission2", "mission": "mission3"}')
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    for name in ("big.yaml", "binary.yaml", "deep.json", "twice.json", "loop.yaml", "missing.yaml", "."):
        with pytest.raises(UavTestgenError):
            load_scenario(tmp_path / name)


def test_device_files_are_not_read(tmp_path):
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    with pytest.raises(InputFileError, match="regular file"):
        load_scenario(tmp_path / "endless.yaml")


def test_infinite_numbers_in_json(tmp_path):
    data = make_scenario(make_box()).model_dump(mode="json")
    data["obstacles"][0]["yaw_rad"] = float("inf")
    (tmp_path / "s.json").write_text(json.dumps(data))
    with pytest.raises(ConfigError, match="yaw_rad"):
        load_scenario(tmp_path / "s.json")
