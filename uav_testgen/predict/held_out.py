"""A test flown again with runs that whoever chose it never saw.

A search keeps the tests whose runs came nearest, so these runs flatter it: part of what made them near was luck. Runs
drawn from a held-out seed have nothing to do with the choice. They depend on the test alone, not on who found it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from uav_testgen.backend.base import Backend
from uav_testgen.core.rng import derive_seed
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.predict.prediction import Prediction
from uav_testgen.predict.runs import predict
from uav_testgen.scenario.model import Scenario

HELD_OUT_SEED: Final = 0
HELD_OUT_RUNS: Final = 10


def held_out_seed(scenario: Scenario, seed: int = HELD_OUT_SEED) -> int:
    """The same for the same test, whoever found it; no search draws from it."""
    return derive_seed(seed, "held-out", scenario.id)


def predict_held_out(
    backend: Backend,
    scenario: Scenario,
    runs: int = HELD_OUT_RUNS,
    *,
    seed: int = HELD_OUT_SEED,
    oracle: OracleConfig | None = None,
    scatter: ScatterConfig | None = None,
    requirements: Sequence[str] = (),
) -> Prediction:
    """The prediction of a test from held-out runs; another `seed` draws another set of them."""
    own_seed = held_out_seed(scenario, seed)
    return predict(backend, scenario, own_seed, runs, oracle, scatter=scatter, requirements=requirements)


def failing_share(prediction: Prediction) -> float | None:
    """Share of the runs that say something and fail; None if none says anything."""
    count = len(prediction.conclusive)
    return prediction.failing / count if count else None
