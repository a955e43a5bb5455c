"""Many slightly different flights of one test: how likely does it fail, and how near does it get?

A real autopilot never repeats itself: it starts elsewhere, its position estimate drifts, its threads run
unsynchronised. `fly_ensemble` flies a test several times with such differences, their size calibrated
on real flights, and adds what the model leaves unexplained. Run 0 is always the undisturbed flight.

Whether a turn catches PX4's speed lock hangs on one instant and on centimetres. So there are two opinions:
run 1 is the undisturbed flight without the lock, later runs draw one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from uav_testgen.backend.lfs.backend import LfsBackend
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.variation import difference, disturbed_config, disturbed_scenario
from uav_testgen.core.rng import derive_seed
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.distribution import Distribution, Run
from uav_testgen.oracle.separation import separation
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.px4.preset import ScatterConfig, load_px4_preset


def fly_ensemble(
    scenario: Scenario,
    seed: int,
    runs: int,
    config: LfsConfig | None = None,
    scatter: ScatterConfig | None = None,
) -> Distribution:
    """Fly a test `runs` times with seeded differences."""
    config = config or LfsConfig(vehicle="px4")
    scatter = scatter or load_px4_preset().scatter
    flown = [fly_run(scenario, config, scatter, seed, run)[0] for run in range(max(runs, 1))]
    return Distribution(tuple(flown), scatter.error)


def fly_run(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> tuple[Run, Flight]:
    """One run of an ensemble, judged against the obstacles as they were asked for."""
    flight, changed = _fly(scenario, config, scatter, seed, run)
    found = separation(scenario, flight.trajectory)
    distance_m = math.inf if found is None else found.aerialist.distance_m
    is_free = has_two_opinions(config, scatter) and not changed.px4_vehicle.speed_lock
    if distance_m > 0.0:
        distance_m = max(distance_m + (scatter.free_bias_m if is_free else scatter.bias_m), 0.0)
    return Run(distance_m, flight.duration_s, flight.ending), flight


def fly_disturbed(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> Flight:
    """Run number `run` as a flight of the test itself, whatever was changed to fly it."""
    return replace(_fly(scenario, config, scatter, seed, run)[0], scenario_id=scenario.id)


def _fly(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> tuple[Flight, LfsConfig]:
    """The flight of a run and the simulator it was flown with."""
    flown, changed = variant(scenario, config, scatter, seed, run)
    return _backend(changed).fly(flown, derive_seed(seed, "run", run) if run else seed), changed


def variant(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> tuple[Scenario, LfsConfig]:
    """What run number `run` flies, and with which simulator."""
    if run == 0:
        return scenario, config
    if run == 1 and has_two_opinions(config, scatter):
        return scenario, without_lock(config)
    drawn = difference(scatter, seed, run)
    return disturbed_scenario(scenario, drawn), disturbed_config(config, scatter, drawn)


def has_two_opinions(config: LfsConfig, scatter: ScatterConfig) -> bool:
    """Are flights without the speed lock a second opinion? Not if they are the rule or not asked for."""
    return config.vehicle == "px4" and config.px4_vehicle.speed_lock and scatter.free_share > 0.0


def without_lock(config: LfsConfig) -> LfsConfig:
    """The same vehicle without PX4's speed lock."""
    free = config.px4_vehicle.model_copy(update={"speed_lock": False})
    return config.model_copy(update={"px4_vehicle": free})


@lru_cache(maxsize=8)
def _backend_of(key: str) -> LfsBackend:
    return LfsBackend(LfsConfig.model_validate_json(key))


def _backend(config: LfsConfig) -> LfsBackend:
    """A backend per configuration; buffers are reused between flights."""
    return _backend_of(config.model_dump_json())
