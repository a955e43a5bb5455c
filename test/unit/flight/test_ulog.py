"""Reading PX4 logs: frames, repair, and every way a log can be unusable."""

from __future__ import annotations

import base64
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.ulog import topics
from uav_testgen.flight.ulog.mission import logged_mission
from uav_testgen.flight.ulog.reader import FlightLog, read_log
from uav_testgen.testing.factories import make_trajectory
from uav_testgen.testing.flight_logs import REFERENCE_DEG, log_bytes

pytestmark = pytest.mark.unit

SHARED = Path(__file__).resolve().parents[4] / "shared" / "flightlogs"


def hop(height_m: float = 5.0, last_height_m: float = 0.0) -> Trajectory:
    """Up, 20 m east and 10 m north, down."""
    heights = [*np.linspace(0.0, height_m, 30), *[height_m] * 60, *np.linspace(height_m, last_height_m, 30)]
    places = [0.0] * 30 + list(np.linspace(0.0, 1.0, 60)) + [1.0] * 30
    return make_trajectory(
        [(20.0 * place, 10.0 * place, float(up)) for place, up in zip(places, heights, strict=True)]
    )


def written(folder: Path, trajectory: Trajectory | None = None, **options: Any) -> Path:
    path = folder / "made.ulg"
    path.write_bytes(log_bytes(trajectory or hop(), **options))
    return path


def read(folder: Path, trajectory: Trajectory | None = None, **options: Any) -> FlightLog:
    return read_log(written(folder, trajectory, **options))


def test_positions_are_enu_from_the_take_off_point(tmp_path: Path) -> None:
    flight = hop()
    log = read(tmp_path, flight)
    assert log.trajectory.position_enu_m == pytest.approx(flight.position_enu_m, abs=1e-4)
    assert log.trajectory.velocity_enu_mps == pytest.approx(flight.velocity_enu_mps, abs=1e-4)
    assert log.trajectory.yaw_rad == pytest.approx(flight.yaw_rad, abs=1e-6)
    assert log.trajectory.t_s[0] == 0.0
    assert log.notes == ()
    assert (log.vehicle, log.ends_in_air) == ("rotary wing", False)
    assert log.parameters == {"MAV_TYPE": 2.0}


def test_home_is_the_take_off_point_on_the_globe(tmp_path: Path) -> None:
    home = read(tmp_path, offset_ned_m=(111.19, 0.0, -7.0)).home
    assert home is not None
    assert home[0] == pytest.approx(REFERENCE_DEG[0] + 0.001, abs=1e-6)
    assert home[1] == pytest.approx(REFERENCE_DEG[1])
    assert home[2] == pytest.approx(REFERENCE_DEG[2] + 7.0)


def test_invalid_samples_are_left_out_and_noted(tmp_path: Path) -> None:
    log = read(tmp_path, invalid=range(50, 60))
    assert len(log.trajectory) == 110
    assert any("10 of 120" in note for note in log.notes)


def test_small_reset_is_kept_large_one_taken_out(tmp_path: Path) -> None:
    small = read(tmp_path, jump_ned_m=(0.0, 0.0, -0.8), jump_at=60)
    assert any("kept" in note for note in small.notes)
    assert small.trajectory.position_enu_m[60, 2] == pytest.approx(5.8, abs=1e-4)
    large = read(tmp_path, jump_ned_m=(30.0, 0.0, 0.0), jump_at=60)
    assert any("taken out" in note for note in large.notes)
    steps = np.linalg.norm(np.diff(large.trajectory.position_enu_m, axis=0), axis=1)
    assert steps.max() < 0.6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jump_ned_m": (30.0, 0.0, 0.0), "jump_at": 60, "announced": False}, "without an estimator reset"),
        ({"invalid": range(40, 70)}, "without a valid position"),
        ({"invalid": range(120)}, "none with a valid position"),
        ({"jump_ned_m": (math.nan, 0.0, 0.0), "jump_at": 40}, "without a valid|ends in the air|no flight"),
        ({"vehicle_type": 2}, "fixed wing"),
        ({"vehicle_type": 3}, "rover"),
        ({"is_vtol": 1}, "VTOL"),
        ({"topics": ("vehicle_land_detected", "vehicle_status")}, "no vehicle_local_position"),
        ({"topics": ("vehicle_local_position",), "parameters": {"MAV_TYPE": 1.0}}, "MAV_TYPE 1"),
    ],
)  # fmt: skip
def test_unusable_logs_are_refused_with_the_reason(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputFileError, match=message) as caught:
        read(tmp_path, **options)
    assert "made.ulg" in str(caught.value)


