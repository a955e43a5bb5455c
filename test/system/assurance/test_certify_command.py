"""`certify` from the shell: what it prints, keeps and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.testing.short_scene import SHORT_SCENE


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "short.yaml"
    path.write_text(SHORT_SCENE)
    return path


def test_a_certificate_that_goes_on(scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["certify", str(scene), "--require", "always (clearance > 2.9 m)", "--flights", "100", "--jobs", "0",
             "--method", "monte-carlo", "--out", str(tmp_path / "out"), "--plot", "--json"]  # fmt: skip
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    low, high = found["simulated"]["interval"]
    assert 0.0 < low < found["simulated"]["probability"] < high < 1.0
    assert found["flights"] == found["independent_flights"] == 100
    assert found["real"]["interval"][0] < found["real"]["interval"][1]
    assert (tmp_path / "out" / "certificate.png").stat().st_size > 10_000
    assert main([*words[:-1]]) == 0  # everything comes from the folder
    text = capsys.readouterr().out
    assert f"{found['simulated']['probability']:.3g}, 95% interval" in text
    assert main([word.replace("2.9", "3.0") for word in words]) == 2
    assert "belongs to another question ('requirement' differs)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--require", "always (distnce > 1)"],
            "character 9: unknown signal 'distnce', did you mean 'distance'?",
        ),
        (["--flights", "3"], "at least 100 flights"),
        (["--method", "magic"], "known: auto, monte-carlo, splitting"),
        (
            ["--method", "splitting", "--flights", "200"],
            "splitting needs at least 1000 flights on each level",
        ),
        (["--confidence", "2"], "confidence"),
        (["--within", "-1"], "0 to 100 m"),
        (["--generator", "rndom"], "did you mean 'random'?"),
    ],
)
def test_wrong_questions(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert main(["certify", str(scene), *words, "--jobs", "0", "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1
