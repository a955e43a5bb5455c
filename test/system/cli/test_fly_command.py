"""`fly`: what it says about one scenario, for people and for programs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.defaults import COLLISION_DISTANCE_M
from uav_testgen.core.files import yaml_text
from uav_testgen.core.resources import config_folder
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.loop.system import named_system
from uav_testgen.statistics.percent import percent_range
from uav_testgen.testing.factories import make_box, make_scenario

pytestmark = pytest.mark.system


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A blind drone that drifts so much that some runs miss the walls."""
    settings = tmp_path / "drift.yaml"
    settings.write_text("drift_m: 15.0\n")
    scenario = config_folder() / "scenarios" / "two_walls.yaml"
    where = ["--settings", str(settings), "--out", str(tmp_path / "out")]
    return ["fly", str(scenario), "--backend", "still", *where]


def flown(words: list[str], capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    code = main([*words, "--json", *more])
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    distance_m = data["prediction"]["distance_m"]
    counted = data["runs"] or [data["nominal"]]
    unsafe = sum(run["outcome"] != "pass" for run in counted)
    is_near = distance_m is not None and distance_m < 1.5
    collides = any(
        run["distance_m"] is not None and run["distance_m"] < COLLISION_DISTANCE_M for run in counted
    )
    assert code == (1 if is_near or collides or 2 * unsafe > len(counted) else 0)
    return data


def test_several_runs_say_how_often_it_fails(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = flown(words, capsys, "--runs", "5")
    told = found["prediction"]
    near = sum(run["distance_m"] < 1.5 for run in found["runs"])
    assert 0 < near < 5 and len(found["runs"]) == told["runs"] == 5
    assert told["share_too_close"] == near / 5
    low, high = told["share_too_close_95"]
    assert 0.0 < low < near / 5 < high < 1.0
    main([*words, "--runs", "5"])
    said = capsys.readouterr().out
    assert f"too close {near}/5" in told["counts"] and told["counts"] in said
    assert f"95 % CI of the share too close: {percent_range(low, high)}" in said


def test_one_run_has_no_interval(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    told = flown(words, capsys)["prediction"]
    assert told["runs"] == 0 and told["share_too_close_95"] is None
    main(words)
    said = capsys.readouterr().out
    assert "nominal run only" in said and "95 % CI" not in said


def test_the_last_line_gives_the_same_again(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = flown(words, capsys, "--runs", "3", "--seed", "4")
    main([*words, "--runs", "3", "--seed", "4"])
    last = capsys.readouterr().out.splitlines()[-1]
    label, program, *again = shlex.split(last)
    assert (label, program) == ("again", "uav-testgen")
    assert flown([*again, *words[-2:]], capsys)["prediction"] == found["prediction"]


def test_the_exit_code_tells_safe_from_dangerous(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    far = make_box().model_copy(update={"center_enu_m": (30.0, 30.0, 5.0)})
    for name, scenario, code in (("near", make_scenario(make_box()), 1), ("far", make_scenario(far), 0)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(yaml_text(scenario.model_dump(mode="json")))
        found = flown(["fly", str(path), "--backend", "still", "--out", str(tmp_path / "out")], capsys)
        assert (found["nominal"]["outcome"] == "pass") == (code == 0), found["nominal"]["sentence"]


def test_a_system_without_scatter_flies_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    still = named_system("paper").changed({"scatter": ScatterConfig().model_dump()})
    (tmp_path / "exact.yaml").write_text(yaml_text(still.model_dump(mode="json")))
    words = ["fly", "two_walls", "--system", str(tmp_path / "exact.yaml"), "--out", str(tmp_path / "out")]
    assert main([*words, "--runs", "3"]) == 2
    assert "every run is the same flight" in capsys.readouterr().err


def test_a_requirement_that_was_an_object_in_python_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note = {
        "version": "0",
        "backend": "lfs",
        "system": "paper",
        "seed": 1,
        "runs": 1,
        "requirements": ["own Mine 1"],
    }
    test = tmp_path / "test.yaml"
    test.write_text(yaml_text({"mission": "mission2", "prediction": note}))
    assert main(["fly", str(test), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "'own Mine 1', an object that only the Python process of the campaign had" in said
