"""Puts messages with equal stamps together: the whole lock-step rests on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def stamp_ns(message: Any) -> int:
    """The stamp of a message's header in nanoseconds: exact, unlike seconds as a float."""
    stamp = message.header.stamp
    return int(stamp.sec) * 1_000_000_000 + int(stamp.nanosec)


class StampMatcher:
    """Calls back once per stamp, when a message of every topic has come, in the order of the topics.

    Incomplete stamps older than a complete one are dropped: in lock-step they can never be completed. At most
    `capacity` stamps wait, so a flood of messages that nobody completes costs no memory.
    """

    def __init__(self, topics: Sequence[str], complete: Callable[..., None], capacity: int = 16) -> None:
        self._topics = tuple(topics)
        self._complete = complete
        self._capacity = capacity
        self._waiting: dict[int, dict[str, Any]] = {}

    def add(self, topic: str, message: Any, value: Any = None) -> None:
        """Take in one message (handed on as `value`, if given); may call back at once."""
        self.put(topic, stamp_ns(message), message if value is None else value)

    def put(self, topic: str, stamp: int, value: Any) -> None:
        """The same for a value that belongs to another stamp than its message carries."""
        found = self._waiting.setdefault(stamp, {})
        found[topic] = value
        if len(found) == len(self._topics):
            self._waiting = {other: kept for other, kept in self._waiting.items() if other > stamp}
            self._complete(*(found[name] for name in self._topics))
        elif len(self._waiting) > self._capacity:
            del self._waiting[min(self._waiting)]

    def clear(self) -> None:
        """Forget everything: a new flight starts."""
        self._waiting.clear()

    def missing(self, stamp: int) -> tuple[str, ...]:
        """Topics that have not spoken for this stamp."""
        found = self._waiting.get(stamp, {})
        return tuple(name for name in self._topics if name not in found)
