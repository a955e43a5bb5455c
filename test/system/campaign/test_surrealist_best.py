"""Surrealist returns the best it found, whether that fails or not, and flies every candidate n times."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.testing.commands import results
from uav_testgen.testing.factories import make_box, make_mission, make_scenario

pytestmark = pytest.mark.system

CAMPAIGN = """
name: harder
case: test.yaml
generator: surrealist
generator_settings: {{runs: {runs}}}
seed: 3
budget: {{simulations: {simulations}}}
screening: {{backend: still, repeats: 2, settings: {{drift_m: 0.3}}}}
"""


def campaign(folder: Path, simulations: int = 5, runs: int = 4) -> Path:
    """A box so far from the route that a few steps of the search cannot bring the flight near it."""
    save_scenario(folder / "test.yaml", make_scenario(make_box(25.0, -12.0), mission=make_mission()))
    path = folder / "harder.yaml"
    path.write_text(CAMPAIGN.format(simulations=simulations, runs=runs))
    return path


def searched(folder: Path, out: Path, *words: str, **settings: int) -> dict:
    assert (
        main(["campaign", str(campaign(folder, **settings)), "--out", str(out), "--jobs", "0", *words]) == 0
    )
    return dict(json.loads((out / "summary.json").read_text()))


def test_the_best_is_written_although_nothing_fails(tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = searched(tmp_path, out)
    assert found["failures"] == 0
    (test,) = found["tests"]
    assert test["evaluation"] == found["generator_report"]["best"]
    assert test["distance_m"] > 1.5
    assert (out / test["file"]).is_file()
    assert any("is the best the search found" in note for note in found["notes"])
    assert not (out / "generations.csv").exists(), "a greedy search has no generations"


def test_every_candidate_is_flown_as_often_as_set(tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = searched(tmp_path, out, runs=4)
    rows = list(csv.DictReader((out / "evaluations.csv").open()))
    assert [int(row["runs"]) for row in rows] == [1 + 4] * 5, "the nominal run and four drawn ones"
    assert found["flights"] == 5 * 5
    single = tmp_path / "single"
    single.mkdir()
    assert searched(single, single / "out", runs=1)["flights"] == 5


def test_written_again_and_resumed_the_best_is_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out"
    searched(tmp_path, out)
    before = results(out)
    assert main(["report", str(out), "--jobs", "0"]) == 0
    assert results(out) == before
    again = tmp_path / "again"
    again.mkdir()
    lines = (out / "evaluations.jsonl").read_bytes().splitlines(keepends=True)
    (again / "evaluations.jsonl").write_bytes(b"".join(lines[:4]))
    searched(tmp_path, again, "--resume")
    assert results(again) == before
