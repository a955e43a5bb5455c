"""Exactly one publisher may speak on the topics that move a flight; who else does is found out here.

A process that was killed stays in the discovery data for some seconds, and its endpoints look like those of
a second publisher. What is known of the processes behind the node names decides: the endpoints of a process
that is gone do not count, nor does a second one under the name of a node that is known to run once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from uav_testgen.graph.peers import WAY_OUT, Peers
from uav_testgen.graph.process_identity import has_ended

LEFT_OVER_S = 30.0
"""Discovery forgets a dead process after 20 s unless configured otherwise; what stays longer is alive."""
NAMED_WITHIN_S = 1.0
"""The name of a node arrives after its endpoints; until then a publisher has none."""


@dataclass(frozen=True)
class Endpoint:
    """One publisher as discovery knows it; `full_name` is empty until its node is known."""

    gid: tuple[int, ...]
    full_name: str = field(default="", compare=False)

    @property
    def node(self) -> str:
        """Name of the node without its namespace."""
        return self.full_name.rpartition("/")[2]

    def __str__(self) -> str:
        return self.full_name or "a publisher without a node"


class SolePublishers:
    """Watches a number of topics. `look` gives the publishers of a topic as they are now."""

    def __init__(
        self,
        topics: Sequence[str],
        look: Callable[[str], Sequence[Endpoint]],
        peers: Peers,
        ended: Callable[[str], bool] = has_ended,
    ) -> None:
        self._topics = tuple(topics)
        self._look = look
        self._peers = peers
        self._ended = ended
        self._noted: dict[str, tuple[Endpoint, ...]] = {}
        self._since_s: dict[tuple[str, str | tuple[int, ...]], float] = {}
        self._named: dict[str, dict[tuple[int, ...], Endpoint]] = {}

    def rivals(self, now_s: float, *, perhaps: bool = False) -> str:
        """A sentence that names the publishers of a topic that has several; empty if none has.

        With `perhaps` also those that may be left over from a process that is gone: a flight should wait
        until they have vanished, or have stayed too long for that.
        """
        for topic in self._topics:
            alive = self._alive(topic, now_s, perhaps)
            if len(alive) > 1:
                names = " and ".join(map(str, alive))
                return f"{topic} has {len(alive)} publishers, {names}: {WAY_OUT}"
        return ""

    def note(self) -> None:
        """A flight begins: whoever publishes now is the one who may."""
        self._noted = {topic: tuple(self._look(topic)) for topic in self._topics}

    def newcomer(self, now_s: float, *, last_look: bool = False) -> str:
        """A sentence that names whoever publishes since `note`, beside another one or in its place.

        Where nobody published, the first to come is welcome: it was there, and discovery is slow.
        """
        for topic, noted in list(self._noted.items()):
            present = self._present(topic)
            if not noted and len(present) == 1:
                self._noted[topic] = tuple(present)
                continue
            for endpoint in present:
                new = endpoint not in noted
                if new and (
                    endpoint.full_name or last_look or not self._nameless_lately(topic, endpoint, now_s)
                ):
                    return f"{endpoint} began to publish {topic} in the middle of the flight: {WAY_OUT}"
        return ""

    def unspoken(self) -> list[str]:
        """Topics that nobody publishes."""
        return [topic for topic in self._topics if not self._look(topic)]

    def _alive(self, topic: str, now_s: float, perhaps: bool) -> list[Endpoint]:
        by_name: dict[str, list[Endpoint]] = {}
        for endpoint in self._present(topic):
            by_name.setdefault(endpoint.full_name, []).append(endpoint)
        alive: list[Endpoint] = []
        for name, endpoints in by_name.items():
            alive += self._alive_of(topic, name, endpoints, now_s, perhaps)
        return alive

    def _alive_of(
        self, topic: str, name: str, endpoints: list[Endpoint], now_s: float, perhaps: bool
    ) -> list[Endpoint]:
        if not name:
            # It may belong to a node that is just coming or to one that is gone; which one is not known yet.
            return [
                one for one in endpoints if perhaps or not self._lately((topic, one.gid), now_s, LEFT_OVER_S)
            ]
        node = endpoints[0].node
        process = self._peers.process(node)
        if process and self._ended(process):
            return []
        if len(endpoints) == 1:
            self._since_s.pop((topic, name), None)
            return endpoints
        crowded_lately = self._lately((topic, name), now_s, LEFT_OVER_S)
        if not crowded_lately or node in self._peers.twice(now_s) or (perhaps and not process):
            return endpoints
        return endpoints[:1]

    def _present(self, topic: str) -> list[Endpoint]:
        """Publishers of a topic, under the names they had when a node that leaves is no longer named.

        Those that have left are forgotten, because their ids are used again.
        """
        found = {endpoint.gid: endpoint for endpoint in self._look(topic)}
        former = self._named.get(topic, {})
        named = {
            gid: endpoint if endpoint.full_name else former.get(gid, endpoint)
            for gid, endpoint in found.items()
        }
        self._named[topic] = named
        for place in list(self._since_s):
            if place[0] == topic and isinstance(place[1], tuple) and place[1] not in found:
                del self._since_s[place]
        return list(named.values())

    def _nameless_lately(self, topic: str, endpoint: Endpoint, now_s: float) -> bool:
        return self._lately((topic, endpoint.gid), now_s, NAMED_WITHIN_S)

    def _lately(self, place: tuple[str, str | tuple[int, ...]], now_s: float, within_s: float) -> bool:
        return now_s - self._since_s.setdefault(place, now_s) <= within_s
