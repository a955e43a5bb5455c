"""The `graph` backend: starts the nodes and flies scenarios through the action `fly`."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import yaml
from pydantic import Field, field_validator, model_validator

from uav_testgen.backend.base import Capabilities
from uav_testgen.core.body import body_at
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.errors import BackendError
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Flight
from uav_testgen.graph.description import SystemWish, Value, load_graph, resolve
from uav_testgen.graph.domains import DomainReservation
from uav_testgen.graph.environment import settings_over
from uav_testgen.graph.foreign_planner import NAMESPACE, PLANNER, check_start, resolved_with
from uav_testgen.graph.planner_profile import PlannerProfile, load_profile
from uav_testgen.graph.process_identity import process_here
from uav_testgen.graph.processes import COMPOSED, GraphProcesses
from uav_testgen.loop.endings import ENDINGS
from uav_testgen.loop.planner_watch import TIMED_OUT, place_in
from uav_testgen.loop.stepwise import MOST_TRACEBACK
from uav_testgen.loop.system import System, assemble
from uav_testgen.loop.track import make_flight
from uav_testgen.ros.backends.client import GraphClient
from uav_testgen.ros.backends.planner_reports import PlannerReports
from uav_testgen.ros.convert import flight_from_msg, verdict_from_msg
from uav_testgen.ros.node_configs import PlannerNodeConfig
from uav_testgen.ros.recording import FlightRecording, LiveTopics
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import PLANNER_LATE

_log = logging.getLogger(__name__)

SYSTEM_NODES = frozenset({"depth_cloud_node", "planner_node", "vehicle_node"})
"""The nodes of the system under test."""


class GraphConfig(RoomConfig):
    """How the graph is started and how long it may take."""

    composed: bool = Field(default=True, description="All nodes in one process (quicker) or one each")
    start: bool = Field(default=True, description="Start the nodes; false: use a graph that runs already")
    domain: int | None = Field(
        default=None, ge=0, le=232, description="ROS domain; empty: a free one (not start: ROS_DOMAIN_ID)"
    )
    namespace: str = Field(default="", max_length=100, description="Namespace of the graph")
    system: str | System = Field(DEFAULT_SYSTEM, description="preset, a .yaml file or the system itself")
    vehicle: str | None = Field(None, description="another vehicle: a model, a system's, or file.py:Class")
    planner: str | None = Field(None, description="another planner: a name, module:Class or file.py:Class")
    camera: str | None = Field(None, description="another camera preset or .yaml file")
    changes: dict[str, Any] = Field(
        default_factory=dict, description="single values of the system, e.g. vehicle.speed_lock: false"
    )
    profile: str | None = Field(
        None, max_length=1000, description="planner ros: its planner profile, a shipped name or a YAML file"
    )
    start_planner: str = Field(
        "",
        max_length=2000,
        description="planner ros: command that starts it for each flight; empty: it runs already",
    )
    without: tuple[str, ...] = Field(default=(), description="Nodes that are supplied from outside")
    settings: dict[str, dict[str, Value]] = Field(
        default_factory=dict, description="Node parameters: node -> parameter -> value"
    )
    start_timeout_s: float = Field(
        default=180.0, gt=0, le=3600, description="Time for the nodes to come up, compiling included [s]"
    )
    flight_timeout_s: float = Field(default=600.0, gt=0, le=86_400, description="Wall time of one flight [s]")
    silence_timeout_s: float = Field(
        default=10.0,
        gt=0,
        le=600,
        description="scenario_node without a sign of life is dead after this; longer than its patience with "
        "the others, whom it could otherwise not name in time [s]",
    )

    @field_validator("system", mode="before")
    @classmethod
    def _from_file(cls, value: Any) -> Any:
        return System.model_validate(value) if isinstance(value, dict) else value

    @model_validator(mode="before")
    @classmethod
    def _planner_of_profile(cls, data: Any) -> Any:
        """A profile says who plans."""
        if isinstance(data, dict) and data.get("profile") and data.get("planner") is None:
            return {**data, "planner": PLANNER}
        return data

    @model_validator(mode="after")
    def _profile_fits(self) -> GraphConfig:
        if self.profile and self.planner != PLANNER:
            raise ValueError(f"profile goes with planner: {PLANNER}, not with '{self.planner}'")
        if self.planner == PLANNER and not self.profile and self.start:
            raise ValueError(f"planner: {PLANNER} needs a profile: a shipped name or a YAML file")
        if self.start_planner and not self.profile:
            raise ValueError("start_planner goes with a profile")
        return self

    def assembled(self) -> System:
        """The system with its changes."""
        system = assemble(self.system, vehicle=self.vehicle, planner=self.planner, camera=self.camera)
        return system.changed(self.changes) if self.changes else system

    def flown(self) -> System:
        """What flies, as far as is known.

        Nothing was calibrated with a node from outside, nor is it known who flies in a graph that runs already.
        """
        system, outside = self.assembled(), sorted(SYSTEM_NODES & set(self.without))
        if self.profile:
            named = system.name.replace(
                f"planner {PLANNER}", f"planner {PLANNER} ({Path(self.profile).stem})"
            )
            system = system.model_copy(update={"name": named, "calibration": {}})
        if not outside and self.start:
            return system
        name = f"{system.name} with another {' and '.join(outside)}" if outside else system.name
        return system.model_copy(update={"name": name, "calibration": {}})

    @property
    def asked_system(self) -> str:
        """What a flight asks for: nothing where a graph that runs already is used as it is."""
        parts = {"system", "vehicle", "planner", "camera", "changes"}
        return self.assembled().name if self.start or parts & self.model_fields_set else ""


class GraphBackend:
    """Flies in the ROS 2 node graph, in lock-step."""

    name = "graph"
    capabilities = Capabilities(deterministic=True, evidence=Evidence.TOPICS, records=True)
    config_type = GraphConfig
    variant = "lfs"
    narrator = ""
    """The node whose progress is told to whoever waits."""

    def __init__(self, config: GraphConfig | None = None) -> None:
        self.config = config or GraphConfig()
        self.system = self.config.flown()
        self._profile: PlannerProfile | None = None
        if self.config.profile:
            self._profile = load_profile(self.config.profile)
            check_start(self.config.start_planner)
            self.config = self.config.model_copy(update={"namespace": self.config.namespace or NAMESPACE})
        if self.capabilities.prediction and not self.system.planner.is_shipped:
            # With a planner of the user's there is no other flight of the same simulator that this one could check.
            repeats = self._profile is None or not self._profile.time.is_paced
            self.capabilities = replace(self.capabilities, evidence=Evidence.PREDICTED, deterministic=repeats)
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
        self._logs = tempfile.TemporaryDirectory(prefix="uav_testgen_graph_")
        options: dict[str, Any] = {
            "variant": self.variant,
            "without": config.without,
            "settings": config.settings,
            "namespace": config.namespace,
            "system": self._wish(),
        }
        if config.profile:
            options = resolved_with(config.profile, config.start_planner, **options)
        plan = resolve(load_graph(), **options)
        if config.start:
            if self.domain is None:
                self._reservation = DomainReservation()
                self.domain = self._reservation.domain
            self.processes = GraphProcesses(
                plan, composed=config.composed, domain=self.domain, logs=Path(self._logs.name)
            )
            self.processes.start()
        environment = settings_over(os.environ, plan.transport)
        self.client = GraphClient(
            self.domain, config.namespace, environment, self._tell if self.narrator else None, self.narrator
        )
        self._reports = PlannerReports(self.client)
        self._nodes = [node.name for node in plan.nodes] if config.start else []
        if not self.narrator:  # a warning, because Python shows those without any handler
            what = (
                f"{len(self._nodes)} nodes"
                if config.start
                else f"a graph in ROS domain {self._domain_text()}"
            )
            doing = "starting" if config.start else "waiting for"
            _log.warning("%s %s, at most %.0f s", doing, what, config.start_timeout_s)
        self._wait_for_graph(self.client)

    def _domain_text(self) -> str:
        return str(self.domain if self.domain is not None else os.environ.get("ROS_DOMAIN_ID", "0"))

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

    def _wish(self) -> SystemWish:
        """The system for the nodes: by name, or in a file where no name says it all."""
        config = self.config
        if isinstance(config.system, str) and not config.changes:
            return SystemWish(config.system, config.vehicle or "", config.planner or "", config.camera or "")
        assert self._logs is not None
        file = Path(self._logs.name) / "system.yaml"
        file.write_text(yaml.safe_dump(config.assembled().model_dump(mode="json")), encoding="utf-8")
        return SystemWish(str(file))

    def _tell(self, line: str) -> None:
        """Somebody may want to know."""

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
        live = self._live_topics()
        before = self.processes.log_length(self._planner_process) if self.processes else 0
        with FlightRecording.maybe(self.client.node, target, live=live) as recording:
            if recording is not None:
                self.client.connect_newest(self._check_processes)
            try:
                result = self.client.fly(
                    flown,
                    self.config.asked_system,
                    self.config.flight_timeout_s,
                    self.config.silence_timeout_s,
                    self._check_processes,
                )
            except BackendError:
                hung = self._hung(flown, before) if live is None else None
                if hung is None:
                    raise
                return hung
            if recording is not None and result.success:
                self.client.record_complete(recording, result.flight, is_lock_step=live is None)
        if not result.success:
            hung = self._hung(flown, before) if live is None else None
            if hung is not None:
                return hung
            raise BackendError(f"{self.name} flight of scenario {flown.id} failed: {result.message}")
        flight = flight_from_msg(result.flight)
        extra: dict[str, Any] = {
            "verdict": verdict_from_msg(result.verdict).to_json(),
            "composed": self.config.composed,
            **self._reports.of(result.flight.flight_id, flight.ending.is_trouble_of_planner),
            "total_wall_s": time.monotonic() - began_s,
        }
        system = self.system.name if self.config.without or self.config.profile else flight.system
        return replace(flight, backend=self.name, system=system, details={**flight.details, **extra})

    @property
    def _planner_process(self) -> str:
        return COMPOSED if self.config.composed else "planner_node"

    def _hung(self, scenario: Scenario, log_start: int) -> Flight | None:
        """The flight whose planner ended its process because it did not return; None: it was something else.

        The record went with the process, or with the director's patience: only where it began is known.
        """
        name, processes = self._planner_process, self.processes
        if processes is None or name not in processes.dead():
            return None
        _, timed_out, text = processes.log_since(name, log_start).rpartition(TIMED_OUT)
        if not timed_out:
            return None
        given = self.config.settings.get("planner_node", {}).get("planner_timeout_s")
        limit_s = given if isinstance(given, (int, float)) else PlannerNodeConfig().planner_timeout_s
        said = f"no answer within {limit_s:g} s, so its process was ended{place_in(text)}"
        details: dict[str, Any] = {
            "planner_error": said,
            "planner_traceback": text[-MOST_TRACEBACK:],
            "composed": self.config.composed,
        }
        start = body_at(scenario.mission.home_enu_m, scenario.mission.home_yaw_rad)
        return make_flight(
            scenario, self.name, self.system.name, scenario.seed, ENDINGS[PLANNER_LATE], np.zeros(1),
            start[np.newaxis], np.inf, [], details,
        )  # fmt: skip

    def _live_topics(self) -> LiveTopics | None:
        """What a recording of a live flight holds beside the graph's topics; None: a simulated flight."""
        return None

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
