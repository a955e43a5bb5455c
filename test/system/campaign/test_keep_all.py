"""NSGA-II generator (RP2.2), sections 3 and 5: generations are shown, simulations leave their files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from uav_testgen.campaign.config import load_campaign
from uav_testgen.cli.main import main
from uav_testgen.generator.nsga2 import Nsga2Config
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.testing.commands import trial

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[3]


def nsga2_trial(folder: Path) -> Path:
    path = trial(folder, simulations=30)
    settings = "generator: nsga2\ngenerator_settings: {population: 6, obstacles: 1, seed_spread_m: 5}"
    path.write_text(path.read_text().replace("generator: random", settings))
    return path


def files(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((out / "simulations").iterdir())}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keep-all")
    words = ["campaign", str(nsga2_trial(folder)), "--out", str(folder / "out"), "--jobs", "0", "--keep-all"]
    assert main(words) == 0
    return folder / "out"


def test_all_simulations_leave_yaml_and_json(finished: Path) -> None:
    """Section 5: a YAML test file, and a JSON result with minimum distance, time and a timestamped path."""
    flown = [
        row
        for row in csv.DictReader((finished / "evaluations.csv").open())
        if row["status"] != "invalid_scenario"
    ]
    results = {path.stem: json.loads(path.read_text()) for path in (finished / "simulations").glob("*.json")}
    tests = {path.stem: path for path in (finished / "simulations").glob("*.yaml")}
    assert len(flown) == len(results) == len(tests) == 30
    for stem, result in results.items():
        scenario = load_scenario(tests[stem])
        assert scenario.obstacles
        assert result["test"] == f"{stem}.yaml"
        assert result["status"] == "valid"
        assert result["distance_m"] >= 0.0
        times, places = result["path"]["t_s"], result["path"]["position_enu_m"]
        assert len(times) == len(places) > 2
        assert times == sorted(times)
        assert result["duration_s"] == pytest.approx(times[-1], abs=1.0)


def test_written_later_or_again_they_are_the_same(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["campaign", str(nsga2_trial(tmp_path)), "--out", str(out), "--jobs", "0"]
    assert main(words) == 0
    assert not (out / "simulations").exists()
    assert main(["report", str(out), "--jobs", "0", "--keep-all"]) == 0
    assert files(out) == files(finished)
    for path in (out / "simulations").iterdir():
        path.unlink()
    assert main([*words, "--resume", "--keep-all"]) == 0
    assert files(out) == files(finished)


def test_the_console_shows_every_generation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Section 3: a diagnostic logger prints best distances, novelties and durations of each generation."""
    out = tmp_path / "out"
    assert main(["campaign", str(nsga2_trial(tmp_path)), "--out", str(out), "--jobs", "0"]) == 0
    # A generation may take several lines; the further ones are indented.
    text = capsys.readouterr().err.replace("\n    ", " ")
    shown = [line for line in text.splitlines() if line.startswith("generation ")]
    stated = json.loads((out / "summary.json").read_text())["generator_report"]["generations"]
    assert len(shown) == len(stated) >= 3
    for number, (line, row) in enumerate(zip(shown, stated, strict=True)):
        assert line.startswith(f"generation {number}: evaluations {row['evaluations']:g}, valid ")
        for word in (
            "best distance",
            "median distance",
            "diversity",
            "mean novelty",
            "max novelty",
            "mean duration",
        ):
            assert word in line


def test_the_shipped_settings_are_the_published_ones() -> None:
    """Sections 2 and 6: three boxes, the bounds of the competition, seed 42."""
    config = load_campaign(ROOT / "config/campaign/nsga2.yaml")
    settings = Nsga2Config.model_validate(config.generator_settings)
    assert (settings.obstacles, config.seed, config.generator) == (3, 42, "nsga2")
    arena = config.arena
    assert (arena.north_min_m, arena.north_max_m, arena.east_min_m, arena.east_max_m) == (-40, 30, 10, 40)
    assert (arena.min_side_m, arena.max_side_m) == (2, 20)
    assert (arena.min_height_m, arena.max_height_m, arena.max_rotation_deg) == (10, 25, 90)
    assert config.screening.accept_below_m == 1.5
