"""The newest value of a stream and when it came. PX4's streams lose samples; what counts is the age."""

from __future__ import annotations

import math
from typing import Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """Holds one value. Ages are measured on the clock of the receiver, never on the stamps of the sender."""

    def __init__(self) -> None:
        self.value: T | None = None
        self.received_s = -math.inf
        self.count = 0

    def put(self, value: T, now_s: float) -> None:
        """A new value has come."""
        self.value, self.received_s = value, now_s
        self.count += 1

    def not_listened(self, for_s: float, now_s: float) -> None:
        """Nobody took in messages for that long: they may have come, so the time is not counted as silence."""
        self.received_s = min(self.received_s + for_s, now_s)

    def age_s(self, now_s: float) -> float:
        """Seconds since the newest value; infinite before the first."""
        return now_s - self.received_s

    def fresh(self, now_s: float, limit_s: float) -> T | None:
        """The value, or None if it is older than the limit."""
        return self.value if self.age_s(now_s) <= limit_s else None

    def clear(self) -> None:
        """Forget the value."""
        self.value, self.received_s = None, -math.inf
