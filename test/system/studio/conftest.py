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

WARM_S = 200.0


@dataclass
class RunningStudio:
    """One server process and how to talk to it."""

    folder: Path
    port: int = 0
    process: Any = None
    token: str = ""
    log: Path = field(init=False)

    def __post_init__(self) -> None:
        self.log = self.folder.parent / "studio.log"

    def start(self) -> None:
        """Start it (again on the same port) and wait for its address."""
        self.log.write_bytes(b"")
        words = [
            sys.executable, "-m", "uav_testgen.cli.main", "studio", str(self.folder), "--port", str(self.port),
            "--no-browser",
        ]  # fmt: skip
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(words, stdout=output, stderr=output)
        found = None
        end = time.monotonic() + 90.0
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

    def stop(self) -> None:
        """End it as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)


@pytest.fixture(scope="package")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    """A warm studio in a folder of its own."""
    running = RunningStudio(tmp_path_factory.mktemp("studio") / "folder")
    running.start()
    try:
        running.wait_until_warm()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="package")
def browser(in_ci: bool) -> Iterator[Any]:
    with headless_chromium(in_ci) as started:
        yield started
