"""A generator's settings on the command line: read, checked and kept like those of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.testing.commands import trial

pytestmark = pytest.mark.system


def generate(out: Path, *words: str) -> int:
    fixed = ("--generator", "random", "--backend", "still", "--jobs", "0", "--out", str(out))
    return main(["generate", "mission2", "4", *fixed, *words])


def stated(out: Path) -> dict:
    return dict(json.loads((out / "summary.json").read_text())["config"]["generator_settings"])


def test_generate_takes_settings_from_options_and_files(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("min_obstacles: 1\nmax_obstacles: 1\nmin_height_m: 20.0\n")
    out = tmp_path / "out"
    words = (
        "--generator-settings",
        str(file),
        "--setting",
        "max_obstacles=2",
        "--setting",
        "min_obstacles=2",
    )
    assert generate(out, *words) == 0
    assert stated(out) == {"min_obstacles": 2, "max_obstacles": 2, "min_height_m": 20.0}
    tests = json.loads((out / "summary.json").read_text())["tests"]
    assert {test["obstacles"] for test in tests} == {2}


def test_a_campaign_file_is_changed_key_by_key(tmp_path: Path) -> None:
    path = trial(
        tmp_path, simulations=4, extra="generator_settings: {max_obstacles: 2, max_height_m: 22.0}\n"
    )
    out = tmp_path / "out"
    words = ["campaign", str(path), "--out", str(out), "--jobs", "0"]
    assert main([*words, "--setting", "max_obstacles=1"]) == 0
    assert stated(out) == {"max_obstacles": 1, "max_height_m": 22.0}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("max_obstacle=2", "settings of generator 'random': unknown key 'max_obstacle', did you mean"),
        ("max_obstacles=many", "settings of generator 'random': max_obstacles:"),
        ("max_obstacles", "--setting 'max_obstacles': KEY=VALUE is expected"),
        ("=3", "KEY=VALUE is expected"),
        ("max_obstacles=[", "cannot be read as YAML"),
    ],
)
def test_wrong_settings_are_refused_like_those_of_a_file(
    given: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate(tmp_path / "out", "--setting", given) == 2
    assert said in capsys.readouterr().err
    if given.startswith("max_obstacle=") or given.endswith("many"):
        path = trial(tmp_path, extra=f"generator_settings: {{{given.replace('=', ': ')}}}\n")
        assert main(["campaign", str(path), "--out", str(tmp_path / "other"), "--jobs", "0"]) == 2
        assert said in capsys.readouterr().err, "the same words"


def test_a_setting_given_twice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--setting", "max_obstacles=1", "--setting", "max_obstacles=2")
    assert generate(tmp_path / "out", *words) == 2
    assert "--setting max_obstacles: given twice" in capsys.readouterr().err


def test_compare_checks_settings_of_algorithms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "config/compare/quick.yaml", "--out", str(tmp_path / "out"), "--jobs", "0"]
    assert main([*words, "--setting", "nsga2.crossover_rat=0.8"]) == 2
    assert "unknown key 'crossover_rat', did you mean 'crossover_rate'?" in capsys.readouterr().err
    assert main([*words, "--setting", "genetic.size=8"]) == 2
    assert "'genetic' is unknown" in capsys.readouterr().err
