"""`uav-testgen figure`: PRGenUAV-LFS's Figure 1 from the shipped scene."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main

pytestmark = [pytest.mark.system, pytest.mark.timeout(1200)]

ROOT = Path(__file__).parents[3]
SCENE = str(ROOT / "config/scenarios/figure1.yaml")


def test_arena_segment_parts_angle_and_path_are_drawn_and_labelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "figure1.svg"
    # Text of an SVG file is outlines unless fonts are left to the reader.
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none"}):
        assert main(["figure", SCENE, "--system", "paper", "--out", str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["part_b_m"] == pytest.approx(2 * facts["part_a_m"], abs=2e-3)
    assert facts["angle_deg"] > 90.0
    assert facts["nominal_distance_m"] < 1.5
    drawn = out.read_text()
    for words in (
        "obstacle designated arena", "segment of interest (SoI)", ">A<", ">B<", "part A, 3.37 m",
        "part B, 6.75 m", "99°", "obstacle 2", "predicted path",
    ):  # fmt: skip
        assert words in drawn, words


def test_without_a_flight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "plain.png"
    assert main(["figure", SCENE, "--out", str(out), "--backend", "none"]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert "part A 3.37 m, part B 6.75 m" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("scene", "out", "words"),
    [
        (SCENE, "figure", "must end in"),
        (SCENE, "absent/figure.png", "no folder"),
        (str(ROOT / "config/missions/mission2.yaml"), "figure.png", "no box crosses"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], scene: str, out: str, words: str
) -> None:
    assert main(["figure", scene, "--out", str(tmp_path / out)]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
