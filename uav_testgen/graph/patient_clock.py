"""A clock for judging others: it stands still while whoever reads it could not run.

On a crowded machine the judge is kept waiting like everybody else. Time in which it did not look once says
nothing about the others, whose messages may lie unread in its queue.
"""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_GAP_S = 0.5


class PatientClock:
    """Seconds from an arbitrary start; between two looks at most `longest_gap_s` go by."""

    def __init__(
        self, longest_gap_s: float = LONGEST_GAP_S, source: Callable[[], float] = time.monotonic
    ) -> None:
        self._longest_gap_s = longest_gap_s
        self._source = source
        self._looked_s = source()
        self._now_s = 0.0

    def now_s(self) -> float:
        """Look at the clock."""
        looked_s = self._source()
        self._now_s += min(looked_s - self._looked_s, self._longest_gap_s)
        self._looked_s = looked_s
        return self._now_s
