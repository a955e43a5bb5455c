"""Logs of PX4 in offboard mode: read, replayed, fitted."""

from __future__ import annotations

import gzip
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.cli.main import main
from uav_testgen.core.body import LEG, SET_POSITION, SET_YAW, SETPOINT_SIZE, TAKEOFF, body_at
from uav_testgen.core.errors import InputFileError
from uav_testgen.fidelity.offboard.calibration import _search, fit_lags, unexplained_m, velocity_error_of
from uav_testgen.fidelity.offboard.closed_loop import Comparison, fly_again
from uav_testgen.fidelity.offboard.given_error import with_error_of
from uav_testgen.fidelity.offboard.logs import OffboardLog, load_log, load_logs
from uav_testgen.fidelity.offboard.replay import fly_setpoints, path_rms_m, replay
from uav_testgen.loop.system import named_system
from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig

SHARED = Path(__file__).parents[4] / "shared"
needs_flights = pytest.mark.skipif(
    not (SHARED / "px4" / "offboard_flights").is_dir(), reason="needs the recordings of ../shared/px4"
)
HEADER = (
    "t_s,est_x,est_y,est_z,est_vx,est_vy,est_vz,true_x,true_y,true_z,est_yaw,sp_x,sp_y,sp_z,sp_yaw,nav_state,"
    "arming_state"
)
SCENE = """
mission: {waypoints: [{position_enu_m: [0.0, 30.0, 10.0]}], takeoff_altitude_m: 10.0}
obstacles: [{center_enu_m: [4.0, 15.0, 10.0], size_m: [2.0, 2.0, 20.0]}]
"""


