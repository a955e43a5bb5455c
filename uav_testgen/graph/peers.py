"""Whom a node hears: names, the processes behind them, and names that two processes use at once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from uav_testgen.graph.process_identity import has_ended

FORGET_S = 10.0
"""Whoever is silent for this long is no longer listed."""
TWICE_S = 3.0
"""How long a name counts as used twice after it was last seen so, unless one process is known to be gone."""

WAY_OUT = "end one of them, or keep graphs apart by --namespace or --domain"


def peer_key(node: str, process: str) -> str:
    """A node as it is named in `NodeStatus.hears`."""
    return f"{node}:{process}"


@dataclass
class _Peer:
    newest: str
    all: set[str] = field(default_factory=set)
    heard_s: dict[str, float] = field(default_factory=dict)
    twice: tuple[str, str] = ("", "")
    twice_s: float = float("-inf")


class Peers:
    """Built from the signs of life that come in."""

    def __init__(self, ended: Callable[[str], bool] = has_ended) -> None:
        self._peers: dict[str, _Peer] = {}
        self._ended = ended

    def hear(self, node: str, process: str, now_s: float) -> bool:
        """Note a sign of life; True if this process is heard for the first time under this name."""
        peer = self._peers.setdefault(node, _Peer(process))
        new = process not in peer.heard_s
        if not new and process != peer.newest:
            # It was heard, then another one, now it again: a restarted node would not come back.
            peer.twice, peer.twice_s = (peer.newest, process), now_s
        peer.newest = process
        peer.heard_s[process] = now_s
        peer.all.add(process)
        return new

    def process(self, node: str) -> str:
        """The process heard last under this name; empty if none."""
        peer = self._peers.get(node)
        return peer.newest if peer else ""

    def processes(self, node: str) -> frozenset[str]:
        """All processes ever heard under this name."""
        peer = self._peers.get(node)
        return frozenset(peer.all) if peer else frozenset()

    def heard(self, now_s: float) -> list[str]:
        """Keys of all that are heard; those silent for long are forgotten."""
        for peer in self._peers.values():
            peer.heard_s = {
                process: at_s for process, at_s in peer.heard_s.items() if now_s - at_s <= FORGET_S
            }
        return [peer_key(node, process) for node, peer in self._peers.items() for process in peer.heard_s]

    def twice(self, now_s: float) -> dict[str, tuple[str, str]]:
        """Names that two processes use at the same time, with both processes."""
        return {
            node: peer.twice
            for node, peer in self._peers.items()
            if now_s - peer.twice_s <= TWICE_S and not any(map(self._ended, peer.twice))
        }

    def twice_sentence(self, nodes: Collection[str], now_s: float) -> str:
        """Names the first of these nodes that runs twice; empty if none does."""
        for node, (one, other) in self.twice(now_s).items():
            if node in nodes:
                return f"{node} runs twice, in the processes {one} and {other}: {WAY_OUT}"
        return ""
