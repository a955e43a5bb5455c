"""`fly`: the exit code tells safe from dangerous; runs are refused where nothing varies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.files import yaml_text
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box, make_scenario

pytestmark = pytest.mark.system


def words_for(scenario: Scenario, folder: Path) -> list[str]:
    """A drone that looks at nothing and follows its route."""
    path = folder / "scene.yaml"
    path.write_text(yaml_text(scenario.model_dump(mode="json")))
    return ["fly", str(path), "--backend", "still", "--out", str(folder / "out")]


@pytest.mark.parametrize(("center_enu_m", "code"), [((25.0, 0.0, 10.0), 1), ((25.0, 30.0, 10.0), 0)])
def test_the_exit_code_tells_safe_from_dangerous(
    center_enu_m: tuple[float, float, float], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = make_scenario(make_box().model_copy(update={"center_enu_m": center_enu_m}))
    assert main([*words_for(scenario, tmp_path), "--json"]) == code
    nominal = json.loads(capsys.readouterr().out)["nominal"]
    assert (nominal["outcome"] == "pass") == (code == 0), nominal["sentence"]


def test_runs_are_refused_where_every_one_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = words_for(make_scenario(make_box()), tmp_path)
    assert main([*words, "--runs", "5"]) == 2
    assert "--runs" in capsys.readouterr().err
