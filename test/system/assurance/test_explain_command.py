"""`explain` from the shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.testing.short_scene import SHORT_SCENE


def test_why_a_test_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "short.yaml"
    scene.write_text(SHORT_SCENE)
    words = ["explain", str(scene), "--require", "always (clearance > 3.3 m)", "--runs", "0", "--flights", "40",
             "--out", str(tmp_path / "out")]  # fmt: skip
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["obstacles"] == [{"index": 0, "decides": True, "completes": True}]
    assert found["circumstances"]["obstacle_index"] == 0 and found["circumstances"]["bearing_deg"] > 0.0
    assert any(one["what"] == "obstacle 1 moved north" for one in found["counterfactuals"])
    assert found["flights"] <= 40 and not found["finished"]
    assert "Violated by" in found["violated"]
    assert "picture" not in found and not (tmp_path / "out" / "explanation.png").exists()
    assert main([*words, "--no-planner", "--plot"]) == 0
    text = capsys.readouterr().out
    picture = tmp_path / "out" / "explanation.png"
    assert f"picture      {picture}" in text and picture.read_bytes().startswith(b"\x89PNG")
    assert f"mechanism    {found['mechanism']}" in text and "safe without it" in text


def test_why_a_requirement_that_is_no_distance_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "short.yaml"
    scene.write_text(SHORT_SCENE)
    words = ["explain", str(scene), "--require", "always (speed < 1)", "--runs", "0", "--flights", "10"]
    assert main([*words, "--out", str(tmp_path / "out"), "--plot"]) == 0
    said = capsys.readouterr().out
    assert "violated     Violated by" in said and "mechanism    not named" in said and "camera" not in said
    assert "they were used up before all changes were tried" in said
    assert (tmp_path / "out" / "explanation.png").is_file()


def test_a_test_that_does_not_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "short.yaml"
    scene.write_text(SHORT_SCENE)
    assert main(["explain", str(scene), "--runs", "0", "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert f"{scene}: the test does not fail: 0 of 1 runs violate the requirement" in said
    assert "another --seed, or a stricter --require" in said
