"""However a flight is broken off, the vehicle comes down and no process stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import FAKE
from .test_px4_backend import SCENARIO, fake_processes

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def wait_for(condition: Callable[[], Any], what: str, timeout_s: float = 180.0) -> Any:
    deadline_s = time.monotonic() + timeout_s
    while not (found := condition()):
        assert time.monotonic() < deadline_s, f"waited {timeout_s:.0f} s for {what}"
        time.sleep(0.1)
    return found


def nodes_of_domain(domain: int) -> dict[str, int]:
    """Process ids of the graph's nodes in this ROS domain, by module."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        module = next((word for word in words if word.startswith("uav_testgen.ros.nodes.")), "")
        if module and f"ROS_DOMAIN_ID={domain}".encode() in environment:
            found[module.rpartition(".")[2]] = int(entry.name)
    return found


@pytest.fixture
def plain_environment(ros_domain: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """As a user has it; the autopilot knows nothing of our transport and discovery."""
    monkeypatch.delenv("FASTRTPS_DEFAULT_PROFILES_FILE")
    monkeypatch.delenv("ROS_AUTOMATIC_DISCOVERY_RANGE")
    return dict(os.environ)


@pytest.fixture
def autopilot(plain_environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[[], list[str]]]:
    """A fake PX4 that nobody of us started; what it said so far."""
    said = tmp_path / "said.txt"
    with said.open("w") as stream:
        process = subprocess.Popen([sys.executable, str(FAKE), "--say"], env=plain_environment, stdout=stream)
    yield lambda: said.read_text().splitlines()
    process.send_signal(signal.SIGINT)
    process.wait(10)


@pytest.fixture
def in_the_air(
    autopilot: Callable[[], list[str]], plain_environment: dict[str, str], tmp_path: Path
) -> Iterator[Any]:
    """`uav-testgen fly`, just after the take-off."""
    (tmp_path / "scene.yaml").write_text(SCENARIO)
    (tmp_path / "settings.yaml").write_text("settings:\n  depth_cloud_node: {renderer: analytic}\n")
    with (tmp_path / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "uav_testgen.cli.main", "fly", str(tmp_path / "scene.yaml")),
                *("--backend", "px4", "--settings", str(tmp_path / "settings.yaml")),
                *("--out", str(tmp_path / "out")),
            ],
            env=plain_environment,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
    try:
        wait_for(lambda: "armed=True mode=14 landed=False" in autopilot(), "the take-off")
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(10)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_end_of_the_command(
    number: signal.Signals,
    code: int,
    in_the_air: Any,
    autopilot: Callable[[], list[str]],
    ros_domain: int,
    tmp_path: Path,
) -> None:
    time.sleep(1.0)
    in_the_air.send_signal(number)
    assert in_the_air.wait(60) == code
    if code == 130:
        assert "kept what was flown" in (tmp_path / "errors.txt").read_text()
        record = json.loads((tmp_path / "out" / "flight.json").read_text())["runs"][0]
        assert (record["ending"], record["reason"]) == ("aborted", "interrupted")
    wait_for(lambda: any("mode=18" in line for line in autopilot()), "the landing", 20.0)
    wait_for(lambda: autopilot()[-1].startswith("armed=False"), "disarmed", 60.0)
    wait_for(lambda: not nodes_of_domain(ros_domain), "the end of all nodes", 30.0)


@pytest.mark.parametrize("name", ["px4_bridge_node", "planner_node", "scenario_node"])
def test_killed_node(
    name: str, in_the_air: Any, autopilot: Callable[[], list[str]], ros_domain: int, tmp_path: Path
) -> None:
    time.sleep(1.0)
    os.kill(nodes_of_domain(ros_domain)[name], signal.SIGKILL)
    code = in_the_air.wait(120)
    errors = (tmp_path / "errors.txt").read_text()
    assert code == 3, errors
    assert "Traceback" not in errors
    record = json.loads((tmp_path / "out" / "flight.json").read_text())["runs"][0]
    assert (record["ending"], name in record["reason"]) == ("aborted", True), "what was flown is kept"
    assert len(record["trajectory"]["t_s"]) > 5
    assert "left armed" not in errors
    wait_for(lambda: any("mode=18" in line for line in autopilot()), "the landing", 20.0)
    wait_for(lambda: autopilot()[-1].startswith("armed=False"), "disarmed", 60.0)
    assert not nodes_of_domain(ros_domain)
    assert len(fake_processes()) == 1, "an autopilot we did not start is not ended"
