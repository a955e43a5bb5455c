"""The store of a job is followed while another process writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.view.studio.job_views import search_view
from uav_testgen.view.studio.store_reader import StoreReader
from uav_testgen.work.store import FILE_NAME, Record, _checksum, encode

SCENE = load_scene("two_walls")


def evaluation(number: int, distance_m: float | None) -> dict[str, Any]:
    return {
        "number": number, "scenario": SCENE.model_dump(mode="json"), "status": "ok", "distance_m": distance_m,
        "verdicts": [{"outcome": "pass"}], "failure_probability": 0.5,
    }  # fmt: skip


def write(folder: Path, *records: tuple[str, dict[str, Any]], torn: bool = False) -> None:
    folder.mkdir(exist_ok=True)
    data = b"".join(encode(Record(seq, kind, body)) for seq, (kind, body) in enumerate(records))
    (folder / FILE_NAME).write_bytes(data[:-30] if torn else data)


HEADER = ("campaign", {"config": {"budget": {"simulations": 3}, "case": "mission2", "generator": "random"}})


def test_only_whole_lines_count_and_the_rest_follows(tmp_path: Path) -> None:
    two = (HEADER, ("evaluation", evaluation(1, 2.0)), ("evaluation", evaluation(0, 1.0)))
    write(tmp_path, *two, torn=True)
    reader = StoreReader(tmp_path)
    reader.read_on()
    assert reader.counts() == {"evaluated": 1, "flights": 1, "failures": 0, "best_m": 2.0}
    write(tmp_path, *two)
    reader.read_on()
    assert reader.counts() == {"evaluated": 2, "flights": 2, "failures": 1, "best_m": 1.0}
    assert reader.progress(100) == {
        "numbers": [0, 1],
        "distances": [1.0, 2.0],
        "failures": [1, 1],
        "best": [1.0, 1.0],
    }
    assert (reader.first_kind, reader.accept_below_m) == ("campaign", 1.5)
    body = reader.body_of(0)
    assert body is not None and body["distance_m"] == 1.0
    write(tmp_path, HEADER)
    reader.read_on()
    assert reader.counts()["evaluated"] == 0


def test_damage_is_named_and_does_not_stop_the_watching(tmp_path: Path) -> None:
    write(tmp_path, HEADER, ("evaluation", evaluation(0, None)))
    with (tmp_path / FILE_NAME).open("ab") as store:
        store.write(b"garbage\n")
    reader = StoreReader(tmp_path)
    reader.read_on()
    assert reader.counts()["evaluated"] == 1
    assert "cannot be read" in reader.trouble


@pytest.mark.parametrize(
    "changes",
    [
        {"scenario": []},
        {"verdicts": ["pass"]},
        {"verdicts": {"a": 1}},
        {"number": 1e999},
        {"details": 3},
        {"margin": "x"},
    ],
)
def test_whole_records_that_mean_nothing_stop_no_watching(changes: dict[str, Any], tmp_path: Path) -> None:
    records = (("evaluation", {**evaluation(0, 2.0), **changes}), ("evaluation", evaluation(1, 2.0)))
    write(tmp_path, HEADER, *records[1:])
    text = json.dumps({"seq": 1, "kind": "evaluation", "body": records[0][1]}, separators=(",", ":"))
    whole = _checksum(text.encode())
    with (tmp_path / FILE_NAME).open("ab") as store:
        store.write(b'{"check":"' + whole + b'","record":' + text.encode() + b"}\n")
    reader = StoreReader(tmp_path)
    reader.read_on()
    assert reader.counts()["evaluated"] == 1
    assert "cannot be read" in reader.trouble


def test_requirements_and_the_accepted_distance_decide_what_fails(tmp_path: Path) -> None:
    header = ("campaign", {"config": {"screening": {"accept_below_m": 1.0}}})
    near, broken = evaluation(0, 1.2), {**evaluation(1, 5.0), "margin": -0.1}
    write(tmp_path, header, ("evaluation", near), ("evaluation", broken), ("evaluation", evaluation(2, 0.9)))
    reader = StoreReader(tmp_path)
    reader.read_on()
    assert [one["fails"] for one in reader.evaluations] == [False, True, True]
    assert reader.progress(100)["failures"] == [0, 1, 2]


def test_what_another_backend_flew_stands_beside_the_nominal_prediction(tmp_path: Path) -> None:
    predicted = {**evaluation(4, 0.93), "distances_m": [1.07, 0.87, 0.99]}
    flown = {
        "evaluation": 4, "repeat": 0, "backend": "graph", "distance_m": 1.07, "verdict": {"outcome": "soft_fail"},
        "message": "",
    }  # fmt: skip
    broken = {**flown, "distance_m": None, "verdict": None, "message": "no vehicle"}
    write(tmp_path, HEADER, ("evaluation", predicted), ("confirmation", flown), ("confirmation", broken))
    reader = StoreReader(tmp_path)
    reader.read_on()
    first, second = search_view(reader)["flown_again"]
    assert (first["number"], first["predicted_m"], first["distance_m"]) == (4, 1.07, 1.07)
    assert (second["outcome"], second["message"]) == (None, "no vehicle")
