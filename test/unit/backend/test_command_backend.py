"""The command backend with a stand-in for a user's simulator that behaves and misbehaves."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.backend import command_run
from uav_testgen.backend.command import CommandBackend, CommandConfig
from uav_testgen.backend.command_words import filled, split_template
from uav_testgen.backend.registry import make_backend
from uav_testgen.core.errors import BackendError, BackendTimeout, ConfigError
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.model import Outcome
from uav_testgen.scenario.formats.gazebo_read import load_world
from uav_testgen.scenario.formats.plan_file import load_plan
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import LinearMotion, Mission, Scenario, Waypoint, obstacle_on_ground

STAND_IN = Path(__file__).parents[2] / "fakes" / "simulator.py"
PROGRAM = shlex.join([sys.executable, str(STAND_IN)])
SCENE = Scenario(
    mission=Mission(waypoints=(Waypoint(position_enu_m=(0.0, 40.0, 5.0)),), takeoff_altitude_m=5.0),
    obstacles=(obstacle_on_ground(6.0, 20.0, (2.0, 2.0, 12.0)),),
)


@pytest.fixture
def backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., CommandBackend]:
    monkeypatch.setenv("STAND_IN_CALLS", str(tmp_path / "calls"))

    def make(do: str = "fly", **settings: Any) -> CommandBackend:
        command = f"{PROGRAM} --do {do} --scene {{scene}} --out {{out}} --seed {{seed}}"
        given = {"command": command, "folder": str(tmp_path / "runs"), "retries": 0, "timeout_s": 30.0}
        return CommandBackend(CommandConfig(**{**given, **settings}))

    return make


def calls(folder: Path) -> int:
    return len((folder / "calls").read_text().splitlines())


def test_a_csv_becomes_a_flight(backend: Callable[..., CommandBackend], tmp_path: Path) -> None:
    with backend(system="gazebo at home") as command:
        flight = command.fly(SCENE, 7)
    assert (flight.backend, flight.system, flight.seed) == ("command", "gazebo at home", 7)
    assert flight.ending is Ending.GOAL_REACHED
    verdict = judge(SCENE, flight)
    assert verdict.min_distance_horizontal_m == pytest.approx(5.0, abs=0.01)
    assert verdict.sentence.endswith("Judged on what the simulator wrote.")
    (folder,) = (tmp_path / "runs").iterdir()
    assert load_scenario(folder / "scene.yaml").id == SCENE.id
    assert load_plan(folder / "scene.plan").waypoints[0].position_enu_m == pytest.approx((0.0, 40.0, 5.0))
    assert load_world(folder / "scene.world", SCENE.mission).scenario.id == SCENE.id


def test_a_log_is_judged_on_its_truth(backend: Callable[..., CommandBackend]) -> None:
    estimated = backend("ulog").fly(SCENE, 0)
    assert "PX4's estimate" in judge(SCENE, estimated).sentence
    true = backend("ulog-truth").fly(SCENE, 0)
    assert true.details["judged_on"] == "the ground truth of PX4's log"
    verdict, believed = judge(SCENE, true), judge(SCENE, estimated)
    assert verdict.min_distance_horizontal_m == pytest.approx(5.0 - 0.8, abs=0.1)
    assert believed.min_distance_horizontal_m == pytest.approx(5.0, abs=0.1)
    log = backend().log_of(true)
    assert log is not None and log.is_file()


def test_poses_say_where_a_moving_obstacle_was(backend: Callable[..., CommandBackend]) -> None:
    """The scene says that it is far away; the simulator saw it 2 m from the way."""
    moving = obstacle_on_ground(300.0, 20.0, (2.0, 2.0, 12.0)).model_copy(
        update={"motion": LinearMotion(to_enu_m=(400.0, 20.0, 6.0), speed_mps=1.0)}
    )
    scene = SCENE.with_obstacles((moving,))
    blind, seeing = backend("fly").fly(scene, 0), backend("poses").fly(scene, 0)
    assert judge(scene, blind).outcome is Outcome.PASS
    verdict = judge(scene, seeing)
    assert verdict.min_distance_horizontal_m == pytest.approx(1.0, abs=0.05)
    assert verdict.outcome is Outcome.SOFT_FAIL and verdict.obstacle_index == 0
    again = json.loads(json.dumps(seeing.details))
    assert again["obstacle_poses"][0]["obstacle"] == 0


def test_a_collision_is_believed_and_an_arrival_checked(backend: Callable[..., CommandBackend]) -> None:
    touched = backend("says-collision").fly(SCENE, 0)
    assert (touched.ending, touched.reason) == (Ending.COLLISION, "touched a tree")
    assert backend("lies-arrived").fly(SCENE, 0).ending is Ending.TIME_LIMIT
    assert backend("early").fly(SCENE, 0).ending is Ending.LANDED_EARLY
    assert backend("dies-after").fly(SCENE, 0).details["exit_code"] == 7


@pytest.mark.parametrize(
    ("do", "word"),
    [
        ("die", "ended with code 139"),
        ("nothing", "neither a .ulg nor flight.csv"),
        ("garbage", "flight.csv"),
        ("garbage-log", "flight.ulg"),
        ("cut", "finite numbers are expected"),
        ("elsewhere", "from home; positions are metres east, north, up"),
        ("teleport", "which no multicopter flies"),
        ("grounded", "never left the ground"),
        ("down", "z counts upwards, here it only falls (north, east, down?)"),
        ("pipe", "flight.csv"),
        ("endless", "flight.csv"),
        ("backwards", "must ascend"),
        ("infinite", "line 5: 5 finite numbers"),
        ("bad-poses", "obstacle 9; the scene has 1 to 1"),
    ],
)
def test_whatever_is_wrong_is_one_sentence(
    do: str, word: str, backend: Callable[..., CommandBackend]
) -> None:
    with pytest.raises(BackendError) as caught:
        backend(do).fly(SCENE, 0)
    assert word in str(caught.value) and "in 1 attempts" in str(caught.value)


def test_trouble_is_tried_again_and_old_answers_are_not_used(
    backend: Callable[..., CommandBackend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan").write_text("die nothing fly nothing")
    monkeypatch.setenv("STAND_IN_PLAN", str(tmp_path / "plan"))
    flight = backend(retries=2).fly(SCENE, 0)
    assert flight.details["attempt"] == 3 and calls(tmp_path) == 3
    with pytest.raises(BackendError, match=r"neither a \.ulg"):
        backend(retries=0).fly(SCENE, 0)


def test_a_simulator_that_hangs_is_stopped_at_its_limit(backend: Callable[..., CommandBackend]) -> None:
    began_s = time.monotonic()
    with pytest.raises(BackendTimeout, match=r"stopped after its limit of 1 s"):
        backend("hang", timeout_s=1.0).fly(SCENE, 0)
    assert time.monotonic() - began_s < backend(timeout_s=1.0).config.longest_flight_s
    late = backend("hang-late", timeout_s=1.5).fly(SCENE, 0)
    assert late.ending is Ending.TIME_LIMIT, "what was flown until then is a flight without an end"


def test_a_simulator_that_floods_its_output_is_stopped(
    backend: Callable[..., CommandBackend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_run, "MOST_OUTPUT_BYTES", 1024**2)
    with pytest.raises(
        BackendError, match=r"stopped because it printed more than 1 MiB \(it said: "
    ) as caught:
        backend("flood").fly(SCENE, 0)
    assert not isinstance(caught.value, BackendTimeout) and len(str(caught.value)) < 1500


def test_nothing_is_left_behind(
    backend: Callable[..., CommandBackend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_CHILD", str(tmp_path / "child"))
    assert backend("child").fly(SCENE, 0).ending is Ending.GOAL_REACHED
    pid = int((tmp_path / "child").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_missing_program_is_said_at_once() -> None:
    settings = {"command": "no-such-simulator {world} {out}"}
    with (
        pytest.raises(BackendError, match="no-such-simulator: program not found"),
        make_backend("command", settings),
    ):
        pass


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("sim {world}", "must name {out}"),
        ("sim {out}", "one of {world}, {plan}, {scene}"),
        ("sim {wrld} {out}", "{wrld} is unknown"),
        ("{world} {out}", "begins with a program"),
        ("sim '{world} {out}", "no partner"),
        ("", "command"),
    ],
)
def test_a_wrong_template_is_refused_before_anything_flies(text: str, word: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_backend("command", {"command": text})
    assert word in str(caught.value)


def test_no_shell_sees_the_words() -> None:
    words = split_template("sim --w={world} 'a b' {out}/$HOME")
    values = {"world": "x; rm y", "out": "/o", "plan": "", "scene": "", "seed": 1}
    assert filled(words, values) == ["sim", "--w=x; rm y", "a b", "/o/$HOME"]


def test_a_turning_obstacle_is_measured_in_its_own_frame() -> None:
    from uav_testgen.flight.model import Trajectory
    from uav_testgen.flight.obstacle_poses import ObstaclePoses
    from uav_testgen.oracle.separation import separation

    scene = SCENE.with_obstacles((obstacle_on_ground(0.0, 0.0, (4.0, 1.0, 12.0)),))
    path = Trajectory(
        np.array([0.0, 1.0]), np.array([[-5.0, 3.0, 5.0], [5.0, 3.0, 5.0]]), np.zeros((2, 3)), np.zeros(2)
    )
    straight = separation(scene, path)
    poses = ObstaclePoses.of_rows(0, [[0.0, 0.0, 0.0, 6.0, np.pi / 2], [1.0, 0.0, 0.0, 6.0, np.pi / 2]])
    turned = separation(scene, path, seen={0: poses})
    assert straight is not None and turned is not None
    assert straight.exact.distance_m == pytest.approx(2.5)
    assert turned.exact.distance_m == pytest.approx(1.0), "its long side points north now"
