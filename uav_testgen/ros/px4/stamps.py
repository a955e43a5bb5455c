"""What PX4's time stamps are good for: the real-time factor, and noticing that its clock was set.

Stamps are the agent's epoch when the clocks are synchronised, but single samples carry the time since boot,
the stamps lag behind by a tenth of a second, and now and then they step forward when the offset is corrected.
Flight time is therefore taken from the reception; here the stamps are only watched.
"""

from __future__ import annotations

from enum import Enum

_STEADY_S = 0.1
"""Larger steps of the stamps are corrections or losses and do not count for the real-time factor."""
_PAUSE_S = 2.0


class StampKind(Enum):
    """What one stamp looks like."""

    STEADY = "steady"
    OUTLIER = "outlier"
    JUMP = "jump"


class StampWatch:
    """Follows the stamps of one stream.

    A stamp off by more than `tolerance_s` is an outlier. Outliers that agree with each other for
    `evidence_s`, `patience` of them at least and no usual stamp among them, mean that the clock of the sender
    really jumped (it was restarted, or stood still); a burst of boot-time stamps lasts tenths of a second. A
    simulation that does not run in real time drifts away from the true time and is set back to it now and
    then: with `true_offset_s`, the offset of well synchronised stamps, that is a correction and no jump.
    """

    def __init__(
        self,
        tolerance_s: float = 1.0,
        patience: int = 20,
        evidence_s: float = 3.0,
        true_offset_s: float | None = None,
    ) -> None:
        self._true_offset_s = true_offset_s
        self._tolerance_s = tolerance_s
        self._patience = patience
        self._evidence_s = evidence_s
        self._last: tuple[float, float] | None = None
        self._offset_s: float | None = None
        self._strange = 0
        self._strange_offset_s = self._strange_since_s = 0.0
        self._vehicle_s = self._wall_s = 0.0
        self.outliers = 0
        self.jumps = self.corrections = 0
        self.last_jump_s = 0.0

    @property
    def real_time_factor(self) -> float | None:
        """Seconds of the vehicle for each second here; None before a second was seen."""
        return self._vehicle_s / self._wall_s if self._wall_s >= 1.0 else None

    @property
    def is_burst(self) -> bool:
        """The newest stamps are outliers, too few to believe them: the samples are not worth using."""
        return 0 < self._strange < self._patience

    def begin_again(self) -> None:
        """Nobody listened for a while: a vehicle that does not run in real time has got ahead meanwhile."""
        self._offset_s = None
        self._strange = 0

    def see(self, stamp_us: int, received_s: float) -> StampKind:
        """Take in one stamp."""
        stamp_s = 1e-6 * stamp_us
        offset_s = stamp_s - received_s
        self._measure(stamp_s, received_s)
        if self._offset_s is None or abs(offset_s - self._offset_s) <= self._tolerance_s:
            self._offset_s = offset_s
            self._strange = 0
            return StampKind.STEADY
        if self._strange == 0 or abs(offset_s - self._strange_offset_s) > self._tolerance_s:
            self._strange, self._strange_since_s = 0, received_s
        self._strange, self._strange_offset_s = self._strange + 1, offset_s
        self.outliers += 1
        true_s = self._true_offset_s
        set_right = true_s is not None and abs(offset_s - true_s) < abs(self._offset_s - true_s)
        lasted_s = received_s - self._strange_since_s
        if self._strange < self._patience or (lasted_s < self._evidence_s and not set_right):
            return StampKind.OUTLIER
        before_s, self._offset_s = self._offset_s, offset_s
        self._strange = 0
        if set_right:
            self.corrections += 1
            return StampKind.STEADY
        self.last_jump_s = offset_s - before_s
        self.jumps += 1
        return StampKind.JUMP

    def _measure(self, stamp_s: float, received_s: float) -> None:
        """The slope of the stamps wherever they do not step; late samples make up for each other."""
        if self._last is not None:
            vehicle_s, wall_s = stamp_s - self._last[0], received_s - self._last[1]
            if 0.0 <= vehicle_s < _STEADY_S and 0.0 <= wall_s < _PAUSE_S:
                self._vehicle_s += vehicle_s
                self._wall_s += wall_s
        self._last = (stamp_s, received_s)
