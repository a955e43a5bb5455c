"""uav_testgen: find the situations in which an autonomous drone flies dangerously close to an obstacle.

from uav_testgen import fly, load_scenario
flight, verdict = fly(load_scenario("scenario.yaml"))
print(verdict.sentence)
"""

from __future__ import annotations

from typing import Any

from uav_testgen.core.compile_cache import use_cache_folder

__version__ = "0.2.0"

use_cache_folder()  # before the first kernel is defined

# Public names are resolved on first use: importing the package costs nothing, whatever it offers.
_PUBLIC = {
    "Arena": "uav_testgen.scenario.arena",
    "Flight": "uav_testgen.flight.model",
    "Mission": "uav_testgen.scenario.model",
    "Obstacle": "uav_testgen.scenario.model",
    "Scenario": "uav_testgen.scenario.model",
    "Verdict": "uav_testgen.oracle.model",
    "Waypoint": "uav_testgen.scenario.model",
    "Observation": "uav_testgen.planner.base",
    "Plan": "uav_testgen.planner.base",
    "Prediction": "uav_testgen.predict.prediction",
    "System": "uav_testgen.loop.system",
    "fly": "uav_testgen.api",
    "load_scenario": "uav_testgen.api",
    "plot": "uav_testgen.api",
}

__all__ = [
    "Arena",
    "Flight",
    "Mission",
    "Observation",
    "Obstacle",
    "Plan",
    "Prediction",
    "Scenario",
    "System",
    "Verdict",
    "Waypoint",
    "__version__",
    "fly",
    "load_scenario",
    "plot",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'uav_testgen' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(_PUBLIC[name]), name)
