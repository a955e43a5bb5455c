"""Real flights that ship: predicted as near, and on the same side, as they were flown.

The figures over all recorded flights are in docs/lab/fidelity.md. These few guard against losing them: a bound
here is about twice what was seen when the flights were added (0.16 m, 0.68 m, 0.14 m).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.resources import config_folder
from uav_testgen.fidelity.records import Record, load_records
from uav_testgen.oracle.judging import judge
from uav_testgen.testing.factories import make_flight

FLIGHTS = config_folder("flights")
MEDIAN_ERROR_M = 0.35
LARGEST_ERROR_M = 1.2
MEDIAN_PATH_ERROR_M = 0.3
TOO_CLOSE_M = 1.5


def records() -> list[Record]:
    found, skipped = load_records(FLIGHTS)
    assert len(found) == 8 and not skipped
    return found


def predicted(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[dict[str, Any], list[Any]]:
    """The summary and the single predictions of `uav-testgen fidelity`."""
    assert main(["fidelity", str(folder), "--json", "--jobs", "1", "--out", str(out), *words]) == 0
    rows = [json.loads(line) for line in (out / "predictions.jsonl").read_text().splitlines()]
    return json.loads(capsys.readouterr().out), rows


def broken(summary: dict[str, Any], rows: list[Any]) -> list[str]:
    """What is not as near as it should be."""
    found = []
    if summary["median_abs_error_m"] > MEDIAN_ERROR_M:
        found.append("median error of the distance")
    if max(abs(row["predicted_m"] - row["measured_m"]) for row in rows) > LARGEST_ERROR_M:
        found.append("largest error of a distance")
    if summary["median_path_error_m"] > MEDIAN_PATH_ERROR_M:
        found.append("median error of the path")
    if summary["same_side"] < 1.0:
        found.append("side on which an obstacle is passed")
    if not all(row["failure_probability"] > 0.5 for row in rows if row["measured_m"] < TOO_CLOSE_M):
        found.append("a failure that is thought unlikely")
    return found


@pytest.mark.parametrize("record", records(), ids=lambda record: record.id)
def test_the_oracle_measures_what_aerialist_measured(record: Record) -> None:
    flight = make_flight(record.scenario, record.path_txyz[:, 1:].tolist(), period_s=0.5)
    distance_m = judge(record.scenario, flight).min_distance_aerialist_m
    assert distance_m == pytest.approx(record.distance_m, abs=0.05)


def test_distance_path_and_side_are_predicted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary, rows = predicted(FLIGHTS, tmp_path, capsys)
    assert summary["n"] == 8 and summary["sides_compared"] >= 13
    assert broken(summary, rows) == []


def test_every_bound_can_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same flights with length and width exchanged, as a mistake between two frames would do."""
    lines = (FLIGHTS / "flights.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = [json.loads(line) for line in lines]
    for record in wrong:
        for box in record["obstacles"]:
            box["l"], box["w"] = box["w"], box["l"]
    (tmp_path / "flights.jsonl").write_text("".join(json.dumps(record) + "\n" for record in wrong))
    # Recorded paths lead through boxes that were not there.
    summary, rows = predicted(tmp_path, tmp_path / "out", capsys, "--keep-impossible")
    assert len(broken(summary, rows)) == 5
