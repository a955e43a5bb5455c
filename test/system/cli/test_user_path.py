"""A new user's path: a small campaign, its first test flown again by `fly`, the same numbers everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from uav_testgen.cli.main import main
from uav_testgen.scenario.formats.aerialist import load_test
from uav_testgen.scenario.formats.aerialist_frame import flat_numbers
from uav_testgen.scenario.formats.prediction_note import load_note

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("compiled")]
SAME = 1e-9
CAMPAIGN = """\
name: first
case: mission2
generator: prgen
seed: 1
batch_size: 6
budget: {simulations: 12}
confirmation: {backend: none}
ranking: {suite_size: 2}
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small campaign."""
    folder = tmp_path_factory.mktemp("path")
    (folder / "first.yaml").write_text(CAMPAIGN)
    assert main(["campaign", str(folder / "first.yaml"), "--out", str(folder / "out"), "--jobs", "0"]) == 0
    return folder / "out"


@pytest.fixture
def first_test(campaign: Path) -> Path:
    """The best test of the campaign."""
    return next(campaign.glob("tests/001-*.yaml"))


class Door:
    """`fly --json` and what it says on stderr."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys = folder, capsys
        self.code, self.said = -1, ""

    def fly(self, *words: object) -> dict[str, Any]:
        self._capsys.readouterr()
        self.code = main(["fly", *map(str, words), "--json", "--out", str(self._folder / "flown")])
        written = self._capsys.readouterr()
        self.said = written.err
        data: dict[str, Any] = json.loads(written.out) if written.out else {}
        return data


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return Door(tmp_path, capsys)


def entry(campaign: Path) -> dict[str, Any]:
    """What the summary says about the best test."""
    found: dict[str, Any] = json.loads((campaign / "summary.json").read_text())["tests"][0]
    return found


@pytest.mark.parametrize("more", [(), ("--runs", "5")], ids=["as it is", "five runs"])
def test_flying_a_found_test_gives_the_reported_numbers(
    campaign: Path, first_test: Path, door: Door, more: tuple[str, ...]
) -> None:
    told, note = entry(campaign), load_note(first_test)
    assert note is not None
    found = door.fly(first_test, *more)
    assert door.code == 1 and door.said == "", "a test that fails, and nothing to remark"
    again = found["prediction"]
    assert again["system"] == note.system == "px4_mission_v1.12" and again["seed"] == note.seed
    assert again["runs"] == note.runs == 5
    for name in ("distance_m", "failure_probability", "nominal_distance_m"):
        assert again[name] == pytest.approx(told[name], abs=SAME)
        assert again[name] == pytest.approx(getattr(note, name), abs=SAME)
    assert again["distances_m"] == pytest.approx(told["distances_m"], abs=SAME)
    assert again["counts"] == told["counts"] == note.counts
    assert "wall'" in found["nominal"]["sentence"], "obstacles are called as in the report"
    assert found["scenario_id"] == told["scenario_id"] == first_test.stem.split("-")[1]


def test_the_command_in_the_summary_flies_it(
    campaign: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(campaign)
    told = entry(campaign)
    program, *words = told["fly_again"].split()
    assert program == "uav-testgen"
    assert main(words) == 1
    assert f"{told['distance_m']:.2f} m predicted (median of 5 runs" in capsys.readouterr().out


@pytest.mark.parametrize("measure", ["aerialist", "aerialist_centre"])
def test_fidelity_gives_what_fly_gives_for_the_scene(
    first_test: Path, door: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str], measure: str
) -> None:
    keys = ("l", "w", "h", "x", "y", "z", "r")
    boxes = [
        dict(zip(keys, flat_numbers(one), strict=True)) for one in load_test(first_test).scenario.obstacles
    ]
    assert all(box["z"] == 0.0 for box in boxes)
    record = {
        "id": "T-001",
        "mission": "mission2",
        "obstacles": boxes,
        "min_distance_m": 1.0,
        "measure": measure,
    }
    (tmp_path / "flights.jsonl").write_text(json.dumps(record) + "\n")
    out = tmp_path / "compared"
    assert main(["fidelity", str(tmp_path), "--jobs", "1", "--out", str(out), "--json"]) == 0
    row = json.loads((out / "predictions.jsonl").read_text())
    capsys.readouterr()
    flown = door.fly(first_test, "--seed", row["seed"])["prediction"]["measures"][measure]
    assert row["predicted_m"] == pytest.approx(flown["distance_m"], abs=SAME)
    assert row["failure_probability"] == pytest.approx(flown["probability_below_1_5_m"], abs=SAME)


@pytest.mark.parametrize(
    ("changes", "remark"),
    [
        ({"version": "0.0.1"}, "predicted by version 0.0.1"),
        ({"preset_version": 77}, "predicted with system px4_mission_v1.12 (preset 77)"),
        ({"system": "elsewhere"}, "predicted with system elsewhere"),
        ({"distance_m": 9.0}, "the file says 9.00 m"),
    ],
)
def test_numbers_that_cannot_be_expected_again_are_remarked_in_one_line(
    first_test: Path, door: Door, changes: dict[str, Any], remark: str
) -> None:
    document = yaml.safe_load(first_test.read_text())
    document["prediction"] |= changes
    other = first_test.with_name("other.yaml")
    other.write_text(yaml.safe_dump(document))
    door.fly(other)
    assert door.code == 1
    (line,) = door.said.splitlines()
    assert line.startswith("note: ") and remark in line
    other.unlink()


def test_another_system_is_remarked_and_another_seed_is_not(first_test: Path, door: Door) -> None:
    assert door.fly(first_test, "--system", "paper")["prediction"]["system"] == "paper"
    assert "predicted with system px4_mission_v1.12" in door.said
    door.fly(first_test, "--seed", "3")
    assert door.said == ""


def test_exit_codes_tell_safe_from_too_close(door: Door, tmp_path: Path) -> None:
    scene = {
        "mission": "mission2",
        "obstacles": [{"center_enu_m": [30.0, 40.0, 10.0], "size_m": [4.0, 4.0, 20.0]}],
    }
    (tmp_path / "far.yaml").write_text(yaml.safe_dump(scene))
    far = door.fly(tmp_path / "far.yaml", "--runs", "1")
    assert door.code == 0 and far["prediction"]["distance_m"] > 1.5 and far["nominal"]["outcome"] == "pass"


def test_undisturbed_is_one_flight(first_test: Path, door: Door) -> None:
    door.fly(first_test, "--undisturbed", "--runs", "3")
    assert door.code == 2 and "--undisturbed: nothing varies" in door.said
    alone = door.fly(first_test, "--undisturbed")
    assert alone["prediction"]["runs"] == 0 and alone["runs"] == []
    assert alone["prediction"]["distance_m"] == alone["nominal"]["distance_m"]
