"""`uav-testgen fidelity` and `calibrate` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.cli.main import main

KEYS = {
    "n", "spearman", "pearson", "median_abs_error_m", "rmse_m", "auc_1_5m", "precision_1_5m", "recall_1_5m",
    "auc_1_0m", "brier", "median_path_error_m", "same_side", "per_mission", "confidence_95", "skipped",
}  # fmt: skip


def write_records(folder: Path, *records: dict[str, Any]) -> None:
    (folder / "layouts.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


def record(name: str, x: float, distance_m: float | None) -> dict[str, Any]:
    box = {"x": x, "y": 25.0, "l": 6.0, "w": 6.0, "h": 20.0, "r": 0.0}
    return {"id": name, "mission": "mission1", "obstacles": [box], "min_distance_m": distance_m}


def test_figures_and_skipped_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_records(tmp_path, record("S-1", 0.0, 2.0), record("S-2", 12.0, 7.3), record("S-3", 5.0, None))
    out = tmp_path / "out"
    assert main(["fidelity", str(tmp_path), "--json", "--jobs", "1", "--runs", "2", "--out", str(out)]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary.keys() >= KEYS
    assert summary["n"] == 2
    assert summary["spearman"] == pytest.approx(1.0)
    assert [row["id"] for row in summary["skipped"]] == ["S-3"]
    assert (out / "scatter.png").stat().st_size > 5000
    rows = [json.loads(line) for line in (out / "predictions.jsonl").read_text().splitlines()]
    assert [len(row["runs"]) for row in rows] == [2, 2]
    assert all(0.0 <= row["failure_probability"] <= 1.0 for row in rows)


def test_records_can_be_left_out_and_impossible_ones_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    through = record("S-3", 0.0, 0.0) | {
        "path_txyz": [[float(t), 0.0, 2.0 * t, 10.0] for t in range(25)],
    }
    write_records(tmp_path, record("S-1", 0.0, 2.0), record("T-2", 12.0, 7.3), through)
    common = ["fidelity", str(tmp_path), "--json", "--jobs", "1", "--runs", "1"]
    assert main(common) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["n"] == 2
    assert "solid part" in summary["skipped"][0]["reason"]
    assert main([*common, "--keep-impossible", "--without", "T-"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["n"], summary["skipped"], summary["without"]) == (2, [], ["T-"])
    assert main([*common, "--without", "["]) == 2
    assert "not a regular expression" in capsys.readouterr().err


def test_wrong_options_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["fidelity", str(tmp_path), "--runs", "0"])
    assert stop.value.code == 2
    write_records(tmp_path, record("S-1", 0.0, 2.0))
    for option in ("--vehicle", "--system", "--camera"):
        assert main(["fidelity", str(tmp_path), option, "rocket"]) == 2
        assert "unknown" in capsys.readouterr().err


def test_wrong_folders_say_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fidelity", str(tmp_path / "absent")]) == 2
    assert "no such folder" in capsys.readouterr().err
    write_records(tmp_path, record("S-1", 0.0, None))
    assert main(["fidelity", str(tmp_path)]) == 2
    assert "no usable record" in capsys.readouterr().err
    write_records(tmp_path, record("S-1", 0.0, 2.0))
    assert main(["calibrate", str(tmp_path)]) == 2
    assert "at least 3 scenes" in capsys.readouterr().err


HFS = Path(__file__).parents[4] / "shared" / "hfs"


@pytest.mark.skipif(not (HFS / "flights.jsonl").is_file(), reason="needs the records of ../shared/hfs")
def test_a_few_real_flights_are_predicted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (HFS / "flights.jsonl").read_text().splitlines()
    chosen = [line for line in lines if json.loads(line)["id"] in {"24CS2-009", "24CS3-013", "24CS7-045"}]
    assert len(chosen) == 3
    (tmp_path / "flights.jsonl").write_text("\n".join(chosen) + "\n")
    assert main(["fidelity", str(tmp_path), "--json", "--jobs", "1"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["n"] == 3
    # Free flights of these three are on the recorded side of every box and near the recorded path.
    assert summary["same_side"] == 1.0
    assert summary["median_path_error_m"] < 0.8