def rows(count: int = 100) -> list[str]:
    """On the pad at (5, 3, 0) of PX4's frame, then north at 2 m/s; the log has every fourth set-point."""
    lines = []
    for k in range(count):
        armed = k >= 10
        north = 5.0 + (0.1 * (k - 10) if armed else 0.0)
        down = -10.0 if armed else 0.0
        told = 5.0 + 0.4 * (k // 4)
        cells = [0.05 * k, north, 3.0, down, 2.0, 0, 0, north, 3.0, down, 0.0, told, 3.0, -10.0, 0.0]
        lines.append(",".join(f"{cell:.4f}" for cell in cells) + f",{14 if armed else 4},{2 if armed else 1}")
    return lines


def write(path: Path, lines: list[str], header: str = HEADER) -> Path:
    path.with_name("one.yaml").write_text(SCENE)
    with gzip.open(path, "wt") as file:
        file.write("\n".join([header, *lines]) + "\n")
    return path


def test_a_flight_is_read_in_enu_from_where_it_stood(tmp_path: Path) -> None:
    log = load_log(write(tmp_path / "one.csv.gz", rows()))
    assert log.name == "one" and log.period_s == 0.05 and len(log.t_s) == 90
    assert log.scenario is not None and len(log.scenario.obstacles) == 1
    assert log.position_enu_m[0] == pytest.approx([0.0, 0.0, 10.0])
    assert log.position_enu_m[-1] == pytest.approx([0.0, 8.9, 10.0])
    assert log.setpoints[0, SET_YAW] == pytest.approx(math.pi / 2)
    # Between two set-points of the log they move evenly.
    assert np.diff(log.setpoints[2:80, SET_POSITION + 1]) == pytest.approx(0.1, abs=1e-9)
    assert log.velocity_error_mps == pytest.approx(np.zeros((90, 3)), abs=1e-9)


@pytest.mark.parametrize(
    ("lines", "header", "words"),
    [
        (rows(), HEADER.replace("est_vx", "east"), "column 'est_vx' is missing"),
        (rows(), HEADER.replace("est_x", "a"), "neither column 'est_x'"),
        ([*rows(), "1,2"], HEADER, "line 102 does not have the 17 cells"),
        (rows(5), HEADER, "5 rows"),
        ([line.replace("10.0000", "ten") for line in rows()], HEADER, "not a readable table"),
        ([line.rpartition(",")[0] + ",2" for line in rows()], HEADER, "'arming_state'"),
        ([*rows(), *rows()], HEADER, "'t_s'"),
    ],
)
def test_what_is_wrong_with_a_log_is_named(tmp_path: Path, lines: list[str], header: str, words: str) -> None:
    path = write(tmp_path / "one.csv.gz", lines, header)
    with pytest.raises(InputFileError, match=words) as caught:
        load_log(path)
    assert str(path) in str(caught.value)


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["calibrate", str(tmp_path), "--system", "px4_offboard"]
    assert main(words) == 2
    assert "no .csv or .csv.gz file" in capsys.readouterr().err
    write(tmp_path / "one.csv.gz", rows())
    assert main(words) == 2
    assert "1 flights of scenes; 3 are needed" in capsys.readouterr().err
    assert main([*words, "--effect", "speed lock"]) == 2
    assert "--effect goes with records of missions" in capsys.readouterr().err
    (tmp_path / "one.yaml").unlink()
    assert main(words) == 2
    assert "its scene" in capsys.readouterr().err


def made_by(config: Px4OffboardConfig, name: str = "made") -> OffboardLog:
    """Steps of position and heading as the model itself flies them."""
    period_s, count = 0.05, 600
    setpoints = np.full((count, SETPOINT_SIZE), np.nan)
    setpoints[:, :3] = [0.0, 0.0, 10.0]
    setpoints[:, SET_YAW] = 0.0
    setpoints[20:, 0], setpoints[250:, 1], setpoints[400:, SET_YAW] = 4.0, 3.0, 0.8
    blank = np.tile([0.0, 0.0, 10.0], (count, 1))
    empty = OffboardLog(name, period_s, setpoints, blank, np.zeros((count, 3)), np.zeros(count), blank)
    flown = fly_setpoints(empty, config)
    velocity = np.gradient(flown[:, :3], period_s, axis=0)
    return OffboardLog(name, period_s, setpoints, flown[:, :3], velocity, flown[:, 3], flown[:, :3])


def test_a_replay_of_its_own_flight_is_exact_and_the_fit_finds_its_numbers() -> None:
    true = Px4OffboardConfig(tilt_rate_lag_s=0.12, drag_per_s=0.6, yaw_rate_lag_s=0.3)
    log = made_by(true)
    figures = replay(log, true)
    assert max(figures.path_rms_m, figures.moment_rms_m, figures.height_rms_m) < 1e-9
    fitted = fit_lags([log], Px4OffboardConfig(tilt_rate_lag_s=0.05, drag_per_s=0.3, yaw_rate_lag_s=0.15))
    assert fitted.drag_per_s == pytest.approx(0.6, rel=0.1)
    assert fitted.yaw_rate_lag_s == pytest.approx(0.3, rel=0.1)
    assert replay(log, fitted).moment_rms_m < 0.05


def test_the_search_never_gets_worse_than_its_start() -> None:
    start = Px4OffboardConfig(drag_per_s=0.5)
    assert _search(start, ("drag_per_s",), lambda trial: abs(trial.drag_per_s - 0.5)) == start
    found = _search(start, ("drag_per_s",), lambda trial: abs(trial.drag_per_s - 0.83))
    assert found.drag_per_s == pytest.approx(0.83, rel=0.03)


def test_paths_are_compared_without_time() -> None:
    line = np.column_stack([np.linspace(0.0, 10.0, 50), np.zeros(50)])
    assert path_rms_m(line, line + np.array([0.0, 0.3])) == pytest.approx(0.3, abs=0.01)
    slowly = np.column_stack([10.0 * np.linspace(0.0, 1.0, 90) ** 3, np.zeros(90)])
    assert path_rms_m(line, slowly) < 0.06


def test_what_the_runs_do_not_explain_is_spread() -> None:
    def compared(measured: float, *runs: float) -> Comparison:
        return Comparison("x", measured, measured, runs[0], runs, 0.0, 9.0, 0, 0, 0.0)

    assert unexplained_m([compared(2.0, 1.0, 1.0, 1.0)]) == 1.0
    assert unexplained_m([compared(2.0, 1.0, 2.0, 3.0)]) == 0.1


def test_a_given_error_moves_the_vehicle_as_it_moves_px4(tmp_path: Path) -> None:
    """A velocity estimate that is 0.2 m/s too far north holds the vehicle south of its place: by 0.2 m/s over the gain,
    and more where the bench draws the place nearer."""
    log = load_log(write(tmp_path / "one.csv.gz", rows(40)))
    velocity = np.gradient(log.position_enu_m, log.period_s, axis=0) + np.array([0.0, 0.2, 0.0])
    log = replace(log, velocity_enu_mps=velocity)
    assert log.scenario is not None
    config = Px4OffboardConfig()
    vehicle, body = with_error_of(log, config)(), body_at((0.0, 0.0, 0.0), 0.0)
    vehicle.start(body)
    goal, hold, wind = np.array([0.0, 0.0, 10.0]), np.full(SETPOINT_SIZE, np.nan), np.zeros(3)
    hold[:3] = goal
    seen = []
    for cycle in range(3000):
        phase = TAKEOFF if cycle < 1500 else LEG
        vehicle.advance(body, phase, np.zeros(3), goal, hold, wind, 0.02)
        seen.append((body[2], body[1]))
    assert max(abs(north_m) for up_m, north_m in seen if up_m < 4.9) < 1e-6, (
        "none before the recording begins"
    )
    assert seen[-1][0] == pytest.approx(10.0, abs=0.02) and -0.4 < seen[-1][1] < -0.2 / config.mpc_xy_p


@needs_flights
def test_with_the_error_of_its_flight_a_scene_is_flown_on_the_recorded_side() -> None:
    """Without it the nominal run goes round the second wall of t001 the other way."""
    log = load_log(SHARED / "px4" / "offboard_flights" / "t001.csv.gz", SHARED / "missions")
    found = fly_again(log, named_system("px4_offboard"), 4, seed=1, error_given=True)
    assert (found.same_side, found.passes) == (1, 2)
    assert found.given is not None and found.given.same_side == 2
    assert found.given.same_side_runs == (1.0, 1.0)
    assert found.given.path_m < 0.5 < found.path_m
    assert found.given.nominal_m == pytest.approx(found.measured_m, abs=0.2)
    assert set(found.to_json()["given"]) == {"nominal_m", "same_side", "same_side_runs", "path_m"}


@needs_flights
def test_recorded_setpoints_lead_along_the_recorded_paths() -> None:
    """A live PX4 v1.16.2: the shipped numbers keep every path within 0.3 m (rms)."""
    logs = load_logs(SHARED / "px4" / "offboard_flights", SHARED / "missions")
    vehicle = named_system("px4_offboard").vehicle
    assert isinstance(vehicle, Px4OffboardConfig)
    for log in logs:
        figures = replay(log, vehicle)
        assert figures.path_rms_m <= 0.3, log.name
        assert figures.path_rms_given_error_m <= 0.1 and figures.yaw_rms_deg < 1.5
    size_mps, period_s = velocity_error_of(logs)
    assert size_mps == pytest.approx(0.21, abs=0.01) and period_s == pytest.approx(27.0, abs=3.0)


@needs_flights
def test_recorded_scenes_are_predicted() -> None:
    logs = load_logs(SHARED / "px4" / "offboard_flights", SHARED / "missions")
    flown = [fly_again(log, named_system("px4_offboard"), 12, seed=1) for log in logs]
    assert sum(one.inside for one in flown) >= 4
    assert sum(one.same_side for one in flown) >= sum(one.passes for one in flown) - 1
