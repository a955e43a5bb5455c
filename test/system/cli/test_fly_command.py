"""`fly --runs`: how repeatable a test is, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.resources import config_folder

pytestmark = pytest.mark.system


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A blind drone that drifts so much that some runs miss the walls."""
    settings = tmp_path / "drift.yaml"
    settings.write_text("drift_m: 8.0\n")
    scenario = config_folder() / "scenarios" / "two_walls.yaml"
    where = ["--settings", str(settings), "--out", str(tmp_path / "out")]
    return ["fly", str(scenario), "--backend", "still", *where]


def flown(words: list[str], capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    code = main([*words, "--json", *more])
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    safe = all(run["outcome"] == "pass" and run["completed"] for run in data["runs"])
    assert code == (0 if safe else 1)
    return data


def test_several_runs_say_how_repeatable_the_test_is(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = flown(words, capsys, "--runs", "5")
    spread = found["repeatability"]
    failures = sum(run["outcome"] in ("soft_fail", "hard_fail") for run in found["runs"])
    assert (spread["failures"], spread["runs"], spread["flaky"]) == (failures, 5, True)
    assert 0.0 < spread["failure_share_low"] < failures / 5 < spread["failure_share_high"] < 1.0
    assert spread["dtw_max_m"] >= spread["dtw_mean_m"] > 0.0
    assert main([*words, "--runs", "5"]) == 1
    assert f"repeated: {spread['sentence']}" in capsys.readouterr().out


def test_one_run_has_no_spread(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert flown(words, capsys)["repeatability"] is None
    assert main(words) == 0
    assert "repeated" not in capsys.readouterr().out


def test_the_exit_code_tells_safe_from_dangerous(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from uav_testgen.core.files import yaml_text
    from uav_testgen.testing.factories import make_box, make_scenario

    far = make_box().model_copy(update={"center_enu_m": (30.0, 30.0, 5.0)})
    for name, scenario, code in (("near", make_scenario(make_box()), 1), ("far", make_scenario(far), 0)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(yaml_text(scenario.model_dump(mode="json")))
        found = flown(["fly", str(path), "--backend", "still", "--out", str(tmp_path / "out")], capsys)
        assert (found["outcome"] == "pass") == (code == 0), found["sentence"]
