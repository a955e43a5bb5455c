"""`uav-testgen fly --backend px4 --start ...` from the command line to the record, against the fake PX4."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from test.system.command_line import run
from uav_testgen.backend.base import BackendAbsent
from uav_testgen.backend.registry import make_backend
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.scenario.formats.scenes import load_scene

from .conftest import FAKE

SCENARIO = """
mission:
  waypoints:
    - position_enu_m: [18.0, 0.0, 4.0]
  takeoff_altitude_m: 4.0
obstacles:
  - {center_enu_m: [9.0, 0.5, 5.0], size_m: [1.0, 2.0, 10.0]}
"""
pytestmark = pytest.mark.timeout(900)


def _scene(folder: Path) -> Path:
    (folder / "scene.yaml").write_text(SCENARIO)
    return folder / "scene.yaml"


@pytest.fixture
def fly(tmp_path: Path, ros_domain: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    # As a user has it: transport and range are those of the variant, not those of the other tests.
    monkeypatch.delenv("FASTRTPS_DEFAULT_PROFILES_FILE")
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE")
    _scene(tmp_path)
    (tmp_path / "settings.yaml").write_text(
        "settings:\n  depth_cloud_node: {renderer: analytic}\n"
        "  px4_bridge_node: {offboard.connect_timeout_s: 15.0}\n"
    )

    def call(*fake_options: str, start: str | None = None) -> Any:
        if "--disobeys-land" in fake_options:
            settings = (tmp_path / "settings.yaml").read_text()
            patience = "offboard.land_timeout_s: 5.0, offboard.connect_timeout_s"
            (tmp_path / "settings.yaml").write_text(settings.replace("offboard.connect_timeout_s", patience))
        command = start or f"NOTHING=1 '{sys.executable}' '{FAKE}' {' '.join(fake_options)}"
        words = ["fly", tmp_path / "scene.yaml", "--backend", "px4", "--start", command, "--json"]
        return run(*words, "--settings", tmp_path / "settings.yaml", "--out", tmp_path / "out")

    return call


@pytest.mark.slow
def test_flight_from_the_command_line(fly: Any, tmp_path: Path) -> None:
    done = fly()
    assert done.returncode in (0, 1), done.stderr  # how near it comes is the planner's business
    summary = json.loads(done.stdout)
    flown, nominal = summary["prediction"], summary["nominal"]
    assert (flown["backend"], flown["system"], flown["calibrated"]) == ("px4", "px4_live", False)
    assert flown["evidence"] == "flown on PX4"
    assert nominal["ending"] == "goal_reached"
    details = summary["details"]
    assert (details["px4_version"], details["px4_msgs_version"]) == ("1.16", "1.16")
    assert details["camera_and_planner"] == DEFAULT_SYSTEM
    assert nominal["sentence"].endswith("Judged on PX4's estimate.")
    lines = done.stderr
    for words in (
        ", at most 600 s",
        ", at most 15 s",
        "taking off to 4.0 m",
        "leg 1 of 1",
        "landing",
        "disarmed",
    ):
        assert words in lines, "people read what is going on while it happens"
    assert details["real_time_factor"] == pytest.approx(1.0, abs=0.15)
    assert nominal["min_distance_3d_m"] > 0.3, "it flew round the obstacle"
    record = json.loads((tmp_path / "out" / "flight.json").read_text())
    assert record["runs"][0]["ending"] == "goal_reached"
    assert not fake_processes(), "what was started is stopped"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "ending", "words"),
    [
        (("--at", "6:refuse_offboard"), "offboard_lost", "PX4 stayed in POSCTL"),
        (("--at", "6:silence"), "aborted", "vehicle_odometry stopped"),
        (("--at", "6:exit"), "aborted", ""),
    ],
)
def test_flight_that_was_not_finished(
    options: tuple[str, ...], ending: str, words: str, fly: Any, tmp_path: Path
) -> None:
    done = fly(*options)
    assert done.returncode == 3, done.stderr
    record = json.loads((tmp_path / "out" / "flight.json").read_text())["runs"][0]
    assert (record["ending"], words in record["reason"]) == (ending, True)
    assert len(record["trajectory"]["t_s"]) > 10
    assert not fake_processes()


@pytest.mark.slow
def test_vehicle_left_armed(fly: Any, tmp_path: Path) -> None:
    done = fly("--disobeys-land")
    assert done.returncode == 3, done.stderr
    assert "left armed: told to land, still armed after 5 s; look after the vehicle" in done.stderr
    record = json.loads((tmp_path / "out" / "flight.json").read_text())["runs"][0]
    assert record["ending"] == "goal_reached", "the mission was flown, and its record is kept"


@pytest.mark.slow
def test_version_mismatch_from_the_command_line(fly: Any) -> None:
    done = fly("--status-suffix", "''")
    assert done.returncode == 3
    assert (
        "version mismatch: /fmu/out/vehicle_status_v1 is expected, PX4 offers /fmu/out/vehicle_status"
        in done.stderr
    )
    assert "Traceback" not in done.stderr
    assert not fake_processes()


def test_nobody_started_px4(tmp_path: Path, ros_domain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the trouble of one scenario: who flies many of them stops here, and the sentence names none."""
    monkeypatch.delenv("FASTRTPS_DEFAULT_PROFILES_FILE")
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE")
    patience = {"px4_bridge_node": {"offboard.connect_timeout_s": 3.0}}
    scenario = load_scene(str(_scene(tmp_path)))
    with (
        make_backend("px4", {"settings": patience}) as backend,
        pytest.raises(BackendAbsent, match=r"^no agent: nobody offers /fmu/out topics after [34] s"),
    ):
        backend.fly(scenario, 0)


@pytest.mark.slow
def test_program_that_ended_is_not_waited_for_again(
    tmp_path: Path, ros_domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FASTRTPS_DEFAULT_PROFILES_FILE")
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE")
    scenario = load_scene(str(_scene(tmp_path)))
    with (
        pytest.raises(BackendAbsent, match="ended with code 7"),
        make_backend("px4", {"start_commands": ["sh -c 'exit 7'"]}) as backend,
    ):
        backend.fly(scenario, 0)


@pytest.mark.parametrize(
    ("start", "code", "words"),
    [
        ("no-such-program --flag", 2, "No such file or directory (no-such-program)"),
        ("A=1", 2, "no program is named"),
        ("'unclosed", 2, "No closing quotation"),
    ],
)
def test_start_that_cannot_be(start: str, code: int, words: str, fly: Any) -> None:
    done = fly(start=start)
    assert done.returncode == code
    assert words in done.stderr


def fake_processes() -> list[str]:
    """Fake autopilots of this test's domain that still run."""
    domain = os.environ["ROS_DOMAIN_ID"]
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if str(FAKE).encode() in words and f"ROS_DOMAIN_ID={domain}".encode() in environment:
            found.append(entry.name)
    return found
