"""`uav-testgen golden` notices wrong numbers and wrong files."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from test.golden.vectors import VECTORS
from uav_testgen.cli.main import main

STAGE = "stage/stage_004.json.gz"
TIE = "stage/stage_065.json.gz"
SEQUENCE = "sequence/seq_08_reach_goal_slow_planner.json.gz"


def _tampered(tmp_path: Path, name: str, change: Callable[[dict[str, Any]], None]) -> Path:
    data = json.loads(gzip.decompress((VECTORS / name).read_bytes()))
    change(data)
    target = tmp_path / name
    target.parent.mkdir(parents=True)
    target.write_bytes(gzip.compress(json.dumps(data).encode()))
    return tmp_path


def _replay(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["golden", str(folder), "--json"])
    return code, json.loads(capsys.readouterr().out)


def _untouched(data: dict[str, Any]) -> None:
    pass


def test_passing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = _replay(_tampered(tmp_path, STAGE, _untouched), capsys)
    assert code == 0
    assert report["implementation"] == "reference"
    assert report["stage"] == {"passed": 1, "total": 1}
    assert report["unit"] == report["sequence"] == report["closed_loop"] == {"passed": 0, "total": 0}
    assert report["failures"] == []
    assert report["worst"]["stage"]["deviation"] < report["worst"]["stage"]["tolerance"]


def _shift_histogram(data: dict[str, Any]) -> None:
    data["output"]["histogram"][3][2] += 2e-4


def _drop_cell(data: dict[str, Any]) -> None:
    data["output"]["histogram"].pop()


def _other_point(data: dict[str, Any]) -> None:
    data["output"]["kept_new"][-1] += 1


def _dearer(data: dict[str, Any]) -> None:
    data["output"]["cost_matrix"][12][40] *= 1.001


def _swap_candidates(data: dict[str, Any]) -> None:
    rows = data["output"]["candidates"]
    rows[0][1:], rows[4][1:] = rows[4][1:], rows[0][1:]


def _move_path(data: dict[str, Any]) -> None:
    data["output"]["path"][0][1] += 0.002


def _shorten_path(data: dict[str, Any]) -> None:
    data["output"]["path"].pop(0)


def _other_parent(data: dict[str, Any]) -> None:
    data["output"]["tree"]["parent"][-1] = 0


def _blind_distance(data: dict[str, Any]) -> None:
    ranges = data["output"]["obstacle_distance"]
    ranges[ranges.index(15.01)] = None


@pytest.mark.parametrize(
    ("change", "quantity"),
    [
        (_shift_histogram, "histogram.distance"),
        (_drop_cell, "histogram.cells"),
        (_other_point, "kept_new"),
        (_dearer, "cost_matrix"),
        (_swap_candidates, "candidates.direction"),
        (_move_path, "path"),
        (_shorten_path, "path"),
        (_other_parent, "tree.parent"),
        (_blind_distance, "obstacle_distance"),
    ],
)
def test_wrong_stage_number_is_found(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, Any]], None],
    quantity: str,
) -> None:
    code, report = _replay(_tampered(tmp_path, STAGE, change), capsys)
    assert code == 1
    assert report["stage"] == {"passed": 0, "total": 1}
    assert quantity in {failure["quantity"] for failure in report["failures"]}
    assert all(failure["case"] == STAGE for failure in report["failures"])


def _other_state(data: dict[str, Any]) -> None:
    data["steps"][20]["waypoint"]["state"] = "LOITER"


def _later_yaw(data: dict[str, Any]) -> None:
    data["steps"][7]["waypoint"]["setpoint_yaw_rad"] += 2e-4


def _demand_velocity(data: dict[str, Any]) -> None:
    data["steps"][9]["waypoint"]["linear_velocity_wp"][2] = 0.0


@pytest.mark.parametrize(
    ("change", "quantity", "step"),
    [
        (_other_state, "waypoint.state", 20),
        (_later_yaw, "waypoint.setpoint_yaw", 7),
        (_demand_velocity, "waypoint.linear_velocity_wp", 9),
    ],
)
def test_wrong_sequence_number_is_found(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, Any]], None],
    quantity: str,
    step: int,
) -> None:
    code, report = _replay(_tampered(tmp_path, SEQUENCE, change), capsys)
    assert code == 1
    assert [failure["quantity"] for failure in report["failures"]] == [quantity]
    assert f"in step {step}" in report["failures"][0]["detail"]


def test_tie_order_is_demanded_of_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def mirrored(data: dict[str, Any]) -> None:
        data["output"]["path"][0][1] *= -1.0

    code, report = _replay(_tampered(tmp_path, TIE, mirrored), capsys)
    assert code == 1
    assert [failure["quantity"] for failure in report["failures"]] == ["path"]


def test_text_names_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["golden", str(_tampered(tmp_path, STAGE, _move_path))]) == 1
    output = capsys.readouterr().out
    assert "stage        0 / 1 passed" in output
    assert f"FAILED {STAGE}: path deviates by 0.002" in output


def test_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["golden", str(tmp_path / "nowhere")]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_folder_without_vectors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["golden", str(tmp_path)]) == 2
    assert "holds no vectors" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [
        b"not gzip",
        gzip.compress(b"{}")[:-6],
        gzip.compress(b"{ not json"),
        gzip.compress(b"\xff\xfe"),
        gzip.compress(b"[]"),
        gzip.compress(b"{}"),
        b"",
    ],
    # Compressed bytes hold the time of compression, and test workers must agree on the names.
    ids=["not gzip", "cut", "not json", "not utf-8", "a list", "no fields", "empty"],
)
def test_broken_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    (tmp_path / "stage").mkdir()
    shutil.copy(VECTORS / STAGE, tmp_path / "stage")
    (tmp_path / "stage" / "stage_999.json.gz").write_bytes(content)
    assert main(["golden", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "stage_999.json.gz" in error
    assert "unexpected" not in error


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("input", "position"), [0.0, 1.0], "'position' must have shape (3)"),
        (("input", "position"), "here", "'position'"),
        (("input", "goal"), None, "'goal' must have shape"),
        (("input", "goal"), [1.0, None, 2.0], "goal must be finite"),
        (("input", "config", "children_per_node_"), -1, "children_per_node"),
        (("input", "config", "childern"), 1, "childern"),
        (("input", "px4", "MPC_CRUISE"), 1, "MPC_CRUISE"),
        (("output", "histogram"), [[31, 2, 1.0]], "outside the 30 x 60 matrix"),
        (("output", "histogram_empty"), "no", "true or false"),
        (("input", "clouds"), 7, "clouds"),
        (("input", "quaternion_wxyz"), [0.0, 0.0, 0.0, 0.0], None),
    ],
)
def test_wrong_field_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: tuple[str, ...], value: Any, words: str | None
) -> None:
    def change(data: dict[str, Any]) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    code = main(["golden", str(_tampered(tmp_path, STAGE, change))])
    error = capsys.readouterr().err
    if words is None:
        assert code == 1
        return
    assert code == 2
    assert "stage_004.json.gz" in error
    assert words in error
    assert "unexpected" not in error
