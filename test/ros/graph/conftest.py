"""Running graphs for the tests of this folder. They are heavy, so all of them share one xdist group."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rclpy")

from uav_testgen.graph.description import load_graph, resolve
from uav_testgen.graph.domains import DomainReservation
from uav_testgen.graph.processes import GraphProcesses
from uav_testgen.graph.shared_memory import mapped_files
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig

HERE = Path(__file__).parent
ANALYTIC: dict[str, dict[str, Any]] = {"depth_cloud_node": {"renderer": "analytic"}}
"""Quicker to start than Open3D; their clouds are equal."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("ros_graph"))
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture
def domain() -> Iterator[int]:
    reservation = DomainReservation()
    yield reservation.domain
    reservation.release()


@pytest.fixture(scope="session")
def composed() -> Iterator[GraphBackend]:
    """One composed graph for all tests that do it no harm, with the shipped settings."""
    with GraphBackend(GraphConfig()) as backend:
        yield backend


class SeparateGraph:
    """Nodes as processes that the backend has not started: it knows them by their topics only."""

    def __init__(self, logs: Path, **options: Any) -> None:
        self._reservation = DomainReservation()
        self.domain = self._reservation.domain
        plan = resolve(load_graph(), settings=ANALYTIC, **options)
        self.processes = GraphProcesses(plan, domain=self.domain, logs=logs)
        self.names = [node.name for node in plan.nodes]
        self.processes.start()
        self.backend = GraphBackend(GraphConfig(start=False, domain=self.domain, namespace=plan.namespace))
        self.backend.__enter__()
        self.wait()

    def wait(self, *names: str) -> None:
        """Until the named nodes (default: all) have given a sign of life."""
        assert self.backend.client is not None
        self.backend.client.wait_for_graph(names or self.names, 180.0, self._check)

    def _check(self) -> None:
        dead = self.processes.dead()
        assert not dead, {name: self.processes.last_words(name, 20) for name in dead}

    def close(self) -> None:
        self.backend.close()
        self.processes.stop()
        self._reservation.release()


@pytest.fixture
def separate_graph(tmp_path: Path) -> Iterator[Callable[..., SeparateGraph]]:
    made: list[SeparateGraph] = []

    def make(**options: Any) -> SeparateGraph:
        made.append(SeparateGraph(tmp_path, **options))
        return made[-1]

    yield make
    for graph in made:
        graph.close()


def segments_of(pid: int) -> set[str]:
    """Shared-memory files a process has mapped."""
    maps = Path(f"/proc/{pid}/maps").read_text()
    return {word for line in maps.splitlines() for word in line.split()[5:6] if "/dev/shm/fastrtps" in word}


def left_behind(used: set[str]) -> list[str]:
    """Files that still exist although nobody uses them; numbered ports may be in use by other graphs."""
    return [path for path in used - mapped_files() if Path(path).exists()]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
