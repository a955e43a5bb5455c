"""The `px4` backend: the node graph with a live PX4 in place of the vehicle.

PX4 and its agent run already, or are started by `start_commands`. They must be in the same ROS domain:
`domain`, else ROS_DOMAIN_ID, else 0, which is where PX4 is unless told otherwise.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import Field

from uav_testgen.backend.base import BackendAbsent, Capabilities
from uav_testgen.core.errors import BackendError, ConfigError, UavTestgenError
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.graph.companions import Companions, split_command
from uav_testgen.graph.description import load_graph
from uav_testgen.graph.environment import settings_over
from uav_testgen.loop.system import System
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.ros.executor import spin_until
from uav_testgen.ros.px4 import compat, narration
from uav_testgen.ros.px4.emergency import land_now
from uav_testgen.ros.px4.failures import nobody_there
from uav_testgen.ros.px4.mission_flight import SYSTEM as LIVE_SYSTEM
from uav_testgen.ros.px4.recorded import px4_topics
from uav_testgen.ros.px4.truth import judged_on_truth
from uav_testgen.ros.px4.witness import FlightWitness
from uav_testgen.ros.recording import LiveTopics
from uav_testgen.scenario.model import Scenario

_log = logging.getLogger(__name__)

_WITHOUT_SHARED_MEMORY = {"FASTDDS_BUILTIN_TRANSPORTS": "UDPv4"}
"""For the agent: PX4 sends it a participant of its own, so it does not use the profile's transports."""
_DOWN_WITHIN_S = 120.0
_RECORD_COMES_S = 5.0
_LAST_WORDS_S = 1.0
"""So long the node under test may go on in a landing."""


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
    px4_log_folder: str = Field(
        default="",
        max_length=1000,
        description="Where PX4 writes its logs: each flight is then judged on the ground truth in its log",
    )
    sut: Literal["planner", "external"] = Field(
        default="planner", description="System under test: our planner, or a node of yours"
    )
    sut_command: str = Field(
        default="",
        max_length=2000,
        description="With sut external: starts that node for each flight, once PX4 is ready; empty: it runs",
    )
    tell: bool = Field(default=False, description="Write the progress of a flight to stderr, line by line")
    start_timeout_s: float = Field(
        default=600.0, gt=0, le=3600, description="Time for the nodes to come up, compiling included [s]"
    )
    flight_timeout_s: float = Field(
        default=1800.0, gt=0, le=86_400, description="Wall time of one flight [s]"
    )
    silence_timeout_s: float = Field(
        default=10.0, gt=0, le=600, description="scenario_node without a sign of life is dead after this [s]"
    )

    @property
    def longest_flight_s(self) -> float:
        """The limit that is stated for one flight; after it the vehicle is brought down."""
        return self.flight_timeout_s + _DOWN_WITHIN_S + _RECORD_COMES_S

    def flown(self) -> System:
        """Camera and planner are those of the system; the vehicle is PX4 itself, which no figure was fitted to."""
        known = super().flown()
        name = known.name.replace(self.assembled().name, LIVE_SYSTEM, 1)
        return known.model_copy(update={"name": name, "calibration": {}})


