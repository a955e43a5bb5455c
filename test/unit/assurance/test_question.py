"""Named requirements are questions, as formulas are."""

from __future__ import annotations

from pathlib import Path

import pytest

import uav_testgen
from uav_testgen.assurance.question import Question
from uav_testgen.core.errors import ConfigError
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.scenario.formats.scenes import load_scene

OWN = """
from uav_testgen import Finding

class Never:
    name = "never"
    def judge(self, scenario, flight):
        return Finding(self.name, None, holds=False)
"""


def test_a_named_requirement_answers_with_its_margin(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    scene = load_scene("two_walls")
    flight, _ = uav_testgen.fly(scene, backend="still")
    told = {}
    for text in ("max_duration(limit_s=1000000)", "mission_completed", f"{tmp_path}/own.py:Never"):
        told[text] = Question(text).answer(scene, flight, ScatterConfig(), False).margin
    limit, completed, never = told.values()
    assert limit == pytest.approx(1e6 - flight.duration_s)
    assert completed is not None
    assert never is not None and never < 0.0


def test_a_wrong_argument_is_said_at_once() -> None:
    with pytest.raises(ConfigError, match="max_tilt"):
        Question("max_tilt(limit=3)")
