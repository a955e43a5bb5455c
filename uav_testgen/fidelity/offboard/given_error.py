"""PX4 in offboard mode with the error that its velocity estimate had in a recorded flight.

Nobody knows that error before a flight; given afterwards, it tells what the simulator gets wrong from what no
simulator can know.
"""

from __future__ import annotations

from collections.abc import Callable

from uav_testgen.core.arrays import FloatArray
from uav_testgen.fidelity.offboard.logs import LIFTED_M, OffboardLog
from uav_testgen.vehicle.px4_offboard.config import Px4OffboardConfig
from uav_testgen.vehicle.px4_offboard.control import POS, VELOCITY_ERROR
from uav_testgen.vehicle.px4_offboard.model import OffboardStepper, make_offboard


class GivenError(OffboardStepper):
    """The vehicle of the system; where the recording begins, its horizontal error becomes the recorded one."""

    def __init__(self, config: Px4OffboardConfig, log: OffboardLog) -> None:
        assert log.scenario is not None
        super().__init__(make_offboard(config, log.scenario.mission.speed_mps))
        self._error_mps, self._period_s = log.velocity_error_mps[:, :2], log.period_s
        self._since_s: float | None = None

    def advance(
        self, body: FloatArray, phase: int, previous: FloatArray, goal: FloatArray, setpoint: FloatArray,
        wind: FloatArray, dt_s: float,
    ) -> None:  # fmt: skip
        """One cycle, in place; after the recording's end its last error stays."""
        state = self.memory.state
        if self._since_s is None and state[POS + 2] > LIFTED_M:
            self._since_s = 0.0
        if self._since_s is not None:
            row = min(int(self._since_s / self._period_s), len(self._error_mps) - 1)
            state[VELOCITY_ERROR : VELOCITY_ERROR + 2] = self._error_mps[row]
            self._since_s += dt_s
        super().advance(body, phase, previous, goal, setpoint, wind, dt_s)


def with_error_of(log: OffboardLog, config: Px4OffboardConfig) -> Callable[[], GivenError]:
    """Makes such a vehicle for each flight."""
    return lambda: GivenError(config, log)
