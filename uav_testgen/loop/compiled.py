"""A whole flight as one compiled call, and the same flight resumed, branched or stopped."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from uav_testgen.core.body import BODY_SIZE
from uav_testgen.core.kernel import kernel
from uav_testgen.flight.model import Flight
from uav_testgen.loop.autopilot import system_for
from uav_testgen.loop.endings import ENDINGS
from uav_testgen.loop.setup import make_loop, sample_capacity
from uav_testgen.loop.state import DISTANCE, PLANNED, Log, LoopState, copy_state, new_log, restore_state
from uav_testgen.loop.step import start, step
from uav_testgen.loop.system import System
from uav_testgen.loop.track import make_flight, waypoint_times
from uav_testgen.planner.vfh3d.compiled.workspace import Workspace
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.mission import FLYING, STOPPED
from uav_testgen.world.motion import place_obstacles


@kernel
def fly_until(setup: Any, scratch: Any, state: Any, log: Any, last_step: int) -> int:
    """Fly until something ends the flight or so many steps are flown; FLYING means it could go on."""
    code = state.clock[0].code
    while code == FLYING and state.clock[0].step < last_step:
        code = step(setup, scratch, state, log)
    return int(code)


class CompiledFlight:
    """One flight of one scenario; its state may be copied and put back between steps."""

    def __init__(
        self, system: System, scenario: Scenario, seed: int, workspace: Workspace | None = None
    ) -> None:
        system = system_for(system, scenario)
        self.system, self.scenario, self.seed = system, scenario, seed
        begin_s = time.thread_time()
        self._setup, self._scratch, self.state = make_loop(system, scenario, seed, workspace)
        self._log: Log = new_log(sample_capacity(system), len(self._setup.mission.route), BODY_SIZE)
        start(self._setup, self._scratch, self.state, self._log)
        self._cpu_s = time.thread_time() - begin_s

    @property
    def step(self) -> int:
        """Steps flown."""
        return int(self.state.clock["step"][0])

    @property
    def code(self) -> int:
        """FLYING, or why it is over."""
        return int(self.state.clock["code"][0])

    def run(self, steps: int | None = None) -> int:
        """Fly on, by at most `steps` more; returns the code."""
        last = len(self._log.track) - 1 if steps is None else min(self.step + steps, len(self._log.track) - 1)
        begin_s = time.thread_time()
        code = int(fly_until(self._setup, self._scratch, self.state, self._log, last))
        self._cpu_s += time.thread_time() - begin_s
        return code

    def save(self) -> LoopState:
        """A copy of the state, to go back to."""
        return copy_state(self.state)

    def restore(self, saved: LoopState) -> None:
        """Back to a saved step of this flight."""
        restore_state(self.state, saved)
        reached = self._log.waypoint_steps
        reached[reached > self.step] = -1
        if self._setup.moving:
            place_obstacles(self._setup.obstacles, self.step * self.system.timing.dt_s, self._scratch.placed)

    def stop(self) -> None:
        """May be called from another thread: the flight ends after its present step."""
        self.state.clock["stop"][0] = 1

    def flight(self, backend: str = "lfs") -> Flight:
        """The record of what was flown."""
        count = self.step + 1
        track, record = self._log.track[:count], self._log.record[:count]
        dt_s = self.system.timing.dt_s
        return make_flight(
            self.scenario, backend, self.system.name, self.seed,
            ENDINGS.get(self.code) or ENDINGS[STOPPED], dt_s * np.arange(count, dtype=np.float64), track,
            float(np.min(record[:, DISTANCE])), waypoint_times(self._log.waypoint_steps, dt_s),
            {"planned_steps": int(np.sum(record[: count - 1, PLANNED])), "cpu_s": self._cpu_s},
        )  # fmt: skip
