"""The `lfs` backend as the studio uses it: flights can be stopped and begin where an edit begins to matter."""

from __future__ import annotations

import math
import threading

from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.flight.model import Flight
from uav_testgen.loop.system import System
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import FLYING
from uav_testgen.view.studio.branch import FlightMemory, FlightStopped


class LiveBackend(LfsBackend):
    """Predicts like `lfs`, to the last bit. `stop` may be called from another thread."""

    def __init__(self, config: LfsConfig | None = None) -> None:
        super().__init__(config)
        self._memory = FlightMemory()
        self._stopped = threading.Event()
        self.budget_s = math.inf
        """CPU time after which a flight is returned as far as it came."""
        self.is_unfinished = False
        """Was the last flight returned before its end?"""

    def stop(self) -> None:
        """End the present flight with FlightStopped; stays set until `allow`."""
        self._stopped.set()

    def allow(self) -> None:
        """Flights may be flown again."""
        self._stopped.clear()

    def is_stopped(self) -> bool:
        """Was the present flight told to end?"""
        return self._stopped.is_set()

    @property
    def saved_steps(self) -> int:
        """Steps of the last flight that were taken over from an earlier one."""
        return self._memory.saved_steps

    def fly_system(self, system: System, scenario: Scenario, seed: int) -> Flight:
        """One flight, from where it may differ from the last one with this seed."""
        self.is_unfinished = False
        if self._stopped.is_set():
            raise FlightStopped
        if self.needs_steps(system):
            flight = super().fly_system(system, scenario, seed)
            if self._stopped.is_set():
                raise FlightStopped
            return flight
        flown = self._memory.fly(
            system, scenario, seed, self._workspace(), lambda: not self._stopped.is_set(), self.budget_s
        )
        self.is_unfinished = flown.code == FLYING
        return flown.flight()
