"""`fidelity --links` on two flights recorded in PX4 + Gazebo: each link is near what was recorded behind it.

Bounds are about twice what was seen when the flights were added.
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.cli.main import main
from uav_testgen.fidelity.links.recording import LinkRecording, load_recording
from uav_testgen.fidelity.links.replay import motion, setpoints
from uav_testgen.loop.system import System, named_system

RIG = Path(__file__).parents[2] / "data" / "rig"


@pytest.fixture(scope="module")
def recording() -> LinkRecording:
    return load_recording(RIG / "gen2-003.csv.gz")


def setpoint_error_mps(recording: LinkRecording, system: System) -> float:
    apart = setpoints(recording, system).velocity_enu_mps - recording.setpoint_enu_mps
    return float(np.sqrt(np.nanmean(np.sum(apart[recording.legs, :2] ** 2, axis=1))))


def motion_error_m(recording: LinkRecording, system: System) -> float:
    apart = motion(recording, system).position_enu_m - recording.truth_enu_m
    return float(np.nanmedian(np.hypot(*apart[recording.legs, :2].T)))


def test_every_link_of_recorded_flights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fidelity", str(RIG), "--links", "--json", "--out", str(tmp_path / "out")]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in report["flights"]] == ["empty_mission2", "gen2-003"]
    for one in report["flights"]:
        assert one["waypoint_late_m"] < 0.12 and 0.02 <= one["waypoint_late_s"] <= 0.15
        assert one["setpoint_m"] < 0.06 and one["setpoint_mps"] < 0.1
        assert one["motion_m"] < 0.12 and abs(one["yaw_deg"]) < 1.0
        assert [leg["wrong"] for leg in one["legs"]] == [False, False]
    assert report["all"]["legs"] == 4 and report["all"]["legs_with_wrong_speed"] == 0
    assert json.loads((tmp_path / "out" / "links.json").read_text()) == report


def test_an_error_of_the_flight_task_shows_in_its_link_only(recording: LinkRecording) -> None:
    right = named_system()
    wrong = right.changed({"vehicle.mpc_acc_hor_mps2": 1.5})
    assert setpoint_error_mps(recording, wrong) > 2.0 * setpoint_error_mps(recording, right)
    assert motion_error_m(recording, wrong) == motion_error_m(recording, right)


def test_an_error_of_the_airframe_shows_in_its_link_only(recording: LinkRecording) -> None:
    right = named_system()
    wrong = right.changed({"vehicle.mpc_xy_vel_p": 0.5, "vehicle.mpc_xy_vel_i": 0.0})
    assert motion_error_m(recording, wrong) > 1.5 * motion_error_m(recording, right)
    assert setpoint_error_mps(recording, wrong) == setpoint_error_mps(recording, right)


def test_the_heading_stands_left_of_its_set_point_as_recorded(recording: LinkRecording) -> None:
    straight = named_system().changed({"vehicle.yaw_feed_forward_degps": 0.0})
    off_rad = motion(recording, straight).attitude_rad[:, 2] - recording.body[:, 8]
    off_rad = (off_rad[recording.legs] + np.pi) % (2.0 * np.pi) - np.pi
    assert np.degrees(np.nanmedian(off_rad)) == pytest.approx(-16.1, abs=1.0)


def test_wrong_input_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fidelity", str(tmp_path), "--links"]) == 2
    assert "no .csv or .csv.gz file" in capsys.readouterr().err
    table = gzip.decompress((RIG / "empty_mission2.csv.gz").read_bytes()).decode()
    (tmp_path / "flight.csv").write_text(table.replace(",ts_yaw,", ",other,", 1))
    assert main(["fidelity", str(tmp_path), "--links"]) == 2
    assert "column 'ts_yaw' is missing" in capsys.readouterr().err
    (tmp_path / "flight.csv").write_text(table)
    assert main(["fidelity", str(tmp_path), "--links"]) == 2
    assert "flight.csv: its scene" in capsys.readouterr().err
    shutil.copy(RIG / "empty_mission2.yaml", tmp_path / "flight.yaml")
    assert main(["fidelity", str(tmp_path), "--links", "--system", "paper"]) == 2
    assert "no waypoints and trajectory set-points" in capsys.readouterr().err
    assert main(["fidelity", str(tmp_path), "--links", "--runs", "3"]) == 2
    assert "--runs goes with records" in capsys.readouterr().err
