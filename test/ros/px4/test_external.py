"""Somebody else's node is the system under test: it flies, the bench watches, commands and records."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from uav_testgen.ros.nodes.px4_bridge_node import Px4BridgeNode
from uav_testgen.ros.px4.external import ExternalSystem
from uav_testgen.ros.px4.failures import Failure, FailureKind
from uav_testgen.ros.px4.offboard_view import Stage as OffboardStage

from .conftest import FAKE, Stage, goes_out_in, small_scenario

FAKE_MODE = FAKE.with_name("fake_mode.py")
MODE = 23


def load_fake_mode() -> Any:
    if "fake_mode" not in sys.modules:
        spec = importlib.util.spec_from_file_location("fake_mode", FAKE_MODE)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["fake_mode"] = module
        spec.loader.exec_module(module)
    return sys.modules["fake_mode"]


@pytest.fixture
def fly(
    stage: Stage, spin_until: Callable[..., None], ros_executor: Any, ros_context: Any
) -> Callable[..., Any]:
    """A whole flight with that node, which is started when PX4 is ready; the record, or None."""

    def run(*wishes: str, node: bool = True, fake: dict[str, Any] | None = None, **parameters: Any) -> Any:
        stage.planner_answers = False
        settings = {"external__appear_timeout_s": 20.0, "external__after_goal_s": 2.0, **parameters}
        stage.start({"speed": 2.0, **(fake or {})}, sut="external", **settings)
        stage.announce(small_scenario())
        spin_until(lambda: stage.state("READY") or stage.state("FAILED"), "READY")
        stage.order("START")
        if node:
            module = load_fake_mode()
            made = module.FakeMode(module.parse(list(wishes)), context=ros_context)
            ros_executor.add_node(made)
        over = lambda: bool(stage.records) or stage.state("FAILED")  # noqa: E731
        spin_until(over, "the end of the flight", timeout_s=90.0)
        return stage.records[-1] if stage.records else None

    return run


def events(record: Any) -> str:
    return "; ".join(json.loads(record.details)["events"])


def test_registered_mode_is_armed_taken_off_selected_and_landed(
    fly: Callable[..., Any], stage: Stage
) -> None:
    record = fly()
    assert record.ending == "goal_reached"
    assert "registered the mode 'fake mode'" in events(record) and "is done (result 0)" in events(record)
    heard = stage.fake.heard
    assert heard[400] >= 1 and heard[22] >= 1 and heard[100000] >= 1 and heard[21] >= 1
    assert 176 not in heard, "OFFBOARD is not asked for"
    assert not stage.fake.announced, "no announcement of ours"
    assert goes_out_in(stage.fake.steered, MODE)
    assert not stage.fake.autopilot.armed
    assert json.loads(record.details)["system_under_test"] == "external"


def test_offboard_node_arms_and_lands_itself(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly("--offboard")
    assert record.ending == "goal_reached"
    assert "armed the vehicle itself" in events(record)
    assert 22 not in stage.fake.heard and 100000 not in stage.fake.heard
    assert not stage.fake.autopilot.armed


def test_mode_that_gives_up(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly("--fails")
    assert (record.ending, "the mode ended with result 100" in record.reason) == ("landed_early", True)
    assert not stage.fake.autopilot.armed


def test_mode_that_is_never_done_is_ended_at_its_goal(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly("--never-done")
    assert record.ending == "goal_reached"
    assert stage.fake.heard[21] >= 1 and not stage.fake.autopilot.armed


def test_time_is_up(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(mission__time_limit_s=1.0)
    assert record.ending == "time_limit"


def test_mode_that_leaves_in_flight(fly: Callable[..., Any], stage: Stage) -> None:
    record = fly(fake={"at": [(6.0, "leave_mode", 0.0)]})
    assert (record.ending, "PX4 left the node's mode for AUTO_LOITER by a failsafe" in record.reason) == (
        "offboard_lost",
        True,
    )
    assert not stage.fake.autopilot.armed


def test_flight_that_a_failure_ended_makes_no_progress_while_it_is_brought_down() -> None:
    """A person who took over may hover for minutes: that is not the node's getting stuck, nor its arrival."""
    node: Any = SimpleNamespace(offboard=ExternalSystem())
    node.offboard.stage = OffboardStage.LANDING
    assert Px4BridgeNode._makes_progress(node), "a node that is done may be down before its goal is seen"
    node.offboard.failure = Failure(FailureKind.OFFBOARD_LOST, "somebody's choice")
    assert not Px4BridgeNode._makes_progress(node)


def test_mode_that_could_not_run_is_not_flown(fly: Callable[..., Any], stage: Stage) -> None:
    fly(fake={"at": [(0.0, "refuse_modes", 0.0)]}, external__takeoff_timeout_s=8.0)
    assert stage.state("FAILED")
    assert "the mode 'fake mode' was not flying within 8 s" in stage.status.message
    assert "selecting it was temporarily rejected" in stage.status.message
    assert not stage.fake.autopilot.armed, "it was in the air already and is landed"


def test_nobody_appears(fly: Callable[..., Any], stage: Stage) -> None:
    fly(node=False, external__appear_timeout_s=2.0)
    assert "no node under test: the node under test neither registered a mode nor armed" in (
        stage.status.message
    )
    assert 400 not in stage.fake.heard


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("wishes", "code", "ending"),
    [
        ("", 0, "goal_reached"),
        ("--offboard", 0, "goal_reached"),
        ("--offboard --dies", 3, "aborted"),
        ("--dies", 3, "offboard_lost"),
    ],
)
def test_from_the_command_line(
    wishes: str,
    code: int,
    ending: str,
    tmp_path: Path,
    ros_domain: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from test.system.command_line import run

    monkeypatch.delenv("FASTRTPS_DEFAULT_PROFILES_FILE")
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE")
    (tmp_path / "scene.yaml").write_text(
        "mission:\n  waypoints:\n    - position_enu_m: [18.0, 0.0, 3.0]\n  takeoff_altitude_m: 3.0\n"
        "obstacles:\n  - {center_enu_m: [9.0, 6.0, 5.0], size_m: [1.0, 2.0, 10.0]}\n"
    )
    (tmp_path / "settings.yaml").write_text("settings:\n  depth_cloud_node: {renderer: analytic}\n")
    words = ["fly", tmp_path / "scene.yaml", "--backend", "px4", "--sut", "external"]
    words += ["--start", f"'{sys.executable}' '{FAKE}'"]
    words += ["--start", f"'{sys.executable}' '{FAKE_MODE}' {wishes}"]
    done = run(*words, "--settings", tmp_path / "settings.yaml", "--out", tmp_path / "out")
    assert done.returncode == code, done.stderr
    assert "starting the node under test" in done.stderr
    record = json.loads((tmp_path / "out" / "flight.json").read_text())["runs"][0]
    assert record["ending"] == ending
    if code:
        assert "ended with code 5" in record["reason"] and "ended with code 5" in done.stderr