class Px4Backend(GraphBackend):
    """Flies with the real autopilot; no two flights are the same."""

    name = "px4"
    capabilities = Capabilities(deterministic=False, evidence=Evidence.PX4, records=True)
    config_type = Px4Config
    variant = "px4"
    narrator = "px4_bridge_node"
    config: Px4Config

    def __init__(self, config: Px4Config | None = None) -> None:
        given = config or Px4Config()
        for text in (*given.start_commands, *([given.sut_command] if given.sut_command else [])):
            split_command(text)
        if given.sut_command and given.sut != "external":
            raise ConfigError("sut_command goes with sut: external")
        compat.load_messages()
        settings = {name: dict(values) for name, values in given.settings.items()}
        if given.px4_namespace:
            settings.setdefault("px4_bridge_node", {})["px4_namespace"] = given.px4_namespace
        without = given.without
        if given.sut == "external":
            settings.setdefault("px4_bridge_node", {})["sut"] = "external"
            without = (*without, *({"planner_node"} - set(without)))
        super().__init__(given.model_copy(update={"settings": settings, "without": without}))
        self.kept: list[Flight] = []
        """Every flight since it was entered, one that was interrupted, too."""
        self._log_to: Path | None = None
        self._logs_to: Path | None = None
        self._witness: FlightWitness | None = None
        self._sut: Companions | None = None
        self._landing_since_s: float | None = None
        self._sut_ended = ""
        """How the node under test ended by itself; empty while it has not."""
        self._told = ""
        self._namespace = given.px4_namespace
        self._commands = given.start_commands
        self._companions: Companions | None = None
        self._companion_logs: tempfile.TemporaryDirectory[str] | None = None
        if self.domain is None:
            self.domain = _environment_domain()

    def _enter(self) -> None:
        self.kept.clear()
        if self.config.start:
            limit_s = self.config.start_timeout_s
            self._tell(f"starting the nodes, at most {limit_s:.0f} s (the first start on a machine compiles)")
        if self._commands:
            self._companions = self._start(self._commands)
        else:
            self._tell("PX4 and its agent are expected to run already; --start COMMAND starts them")
        super()._enter()

    def _start(self, commands: Sequence[str]) -> Companions:
        """Programs beside our nodes, in PX4's domain and without shared memory."""
        transport = load_graph().variants[self.variant].transport
        if self._companion_logs is None:
            self._companion_logs = tempfile.TemporaryDirectory(prefix="uav_testgen_start_")
        environment = {**_WITHOUT_SHARED_MEMORY, **settings_over(os.environ, transport, self.domain)}
        logs = Path(tempfile.mkdtemp(dir=self._companion_logs.name))
        started = Companions(commands, environment, logs)
        started.start()
        return started

    def log_to(self, path: Path) -> None:
        """PX4's own log of the next flight is kept at this path, where `px4_log_folder` is set."""
        self._log_to = path

    def logs_to(self, folder: Path) -> None:
        """The logs of all flights are kept in this folder."""
        self._logs_to = folder

    def fly(self, scenario: Scenario, seed: int = 0) -> Flight:
        """Connect, take off, fly the mission with avoidance, land, disarm.

        A flight that was begun leaves a record, whatever breaks it off: BackendError means nothing was flown,
        BackendAbsent that no other flight would be either.
        """
        if self.client is None:
            raise BackendError("the px4 backend is a context manager: use it with 'with'")
        began_s, self._sut_ended = time.time(), ""
        log_to, self._log_to = self._log_to, None
        if log_to is None and self._logs_to is not None:
            log_to = self._logs_to / f"px4-{len(self.kept) + 1}.ulg"
        with FlightWitness(self.client.node, scenario.model_copy(update={"seed": seed})) as witness:
            self._witness = witness
            try:
                flight = super().fly(scenario, seed)
            except UavTestgenError as error:
                self._stop_sut()
                flight_so_far = self._bring_home(witness, str(error))
                if flight_so_far is None:
                    if for_all := nobody_there(str(error), starts_node=bool(self.config.sut_command)):
                        raise BackendAbsent(for_all) from None
                    raise
                self._tell(str(error))
                flight = flight_so_far
            except BaseException:
                self._stop_sut()
                self._land()
                self.kept += [flight for flight in (witness.flight("interrupted"),) if flight is not None]
                raise
            finally:
                self._witness = None
                self._stop_sut()
        details = {**flight.details, "camera_and_planner": self.config.assembled().name}
        reason = f"{flight.reason}; {self._sut_ended}" if self._sut_ended else flight.reason
        flight = replace(flight, backend=self.name, reason=reason, details=details)
        if "left_armed" in details:  # the bridge's last line may be slower than its record
            self._tell(narration.ended(details["left_armed"]))
        flight = judged_on_truth(flight, self.config.px4_log_folder, began_s, log_to)
        self.kept.append(flight)
        return flight

    def _bring_home(self, witness: FlightWitness, problem: str) -> Flight | None:
        """The vehicle is brought down; what there is of the flight, None if nothing was flown."""
        if witness.record is not None:
            # The flight was over and recorded; what broke after it (no verdict, say) takes nothing away.
            return replace(witness.record, details={**witness.record.details, "afterwards": problem})
        down = self._land(_DOWN_WITHIN_S)
        if self.client is not None and down is not None:
            spin_until(self.client.executor, lambda: witness.record is not None, _RECORD_COMES_S)
        flight = witness.flight(problem)
        if flight is None:
            return None
        if flight.ending not in (Ending.GOAL_REACHED, Ending.COLLISION):
            # The bridge saw only that it was told to stop, or that somebody landed its vehicle.
            flight = replace(flight, ending=Ending.ABORTED, reason=problem)
        if down is not False:
            return flight
        left = "left armed: PX4 is armed and does not obey the command to land"
        details = {**flight.details, "left_armed": left}
        return replace(flight, reason=f"{flight.reason}; {left}", details=details)

    def close(self) -> None:
        """Everything that was started is ended; a bridge that still flies lands first."""
        super().close()
        self._stop_sut()
        if self._companions is not None:
            self._companions.stop()
            self._companions = None
        if self._companion_logs is not None:
            self._companion_logs.cleanup()
            self._companion_logs = None

    def _land(self, down_within_s: float = 0.0) -> bool | None:
        """Whatever broke the flight off (also the death of the bridge): the vehicle comes down."""
        if self.client is None:
            return None
        try:
            down = land_now(
                self.client.node, self.client.executor, self._namespace, down_within_s=down_within_s
            )
            if down is False:
                _log.error("left armed: PX4 is armed and does not obey the command to land")
            return down
        except Exception as error:
            _log.error("left armed? PX4 could not be told to land: %s", error)
            return None

    def _tell(self, line: str) -> None:
        if line == self._told:
            return
        self._told = line
        _log.info("%s", line)
        if self.config.tell:
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()

    def _live_topics(self) -> LiveTopics:
        return px4_topics(self._namespace)

    def _check_processes(self) -> None:
        if self._companions is not None:
            try:
                self._companions.check()
            except BackendError as error:  # nobody starts it again
                raise BackendAbsent(str(error)) from None
        self._watch_sut()
        super()._check_processes()

    def _watch_sut(self) -> None:
        """Start the node under test when PX4 is ready; end it when it lands, which it may hinder."""
        if self._witness is None or self.client is None or not self.config.sut_command:
            return
        if self._sut is None and self.client.is_flying(self.narrator) and not self._witness.landing:
            self._tell(f"starting the node under test: {self.config.sut_command}")
            self._sut = self._start([self.config.sut_command])
        elif self._sut is not None and self._witness.landing:
            self._end_sut_in_landing(self._sut)
        elif self._sut is not None:
            self._sut.check()

    def _end_sut_in_landing(self, sut: Companions) -> None:
        """A node that has just died may be why the vehicle lands: its end is looked for before it is told to end."""
        now_s = time.monotonic()
        if self._landing_since_s is None:
            self._landing_since_s = now_s
        if now_s - self._landing_since_s >= _LAST_WORDS_S:
            sut.hurry()
        elif not self._sut_ended:
            try:
                sut.check()
            except BackendError as error:
                self._sut_ended = f"the node under test: {error}"
                self._tell(self._sut_ended)

    def _stop_sut(self) -> None:
        if self._sut is not None:
            self._sut.stop()
            self._sut = self._landing_since_s = None


def _environment_domain() -> int:
    text = os.environ.get("ROS_DOMAIN_ID", "") or "0"
    if not text.isdigit() or int(text) > 232:
        raise ConfigError(f"ROS_DOMAIN_ID={text}: a number from 0 to 232 is expected")
    return int(text)
