"""`uav-testgen score` on a folder as a campaign leaves it."""

from __future__ import annotations

import json

import pytest

from uav_testgen.cli.main import main
from uav_testgen.flight.json_io import save_flights
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario


def straight(distance_m):
    """120 s along the northern side (3 m) of a box at (25, 0), at a given centre-line distance."""
    return [(0.5 * step * 50.0 / 120.0, 3.0 + distance_m, 10.0) for step in range(241)]


@pytest.fixture
def suite(tmp_path):
    """Two tests with two and one runs; distances are Aerialist's plus 0.125 m."""
    mission = make_mission()
    for number, (north_m, runs) in enumerate([(0.0, (0.2, 1.2)), (-12.0, (9.0,))], start=1):
        scenario = make_scenario(make_box(25.0, north_m), mission=mission)
        stem = f"{number:03d}-{scenario.id}"
        save_test(tmp_path / "tests" / f"{stem}.yaml", scenario)
        flights = [make_flight(scenario, straight(d + 0.125), period_s=0.5) for d in runs]
        save_flights(tmp_path / "flights" / f"{stem}.json", f"{stem}.yaml", flights)
    return tmp_path


def scored(capsys, *arguments):
    code = main(["score", *map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("rules", ["2024", "2025", "2026"])
def test_score(suite, capsys, rules):
    code, data = scored(capsys, suite, "--rules", rules)
    assert code == 0
    # Points 5 and 1, one obstacle, two minutes.
    assert data["tests"][0]["points"] == [5, 1]
    assert data["tests"][0]["score"] == pytest.approx(3.0 * 10.0 / 2.0)
    assert data["tests"][1]["points"] == [0]
    assert data["diversity"] == 1.0
    assert data["failing"] == 1
    expected = 15.0 if rules == "2025" else 15.0 * data["similarity_factor"]
    assert data["failure_score"] == pytest.approx(expected)


def test_text(suite, capsys):
    assert main(["score", str(suite)]) == 0
    text = capsys.readouterr().out
    assert "rules 2025: failure score 15.000, diversity 1.000" in text


def test_flights_of_another_backend_can_be_left_out(suite, capsys):
    _, data = scored(capsys, suite, "--backend", "px4")
    assert data["failure_score"] == 0.0
    assert "no flight of" in data["notes"][0]


def test_flights_are_found_by_number(suite, capsys):
    (file,) = (suite / "flights").glob("001-*.json")
    content = json.loads(file.read_text())
    file.unlink()
    (suite / "flights" / "1-renamed.json").write_text(json.dumps({"runs": content["runs"]}))
    _, data = scored(capsys, suite)
    assert data["tests"][0]["points"] == [5, 1]


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda d: (d / "tests").rename(d / "other"), "no such folder"),
        (lambda d: [file.unlink() for file in (d / "flights").iterdir()], "fly the tests first"),
        (lambda d: [file.unlink() for file in (d / "tests").glob("*.yaml")], "no tests"),
        (lambda d: next((d / "tests").glob("001*.yaml")).unlink(), "which is not in"),
        (lambda d: next((d / "flights").glob("001*.json")).write_text("{"), "not valid JSON"),
    ],
)
def test_spoilt_folders(suite, capsys, spoil, message):
    spoil(suite)
    assert main(["score", str(suite)]) == 2
    assert message in capsys.readouterr().err


def test_wrong_options(suite, capsys):
    assert main(["score", str(suite), "--similar-path", "-1"]) == 2
    assert "similar_path_m" in capsys.readouterr().err
