"""The `graph` backend: starts the nodes and flies scenarios through the action `fly`."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import Field

from uav_testgen.backend.base import Capabilities
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import BackendError
from uav_testgen.flight.model import Flight
from uav_testgen.graph.description import Value, load_graph, resolve
from uav_testgen.graph.domains import DomainReservation
from uav_testgen.graph.environment import settings_over
from uav_testgen.graph.process_identity import process_here
from uav_testgen.graph.processes import COMPOSED, GraphProcesses
from uav_testgen.ros.backends.client import GraphClient
from uav_testgen.ros.convert import flight_from_msg, verdict_from_msg
from uav_testgen.ros.recording import FlightRecording
from uav_testgen.scenario.model import Scenario


class GraphConfig(RoomConfig):
    """How the graph is started and how long it may take."""

    composed: bool = Field(default=True, description="All nodes in one process (quicker) or one each")
    start: bool = Field(default=True, description="Start the nodes; false: use a graph that runs already")
    domain: int | None = Field(
        default=None, ge=0, le=232, description="ROS domain; empty: a free one (not start: ROS_DOMAIN_ID)"
    )
    namespace: str = Field(default="", max_length=100, description="Namespace of the graph")
    vehicle: str = Field(default="", description="Vehicle model: paper or px4; empty: as described")
    without: tuple[str, ...] = Field(default=(), description="Nodes that are supplied from outside")
    settings: dict[str, dict[str, Value]] = Field(
        default_factory=dict, description="Node parameters: node -> parameter -> value"
    )
    start_timeout_s: float = Field(
        default=180.0, gt=0, le=3600, description="Time for the nodes to come up, compiling included [s]"
    )
    flight_timeout_s: float = Field(default=600.0, gt=0, le=86_400, description="Wall time of one flight [s]")
    silence_timeout_s: float = Field(
        default=3.0, gt=0, le=600, description="scenario_node without a sign of life is dead after this [s]"
    )


class GraphBackend:
    """Flies in the ROS 2 node graph, in lock-step."""

    name = "graph"
    capabilities = Capabilities(deterministic=True, prediction=True, records=True)
    config_type = GraphConfig
    variant = "lfs"

    def __init__(self, config: GraphConfig | None = None) -> None:
        self.config = config or GraphConfig()
        self._reservation: DomainReservation | None = None
        self._logs: tempfile.TemporaryDirectory[str] | None = None
        self.client: GraphClient | None = None
        self.processes: GraphProcesses | None = None
        self.domain = self.config.domain
        self._nodes: list[str] = []
        self._record_to: Path | None = None

    def __enter__(self) -> GraphBackend:
        try:
            self._enter()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _enter(self) -> None:
        config = self.config
        plan = resolve(
            load_graph(),
            self.variant,
            without=config.without,
            settings=config.settings,
            namespace=config.namespace,
            vehicle=config.vehicle,
        )
        if config.start:
            if self.domain is None:
                self._reservation = DomainReservation()
                self.domain = self._reservation.domain
            self._logs = tempfile.TemporaryDirectory(prefix="uav_testgen_graph_")
            self.processes = GraphProcesses(
                plan, composed=config.composed, domain=self.domain, logs=Path(self._logs.name)
            )
            self.processes.start()
        environment = settings_over(os.environ, plan.transport)
        self.client = GraphClient(self.domain, config.namespace, environment)
        self._nodes = [node.name for node in plan.nodes] if config.start else []
        self._wait_for_graph(self.client)

    def _wait_for_graph(self, client: GraphClient) -> None:
        processes = self.processes
        started = {name: process_here(processes.pid(name)) for name in self._nodes} if processes else {}
        client.wait_for_graph(self._nodes, self.config.start_timeout_s, self._check_processes, started)

    def close(self) -> None:
        """End the nodes this backend started; leaves nothing behind."""
        if self.client is not None:
            self.client.close()
            self.client = None
        if self.processes is not None:
            self.processes.stop()
            self.processes = None
        if self._reservation is not None:
            self._reservation.release()
            self._reservation = None
        if self._logs is not None:
            self._logs.cleanup()
            self._logs = None

    def record_to(self, path: Path) -> None:
        """The next flight leaves a recording (MCAP) at this path."""
        self._record_to = path

    def fly(self, scenario: Scenario, seed: int = 0) -> Flight:
        """One flight over topics."""
        if self.client is None:
            raise BackendError("the graph backend is a context manager: use it with 'with'")
        self._revive()
        flown = scenario.model_copy(update={"seed": seed})
        began_s = time.monotonic()
        target, self._record_to = self._record_to, None
        with FlightRecording.maybe(self.client.node, target) as recording:
            if recording is not None:
                self.client.connect_newest(self._check_processes)
            result = self.client.fly(
                flown,
                self.config.vehicle,
                self.config.flight_timeout_s,
                self.config.silence_timeout_s,
                self._check_processes,
            )
            if recording is not None and result.success:
                self.client.record_complete(recording, result.flight.flight_id)
        if not result.success:
            raise BackendError(f"{self.name} flight of scenario {flown.id} failed: {result.message}")
        flight = flight_from_msg(result.flight)
        extra: dict[str, Any] = {
            "verdict": verdict_from_msg(result.verdict).to_json(),
            "composed": self.config.composed,
            "total_wall_s": time.monotonic() - began_s,
        }
        return replace(flight, backend=self.name, details={**flight.details, **extra})

    def _revive(self) -> None:
        """Nodes that died in the flight before are started again."""
        dead = self.processes.dead() if self.processes else {}
        if dead and self.processes and self.client:
            for name in dead:
                self.processes.start_one(name)
            self._wait_for_graph(self.client)

    def _check_processes(self) -> None:
        """BackendError as soon as a node of ours has ended."""
        dead = self.processes.dead() if self.processes else {}
        if dead and self.processes:
            name, code = next(iter(dead.items()))
            words = self.processes.last_words(name)
            nodes = "the composed graph" if name == COMPOSED else name
            raise BackendError(f"{nodes} ended with code {code}" + (f": {words}" if words else ""))
