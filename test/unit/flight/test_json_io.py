"""Flights and trajectories as files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from uav_testgen.core.errors import InputFileError, StoreError
from uav_testgen.flight.json_io import (
    flight_from_json,
    flight_to_json,
    load_flights,
    load_trajectory_csv,
    save_flights,
    trajectory_to_csv,
)
from uav_testgen.flight.model import Ending
from uav_testgen.testing.factories import make_box, make_flight, make_scenario


@pytest.fixture
def flight():
    points = [(0.1 * k, np.sin(k), 10.0) for k in range(20)]
    return make_flight(make_scenario(), points, Ending.TIME_LIMIT, seed=9)


def test_flights_come_back(tmp_path, flight):
    save_flights(tmp_path / "flights" / "001-a.json", "001-a.yaml", [flight, flight])
    name, runs = load_flights(tmp_path / "flights" / "001-a.json")
    assert name == "001-a.yaml"
    assert len(runs) == 2
    again = runs[0]
    assert (again.scenario_id, again.seed, again.ending) == (flight.scenario_id, 9, Ending.TIME_LIMIT)
    assert np.allclose(again.trajectory.position_enu_m, flight.trajectory.position_enu_m, atol=1e-6)
    assert np.allclose(again.trajectory.t_s, flight.trajectory.t_s, atol=1e-6)
    # A second trip changes nothing, so files can be rewritten without drifting.
    assert flight_to_json(flight_from_json(flight_to_json(again))) == flight_to_json(again)


def test_one_bare_flight_is_one_run(tmp_path, flight):
    (tmp_path / "f.json").write_text(json.dumps(flight_to_json(flight)))
    name, runs = load_flights(tmp_path / "f.json")
    assert (name, len(runs)) == ("f", 1)


def test_csv_comes_back(tmp_path, flight):
    (tmp_path / "t.csv").write_text(trajectory_to_csv(flight.trajectory))
    again = load_trajectory_csv(tmp_path / "t.csv")
    assert np.allclose(again.position_enu_m, flight.trajectory.position_enu_m, atol=1e-6)
    assert np.allclose(again.velocity_enu_mps, flight.trajectory.velocity_enu_mps, atol=1e-6)


def without(data, *keys):
    return {key: value for key, value in data.items() if key not in keys}


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda d: without(d, "ending"), "'ending' is missing"),
        (lambda d: {**d, "ending": "flew away"}, "not a flight"),
        (lambda d: {**d, "trajectory": None}, "not a flight"),
        (lambda d: {**d, "trajectory": without(d["trajectory"], "yaw_rad")}, "'yaw_rad' is missing"),
        (lambda d: {**d, "trajectory": {**d["trajectory"], "t_s": [1, 1]}}, "not a flight"),
        (lambda d: {**d, "trajectory": {**d["trajectory"], "position_enu_m": [1, 2]}}, "not a flight"),
        (lambda d: {**d, "seed": "x"}, "not a flight"),
        (lambda d: 5, "not a flight"),
    ],
)
def test_wrong_flights_say_what_is_wrong(tmp_path, flight, change, message):
    path = tmp_path / "f.json"
    path.write_text(json.dumps({"test": "a", "runs": [change(flight_to_json(flight))]}))
    with pytest.raises(InputFileError, match=message) as caught:
        load_flights(path)
    assert "f.json: run 1" in str(caught.value)


@pytest.mark.parametrize("text", ["[]", "{}", '{"runs": 3}', "{", '{"runs": [{}], "runs": []}'])
def test_wrong_files(tmp_path, text):
    (tmp_path / "f.json").write_text(text)
    with pytest.raises(InputFileError):
        load_flights(tmp_path / "f.json")


@pytest.mark.parametrize("line", ["1,2,3", "a,b,c,d,e,f,g,h", "1,2,3,4,5,6,7,nan"])
def test_wrong_csv_names_the_line(tmp_path, flight, line):
    header = trajectory_to_csv(flight.trajectory).splitlines()[0]
    (tmp_path / "t.csv").write_text(f"{header}\n{line}\n")
    with pytest.raises(InputFileError, match="line 2"):
        load_trajectory_csv(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("t\n1\n")
    with pytest.raises(InputFileError, match="line 1"):
        load_trajectory_csv(tmp_path / "t.csv")


def test_unwritable_place(tmp_path, flight):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        save_flights(tmp_path / "file" / "f.json", "t", [flight])
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@pytest.mark.parametrize("column", ["t_s", "position_enu_m", "velocity_enu_mps", "yaw_rad"])
def test_a_flight_has_finite_numbers_only(column: str) -> None:
    data = flight_to_json(make_flight(make_scenario(make_box()), [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)]))
    values = data["trajectory"][column]
    last = values[-1]
    values[-1] = [float("inf")] * 3 if isinstance(last, list) else float("inf")
    with pytest.raises(InputFileError, match="not finite"):
        flight_from_json(data)
