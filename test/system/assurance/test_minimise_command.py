"""`minimise` from the shell and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.testing.short_scene import SHORT_SCENE


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "short.yaml"
    path.write_text(SHORT_SCENE)
    return path


def test_the_simplest_scene_is_written(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["minimise", str(scene), "--require", "always (clearance > 4 m)", "--runs", "0", "--flights", "30",
             "--out", str(tmp_path / "out")]  # fmt: skip
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["obstacles"] == 1 and found["failed"] == 1 and found["margin"] < 0.0
    assert found["flights"] <= 30 and len(found["steps"]) > 1
    simplest = load_scene(found["scene"])
    assert simplest.obstacles[0].size_m < load_scene(str(scene)).obstacles[0].size_m
    assert main([*words, "--plot"]) == 0
    text = capsys.readouterr().out
    picture = tmp_path / "out" / "short-minimal.png"
    assert "as given" in text and f"picture      {picture}" in text
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_test_that_does_not_fail(scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["minimise", str(scene), "--runs", "0", "--out", str(tmp_path / "out")]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert f"{scene}: the test does not fail: 0 of 1 runs violate the requirement" in said
    assert main([*words, "--flights", "3"]) == 2
    assert "--flights at least 10" in capsys.readouterr().err
