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
