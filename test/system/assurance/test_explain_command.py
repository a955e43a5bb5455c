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
    assert found["obstacles"] == [{"index": 0, "decides": True}]
    assert found["circumstances"]["obstacle_index"] == 0 and found["circumstances"]["bearing_deg"] > 0.0
    assert any(one["what"] == "obstacle 1 moved north" for one in found["counterfactuals"])
    assert found["flights"] <= 45
    assert main([*words, "--no-planner"]) == 0
    text = capsys.readouterr().out
    assert f"mechanism    {found['mechanism']}" in text and "safe without it" in text