def test_vehicle_that_stays_on_the_ground_is_no_flight(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no flight in it"):
        read(tmp_path, hop(height_m=0.1))


def test_log_that_ends_in_the_air_is_refused_unless_accepted(tmp_path: Path) -> None:
    path = written(tmp_path, hop(last_height_m=4.0))
    with pytest.raises(InputFileError, match=r"ends in the air.*--accept-cut-log"):
        read_log(path)
    assert read_log(path, accept_cut=True).ends_in_air


def test_without_land_detector_the_height_decides(tmp_path: Path) -> None:
    log = read(tmp_path, topics=("vehicle_local_position", "vehicle_status"))
    assert any("land detector" in note for note in log.notes)
    assert log.trajectory.position_enu_m[:, 2].max() == pytest.approx(5.0, abs=0.4)


@pytest.mark.parametrize(
    "content", [b"", b"not a log at all", b"ULog\x01\x12\x35", b"ULog\x01\x12\x35\x01" + 8 * b"\0"]
)
def test_foreign_and_empty_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.ulg"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=r"foreign\.ulg"):
        read_log(path)


def test_missing_file_folder_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputFileError, match="no such file"):
        read_log(tmp_path / "absent.ulg")
    with pytest.raises(InputFileError, match="folder"):
        read_log(tmp_path)
    monkeypatch.setattr(topics, "MAX_LOG_BYTES", 100)
    with pytest.raises(InputFileError, match="may have 100"):
        read(tmp_path)


def test_mission_from_set_points() -> None:
    """Take-off, the take-off point as a waypoint, a waypoint, landing at another place."""
    degree_m = math.radians(1.0) * 6_371_000.0
    home = (0.0, 0.0, 100.0)
    rows = [
        (1, 3, 0.0, 0.0, 110.0),
        (1, 0, 0.0, 0.0, 110.0),
        (1, 0, 50.0 / degree_m, 10.0 / degree_m, 112.0),
        (1, 4, 0.0, 10.0 / degree_m, 100.0),
        (0, 5, math.nan, math.nan, 0.0),
    ]
    names = ("current.valid", "current.type", "current.lat", "current.lon", "current.alt")
    columns = {name: np.array([row[index] for row in rows]) for index, name in enumerate(names)}
    mission = logged_mission(columns, home)
    assert mission is not None
    assert [waypoint.position_enu_m for waypoint in mission.waypoints] == [
        (10.0, 50.0, 12.0),
        (10.0, 0.0, 12.0),
    ]
    assert (mission.takeoff_altitude_m, mission.land) == (10.0, True)
    assert logged_mission({}, home) is None
    assert logged_mission(None, home) is None


@pytest.mark.parametrize(
    ("name", "end_enu_m", "duration_s"),
    [("real_container_flight", (6.25, -16.25), 40.0), ("sitl_m0", (43.8, 2.14), 53.2)],
)
def test_shared_logs(name: str, end_enu_m: tuple[float, float], duration_s: float) -> None:
    path = SHARED / f"{name}.ulg"
    if not path.is_file():
        pytest.skip("needs the flight logs in ../shared/flightlogs")
    log = read_log(path)
    assert log.trajectory.position_enu_m[-1, :2] == pytest.approx(end_enu_m, abs=0.1)
    assert log.trajectory.duration_s == pytest.approx(duration_s, abs=0.5)
    assert log.mission is not None and log.mission.land
    goal = log.mission.waypoints[-1].position_enu_m
    assert math.dist(goal[:2], end_enu_m) < 2.0
    assert log.parameters["MAV_TYPE"] == 2.0


