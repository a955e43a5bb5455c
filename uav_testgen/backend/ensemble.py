"""Many slightly different flights of one test: how likely does it fail, and how near does it get?

A real autopilot never repeats itself: it starts elsewhere, its position estimate drifts, its threads run
unsynchronised. `fly_ensemble` flies a test several times with such differences, their size calibrated
on real flights, and adds what the model leaves unexplained. Run 0 is always the undisturbed flight.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from uav_testgen.backend.lfs.backend import LfsBackend
from uav_testgen.backend.lfs.config import LfsConfig
from uav_testgen.backend.variation import difference, disturbed_config, disturbed_scenario
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.distribution import Distribution, Run
from uav_testgen.oracle.separation import separation
from uav_testgen.rng import derive_seed
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.px4_preset import ScatterConfig, load_px4_preset


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
    return Distribution(tuple(flown), scatter.model_m)


def fly_run(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> tuple[Run, Flight]:
    """One run of an ensemble, judged against the obstacles as they were asked for."""
    if run == 0:
        flight = _backend(config).fly(scenario, seed)
    else:
        flight = fly_disturbed(scenario, config, scatter, seed, run)
    found = separation(scenario, flight.trajectory)
    distance_m = math.inf if found is None else found.aerialist.distance_m
    if distance_m > 0.0:
        distance_m = max(distance_m + scatter.bias_m, 0.0)
    return Run(distance_m, flight.duration_s, flight.ending), flight


def fly_disturbed(
    scenario: Scenario, config: LfsConfig, scatter: ScatterConfig, seed: int, run: int
) -> Flight:
    """A flight of the test that differs from the undisturbed one as real flights differ."""
    drawn = difference(scatter, seed, run)
    backend = _backend(disturbed_config(config, scatter, drawn))
    flight = backend.fly(disturbed_scenario(scenario, drawn), derive_seed(seed, "run", run))
    # It is a flight of this test, not of a test of its own.
    return replace(flight, scenario_id=scenario.id)


@lru_cache(maxsize=8)
def _backend_of(key: str) -> LfsBackend:
    return LfsBackend(LfsConfig.model_validate_json(key))


def _backend(config: LfsConfig) -> LfsBackend:
    """A backend per configuration; buffers are reused between flights."""
    return _backend_of(config.model_dump_json())
