"""A user's own PX4 logs as records: scene beside the log, distance and parameters out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.core.errors import InputFileError
from uav_testgen.core.resources import config_folder
from uav_testgen.fidelity.logs import load_all, record_of_log
from uav_testgen.fidelity.records import Record, load_records, measured_by
from uav_testgen.flight.ulog.flight_log import flight_log_bytes
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.plan_file import SITL_HOME, save_plan
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.testing.factories import make_flight


def recorded(name: str = "gen2-003") -> Record:
    records, _ = load_records(config_folder("flights"))
    return next(one for one in records if one.id == name)


def write_log(folder: Path, record: Record, name: str = "first", **changes: Any) -> Path:
    """The recorded path as PX4 would have logged it, with its scene beside it."""
    path = record.path_txyz[record.path_txyz[:, 3] > 0.05]
    ground = np.array([[path[0, 1], path[0, 2], 0.0]])
    points = np.vstack([ground, path[:, 1:], [[path[-1, 1], path[-1, 2], 0.0]]])
    flight = make_flight(record.scenario, points.tolist(), period_s=0.5)
    log = folder / f"{name}.ulg"
    log.write_bytes(flight_log_bytes(record.scenario, flight, **changes))
    save_scenario(folder / f"{name}.yaml", record.scenario)
    return log


def test_a_log_gives_scene_distance_and_mission(tmp_path: Path) -> None:
    known = recorded()
    write_log(tmp_path, known)
    records, skipped = load_all(tmp_path)
    assert not skipped
    (found,) = records
    assert (found.id, found.source, found.mission, found.measure) == (
        "first",
        "logs",
        "mission2",
        "aerialist",
    )
    assert found.scenario.obstacles == known.scenario.obstacles
    assert found.distance_m == pytest.approx(known.distance_m, abs=0.06)
    assert found.scenario.parameters == {}


def test_parameters_of_the_log_are_flown(tmp_path: Path) -> None:
    log = write_log(
        tmp_path, recorded(), parameters={"MPC_XY_CRUISE": 3.0, "MPC_Z_P": 1.0, "COM_RC_IN_MODE": 1.0}
    )
    assert record_of_log(log, tmp_path).scenario.parameters == {"MPC_XY_CRUISE": 3.0}


def test_a_plan_beside_the_log_is_placed_by_the_take_off_spot_of_the_log(tmp_path: Path) -> None:
    elsewhere = (48.15, 11.57, 520.0)
    known = recorded()
    log = write_log(tmp_path, known, home=elsewhere)
    save_plan(tmp_path / "first.plan", known.scenario.mission, elsewhere)
    other = known.scenario.model_copy(update={"mission": named_mission("mission1")})
    save_scenario(tmp_path / "first.yaml", other)
    found = record_of_log(log, tmp_path).scenario
    ends = np.array([point.position_enu_m for point in found.mission.waypoints])
    expected = np.array([point.position_enu_m for point in known.scenario.mission.waypoints])
    assert np.abs(ends - expected).max() < 0.2
    assert found.obstacles == known.scenario.obstacles


def test_logs_join_the_records_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "flights.jsonl").write_bytes((config_folder("flights") / "flights.jsonl").read_bytes())
    below = tmp_path / "day one"
    below.mkdir()
    write_log(below, recorded())
    records, skipped = load_all(tmp_path)
    assert not skipped and len(records) == 9
    assert records[-1].id == "day one/first"


def test_what_cannot_be_used_is_listed_with_the_reason(tmp_path: Path) -> None:
    known = recorded()
    write_log(tmp_path, known, "alone").with_suffix(".yaml").unlink()
    write_log(tmp_path, known, "elsewhere")
    save_plan(tmp_path / "elsewhere.plan", known.scenario.mission, (SITL_HOME[0] + 0.01, *SITL_HOME[1:]))
    write_log(tmp_path, known, "empty")
    save_scenario(tmp_path / "empty.yaml", known.scenario.with_obstacles(()))
    write_log(tmp_path, known, "odd", parameters={"MPC_XY_P": 9.0})
    (tmp_path / "broken.ulg").write_bytes(b"nothing")
    save_scenario(tmp_path / "broken.yaml", known.scenario)
    records, skipped = load_all(tmp_path)
    assert records == []
    reasons = {one.id: one.reason for one in skipped}
    assert "its scene alone.yaml is missing" in reasons["alone"]
    assert (
        "from the legs of its mission" in reasons["elsewhere"] and "another mission" in reasons["elsewhere"]
    )
    assert "no obstacles in its scene" in reasons["empty"]
    assert "MPC_XY_P = 9" in reasons["odd"]
    assert reasons["broken"]


def test_a_measure_can_be_said_for_records_that_do_not(tmp_path: Path) -> None:
    silent = recorded()
    silent = Record(**{field: getattr(silent, field) for field in silent.__slots__} | {"says_measure": False})
    assert measured_by([silent], ["gen2=aerialist_centre"])[0].measure == "aerialist_centre"
    assert measured_by([recorded()], ["gen2=aerialist_centre"])[0].measure == "aerialist"
    with pytest.raises(InputFileError, match="not one of aerialist_centre, aerialist"):
        measured_by([silent], ["gen2=inches"])
    with pytest.raises(InputFileError, match="PATTERN=MEASURE"):
        measured_by([silent], ["aerialist"])
