"""The `lfs` backend: scenarios in, flights out."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uav_testgen.backend.base import Capabilities
from uav_testgen.backend.lfs import kernel
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.lfs.endings import ENDINGS
from uav_testgen.backend.lfs.px4_move import Px4Vehicle, make_px4
from uav_testgen.backend.lfs.rig import believed_fovs, make_rig
from uav_testgen.core.compile_cache import announce_compilation, has_flight_kernel
from uav_testgen.flight.model import Flight, Trajectory
from uav_testgen.planner.vfh3d.compiled.planner import fov_array
from uav_testgen.planner.vfh3d.compiled.workspace import (
    Parameters,
    Workspace,
    make_parameters,
    make_workspace,
)
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.base import BODY_SIZE, POSITION, VELOCITY, YAW, body_at
from uav_testgen.vehicle.mission import new_mission_state, pack_mission
from uav_testgen.vehicle.paper import PaperVehicle, make_paper
from uav_testgen.vehicle.px4.preset import ScatterConfig
from uav_testgen.world.ground import height_at
from uav_testgen.world.packed import PackedWorld, pack

_log = logging.getLogger(__name__)
Progress = Callable[[int, int], None]


class LfsBackend:
    """Predicts flights with the planner on a synthesised depth camera.

    One object may be used from several threads: each thread has its own buffers, and a flight depends on
    scenario, seed and settings only.
    """

    name = "lfs"
    capabilities = Capabilities(deterministic=True, prediction=True)
    config_type = LfsConfig

    def __init__(self, config: LfsConfig | None = None) -> None:
        self.config = config or LfsConfig()
        self._rig = self.config.rig
        self._parameters = make_parameters(self.config.planner, self.config.px4)
        self._fovs = fov_array(believed_fovs(self.config))
        self._local = threading.local()
        self._pool: Any = None

    def __enter__(self) -> LfsBackend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the worker processes of batches."""
        self.close()

    def close(self) -> None:
        """Stop the worker processes, if any were started."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def fly(self, scenario: Scenario, seed: int = 0) -> Flight:
        """One flight."""
        if self.config.is_stepwise:
            from uav_testgen.backend.lfs.stepwise import fly_stepwise

            return fly_stepwise(self.config, scenario, seed)
        return self._fly_compiled(scenario, seed)

    def fly_varied(self, scenario: Scenario, seed: int, run: int, scatter: ScatterConfig) -> Flight:
        """A flight that differs from the undisturbed one as two real flights of a test differ."""
        from uav_testgen.backend.ensemble import fly_disturbed

        return fly_disturbed(scenario, self.config, scatter, seed, run)

    def fly_batch(
        self,
        scenarios: Sequence[Scenario],
        seeds: Sequence[int],
        jobs: int | None = None,
        progress: Progress | None = None,
    ) -> list[Flight]:
        """The flights in the order asked; `progress(done, total)` is called as chunks arrive."""
        from uav_testgen.backend.lfs.batch import fly_batch

        return fly_batch(self, scenarios, seeds, self.config.jobs if jobs is None else jobs, progress)

    def _workspace(self) -> Workspace:
        workspace = getattr(self._local, "workspace", None)
        if workspace is None:
            workspace = self._local.workspace = make_workspace(self._parameters)
        return workspace

    def _fly_compiled(self, scenario: Scenario, seed: int) -> Flight:
        world = pack(scenario)
        mission = scenario.mission
        packed = pack_mission(mission, self.config.mission, landing_height_m(world, scenario))
        body = body_at(mission.home_enu_m, mission.home_yaw_rad)
        capacity = math.ceil(self.config.mission.time_limit_s / self.config.dt_s) + 2
        track, record = np.empty((capacity, BODY_SIZE)), np.empty((capacity, kernel.RECORD_SIZE))
        waypoint_steps = np.full(len(packed.route), -1, np.int64)
        begin = time.thread_time()
        compiled = bool(kernel.fly_kernel.nopython_signatures) or has_flight_kernel()
        with announce_compilation("the flight kernel", compiled):
            steps, code = kernel.fly_kernel(
                world.obstacles, world.moving, world.ground,
                make_rig(self._rig, scenario.visibility, self.config.dt_s), self._parameters, self._fovs,
                self._workspace(), packed, new_mission_state(packed),
                make_vehicle(self.config, self._parameters, scenario, seed), body, self.config.dt_s, seed,
                track, record, waypoint_steps,
            )  # fmt: skip
        return make_flight(
            self.config, scenario, seed, code, track[: steps + 1], record[: steps + 1], waypoint_steps,
            time.thread_time() - begin,
        )  # fmt: skip


def make_vehicle(
    config: LfsConfig, parameters: Parameters, scenario: Scenario, seed: int
) -> PaperVehicle | Px4Vehicle:
    """The vehicle of a configuration for one compiled flight."""
    if config.vehicle == "px4":
        smoothing = (config.planner.smoothing_speed_xy, config.planner.smoothing_speed_z)
        return make_px4(config.px4_vehicle, parameters, smoothing, scenario, seed)
    return make_paper(config.paper, scenario.mission.speed_mps)


def landing_height_m(world: PackedWorld, scenario: Scenario) -> float:
    """Ground below the last waypoint; NaN where there is none."""
    x, y, _ = scenario.mission.route_enu_m[-1]
    return float(height_at(world.ground.vector, world.ground.heights, x, y))


def make_flight(
    config: LfsConfig,
    scenario: Scenario,
    seed: int,
    code: int,
    track: NDArray[np.float64],
    record: NDArray[np.float64],
    waypoint_steps: NDArray[np.int64],
    cpu_s: float,
    clouds: tuple[NDArray[np.float32], ...] = (),
    planner_trace: tuple[dict[str, Any], ...] = (),
) -> Flight:
    """The record of a flight from the arrays of the kernel."""
    ending, reason = ENDINGS[code]
    steps = len(track) - 1
    least = float(np.min(record[:, kernel.DISTANCE]))
    return Flight(
        scenario_id=scenario.id,
        backend=LfsBackend.name,
        vehicle=config.vehicle,
        seed=seed,
        ending=ending,
        reason=reason,
        trajectory=Trajectory(
            t_s=config.dt_s * np.arange(steps + 1, dtype=np.float64),
            position_enu_m=track[:, POSITION : POSITION + 3],
            velocity_enu_mps=track[:, VELOCITY : VELOCITY + 3],
            yaw_rad=track[:, YAW],
        ),
        details={
            "steps": steps,
            "planned_steps": int(np.sum(record[:steps, kernel.PLANNED])),
            "least_sampled_distance_m": least if math.isfinite(least) else None,
            "waypoint_times_s": [
                round(config.dt_s * int(step), 6) for step in waypoint_steps if step >= 0
            ],
            "cpu_s": cpu_s,
        },
        clouds=clouds,
        planner_trace=planner_trace,
    )
