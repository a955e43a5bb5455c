"""Decides how a flight in the graph goes on: prepare, fly, judge, or end it and name the node at fault.

A flight begins when every node has taken in its scenario and hears every other one: a node that was started
a moment ago is then connected on all topics and misses nothing of the flight.

Pure logic on the clock that is passed in: no ROS, no threads, so every way a flight can go wrong is tested
without waiting for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum

from pydantic import Field

from uav_testgen.core.config import RoomConfig
from uav_testgen.graph.description import DIRECTOR
from uav_testgen.graph.foreign_planner import NODE, REPLACED
from uav_testgen.graph.peers import peer_key

LONG_WAIT_S = 5.0
JUDGE = "oracle_node"
CHAIN = ("vehicle_node", "depth_cloud_node", REPLACED)


def chain_with(nodes: Collection[str]) -> tuple[str, ...]:
    """The chain where planner_adapter_node may speak for a planner of somebody else."""
    return tuple(NODE if name == REPLACED and NODE in nodes else name for name in CHAIN)


class DirectorConfig(RoomConfig):
    """How long the nodes of a graph may take."""

    start_timeout_s: float = Field(
        default=180.0,
        gt=0,
        le=3600,
        description="A node that was never heard may still be compiling; it is missed after this time [s]",
    )
    join_timeout_s: float = Field(
        default=30.0,
        gt=0,
        le=600,
        description="A node that has fallen silent, does not hear another one, does not begin the flight or, coming "
        "from outside, does not answer the first step is missed after this time [s]",
    )
    prepare_timeout_s: float = Field(
        default=120.0, gt=0, le=3600, description="Taking in a scenario may take this long [s]"
    )
    silence_timeout_s: float = Field(
        default=3.0, gt=0, le=600, description="A node without a sign of life for this long is dead [s]"
    )
    step_timeout_s: float = Field(
        default=3.0, gt=0, le=600, description="A step that takes longer ends the flight [s]"
    )


class Phase(Enum):
    """Where a flight is."""

    IDLE = "idle"
    PREPARING = "preparing"
    FLYING = "flying"
    JUDGING = "judging"
    DONE = "done"
    FAILED = "failed"


@dataclass
class Heard:
    """What one node has said last. `process` is empty for a node that does not tell whom it hears."""

    at_s: float
    flight_id: int = 0
    ready: bool = False
    failed: str = ""
    step: int = -1
    process: str = ""
    hears: Collection[str] = ()


@dataclass(frozen=True)
class Surroundings:
    """What can be seen of the graph beside the signs of life."""

    ended: Collection[str] = ()
    """Nodes whose process is known to be gone: nobody waits for a sign of life from them."""
    crowded: bool = False
    """A topic may have two publishers; a flight does not begin like that."""
    unspoken: Collection[str] = ()
    """Topics of the flight that nobody publishes."""


@dataclass
class FlightDirector:
    """One flight after the other; `expected` are the nodes without which no flight is possible.

    `chain` is the order in which the data of a step passes: where a step hangs although everybody is alive,
    the first node of the chain that has not handled it is named.
    """

    expected: Sequence[str]
    chain: Sequence[str] = CHAIN
    config: DirectorConfig = field(default_factory=DirectorConfig)
    process: str = ""
    phase: Phase = Phase.IDLE
    flight_id: int = 0
    problem: str = ""
    step: int = -1
    _heard: dict[str, Heard] = field(default_factory=dict)
    _since_s: float = 0.0
    _ready_s: float = 0.0

    def begin(self, flight_id: int, now_s: float) -> None:
        """A scenario was announced under this id."""
        self.phase, self.flight_id, self.problem, self.step = Phase.PREPARING, flight_id, "", -1
        self._since_s = self._ready_s = now_s

    def status(self, node: str, heard: Heard) -> None:
        """A sign of life."""
        self._heard[node] = heard
        ours = heard.flight_id == self.flight_id and self.phase in (Phase.PREPARING, Phase.FLYING)
        if heard.failed and ours:
            self._fail(f"{node}: {heard.failed}")

    def stepped(self, flight_id: int, step: int, now_s: float) -> None:
        """The vehicle has arrived at a step; announcing the same one again is no progress."""
        if flight_id == self.flight_id and self.phase is Phase.FLYING and step > self.step:
            self.step, self._since_s = step, now_s

    def landed(self, flight_id: int, now_s: float) -> None:
        """The record of the flight has come; the verdict is next."""
        if flight_id == self.flight_id and self.phase is Phase.FLYING:
            self.phase, self._since_s = Phase.JUDGING, now_s

    def judged(self, flight_id: int) -> None:
        """Record and final verdict are there."""
        if flight_id == self.flight_id and self.phase in (Phase.FLYING, Phase.JUDGING):
            self.phase = Phase.DONE

    def stop(self, reason: str) -> None:
        """End the flight from outside."""
        if self.active:
            self._fail(reason)

    @property
    def active(self) -> bool:
        """A flight is under way."""
        return self.phase in (Phase.PREPARING, Phase.FLYING, Phase.JUDGING)

    def long_missed(self, now_s: float) -> list[str]:
        """What a flight in preparation has been waiting for longer than preparing usually takes."""
        if self.phase is not Phase.PREPARING or now_s - self._since_s < LONG_WAIT_S:
            return []
        unready = [node for node in self.expected if not self._is_ready(node)]
        return unready or [f"{deaf} to hear {mute}" for deaf, mute in self._unconnected()]

    def check(self, now_s: float, around: Surroundings | None = None) -> bool:
        """Look at the clock; True in the moment when everybody is ready and the flight may start."""
        around = around or Surroundings()
        if self.phase is Phase.PREPARING:
            return self._check_preparing(now_s, around.crowded)
        if self.phase in (Phase.FLYING, Phase.JUDGING):
            self._check_alive(now_s, around)
        return False

    def _check_preparing(self, now_s: float, crowded: bool) -> bool:
        missing = [node for node in self.expected if not self._is_ready(node)]
        if missing:
            self._ready_s = now_s
            self._check_missing(missing, now_s)
        elif unconnected := self._unconnected():
            waited_s = now_s - self._ready_s
            if waited_s > self.config.join_timeout_s:
                deaf, mute = unconnected[0]
                self._fail(f"{deaf} does not hear {mute} after {waited_s:.0f} s: is discovery blocked?")
        elif not crowded:
            self.phase, self._since_s = Phase.FLYING, now_s
            return True
        return False

    def _check_missing(self, missing: Sequence[str], now_s: float) -> None:
        waited_s = now_s - self._since_s
        # A node last heard before this flight began and silent since is as good as never heard.
        unheard = [node for node in missing if self._last_heard_s(node) < self._since_s]
        overdue = [node for node in unheard if waited_s > self._join_limit_s(node)]
        if overdue:
            self._fail(f"{', '.join(overdue)} did not answer within {waited_s:.0f} s: not running?")
        elif waited_s > self.config.prepare_timeout_s:
            self._fail(f"{', '.join(missing)} did not get ready within {waited_s:.0f} s")

    def _join_limit_s(self, node: str) -> float:
        return self.config.join_timeout_s if node in self._heard else self.config.start_timeout_s

    def _unconnected(self) -> list[tuple[str, str]]:
        """(who does not hear, whom): pairs of nodes that could still lose each other's messages."""
        processes = {node: self._heard[node].process for node in self.expected if node in self._heard}
        return [
            (node, other)
            for node, process in processes.items()
            for other, its_process in {**processes, DIRECTOR: self.process}.items()
            if process and its_process and other != node
            if peer_key(other, its_process) not in self._heard[node].hears
        ]

    def _check_alive(self, now_s: float, around: Surroundings) -> None:
        needed = [JUDGE] if self.phase is Phase.JUDGING else self.expected
        gone = [node for node in self.expected if node in around.ended and node in needed]
        dead = [
            node for node in self.expected if now_s - self._last_heard_s(node) > self.config.silence_timeout_s
        ]
        stalled_s = now_s - self._since_s
        if gone:
            self._fail(f"{', '.join(gone)} ended in the middle of the flight, at step {self.step}")
        elif dead:
            silent_s = now_s - min(self._last_heard_s(node) for node in dead)
            self._fail(f"{', '.join(dead)} gave no sign of life for {silent_s:.1f} s at step {self.step}")
        elif stalled_s > self._step_limit_s(around):
            nobody = f"; nobody publishes {', '.join(around.unspoken)}" if around.unspoken else ""
            self._fail(self._blame(stalled_s) + nobody)

    def _step_limit_s(self, around: Surroundings) -> float:
        """How long nothing may happen while everybody lives.

        What is asked for again and again may take longer: the beginning of the flight, for which a vehicle on a
        busy machine has much to make ready; and the first step where parts come from outside, which do not tell
        whom they hear.
        """
        if self._is_awaited():
            return self.config.join_timeout_s
        outsiders = any(node not in self.expected for node in self.chain) and not around.unspoken
        if self.phase is Phase.FLYING and self.step <= 0 and outsiders:
            return self.config.join_timeout_s
        return self.config.step_timeout_s

    def _is_awaited(self) -> bool:
        """Nobody has seen a step of the flight, not even the vehicle itself."""
        vehicle = self._heard.get(self.chain[0])
        unmoved = vehicle is None or vehicle.flight_id != self.flight_id or vehicle.step < 0
        return self.phase is Phase.FLYING and self.step < 0 and unmoved

    def _blame(self, stalled_s: float) -> str:
        if self.phase is Phase.JUDGING:
            return f"{JUDGE} gave no verdict within {stalled_s:.1f} s after the flight"
        if self._is_awaited():
            return f"{self.chain[0]} did not begin the flight within {stalled_s:.1f} s"
        waiting = f"no answer for step {self.step} within {stalled_s:.1f} s"
        for node in self.chain:
            known = self._heard.get(node)
            if known is None:
                return f"{node} (or whatever replaces it): {waiting}"
            if known.flight_id != self.flight_id or known.step < self.step:
                return f"{node}: {waiting}"
        return f"{self.chain[0]}: {waiting}, although every other node has handled it"

    def _is_ready(self, node: str) -> bool:
        known = self._heard.get(node)
        return known is not None and known.ready and known.flight_id == self.flight_id

    def _last_heard_s(self, node: str) -> float:
        known = self._heard.get(node)
        return known.at_s if known else float("-inf")

    def _fail(self, problem: str) -> None:
        self.phase, self.problem = Phase.FAILED, problem