# Found by fuzzing: a message at the end claims more bytes than there are.
ENDLESS = base64.b64decode(
    "VUxvZwESNQEAAAAAAAAAAOkARnZlaGljbGVfbG9jYWxfcG9zaXRpb246dWludDY0X3QgdGltZXN0YW1wO2RvdWJsZSByZWZf"
    "bGF0O2RvdWJsZSByZWZfbG9uO2Zsb2F0IHg7ZmxvYXQgWztmbG9hdCB6O2Zsb2F0IHZ4O2Zsb2F0IHZ5O2Zsb2F0IHZ6O2Zs"
    "b2FsYW5kX2RldGVjdGVkEQBBAAIAdmVoaWNsZV9zdGF0dXMMAEQCAEBCDwAAAAAAAQALAEQBAEBCDwAAAAAAAD4ARAAAQELy"
    "AAAJAAAzMzMzM7NHQAAAAAAAACFAAACAPwAAAEDXnbY/2w/JPwAA+kMBAQAAPgBEADY0X3QgdGltZXN0YW1wO3VpdCBsYW5k"
    "ZWQ7RwBGdmVoaQAAgGNsPwAAAGVfc3RhdEB1G3M="
)


@pytest.mark.timeout(60)
def test_a_cut_message_does_not_keep_the_parser_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "cut.ulg"
    path.write_bytes(ENDLESS)
    with pytest.raises(InputFileError, match=r"cut\.ulg: not a readable ULog .*the file is damaged or cut"):
        topics.read_topics(path)


def test_values_no_multicopter_can_have_are_taken_from_the_positions(tmp_path: Path) -> None:
    flown = make_trajectory([(0.2 * k, 0.1 * k, 5.0 * math.sin(math.pi * k / 39.0)) for k in range(40)])
    speed = flown.velocity_enu_mps.copy()
    speed[7] = (1e20, -1e20, 1e30)
    yaw = flown.yaw_rad.copy()
    yaw[9] = 1e12
    path = tmp_path / "case.ulg"
    path.write_bytes(log_bytes(replace(flown, velocity_enu_mps=speed, yaw_rad=yaw)))
    found = read_log(path, accept_cut=True).trajectory
    assert float(abs(found.velocity_enu_mps).max()) <= 40.0 and float(abs(found.yaw_rad).max()) < 10.0


def test_a_flight_by_hand_is_refused_with_what_would_be_needed(tmp_path: Path) -> None:
    """Surrealist replays stick inputs of manual flights; here such a log is refused with a reason."""
    end_s = float(hop().t_s[-1])
    with pytest.raises(InputFileError, match=r"made\.ulg: flown by hand \(100% .* in POSCTL\).*sticks"):
        read(tmp_path, nav_states=[(0.0, 2)])
    with pytest.raises(InputFileError, match=r"60% of the flight in ALTCTL, POSCTL"):
        read(tmp_path, nav_states=[(0.0, 1), (0.3 * end_s, 3), (0.7 * end_s, 2)])
    mostly_mission = [(0.0, 2), (0.2 * end_s, 3)]
    assert read(tmp_path, nav_states=mostly_mission).vehicle == "rotary wing"


def test_waiting_on_the_ground_with_the_sticks_is_not_flying_by_hand(tmp_path: Path) -> None:
    """Only the flight counts: a vehicle that waited in MANUAL for longer than its mission took is replicated."""
    waiting = [(0.0, 0.0, 0.0)] * 200
    flying = [(0.1 * k, 0.0, 4.0 * math.sin(math.pi * k / 99.0)) for k in range(100)]
    topics = ("vehicle_local_position", "vehicle_status")
    path = tmp_path / "waited.ulg"
    path.write_bytes(
        log_bytes(make_trajectory([*waiting, *flying]), nav_states=[(0.0, 0), (20.0, 3)], topics=topics)
    )
    assert read_log(path).trajectory.duration_s < 11.0
    path.write_bytes(
        log_bytes(
            make_trajectory([*flying, *[flying[-1]] * 200]), nav_states=[(0.0, 0), (9.9, 4)], topics=topics
        )
    )
    with pytest.raises(InputFileError, match="flown by hand"):
        read_log(path)
