"""The true path from a log: brought together with the record by the estimate both have."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.ulog.newest import keep, newest_log
from uav_testgen.flight.ulog.truth import true_path
from uav_testgen.testing.flight_logs import log_bytes

pytestmark = pytest.mark.unit

LAUNCH = np.array([100.0, 50.0, 0.0])


def path_of(t_s: np.ndarray, drift: float = 0.0) -> np.ndarray:
    """Two seconds on the ground, up, a curve, down; the estimate drifts away to the east."""
    up = np.interp(t_s, [2.0, 6.0, 26.0, 30.0], [0.0, 4.0, 4.0, 0.0])
    along = np.interp(t_s, [6.0, 26.0], [0.0, 20.0])
    return np.column_stack([along + drift * along / 20.0, 3.0 * np.sin(0.3 * along), up])


def trajectory(t_s: np.ndarray, position: np.ndarray) -> Trajectory:
    return Trajectory(t_s, position, np.gradient(position, t_s, axis=0), np.zeros(len(t_s)))


T_S = np.arange(0.0, 32.0, 0.05)


def log_of(folder: Path, drift: float = 0.0, truth: bool = True) -> Path:
    file = folder / "flight.ulg"
    true = trajectory(T_S, path_of(T_S)) if truth else None
    file.write_bytes(log_bytes(trajectory(T_S, path_of(T_S, drift)), truth=true))
    return file


@pytest.mark.parametrize("late_s", [0.0, 1.37, -0.6])
def test_truth_at_the_times_of_the_record(late_s: float, tmp_path: Path) -> None:
    """The record began at another moment, by another clock, from another origin."""
    recorded = trajectory(T_S, path_of(T_S + late_s, drift=0.4) + LAUNCH)
    found = true_path(log_of(tmp_path, drift=0.4), recorded)
    expected = path_of(T_S + late_s) + LAUNCH
    assert np.abs(found.trajectory.position_enu_m - expected).max() < 0.08
    assert found.trajectory.t_s == pytest.approx(T_S)
    assert found.horizontal_max_m == pytest.approx(0.4, abs=0.08)
    assert found.vertical_rms_m < 0.05


def test_simulation_quicker_than_real_time(tmp_path: Path) -> None:
    wall_s = T_S / 2.0
    recorded = trajectory(wall_s, path_of(T_S) + LAUNCH)
    found = true_path(log_of(tmp_path), recorded, pace=2.0)
    assert np.abs(found.trajectory.position_enu_m - recorded.position_enu_m).max() < 0.1


def test_log_of_another_flight_is_refused(tmp_path: Path) -> None:
    other = trajectory(T_S, path_of(T_S) * np.array([-1.0, 1.0, 1.0]) + LAUNCH)
    with pytest.raises(InputFileError, match="a log of another flight"):
        true_path(log_of(tmp_path), other)


def test_log_without_truth(tmp_path: Path) -> None:
    recorded = trajectory(T_S, path_of(T_S) + LAUNCH)
    with pytest.raises(InputFileError, match="no vehicle_local_position_groundtruth in it"):
        true_path(log_of(tmp_path, truth=False), recorded)


def test_newest_log_of_this_flight(tmp_path: Path) -> None:
    for name, age_s in (("a/old.ulg", 500.0), ("b/new.ulg", 100.0), ("b/other.txt", 0.0)):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(name)
        os.utime(file, (file.stat().st_atime, file.stat().st_mtime - age_s))
    began_s = (tmp_path / "b/other.txt").stat().st_mtime - 200.0
    assert newest_log(tmp_path, began_s) == tmp_path / "b/new.ulg"
    with pytest.raises(InputFileError, match="wrote no log of this flight"):
        newest_log(tmp_path, began_s + 150.0, patience_s=0.0)
    with pytest.raises(InputFileError, match="px4_log_folder is no folder"):
        newest_log(tmp_path / "c", 0.0)


def test_kept_log_replaces_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.ulg"
    log.write_text("new")
    (tmp_path / "px4-1.ulg").write_text("old")
    assert keep(log, tmp_path / "px4-1.ulg").name == "px4-1-2.ulg"
    assert (tmp_path / "px4-1.ulg").read_text() == "old"


def test_flight_says_what_it_is_judged_on(tmp_path: Path) -> None:
    from uav_testgen.flight.model import Ending, Flight
    from uav_testgen.oracle.judging import judge
    from uav_testgen.testing.factories import make_scenario

    flight = Flight("x", "px4", "px4_live", 0, Ending.GOAL_REACHED, "", trajectory(T_S, path_of(T_S)))
    assert "Judged on" not in judge(make_scenario(), flight).sentence
    flight = replace(flight, details={"judged_on": "the ground truth of PX4's log"})
    assert judge(make_scenario(), flight).sentence.endswith("Judged on the ground truth of PX4's log.")
