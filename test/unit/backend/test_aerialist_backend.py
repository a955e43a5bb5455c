"""The aerialist backend against a stand-in program that logs, fails, hangs and crashes on demand."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from uav_testgen.backend.aerialist import AerialistBackend, AerialistConfig
from uav_testgen.core.errors import BackendError, BackendTimeout
from uav_testgen.flight.model import Ending
from uav_testgen.scenario.formats.aerialist import load_test
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario, Waypoint, obstacle_on_ground

STAND_IN = Path(__file__).parents[2] / "fakes" / "aerialist"


@pytest.fixture
def scenario(shared_data: Path) -> Scenario:
    """The mission that was flown in the recorded log, with an obstacle beside it."""
    flown = load_scenario(shared_data / "flightlogs" / "sitl_m0.plan")
    return flown.with_obstacles((obstacle_on_ground(20.0, 30.0, (2.0, 3.0, 12.0), 30.0),))


@pytest.fixture
def backend(
    tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., AerialistBackend]:
    def make(plan: str, **settings: Any) -> AerialistBackend:
        (tmp_path / "plan").write_text(plan)
        monkeypatch.setenv("STAND_IN_PLAN", str(tmp_path / "plan"))
        monkeypatch.setenv("STAND_IN_CALLS", str(tmp_path / "calls"))
        monkeypatch.setenv("STAND_IN_LOG", str(shared_data / "flightlogs" / "sitl_m0.ulg"))
        config = {"command": (sys.executable, str(STAND_IN)), "folder": str(tmp_path / "runs"), "grace_s": 0}
        return AerialistBackend(AerialistConfig(**{**config, **settings}))

    return make


def calls(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "calls").read_text().splitlines()]


def test_log_becomes_a_flight(
    backend: Callable[..., AerialistBackend], scenario: Scenario, tmp_path: Path
) -> None:
    with backend("log", agent="docker") as aerialist:
        flight = aerialist.fly(scenario, 7)
    assert (flight.backend, flight.seed, flight.scenario_id) == ("aerialist", 7, scenario.id)
    assert flight.ending is Ending.GOAL_REACHED
    assert len(flight.trajectory) > 100
    assert flight.trajectory.position_enu_m[:, 2].max() > 2.0
    arguments = calls(tmp_path)[0]["arguments"]
    assert arguments[0] == "exec"
    assert arguments[3:] == ["--agent", "docker", "-n", "1"]
    test = Path(arguments[2])
    document = yaml.safe_load(test.read_text())
    assert document["agent"]["engine"] == "docker"
    loaded = load_test(test).scenario
    assert len(loaded.obstacles) == 1
    assert loaded.obstacles[0].center_enu_m == pytest.approx(scenario.obstacles[0].center_enu_m, abs=1e-6)


@pytest.mark.parametrize("trouble", ["fail", "crash", "silent", "empty-log"])
def test_simulator_trouble_is_retried(
    trouble: str, backend: Callable[..., AerialistBackend], scenario: Scenario, tmp_path: Path
) -> None:
    flight = backend(f"{trouble} log", retries=2).fly(scenario, 1)
    assert flight.details["attempt"] == 2
    assert len(calls(tmp_path)) == 2


def test_failure_with_a_log_is_an_outcome(
    backend: Callable[..., AerialistBackend], scenario: Scenario, tmp_path: Path
) -> None:
    """The program failed after the flight (its plot, say): the flight counts."""
    flight = backend("fail-with-log").fly(scenario, 1)
    assert flight.details["attempt"] == 1
    assert len(calls(tmp_path)) == 1


def test_trouble_without_end_is_reported(
    backend: Callable[..., AerialistBackend], scenario: Scenario
) -> None:
    with pytest.raises(BackendError, match=r"none of 2 attempts.*segmentation fault"):
        backend("crash", retries=1).fly(scenario, 1)


def test_hanging_run_is_ended_with_its_children(
    backend: Callable[..., AerialistBackend],
    scenario: Scenario,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text(f"#!/bin/sh\necho \"$@\" >> '{tmp_path}/docker'\n")
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{docker.parent}:{os.environ['PATH']}")
    with pytest.raises(BackendTimeout, match="timed out"):
        backend("hang", retries=0, timeout_s=1.5).fly(scenario, 1)
    document = yaml.safe_load(Path(calls(tmp_path)[0]["arguments"][2]).read_text())
    name = document["agent"]["id"]
    assert (tmp_path / "docker").read_text() == f"kill aerialist_{name}\n", "its container is ended too"


def test_program_has_a_terminal(
    backend: Callable[..., AerialistBackend], scenario: Scenario, tmp_path: Path
) -> None:
    """Aerialist's docker agent runs `docker exec -it`, which refuses to work without one."""
    backend("log").fly(scenario, 1)
    assert calls(tmp_path)[0]["terminal"] is True


def test_parallel_repeats_with_k8s(
    backend: Callable[..., AerialistBackend], scenario: Scenario, tmp_path: Path
) -> None:
    flights = backend("log2", agent="k8s").fly_repeats(scenario, [4, 5])
    assert [flight.seed for flight in flights] == [4, 5]
    assert calls(tmp_path)[0]["arguments"][-2:] == ["-n", "2"]


def test_repeats_one_after_the_other(
    backend: Callable[..., AerialistBackend], scenario: Scenario, tmp_path: Path
) -> None:
    assert len(backend("log", agent="local").fly_repeats(scenario, [4, 5])) == 2
    assert len(calls(tmp_path)) == 2


def test_log_that_ends_elsewhere_landed_early(
    backend: Callable[..., AerialistBackend], scenario: Scenario
) -> None:
    farther = Waypoint(position_enu_m=(500.0, 500.0, 10.0))
    mission = scenario.mission.model_copy(update={"waypoints": (*scenario.mission.waypoints, farther)})
    flight = backend("log").fly(scenario.model_copy(update={"mission": mission}), 1)
    assert flight.ending is Ending.LANDED_EARLY


def test_missing_program_is_named() -> None:
    backend = AerialistBackend(AerialistConfig(command=("no-such-aerialist",)))
    with pytest.raises(BackendError, match="no-such-aerialist: program not found"), backend:
        pass
