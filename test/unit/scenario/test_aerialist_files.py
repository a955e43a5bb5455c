"""Aerialist test files: frames, dialects, lists, wind, templates, and what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import yaml

from uav_testgen.core.errors import ConfigError, InputFileError, InvalidScenario
from uav_testgen.scenario.footprint import outline_places
from uav_testgen.scenario.formats.aerialist import load_obstacles, load_test
from uav_testgen.scenario.formats.aerialist_frame import flat_numbers, obstacle_from_numbers
from uav_testgen.scenario.formats.aerialist_write import aerialist_document, save_test
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import LinearMotion, Obstacle, Scenario, Shape, Terrain, Visibility, Wind
from uav_testgen.testing.factories import make_box, make_scenario

BOX = {"size": {"l": 10, "w": 5, "h": 20}, "position": {"x": -3, "y": 22, "z": 0, "r": 30}}


@pytest.fixture
def folder(tmp_path):
    save_plan(tmp_path / "mission2.plan", named_mission("mission2"))
    return tmp_path


def write(folder, data, name="case.yaml"):
    path = folder / name
    # Through JSON, because YAML would write equal objects as aliases, which are refused on purpose.
    path.write_text(yaml.safe_dump(json.loads(json.dumps(data))))
    return path


def document(obstacles, robot="robot", **simulation):
    return {
        robot: {"port": "ros", "mission_file": "mission2.plan"},
        "simulation": {"simulator": "ros", "obstacles": obstacles, **simulation},
    }


def test_frame_of_a_rotated_box():
    # Length 10 along north, width 4 along east, turned by 30 deg clockwise seen from above.
    box = obstacle_from_numbers(10.0, 4.0, 20.0, -3.0, 22.0, 0.0, 30.0)
    assert box.center_enu_m == (22.0, -3.0, 10.0)
    corners = np.array(outline_places(box))
    # In the test frame (x, y) the same rectangle is rotated counter-clockwise by 30 deg.
    c, s = math.cos(math.radians(30.0)), math.sin(math.radians(30.0))
    expected = {
        (round(22.0 + s * dx + c * dy, 9), round(-3.0 + c * dx - s * dy, 9))
        for dx in (-5.0, 5.0)
        for dy in (-2.0, 2.0)
    }
    assert {(round(x, 9), round(y, 9)) for x, y in corners} == expected


@pytest.mark.parametrize("robot, dialect", [("robot", "robot"), ("drone", "drone")])
@pytest.mark.parametrize(
    "obstacles",
    [[BOX, BOX], [10, 5, 20, -3, 22, 0, 30] * 2, [[10, 5, 20, -3, 22, 0, 30]] * 2],
    ids=["nested", "flat", "lists"],
)
def test_all_ways_to_write_the_same_obstacles(folder, robot, dialect, obstacles):
    test = load_test(write(folder, document(obstacles, robot)))
    expected = obstacle_from_numbers(10.0, 5.0, 20.0, -3.0, 22.0, 0.0, 30.0)
    assert test.scenario.obstacles == (expected, expected)
    assert test.dialect == dialect
    assert test.scenario.mission == named_mission("mission2")


@pytest.mark.parametrize("dialect", ["robot", "drone"])
@pytest.mark.parametrize("flat", [False, True])
def test_written_test_is_the_same_scenario(tmp_path, dialect, flat):
    scenario = make_scenario(make_box(20.0, -7.5, (2.0, 9.5, 20.0), -33.25), make_box(31.0, 4.0))
    path = tmp_path / "tests" / "001.yaml"
    save_test(path, scenario, dialect=dialect, flat=flat)
    assert load_scenario(path).id == scenario.id
    keys = set(yaml.safe_load(path.read_text()))
    assert keys == (
        {"robot", "simulation", "mission"} if dialect == "robot" else {"drone", "simulation", "test"}
    )


@pytest.mark.parametrize("dialect", ["robot", "drone"])
@pytest.mark.parametrize("flat", [False, True])
def test_names_of_obstacles_come_back(tmp_path, dialect, flat):
    boxes = (make_box(20.0, -7.5), make_box(31.0, 4.0))
    named = tuple(
        box.model_copy(update={"name": name}) for box, name in zip(boxes, ("first wall", ""), strict=True)
    )
    save_test(tmp_path / "t.yaml", make_scenario(*named), dialect=dialect, flat=flat)
    assert [one.name for one in load_scenario(tmp_path / "t.yaml").obstacles] == ["first wall", ""]
    assert [one.name for one in load_obstacles(tmp_path / "t.yaml")] == ["first wall", ""]


def test_cylinder_and_wind_come_back(tmp_path):
    tower = Obstacle(center_enu_m=(25.0, 3.0, 10.0), size_m=(5.0, 5.0, 20.0), shape=Shape.CYLINDER)
    wind = Wind(velocity_mean_mps=4.0, direction_enu=(0.0, -1.0, 0.0), gust_start_s=3.0, gust_duration_s=2.0)
    scenario = make_scenario(tower).model_copy(update={"wind": wind})
    save_test(tmp_path / "t.yaml", scenario)
    again = load_scenario(tmp_path / "t.yaml")
    assert again.obstacles == (tower,)
    assert again.wind == wind
    assert yaml.safe_load((tmp_path / "t.yaml").read_text())["simulation"]["obstacles"][0]["size"]["r"] == 2.5


def test_cylinder_by_radius_only(folder):
    entry = {"shape": "CYLINDER", "size": {"h": 20, "r": 3}, "position": {"x": 0, "y": 25}}
    (obstacle,) = load_test(write(folder, document([entry]))).scenario.obstacles
    assert obstacle.size_m == (6.0, 6.0, 20.0)


def test_waypoints_instead_of_a_plan(tmp_path):
    data = {"robot": {"port": "sitl"}, "mission": {"waypoints": [{"x": 1, "y": 40, "z": 8}]}}
    scenario = load_scenario(write(tmp_path, data))
    assert scenario.mission.waypoints[0].position_enu_m == (40.0, 1.0, 8.0)
    assert scenario.mission.takeoff_altitude_m == 8.0


def test_home_position_moves_the_mission(folder):
    moved = document([], home_position=[47.397742 + 1e-4, 8.545594, 488.0])
    east, north, _ = load_scenario(write(folder, moved)).mission.waypoints[0].position_enu_m
    assert east == pytest.approx(53.965, abs=0.001)
    assert north == pytest.approx(-6.836 - 11.119, abs=0.001)


def test_template_keeps_the_case_and_inlines_its_files(folder, tmp_path):
    (folder / "params.csv").write_text("NAV_ACC_RAD, 0.5\nSDLOG_PROFILE, 7\n")
    (folder / "commands.csv").write_text("timestamp,mode,x,y,z,r\n1,3,0,0,0.5,0\n")
    case = document([BOX], "drone")
    case["drone"]["params_file"] = "params.csv"
    case["test"] = {"commands_file": "commands.csv", "speed": 1}
    case["agent"] = {"engine": "docker", "count": 1}
    template = load_test(write(folder, case))
    out = tmp_path / "elsewhere" / "tests" / "001.yaml"
    scenario = template.scenario.with_obstacles((make_box(),))
    save_test(out, scenario, template=template)
    written = yaml.safe_load(out.read_text())
    assert written["drone"]["params"] == {"NAV_ACC_RAD": 0.5, "SDLOG_PROFILE": 7}
    assert written["test"]["commands"] == [{"timestamp": 1, "mode": 3, "x": 0, "y": 0, "z": 0.5, "r": 0}]
    assert written["agent"] == {"engine": "docker", "count": 1}
    assert load_scenario(out).id == scenario.id


def test_template_keeps_a_plan_name_that_resolves_from_the_working_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)
    template = load_test(write(folder, document([])))
    save_test(folder / "out" / "001.yaml", template.scenario, template=template)
    assert (
        yaml.safe_load((folder / "out" / "001.yaml").read_text())["robot"]["mission_file"] == "mission2.plan"
    )


def test_plan_is_found_beside_above_and_by_bare_name(folder, monkeypatch):
    case = document([])
    case["robot"]["mission_file"] = f"{folder.name}/mission2.plan"
    assert load_test(write(folder, case)).plan_path == folder.resolve().parent / folder.name / "mission2.plan"
    case["robot"]["mission_file"] = "/a/folder/that/was/moved/mission2.plan"
    assert load_test(write(folder, case)).plan_path == folder.resolve() / "mission2.plan"


@pytest.mark.parametrize(
    "update, error, message",
    [
        ({"simulation": {"obstacles": [1, 2, 3]}}, ConfigError, "7 numbers per obstacle"),
        ({"simulation": {"obstacles": [[1, 2]]}}, ConfigError, "7 numbers"),
        ({"simulation": {"obstacles": "all"}}, ConfigError, "a list of obstacles is expected"),
        ({"simulation": {"obstacles": [{**BOX, "shape": "cone"}]}}, ConfigError, "shape"),
        (
            {"simulation": {"obstacles": [{**BOX, "size": {"l": 1, "h": 2}}]}},
            ConfigError,
            "size.l and size.w",
        ),
        (
            {"simulation": {"obstacles": [{**BOX, "size": {"l": -1, "w": 1, "h": 2}}]}},
            InvalidScenario,
            "> 0 m",
        ),
        (
            {"simulation": {"obstacles": [{**BOX, "size": {"l": True, "w": 1, "h": 2}}]}},
            ConfigError,
            "not true",
        ),
        ({"simulation": {"obstacles": [{**BOX, "colour": 1}]}}, ConfigError, "unknown key"),
        ({"simulation": {"obstacles": [7e9] * 7}}, ConfigError, "less than or equal"),
        ({"simulation": {"obstacles": [float("nan")] * 7}}, ConfigError, "finite"),
        ({"simulation": {"obstacls": []}}, ConfigError, "did you mean 'obstacles'"),
        (
            {"simulation": {"wind": {"velocity_mean": -3}}},
            ConfigError,
            r"simulation\.wind\.velocity_mean: .*greater than or equal to 0 \(got -3",
        ),
        (
            {"simulation": {"wind": {"gust_direction": [0, 99999, 0]}}},
            ConfigError,
            r"simulation\.wind\.gust_direction\.1: ",
        ),
        ({"robot": {"mission_file": "../../etc/passwd"}}, InputFileError, "is not a .plan file"),
        ({"robot": {"mission_file": "/etc/passwd"}}, InputFileError, "is not a .plan file"),
        ({"robot": {"mission_file": "gone.plan"}}, InputFileError, "no file 'gone.plan' beside the test"),
        ({"robot": {"mission_file": "x" * 900 + ".plan"}}, InputFileError, "no file"),
        ({"robot": {"mission_file": None}}, ConfigError, "neither robot.mission_file nor mission.waypoints"),
        ({"robot": []}, ConfigError, "robot"),
        ({"drone": {"port": "ros"}}, ConfigError, "both"),
        ({"surprise": 1}, ConfigError, "unknown key 'surprise'"),
        ({"obstacle_names": "wall"}, ConfigError, "obstacle_names: a list of texts"),
        ({"obstacle_names": ["wall"]}, ConfigError, "obstacle_names: 1 for 0 obstacles; give one for each"),
        (
            {"simulation": {"obstacles": [BOX]}, "obstacle_names": ["w" * 201]},
            ConfigError,
            "at most 200 characters",
        ),
    ],
)
def test_wrong_files_say_what_is_wrong(folder, update, error, message):
    path = write(folder, {**document([]), **update})
    with pytest.raises(error, match=message) as caught:
        load_test(path)
    assert "case.yaml" in str(caught.value)


def test_what_aerialist_cannot_hold_is_refused():
    moving = make_box().model_copy(update={"motion": LinearMotion(to_enu_m=(25, 9, 10), speed_mps=1)})
    sphere = Obstacle(center_enu_m=(25.0, 0.0, 2.0), size_m=(4.0, 4.0, 4.0), shape=Shape.SPHERE)
    for scenario, what in [
        (make_scenario(moving), "moving obstacles"),
        (make_scenario(sphere), "spheres"),
        (make_scenario().model_copy(update={"visibility": Visibility(range_m=20.0)}), "reduced visibility"),
        (
            make_scenario().model_copy(update={"terrain": Terrain(landform="elevation", height_m=3.0)}),
            "landforms",
        ),
        (make_scenario().model_copy(update={"terrain": Terrain(surface="water")}), "cannot hold water"),
        (make_scenario().model_copy(update={"terrain": Terrain(surface="mixture")}), "cannot hold water"),
    ]:
        with pytest.raises(InvalidScenario, match=what):
            aerialist_document(scenario, "m.plan")


def test_numbers_survive_degrees_and_text():
    scenario = Scenario(
        mission=named_mission("mission1"), obstacles=(make_box(20.0, -3.3, (2, 7.7, 20), -77.7),)
    )
    numbers = flat_numbers(scenario.obstacles[0])
    assert numbers == [7.7, 2.0, 20.0, -3.3, 20.0, 0.0, 77.7]
    assert obstacle_from_numbers(*numbers) == scenario.obstacles[0]
