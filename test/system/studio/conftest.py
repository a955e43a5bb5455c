"""A studio as a user starts it, and a browser in front of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from test.system.chromium import headless_chromium
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Mission, Waypoint
from uav_testgen.testing.commands import wait_until
from uav_testgen.testing.factories import make_trajectory
from uav_testgen.testing.flight_logs import REFERENCE_DEG, log_bytes

HERE = Path(__file__).parent
WARM_S = JOBS_S = 1000.0
"""The machine may be busy with twenty other things; nobody waits longer than it takes."""
OWN_PLANNER = """
from uav_testgen import Plan

class Straight:
    def reset(self, setup): ...
    def plan(self, observation):
        return Plan(position_enu_m=observation.goal_enu_m)
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whichever test is first also waits for the server and its jobs."""
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(1800))


@dataclass
class RunningStudio:
    """One server process and how to talk to it."""

    folder: Path
    port: int = 0
    process: Any = None
    token: str = ""
    log: Path = field(init=False)
    own_planner: str = field(init=False)

    def __post_init__(self) -> None:
        self.log = self.folder.parent / "studio.log"
        file = self.folder.parent / "mine.py"
        file.write_text(OWN_PLANNER)
        self.own_planner = f"{file}:Straight"

    def start(self) -> None:
        """Start it (again on the same port) and wait for its address."""
        self.log.write_bytes(b"")
        words = [
            sys.executable, "-m", "uav_testgen.cli.main", "studio", str(self.folder), "--port", str(self.port),
            "--no-browser", "--planner", self.own_planner,
        ]  # fmt: skip
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(words, stdout=output, stderr=output)
        found = None
        end = time.monotonic() + WARM_S
        while found is None:
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, "the studio printed no address"
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", self.log.read_text())
            time.sleep(0.05)
        self.port, self.token = int(found[1]), found[2]

    def wait_until_warm(self) -> None:
        """Wait until flights can be flown."""
        end = time.monotonic() + WARM_S
        while not self.ask("/api/latency")["warm"]:
            assert time.monotonic() < end, "no worker got ready"
            time.sleep(0.3)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def ask(self, path: str, body: Any = None, **headers: str) -> Any:
        """The JSON answer, or (status, text) of a refusal."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {
            "X-Studio-Token": self.token,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data, headers=given)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def job(self, path: str) -> dict[str, Any]:
        """What the page would be shown of a job, asked as often as a page does: the job needs the cores."""
        time.sleep(0.2)
        found: dict[str, Any] = self.ask(f"/api/job?path={path}")
        return found

    def stop(self) -> None:
        """End it as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)


@pytest.fixture(scope="package")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    """A warm studio in a folder of its own."""
    running = RunningStudio(tmp_path_factory.mktemp("studio") / "folder")
    try:
        running.start()
        running.wait_until_warm()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="package")
def flight_log(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A made log (up 4 m, 20 m east in a bow, down) and its plan."""
    folder = tmp_path_factory.mktemp("log")
    points = [(0.0, 0.0, 0.2 * k) for k in range(20)]
    points += [(0.4 * k, 0.004 * k * (50 - k), 4.0) for k in range(51)]
    points += [(20.0, 0.0, 4.0 - 0.2 * k) for k in range(21)]
    log, plan = folder / "made.ulg", folder / "made.plan"
    log.write_bytes(log_bytes(make_trajectory(points), offset_ned_m=(0.0, 0.0, 0.0)))
    mission = Mission(
        waypoints=(Waypoint(position_enu_m=(20.0, 0.0, 4.0)),), takeoff_altitude_m=4.0, name="made"
    )
    save_plan(plan, mission, REFERENCE_DEG)
    return log, plan


SMALL = {"case": "mission2", "generator": "random", "batch_size": 2, "screening": {"repeats": 0}}


@pytest.fixture(scope="package")
def finished(studio: RunningStudio, flight_log: tuple[Path, Path]) -> RunningStudio:
    """The studio after one small job of every kind but a campaign, all started at once."""
    for file in flight_log:
        studio.ask(f"/api/upload?name={file.name}", file.read_bytes())
    held_out, planners = {"tests": 1, "runs": 5}, ["vfh3d", studio.own_planner]
    study = {
        "generators": ["random", "prgen"],
        "cases": ["mission2"],
        "seeds": 1,
        "budgets": [2],
        "held_out": held_out,
    }
    close = load_scene("too_close").model_dump(mode="json")
    jobs: dict[str, tuple[str, dict[str, Any]]] = {
        "a study": ("study", study),
        "two planners": (
            "planners",
            {**SMALL, "budget": {"simulations": 2}, "planners": planners},
        ),
        "replica": ("replication", {"log": "made.ulg", "plan": "made.plan", "budget": 4, "runs": 1}),
        "how true": ("fidelity", {"records": "sample", "runs": 1, "every": 4}),
        "why": ("explain", {"scene": close, "runs": 0, "flights": 10}),
        "simplest": ("minimise", {"scene": close, "runs": 0, "flights": 12}),
        "how likely": ("certify", {"scene": close, "flights": 100, "within": 0.5}),
    }
    for name, (kind, settings) in jobs.items():
        assert studio.ask("/api/jobs", {"kind": kind, "name": name, "settings": settings}) == {"path": name}

    def states() -> dict[str, tuple[str, str]]:
        time.sleep(0.3)
        return {one["path"]: (one["state"], one["trouble"]) for one in studio.ask("/api/jobs")["jobs"]}

    wait_until(
        lambda: not any(states()[name][0] == "running" for name in jobs), "the end of all jobs", JOBS_S
    )
    assert {name: states()[name] for name in jobs} == dict.fromkeys(jobs, ("finished", ""))
    return studio


@pytest.fixture(scope="package")
def browser(in_ci: bool) -> Iterator[Any]:
    with headless_chromium(in_ci) as started:
        yield started
