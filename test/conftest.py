"""Fixtures for all tiers. ROS is imported inside the fixtures only, so core tests run without it."""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Matrices are small here: threads of the linear algebra only fight for the cores that test workers use.
# Set before anything imports numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Ray reads whom to trust when it is imported, whichever test does that first.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))

import pytest
from hypothesis import HealthCheck, settings

from uav_testgen.testing.patience import patience

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
TIERS = ("unit", "property", "contract", "golden", "ros", "system", "faults")

# Machines differ in speed and tests run beside each other: a slow example is no failure.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


# Tests send these signals to processes they start, which inherit that a shell (`nohup`, `&`) had them ignored.
if threading.current_thread() is threading.main_thread():
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make soak` repeats the random faults."""
    parser.addoption("--soak", type=int, default=0, metavar="N", help="kill N times each, not once or twice")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test carries the marker of the folder it lies in: test/<tier>/..."""
    for item in items:
        tier = item.path.relative_to(ROOT / "test").parts[0]
        if tier in TIERS:
            item.add_marker(tier)


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The project folder."""
    return ROOT


@pytest.fixture(scope="session")
def in_ci() -> bool:
    """Continuous integration (CI=true) has to provide what a test needs; elsewhere the test is skipped."""
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recorded flights and logs beside the project; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("recorded data (../shared) is not here")
    return SHARED


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[Any]:
    """A Ray cluster: a head that computes nothing and two nodes of one processor each, all on loopback.

    Starting it takes long: tests that use it belong to the xdist group "ray" and share it. A test that kills
    a node puts another one in its place.
    """
    from uav_testgen.testing.ray_cluster import RayCluster, ray_command

    if ray_command() is None:
        pytest.skip("Ray is not installed; pip install 'uav_testgen[ray]'")
    with RayCluster(nodes=2) as cluster:
        yield cluster


@pytest.fixture
def ros_domain(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A ROS domain nobody else on this machine uses, loopback only, with our transport profile."""
    from uav_testgen.graph.domains import DomainReservation

    reservation = DomainReservation()
    monkeypatch.setenv("ROS_DOMAIN_ID", str(reservation.domain))
    monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    monkeypatch.setenv("FASTRTPS_DEFAULT_PROFILES_FILE", str(ROOT / "config" / "fastdds.xml"))
    yield reservation.domain
    reservation.release()


@pytest.fixture
def ros_context(ros_domain: int) -> Iterator[Any]:
    """An initialised rclpy context of its own; everything made in it is gone after the test."""
    rclpy = pytest.importorskip("rclpy")
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=ros_domain)
    yield context
    rclpy.try_shutdown(context=context)


@pytest.fixture
def ros_executor(ros_context: Any) -> Iterator[Any]:
    """A single-threaded executor in the test's context; its nodes are destroyed after the test."""
    from rclpy.executors import SingleThreadedExecutor

    executor = SingleThreadedExecutor(context=ros_context)
    yield executor
    for node in list(executor.get_nodes()):
        executor.remove_node(node)
        node.destroy_node()
    executor.shutdown()


@pytest.fixture
def make_node(ros_context: Any, ros_executor: Any) -> Callable[..., Any]:
    """Make a plain node, by name and keyword arguments of rclpy's Node, already in the executor."""
    from rclpy.node import Node

    def make(name: str, **options: Any) -> Any:
        node = Node(name, context=ros_context, **options)
        ros_executor.add_node(node)
        return node

    return make


@pytest.fixture
def spin_until(ros_executor: Any) -> Callable[..., None]:
    """Spin until a condition holds; on time-out fail with what was waited for."""

    def spin(condition: Callable[[], bool], what: str, timeout_s: float = 20.0) -> None:
        end = time.monotonic() + timeout_s * patience()
        while not condition():
            if time.monotonic() > end:
                names = ", ".join(node.get_name() for node in ros_executor.get_nodes())
                pytest.fail(f"waited {timeout_s} s for {what}; nodes spinning: {names}")
            ros_executor.spin_once(timeout_sec=0.05)

    return spin
