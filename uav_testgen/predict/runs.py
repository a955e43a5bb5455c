"""The one prediction: where runs are drawn, flown, corrected and counted, for every door.

    prediction = predict(backend, scenario, seed=1, runs=5)
    prediction.distance_m, prediction.failure_probability

The *nominal* run flies the scenario as it is. The other runs are drawn independently from the calibrated scatter;
probability, distance and interval come from them alone. A simulator that does not repeat itself (a live PX4,
Gazebo) is flown as it is: its runs differ by themselves, and the first is one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

from uav_testgen.backend.base import Backend, SimulatingBackend
from uav_testgen.backend.lfs.announced import announced
from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import derive_seed
from uav_testgen.flight.model import Flight
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.loop.system import System
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.requirement import make_requirements
from uav_testgen.predict.conformal import table_of
from uav_testgen.predict.draw import NAMES, difference, disturbed_scenario, disturbed_system, draw_u, has_lock
from uav_testgen.predict.prediction import NO_SCATTER, PredictedRun, Prediction, judged_m
from uav_testgen.predict.stages import Stage, runs_wanted, stages_of
from uav_testgen.scenario.model import Scenario

DEFAULT_RUNS = 5
NOMINAL = 0
"""Number of the nominal run; drawn runs count from 1."""


def scatter_of(backend: Backend) -> ScatterConfig:
    """How runs of a backend differ and how far they may be off: that of its system, or nothing."""
    system = getattr(backend, "system", None)
    if system is None or not backend.capabilities.prediction:
        return NO_SCATTER
    scatter: ScatterConfig = system.scatter
    if not system.is_calibrated:
        # Bias, escapes and spread were measured with another vehicle, camera or planner, or not at all.
        return scatter.model_copy(update={"bias_m": 0.0, "free_bias_m": 0.0, "escape_share": 0.0})
    return scatter


def fly_run(
    backend: Backend, scenario: Scenario, seed: int, run: int, scatter: ScatterConfig | None = None
) -> tuple[Flight, bool]:
    """Run number `run` of a test and whether it flew without PX4's speed lock.

    The flight records what was drawn. It is a flight of the test, whatever was changed to fly it.
    """
    scatter = scatter if scatter is not None else scatter_of(backend)
    if run == NOMINAL:
        return backend.fly(scenario, seed), False
    own_seed = derive_seed(seed, "run", run)
    if not backend.capabilities.deterministic:
        return backend.fly(scenario, own_seed), False
    return fly_drawn(backend, scenario, draw_u(seed, run), own_seed, scatter)


def as_flown(
    system: System, scenario: Scenario, seed: int, run: int, scatter: ScatterConfig
) -> tuple[System, Scenario, int]:
    """The system, scene and seed of run number `run`, for whoever flies it again in another way."""
    if run == NOMINAL:
        return system, scenario, seed
    drawn = difference(scatter, draw_u(seed, run))
    changed = disturbed_scenario(scenario, drawn)
    return disturbed_system(system, scatter, drawn), changed, derive_seed(seed, "run", run)


def fly_drawn(
    backend: Backend, scenario: Scenario, u: FloatArray, own_seed: int, scatter: ScatterConfig,
    system: System | None = None,
) -> tuple[Flight, bool]:  # fmt: skip
    """The run of a vector `u`, and whether it flew without PX4's speed lock; `own_seed` makes the sensors' noise.

    A simulating backend may be given another system than its own.
    """
    drawn = difference(scatter, u)
    changed = disturbed_scenario(scenario, drawn)
    is_free = False
    if isinstance(backend, SimulatingBackend):
        base = backend.system if system is None else system
        is_free = drawn.is_free and has_lock(base)
        flight = backend.fly_system(disturbed_system(base, scatter, drawn), changed, own_seed)
    else:
        flight = backend.fly(changed, own_seed)
    details = {**flight.details, "drawn": dict(zip(NAMES, u.tolist(), strict=True))}
    return replace(flight, scenario_id=scenario.id, details=details), is_free


def predict_run(
    backend: Backend, scenario: Scenario, seed: int, run: int, oracle: OracleConfig | None = None,
    scatter: ScatterConfig | None = None, requirements: Sequence[str] = (),
) -> PredictedRun:  # fmt: skip
    """One run, judged and corrected."""
    scatter = scatter if scatter is not None else scatter_of(backend)
    flight, is_free = fly_run(backend, scenario, seed, run, scatter)
    verdict = judge(scenario, flight, oracle, make_requirements(requirements))
    return PredictedRun(run, flight, verdict, judged_m(scenario, verdict, scatter, is_free))


def predict(
    backend: Backend,
    scenario: Scenario,
    seed: int = 0,
    runs: int = DEFAULT_RUNS,
    oracle: OracleConfig | None = None,
    *,
    scatter: ScatterConfig | None = None,
    stages: Sequence[Stage] | None = None,
    requirements: Sequence[str] = (),
) -> Prediction:
    """Fly the nominal run and `runs` drawn ones, or, with `stages`, as many as the test proves worth.

    `requirements` are names with arguments, as in `oracle.requirement`; without any the safe distance decides.
    """
    system = getattr(backend, "system", None)
    # Flying and judging compile one after the other: whoever waits hears of it once.
    with nullcontext() if system is None else announced(system):
        return _predict(backend, scenario, seed, runs, oracle, scatter, stages, requirements)


def _predict(
    backend: Backend, scenario: Scenario, seed: int, runs: int, oracle: OracleConfig | None,
    scatter: ScatterConfig | None, stages: Sequence[Stage] | None, requirements: Sequence[str],
) -> Prediction:  # fmt: skip
    chosen = scatter if scatter is not None else scatter_of(backend)
    stages = stages_of(runs) if stages is None else stages
    system = getattr(backend, "system", None)
    nominal = predict_run(backend, scenario, seed, NOMINAL, oracle, chosen, requirements)
    found = Prediction(
        scenario=scenario,
        backend=backend.name,
        evidence=backend.capabilities.evidence,
        system=system.name if system is not None else nominal.flight.system,
        preset_version=system.version if system is not None else None,
        # What was measured on real flights is the distance; other requirements are counted as simulated.
        calibrated=bool(system is not None and system.is_calibrated and not requirements),
        seed=seed,
        nominal=nominal,
        runs=(),
        error=chosen.error,
        requirements=tuple(requirements),
        # Real flights were compared with runs drawn from the system's own scatter.
        table=table_of(system) if system is not None and chosen == system.scatter else None,
    )
    while (wanted := runs_wanted(stages, found)) > len(found.runs):
        more = (
            predict_run(backend, scenario, seed, run, oracle, chosen, requirements)
            for run in range(len(found.runs) + 1, wanted + 1)
        )
        found = replace(found, runs=(*found.runs, *more))
    if found.runs and not backend.capabilities.deterministic:
        found = replace(found, runs=(nominal, *found.runs))
    return found
