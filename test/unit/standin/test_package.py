"""Our own `aerialist`, as a program without an installed one sees it."""

from __future__ import annotations

import ast
import json
import sys

import pytest

from uav_testgen.standin.environment import PACKAGE_FOLDER, PATH_FOLDER

PYTHON = sys.executable


def run(standin, code, **more):
    (standin.work / "program.py").write_text(code)
    ran = standin.sh(f"{PYTHON} program.py", **more)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("folder", [PACKAGE_FOLDER, PATH_FOLDER])
def test_syntax_of_python_3_8(folder) -> None:
    files = sorted(folder.rglob("*.py"))
    assert len(files) >= 3
    for file in files:
        ast.parse(file.read_text(encoding="utf-8"), str(file), feature_version=(3, 8))


def test_it_is_last_on_the_path_and_knows_both_dialects(standin, write_test) -> None:
    write_test()
    code = """
import json, sys
import aerialist
from aerialist.px4.aerialist_test import AerialistTest
from aerialist.px4.drone_test import DroneTest
test, old = AerialistTest.from_yaml("test.yaml"), DroneTest.from_yaml("test.yaml")
old.to_yaml("old.yaml"); test.to_yaml("new.yaml")
again = AerialistTest.from_yaml("old.yaml")
print(json.dumps([sys.path[-1] in aerialist.__file__, sorted(old.to_dict()), sorted(test.to_dict()),
    again.simulation.obstacles[0].to_params() == test.simulation.obstacles[0].to_params(),
    again.robot.params["NAV_RCL_ACT"]]))
"""
    last, old, new, same, parameter = run(standin, code)
    assert last
    assert old == ["drone", "simulation", "test"]
    assert new == ["mission", "robot", "simulation"]
    assert (same, parameter) == (True, 3)


def test_geometry(standin) -> None:
    code = """
import json
from shapely.geometry import LineString
from aerialist.px4.obstacle import Obstacle
wall = Obstacle(Obstacle.Size(10, 2, 20), Obstacle.Position(0, 0, 0, 90))
tree = Obstacle.from_dict({"shape": "cylinder", "size": {"l": 2, "w": 2, "h": 5, "r": 1}, "position": {"x": 5, "y": 0}})
above = LineString([(5, -5, 8), (5, 5, 8)])
print(json.dumps([wall.geometry.bounds, Obstacle.minimum_gap([wall, tree]), tree.distance(above), wall.intersects(tree),
    Obstacle.distance_to_many([wall, tree], LineString([(10, 0), (20, 0)]))]))
"""
    bounds, gap, over, crossing, total = run(standin, code)
    assert bounds == pytest.approx([-1, -5, 1, 5])
    assert gap == pytest.approx(3.0, abs=0.01)
    assert over == pytest.approx(3.0)
    assert crossing is False
    assert total == pytest.approx(9.0 + 4.0, abs=0.01)


def test_trajectories_are_compared_and_averaged(standin) -> None:
    code = """
import json
from aerialist.px4.position import Position
from aerialist.px4.trajectory import Trajectory
def line(y): return Trajectory([Position(0.1 * k, y, 10.0, 0.0, 100000 * k) for k in range(51)])
one, two, three = line(0.0), line(1.0), line(2.0)
middle = Trajectory.average([one, two, three])
one.save_csv("one.csv")
print(json.dumps([len(one.downsample_time().positions), one.dtw_distance(two), one.frechet_distance(two),
    [p.y for p in middle.positions[:3]], len(Trajectory.extract("one.csv").positions), one.distance(one)]))
"""
    halves, warp, leash, middle, count, same = run(standin, code)
    assert halves == 10
    assert warp == pytest.approx(51.0)
    assert leash == pytest.approx(1.0)
    assert middle == pytest.approx([1.0] * 3)
    assert (count, same) == (51, 0.0)


@pytest.mark.parametrize("agent", ["local", "k8s"])
def test_agents_say_why_there_is_no_log(standin, write_test, made_up, agent) -> None:
    write_test()
    made_up.trouble = "the flight starts inside an obstacle"
    name = {"local": "local_agent.LocalAgent", "k8s": "k8s_agent.K8sAgent"}[agent]
    code = f"""
import json
from aerialist.px4 import {name.split(".")[0]}
from aerialist.px4.aerialist_test import AerialistTest, AgentConfig
test = AerialistTest.from_yaml("test.yaml"); test.agent = AgentConfig("{agent}", 2)
try:
    {name}(test).run(); print("[]")
except Exception as error:
    print(json.dumps([str(error)]))
"""
    (message,) = run(standin, code)
    assert "inside an obstacle" in message


def test_the_docker_agent_returns_no_result_instead(standin, write_test, made_up) -> None:
    write_test()
    made_up.unfinished = True
    code = """
import json
from aerialist.px4.docker_agent import DockerAgent
from aerialist.px4.aerialist_test import AerialistTest
print(json.dumps(DockerAgent(AerialistTest.from_yaml("test.yaml")).run()))
"""
    assert run(standin, code) == []


def test_settings_come_from_environment_and_file(standin) -> None:
    (standin.work / ".env").write_text("NAME='a b'\nTRUTH=no\nCOUNT=3\n# comment\n")
    code = f"""
import json, sys
sys.path.insert(0, {str(PACKAGE_FOLDER)!r})
from decouple import Csv, UndefinedValueError, config
try:
    config("ABSENT"); missing = False
except UndefinedValueError:
    missing = True
print(json.dumps([config("NAME"), config("TRUTH", cast=bool), config("COUNT", cast=int, default=1),
    config("OTHER", default=2), config("GIVEN"), missing, Csv(int)("1, 2")]))
"""
    assert run(standin, code, GIVEN="x") == ["a b", False, 3, 2, "x", True, [1, 2]]


def test_a_sitecustomize_of_the_users_own_is_kept(standin) -> None:
    own = standin.work / "own"
    own.mkdir()
    (own / "sitecustomize.py").write_text("import builtins\nbuiltins.mine = 5\n")
    path = standin.environment["PYTHONPATH"] + f":{own}"
    assert run(standin, "print(mine)", PYTHONPATH=path) == 5


def test_hostile_questions_do_not_end_the_server(standin) -> None:
    for line in (
        b"",
        b"[]",
        b"{}",
        b'{"what": 5}',
        b"[" * 100_000,
        b'{"what":"fly","folder":"/","data":{"simulation":3}}',
        b"\xff",
    ):
        assert "error" in standin.server.answer(line)
    assert standin.server.answer(b'{"what":"docker","folder":"/","words":["ps"]}')["code"] == 0
