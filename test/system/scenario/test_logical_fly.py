"""StellaUAV, equation 1: an instance carries the safety distance of its logical scenario to `fly`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.resources import config_folder
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Obstacle, Shape

pytestmark = pytest.mark.system


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    space = LogicalSpace(load_scenario(config_folder("stella/scenarios") / "scenario-05.json"))
    rng = np.random.default_rng(4)
    drawn = (space.decode(rng.random(space.dimension)) for _ in range(1000))
    save_scenario(tmp_path / "instance.yaml", next(one for one in drawn if not problems(one)))
    return tmp_path / "instance.yaml"


def test_the_verdict_names_the_safety_distance(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fly", str(instance), "--backend", "still", "--out", str(tmp_path / "out")]
    main([*words, "--json"])
    said = json.loads(capsys.readouterr().out)
    assert said["safety_distance_m"] == 1.0
    assert said["safety_margin_m"] == pytest.approx(said["nominal"]["min_distance_3d_m"] - 1.0)
    main(words)
    assert "wants 1 m kept (3-D): " in capsys.readouterr().out


def test_other_scenarios_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = Path(__file__).parents[3] / "config/scenarios/two_walls.yaml"
    main(["fly", str(scene), "--backend", "still", "--out", str(tmp_path / "out"), "--json"])
    assert "safety_margin_m" not in json.loads(capsys.readouterr().out)


def beside(tmp_path: Path, instance: Path, gap_m: float) -> int:
    """`fly` of an instance of which the blind drone passes the only obstacle at this distance."""
    scenario = load_scenario(instance)
    route = scenario.mission.route_enu_m
    (east, north, up), (next_east, next_north, _) = route[0], route[1]
    along = np.array([next_east - east, next_north - north]) / np.hypot(next_east - east, next_north - north)
    middle = np.array([east + next_east, north + next_north]) / 2.0
    place = middle + (gap_m + 0.5) * np.array([-along[1], along[0]])
    ball = make_sphere((float(place[0]), float(place[1]), up), 1.0)
    save_scenario(tmp_path / "beside.yaml", scenario.model_copy(update={"obstacles": (ball,)}))
    words = ["fly", str(tmp_path / "beside.yaml"), "--backend", "still", "--undisturbed"]
    return main([*words, "--out", str(tmp_path / "out"), "--json"])


def make_sphere(center_enu_m: tuple[float, float, float], diameter_m: float) -> Obstacle:
    return Obstacle(shape=Shape.SPHERE, center_enu_m=center_enu_m, size_m=(diameter_m,) * 3)


def test_an_instance_is_judged_by_its_own_distance_and_not_by_the_competitions(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert beside(tmp_path, instance, 1.2) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["nominal"]["outcome"] == "pass"
    assert said["nominal"]["min_distance_3d_m"] == pytest.approx(1.2, abs=0.05)
    assert said["prediction"]["counts"] == "too close 0/1"
    assert beside(tmp_path, instance, 0.8) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["nominal"]["outcome"] == "soft_fail"
    assert said["prediction"]["counts"] == "too close 1/1"


def test_a_logical_scenario_flown_as_it_is_says_that_nothing_stands_there_yet(
    instance: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--backend", "still", "--undisturbed", "--out", str(tmp_path / "out")]
    stage = config_folder("stella/scenarios") / "scenario-09.json"
    assert main(["fly", str(stage), *words]) == 0
    said = capsys.readouterr().err
    assert "note: a logical scenario has no obstacles before an instance is drawn" in said
    assert f"convert {stage} instance.yaml --to instance" in said
    assert main(["fly", str(instance), *words]) in (0, 1)
    assert "before an instance is drawn" not in capsys.readouterr().err
