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
    assert main([*words, "--json", *more]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
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
    assert main([*words, "--runs", "5"]) == 0
    assert f"repeated: {spread['sentence']}" in capsys.readouterr().out


def test_one_run_has_no_spread(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert flown(words, capsys)["repeatability"] is None
    assert main(words) == 0
    assert "repeated" not in capsys.readouterr().out
