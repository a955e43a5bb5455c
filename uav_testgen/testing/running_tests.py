"""pytest plugin: says on the disk which test each worker runs, for whoever watches from outside.

    python -m pytest -p uav_testgen.testing.running_tests ...

It does nothing unless UAV_TESTGEN_RUNNING_TESTS names a folder. `tools/run_tests.py` sets it, and on a machine that is
crowded on purpose UAV_TESTGEN_TEST_PATIENCE, by which every limit of a test is longer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from uav_testgen.testing.patience import patience

FOLDER_VARIABLE = "UAV_TESTGEN_RUNNING_TESTS"


class RunningTest(NamedTuple):
    """One test that has begun and not ended. `limit_s` is its own limit; 0 = none."""

    test: str
    worker: str
    pid: int
    began_s: float
    limit_s: float

    @property
    def lasts_s(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.began_s


def running_tests(folder: Path) -> list[RunningTest]:
    """What has begun and not ended, oldest first; a file that is just being written is left out."""
    found = []
    for path in folder.glob("*.json"):
        with contextlib.suppress(OSError, ValueError, TypeError):
            found.append(RunningTest(**json.loads(path.read_text(encoding="utf-8"))))
    return sorted(found, key=lambda running: running.began_s)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Longer limits, where they were asked for."""
    factor = patience()
    if factor == 1.0:
        return
    for item in items:
        if limit_s := limit_of(item):
            item.add_marker(pytest.mark.timeout(limit_s * factor), append=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Around setup, call and teardown of one test."""
    folder = os.environ.get(FOLDER_VARIABLE, "")
    if not folder:
        return (yield)
    place = _place(Path(folder), item.nodeid)
    running = RunningTest(
        item.nodeid,
        os.environ.get("PYTEST_XDIST_WORKER", "main"),
        os.getpid(),
        time.monotonic(),
        limit_of(item),
    )
    place.write_text(json.dumps(running._asdict()), encoding="utf-8")
    try:
        return (yield)
    finally:
        place.unlink(missing_ok=True)


def _place(folder: Path, name: str) -> Path:
    return folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"


def limit_of(item: pytest.Item) -> float:
    """The limit that pytest-timeout keeps for this test [s]; 0 = none."""
    marker = item.get_closest_marker("timeout")
    given: Any = None
    if marker is not None:
        given = marker.args[0] if marker.args else marker.kwargs.get("timeout")
    if given is None:
        given = item.config.getoption("timeout", None)
    if given is None:
        with contextlib.suppress(ValueError, KeyError):
            given = item.config.getini("timeout")
    try:
        return max(float(given or 0.0), 0.0)
    except (TypeError, ValueError):
        return 0.0
