"""The `px4` backend: the node graph with a live PX4 in place of the vehicle.

PX4 and its agent run already, or are started by `start_commands`. They must be in the same ROS domain:
`domain`, else ROS_DOMAIN_ID, else 0, which is where PX4 is unless told otherwise.
"""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

from pydantic import Field

from uav_testgen.backend.base import Capabilities
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Flight
from uav_testgen.graph.companions import Companions, split_command
from uav_testgen.graph.description import load_graph
from uav_testgen.graph.environment import settings_over
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.ros.px4 import compat
from uav_testgen.ros.px4.emergency import land_now
from uav_testgen.scenario.model import Scenario

_log = logging.getLogger(__name__)

_WITHOUT_SHARED_MEMORY = {"FASTDDS_BUILTIN_TRANSPORTS": "UDPv4"}
"""For the agent: PX4 sends it a participant of its own, so it does not use the profile's transports."""


class Px4Config(GraphConfig):
    """How PX4 is found or started, and how long it may take."""

    composed: bool = Field(
        default=False,
        description="All nodes in one process, or one each: then the bridge outlives the others and lands",
    )
    domain: int | None = Field(
        default=None, ge=0, le=232, description="ROS domain of PX4's agent; empty: ROS_DOMAIN_ID, else 0"
    )
    start_commands: tuple[str, ...] = Field(
        default=(), description="Programs started before and stopped after, e.g. the agent and PX4"
    )
    px4_namespace: str = Field(
        default="", max_length=100, description="Namespace of PX4's topics, e.g. px4_1"
    )
    start_timeout_s: float = Field(
        default=600.0, gt=0, le=3600, description="Time for the nodes to come up, compiling included [s]"
    )
    flight_timeout_s: float = Field(
        default=1800.0, gt=0, le=86_400, description="Wall time of one flight [s]"
    )
    silence_timeout_s: float = Field(
        default=10.0, gt=0, le=600, description="scenario_node without a sign of life is dead after this [s]"
    )


class Px4Backend(GraphBackend):
    """Flies with the real autopilot; no two flights are the same."""

    name = "px4"
    capabilities = Capabilities(deterministic=False, evidence=Evidence.PX4, records=True)
    config_type = Px4Config
    variant = "px4"

    def __init__(self, config: Px4Config | None = None) -> None:
        given = config or Px4Config()
        for text in given.start_commands:
            split_command(text)
        compat.load_messages()
        settings = {name: dict(values) for name, values in given.settings.items()}
        if given.px4_namespace:
            settings.setdefault("px4_bridge_node", {})["px4_namespace"] = given.px4_namespace
        super().__init__(given.model_copy(update={"settings": settings}))
        self._namespace = given.px4_namespace
        self._commands = given.start_commands
        self._companions: Companions | None = None
        self._companion_logs: tempfile.TemporaryDirectory[str] | None = None
        if self.domain is None:
            self.domain = _environment_domain()

    def _enter(self) -> None:
        if self._commands:
            transport = load_graph().variants[self.variant].transport
            self._companion_logs = tempfile.TemporaryDirectory(prefix="uav_testgen_start_")
            environment = {**_WITHOUT_SHARED_MEMORY, **settings_over(os.environ, transport, self.domain)}
            self._companions = Companions(self._commands, environment, Path(self._companion_logs.name))
            self._companions.start()
        super()._enter()

    def fly(self, scenario: Scenario, seed: int = 0) -> Flight:
        """Connect, take off, fly the mission with avoidance, land, disarm."""
        try:
            return super().fly(scenario, seed)
        except BaseException:
            self._land()
            raise

    def close(self) -> None:
        """Everything that was started is ended; a bridge that still flies lands first."""
        super().close()
        if self._companions is not None:
            self._companions.stop()
            self._companions = None
        if self._companion_logs is not None:
            self._companion_logs.cleanup()
            self._companion_logs = None

    def _land(self) -> None:
        """Whatever broke the flight off (also the death of the bridge): the vehicle comes down."""
        if self.client is None:
            return
        try:
            if land_now(self.client.node, self.client.executor, self._namespace) is False:
                _log.error("PX4 is armed and does not obey the command to land")
        except Exception as error:
            _log.error("PX4 could not be told to land: %s", error)

    def _check_processes(self) -> None:
        if self._companions is not None:
            self._companions.check()
        super()._check_processes()


def _environment_domain() -> int:
    text = os.environ.get("ROS_DOMAIN_ID", "") or "0"
    if not text.isdigit() or int(text) > 232:
        raise ConfigError(f"ROS_DOMAIN_ID={text}: a number from 0 to 232 is expected")
    return int(text)
