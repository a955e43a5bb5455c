"""A vehicle of the user's own, from the file to the verdict; and what is said when it is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import uav_testgen
from uav_testgen.cli.main import main
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.plugin import load_plugin

SHUTTLE = '''
import numpy as np
from uav_testgen.core.body import LAND, LEG, POSITION, SET_POSITION, SET_YAW, VELOCITY, YAW

class Shuttle:
    """Goes straight to the set-point at a constant speed."""

    name = "shuttle"

    def __init__(self, speed_mps=2.0):
        self.speed_mps = speed_mps
        self.phases = []

    def cycles_per_step(self, dt_s):
        return 4

    def start(self, body):
        body[VELOCITY:VELOCITY + 3] = 0.0

    def advance(self, body, phase, previous, goal, setpoint, wind, dt_s):
        here = body[POSITION:POSITION + 3]
        target = setpoint[SET_POSITION:SET_POSITION + 3] if phase == LEG else np.array([*here[:2], goal[2]])
        way = target - here
        length = np.linalg.norm(way)
        step = way * min(1.0, self.speed_mps * dt_s / length) if length > 0.0 else way
        body[VELOCITY:VELOCITY + 3] = step / dt_s
        body[POSITION:POSITION + 3] += step
        if np.isfinite(setpoint[SET_YAW]) and phase == LEG:
            body[YAW] = setpoint[SET_YAW]
        BROKEN
'''
SCENE = """
mission:
  waypoints:
    - position_enu_m: [16.0, 0.0, 4.0]
  takeoff_altitude_m: 4.0
  land: true
obstacles:
  - {center_enu_m: [8.0, 6.0, 5.0], size_m: [1.0, 2.0, 10.0]}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scene.yaml").write_text(SCENE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, broken: str = "", name: str = "shuttle.py") -> str:
    (folder / name).write_text(SHUTTLE.replace("BROKEN", broken))
    return f"{name}:Shuttle"


def fly(*words: str) -> int:
    return main(["fly", "scene.yaml", "--runs", "1", "--out", "out", *words])


def test_it_flies_the_mission(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fly("--vehicle", write(place), "--json") == 0
    summary: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert summary["nominal"]["ending"] == "goal_reached" and summary["nominal"]["completed"]
    assert summary["prediction"]["system"].endswith("with vehicle shuttle.py:Shuttle")
    # 4 m up, 16 m along, 4 m down, all at 2 m/s; what the planner and the mission rules add is little.
    assert 11.0 <= summary["nominal"]["duration_s"] < 25.0


def test_probabilities_of_another_vehicle_are_not_printed(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fly("--vehicle", write(place)) == 0
    text = capsys.readouterr().out
    assert "failure      uncalibrated: no real flights" in text and "likely" not in text
    assert "corrected" not in text, "nor is the distance corrected by what the other one was off"


def test_it_flies_with_a_planner_of_ones_own_too(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fly("--vehicle", write(place), "--planner", "straight", "--json") == 0
    assert json.loads(capsys.readouterr().out)["nominal"]["ending"] == "goal_reached"


def test_settings_come_from_a_system_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(place)
    (place / "mine.yaml").write_text(
        f"name: mine\nversion: 1\nvehicle:\n  model: {model}\n  settings: {{speed_mps: 1.0}}\n"
    )
    durations = []
    for words in (["--vehicle", model], ["--system", "mine.yaml"]):
        assert fly(*words, "--planner", "straight", "--json") == 0
        durations.append(json.loads(capsys.readouterr().out)["nominal"]["duration_s"])
    assert durations[1] > 1.5 * durations[0]


@pytest.mark.parametrize("planner", ["vfh3d", "straight"])
@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("raise RuntimeError('rotor 3 is gone')", r"shuttle.py:30: RuntimeError: rotor 3 is gone"),
        ("body[0] = np.nan", "left the body at [ nan"),
    ],
)
def test_a_broken_vehicle_is_no_verdict(
    broken: str, words: str, planner: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fly("--vehicle", write(place, broken), "--planner", planner) == 3
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("uav-testgen:")]
    assert "vehicle 'shuttle.py:Shuttle': advance(): " in line and words in line


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("class Shuttle:\n    pass\n", "has no cycles_per_step(), no start(), no advance()"),
        (SHUTTLE.replace("BROKEN", "").replace("return 4", "return 0"), "0 is not between 1 and 1000"),
        (SHUTTLE.replace("BROKEN", "").replace("return 4", "return 0.1"), "a whole number is expected"),
        ("class Shuttle:\n    def __init__(self, mass_kg):\n        pass\n", "cannot be made"),
    ],
)
def test_a_class_that_is_no_vehicle_is_refused(
    source: str, words: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "none.py").write_text(source)
    assert fly("--vehicle", "none.py:Shuttle") in (2, 3)
    assert words in capsys.readouterr().err


def test_an_object_flies_as_its_class_does(place: Path) -> None:
    write(place)
    kind = load_plugin("vehicle", "shuttle.py:Shuttle")
    by_name, _ = uav_testgen.fly("scene.yaml", vehicle="shuttle.py:Shuttle", planner="straight")
    by_object, _ = uav_testgen.fly("scene.yaml", vehicle=kind(), planner="straight")
    faster, _ = uav_testgen.fly("scene.yaml", vehicle=kind(speed_mps=4.0), planner="straight")
    assert by_object.trajectory.position_enu_m.tobytes() == by_name.trajectory.position_enu_m.tobytes()
    assert faster.duration_s < by_name.duration_s
    with pytest.raises(ConfigError, match="a vehicle object flies in this process"):
        uav_testgen.fly("scene.yaml", vehicle=kind(), planner="mine.py:Mine")
