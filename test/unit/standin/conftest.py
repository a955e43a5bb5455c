"""A server whose simulations are made up at once, and the stand-in programs around it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from uav_testgen.core.errors import BackendError
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.scenario.model import Scenario, obstacle_on_ground
from uav_testgen.standin.answers import Answer
from uav_testgen.standin.environment import started_environment, write_programs
from uav_testgen.standin.request import Request
from uav_testgen.standin.server import Server
from uav_testgen.testing.factories import make_scenario


class MadeUp:
    """Remembers what it was asked; its logs hold their number."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[Request] = []
        self.duration_s = 100.0
        self.unfinished = False
        self.trouble = ""

    def fly(self, request: Request) -> Answer:
        if self.trouble == "refused":
            raise BackendError("the budget of 1 simulations is spent")
        self.asked.append(request)
        number = len(self.asked)
        log = self.folder / f"{number:06d}.ulg"
        log.write_bytes(f"log {number}".encode())
        found = None if self.trouble else log
        return Answer(
            number,
            1,
            request.scenario.id,
            found,
            self.trouble,
            self.unfinished,
            1.0,
            self.duration_s,
            "goal_reached",
        )


@pytest.fixture
def made_up(tmp_path: Path) -> MadeUp:
    """Who answers."""
    folder = tmp_path / "logs"
    folder.mkdir()
    return MadeUp(folder)


@pytest.fixture
def standin(tmp_path: Path, made_up: MadeUp) -> Iterator[Any]:
    """`sh(command)` runs a shell command in a program's folder, as Aerialist's agents do."""
    # Short, because the path of a socket may have about a hundred characters only.
    import tempfile

    with tempfile.TemporaryDirectory(prefix="uavtg-") as name:
        folder = Path(name)
        programs = write_programs(folder)
        work = tmp_path / "work"
        work.mkdir()
        with Server(folder, made_up) as server:  # type: ignore[arg-type]
            environment = started_environment(os.environ, programs, server.address, work)

            def sh(command: str, **more: str) -> subprocess.CompletedProcess[str]:
                return subprocess.run(
                    command,
                    shell=True,
                    cwd=work,
                    env={**environment, **more},
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=60,
                )

            yield SimpleNamespace(sh=sh, work=work, server=server, environment=environment)


@pytest.fixture
def scenario() -> Scenario:
    """One wall."""
    return make_scenario(mission="mission2").with_obstacles(
        (obstacle_on_ground(25.0, -3.0, (2.0, 12.0, 20.0)),)
    )


@pytest.fixture
def write_test(standin: Any, scenario: Scenario) -> Callable[[], Path]:
    """A test file and its plan in the program's folder."""

    def write(name: str = "test.yaml") -> Path:
        path: Path = standin.work / name
        save_test(path, scenario)
        return path

    return write
