"""Worse than the last release by more than the scene scatters, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from uav_testgen.core.errors import InputFileError
from uav_testgen.testing.regression_baseline import SceneResult, read_baseline, worse, write_baseline

BEFORE = SceneResult("abc", 1, (2.0, 2.2, 1.8, 2.0), completed=4, flown=4)


def test_less_than_the_scatter_is_not_worse() -> None:
    assert not worse(BEFORE, replace(BEFORE, distances_m=(1.7, 1.9, 1.6, 1.8)), 0.05)
    assert not worse(BEFORE, replace(BEFORE, distances_m=(3.0,) * 4), 0.05)


def test_more_than_the_scatter_is_worse() -> None:
    said = worse(BEFORE, replace(BEFORE, distances_m=(1.5, 1.6, 1.5, 1.6)), 0.05)
    assert "1.55 m, 2.00 m in the baseline: 0.45 m less, its scatter allows 0.33 m" in said


def test_a_scene_without_scatter_has_the_tolerance() -> None:
    still = replace(BEFORE, distances_m=(2.0,), completed=1, flown=1)
    assert not worse(still, replace(still, distances_m=(1.96,)), 0.05)
    assert worse(still, replace(still, distances_m=(1.9,)), 0.05)


def test_missions() -> None:
    assert "3 of 4 missions completed, 4 of 4" in worse(BEFORE, replace(BEFORE, completed=3), 0.05)
    shaky = replace(BEFORE, completed=3)
    assert not worse(shaky, replace(BEFORE, completed=2), 0.05), "it failed before: one more is chance"
    assert worse(shaky, replace(BEFORE, completed=1), 0.05)


def test_another_scene_is_not_compared() -> None:
    assert "another one" in worse(BEFORE, replace(BEFORE, scenario_id="xyz"), 0.05)


def test_without_obstacles_only_missions_count() -> None:
    free = replace(BEFORE, distances_m=())
    assert not worse(free, free, 0.05)


def test_there_and_back(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    write_baseline(file, {"one": BEFORE})
    assert read_baseline(file) == {"one": BEFORE}


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"format": "uav_testgen planner baseline", "version": 1, "scenes": {"one": {}}}',
        '{"format": "uav_testgen planner baseline", "version": 1, "scenes": {"one": {"scenario_id": "a", "seed": 0,'
        ' "distances_m": [1.0], "completed": 2, "flown": 1}}}',
    ],
)
def test_damaged_files(tmp_path: Path, text: str) -> None:
    file = tmp_path / "baseline.json"
    file.write_text(text)
    with pytest.raises(InputFileError, match=r"baseline\.json: .*--update-planner-baseline"):
        read_baseline(file)
