"""Tables fitted on made-up records whose errors are known: they hold on missions left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.flown import FlownRecord
from uav_testgen.fidelity.intervals import (
    cases_of,
    coverage_of,
    fit_table,
    held_by,
    left_out,
    new_missions,
    reliability_of,
    with_table,
)
from uav_testgen.fidelity.predicted_before import predicted_before
from uav_testgen.fidelity.records import load_records
from uav_testgen.flight.model import Ending
from uav_testgen.loop.system import named_system
from uav_testgen.predict.conformal import KEY, table_of
from uav_testgen.predict.distribution import Distribution, Run

SYSTEM = named_system()
MISSIONS = 3
PER_MISSION = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records and predictions on disk: predicted distances are off by a bias, a skew and a few gross errors."""
    random = np.random.default_rng(5)
    records, rows = [], []
    for number in range(MISSIONS * PER_MISSION):
        predicted_m = float(random.uniform(0.2, 4.0))
        error_m = (
            float(random.gamma(2.0, 0.15) - 0.1) if random.uniform() < 0.9 else float(random.uniform(-2, 3))
        )
        mission = f"mission{1 + number % MISSIONS}"
        box = {"x": 10.0, "y": 20.0, "l": 4.0, "w": 4.0, "h": 20.0, "r": 0.0}
        records.append({"id": f"M-{number:03}", "mission": mission, "obstacles": [box],
                        "min_distance_m": max(predicted_m + error_m, 0.0), "measure": "aerialist"})  # fmt: skip
        drawn = np.maximum(predicted_m + random.normal(0.0, 0.1, 5), 0.0)
        rows.append({"id": f"M-{number:03}", "seed": number, "ending": "goal_reached", "runs": [
            {"distance_m": float(d), "duration_s": 60.0, "ending": "goal_reached"} for d in drawn]})  # fmt: skip
    path = tmp_path_factory.mktemp("records")
    _lines(path / "layouts.jsonl", records)
    _lines(path / "predictions.jsonl", rows)
    said = {"system": SYSTEM.name, "preset_version": SYSTEM.version, "runs": 5, "seed": 1}
    (path / "summary.json").write_text(json.dumps(said))
    return path


def _lines(path: Path, rows: Sequence[Any]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n")


@pytest.fixture(scope="module")
def flown(folder: Path) -> list[FlownRecord]:
    found, runs, seed = predicted_before(folder, load_records(folder)[0], SYSTEM)
    assert (len(found), runs, seed) == (MISSIONS * PER_MISSION, 5, 1)
    return found


def test_intervals_hold_on_missions_left_out(flown: list[FlownRecord]) -> None:
    found = left_out(cases_of(flown), 5, 1)
    assert found is not None and found["all"]["inside"]
    assert len(found["per_mission"]) == MISSIONS
    assert all(row["inside"] for row in (*found["per_mission"].values(), *found["per_distance"].values()))
    assert sum(row["records"] for row in found["per_distance"].values()) == len(flown)


def test_a_table_of_other_errors_is_found_out(flown: list[FlownRecord]) -> None:
    """Intervals that are too narrow fall out of the band."""
    table = fit_table(cases_of(flown), 5, 1)
    narrow = table.model_copy(
        update={
            "bins": tuple(one.model_copy(update={"farther_m": one.farther_m - 0.4}) for one in table.bins)
        }
    )
    assert coverage_of(cases_of(flown), lambda one: table)["all"]["inside"]
    assert not coverage_of(cases_of(flown), lambda one: narrow)["all"]["inside"]


def test_a_mission_of_its_own_kind_gets_its_own_shift(flown: list[FlownRecord]) -> None:
    """Where one mission is off by far more than the others, flights left out still hold there."""
    others = [case for case in cases_of(flown) if case.mission != "mission3"]
    own = [case for case in cases_of(flown) if case.mission == "mission3"][::3]
    off = [
        replace(case, measured_m=case.measured_m + (1.5 if number % 2 else -0.5))
        for number, case in enumerate(own)
    ]
    cases = [*others, *off]
    table = fit_table(cases, 5, 1)
    assert list(table.missions) == ["mission3"] and table.missions["mission3"].farther_m > 0.1
    found = left_out(cases, 5, 1)
    assert found is not None and found["per_mission"]["mission3"]["inside"]
    elsewhere = new_missions(cases, 5, 1)
    assert elsewhere is not None and not elsewhere["per_mission"]["mission3"]["inside"], "nobody could know"


def test_failure_probabilities_are_compared_with_what_happened(flown: list[FlownRecord]) -> None:
    rows = reliability_of(cases_of(flown))
    assert sum(row["records"] for row in rows) == len(flown)
    assert sum(row["failed"] for row in rows) == sum(one.record.distance_m < 1.5 for one in flown)
    sure = [replace(case, probability=0.5) for case in cases_of(flown) if not case.failed]
    assert [row["inside"] for row in reliability_of(sure)] == [False]


def test_distances_of_the_centre_are_taken_as_aerialist_does(flown: list[FlownRecord]) -> None:
    one = flown[0]
    drawn = Distribution((Run(2.0, 60.0, Ending.GOAL_REACHED),), one.distribution.error)
    centre = replace(
        one, distribution=drawn, record=replace(one.record, measure="aerialist_centre", distance_m=2.0)
    )
    (case,) = cases_of([centre])
    assert case.distance_m == case.measured_m < 2.0


def test_too_few_records_and_one_mission(flown: list[FlownRecord]) -> None:
    with pytest.raises(InputFileError, match="too few"):
        fit_table(cases_of(flown[:50]), 5, 1)
    found = held_by(flown[:20], named_system("paper"), 5, 1)
    assert found["preset"] is found["left_out"] is found["new_missions"] is None


def test_the_next_version_of_the_preset_has_the_table(flown: list[FlownRecord]) -> None:
    table = fit_table(cases_of(flown), 5, 1)
    preset = with_table(SYSTEM, table)
    assert preset.version == SYSTEM.version + 1 and table_of(preset) == table
    assert {**preset.calibration, KEY: None} == {**SYSTEM.calibration, KEY: None}


def test_the_command_writes_the_preset(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "mine.yaml"
    words = ["calibrate", str(folder), "--intervals", "--predicted", str(folder)]
    assert main([*words, "--out", str(written)]) == 0
    said = capsys.readouterr().out
    assert "99 % band" in said and "outside" not in said and str(written) in said
    preset = named_system(str(written))
    assert preset.version == SYSTEM.version + 1 and preset.vehicle == SYSTEM.vehicle
    found = table_of(preset)
    assert found is not None and found.records == MISSIONS * PER_MISSION and found.left_out["inside"]
    assert main([*words, "--system", "paper", "--dry-run"]) == 2
    assert "not calibrated" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"summary.json": '{"system": "other", "preset_version": 1}'}, "predictions of other"),
        ({"summary.json": "[]"}, "no predictions"),
        ({"predictions.jsonl": '{"id": 3}'}, "no prediction"),
        ({"summary.json": None}, "cannot be read"),
    ],
)
def test_foreign_predictions_are_refused(
    folder: Path, tmp_path: Path, wrong: dict[str, str | None], words: str
) -> None:
    for name in ("summary.json", "predictions.jsonl"):
        text = wrong.get(name, (folder / name).read_text())
        if text is not None:
            (tmp_path / name).write_text(text)
    with pytest.raises(InputFileError, match=words):
        predicted_before(tmp_path, load_records(folder)[0], SYSTEM)
