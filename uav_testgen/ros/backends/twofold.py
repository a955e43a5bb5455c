"""Refuses to fly where a node or a publisher of the graph is there twice, before a goal is sent.

Discovery only raises the suspicion, because it remembers killed processes for a while. Signs of life from
two processes under one name prove it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rclpy.executors import Executor
from rclpy.node import Node

from uav_testgen.core.errors import BackendError
from uav_testgen.graph.patient_clock import PatientClock
from uav_testgen.graph.peers import Peers
from uav_testgen.graph.process_identity import has_ended
from uav_testgen.ros.endpoints import sole_publishers
from uav_testgen.ros.executor import spin_until
from uav_testgen.ros.health import HEARTBEAT_S

_LISTEN_S = 2.5 * HEARTBEAT_S
_AT_MOST_S = 10.0


class TwofoldCheck:
    """One for each client; `peers` is what the client has heard so far."""

    def __init__(self, node: Node, executor: Executor, peers: Peers, clock: PatientClock) -> None:
        self._node = node
        self._executor = executor
        self._peers = peers
        self._clock = clock
        self._sole = sole_publishers(node, peers)
        self._cleared: Counter[str] = Counter()

    def refuse(self, check: Callable[[], None]) -> None:
        """BackendError with a sentence that names what is there twice; `check` is called while listening."""
        suspects = self._suspects()
        if suspects != self._cleared or self._sole.rivals(self._clock.now_s(), perhaps=True):
            self._listen(suspects, check)
            self._cleared = suspects
        if problem := self._problem(suspects):
            self._cleared = Counter()
            raise BackendError(problem)

    def _suspects(self) -> Counter[str]:
        """Names that discovery shows more than once, processes known to be gone not counted."""
        names = Counter(
            name
            for name, namespace in self._node.get_node_names_and_namespaces()
            if namespace == self._node.get_namespace() and self._peers.process(name)
        )
        gone = {name: sum(map(has_ended, self._peers.processes(name))) for name in names}
        return Counter({name: count for name, count in names.items() if count - gone[name] > 1})

    def _listen(self, suspects: Counter[str], check: Callable[[], None]) -> None:
        end_s = self._clock.now_s() + _LISTEN_S

        def decided() -> bool:
            check()
            innocent = not suspects and not self._sole.rivals(self._clock.now_s(), perhaps=True)
            return innocent or bool(self._problem(suspects)) or self._clock.now_s() > end_s

        spin_until(self._executor, decided, _AT_MOST_S)

    def _problem(self, suspects: Counter[str]) -> str:
        now_s = self._clock.now_s()
        return self._peers.twice_sentence(suspects, now_s) or self._sole.rivals(now_s)
