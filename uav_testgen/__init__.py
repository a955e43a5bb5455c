"""uav_testgen: find the situations in which an autonomous drone flies dangerously close to an obstacle.

import uav_testgen

uav_testgen.predict("two_walls").failure_probability
uav_testgen.campaign("mission2", budget=100).best
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uav_testgen.core.compile_cache import use_cache_folder
from uav_testgen.core.libraries_apart import NUMBA, load_apart
from uav_testgen.core.libraries_later import FORTRAN, load_later

if TYPE_CHECKING:
    from uav_testgen.api import campaign as campaign
    from uav_testgen.api import certify as certify
    from uav_testgen.api import check as check
    from uav_testgen.api import explain as explain
    from uav_testgen.api import fly as fly
    from uav_testgen.api import judge as judge
    from uav_testgen.api import load_scenario as load_scenario
    from uav_testgen.api import minimise as minimise
    from uav_testgen.api import missions as missions
    from uav_testgen.api import plot as plot
    from uav_testgen.api import predict as predict
    from uav_testgen.api import save as save
    from uav_testgen.api import scenes as scenes
    from uav_testgen.flight.model import Flight as Flight
    from uav_testgen.loop.system import System as System
    from uav_testgen.oracle.finding import Finding as Finding
    from uav_testgen.oracle.model import Verdict as Verdict
    from uav_testgen.oracle.requirement import Requirement as Requirement
    from uav_testgen.planner.base import Observation as Observation
    from uav_testgen.planner.base import Plan as Plan
    from uav_testgen.planner.camera import Camera as Camera
    from uav_testgen.predict.prediction import Prediction as Prediction
    from uav_testgen.scenario.arena import Arena as Arena
    from uav_testgen.scenario.model import Mission as Mission
    from uav_testgen.scenario.model import Obstacle as Obstacle
    from uav_testgen.scenario.model import Scenario as Scenario
    from uav_testgen.scenario.model import Waypoint as Waypoint
    from uav_testgen.settings import Settings as Settings
    from uav_testgen.view.campaign_results import CampaignResults as CampaignResults

__version__ = "0.2.0"

load_apart(NUMBA)
load_later(FORTRAN)
use_cache_folder()  # before the first kernel is defined

# Public names are resolved on first use: importing the package costs nothing, whatever it offers.
_FUNCTIONS = (
    "certify",
    "check",
    "explain",
    "fly",
    "judge",
    "load_scenario",
    "minimise",
    "missions",
    "plot",
    "save",
    "scenes",
)
_ROOMS = ("campaign", "predict")
"""Packages that can be called: they have the names of public functions."""
_PUBLIC = {
    **dict.fromkeys(_FUNCTIONS, "uav_testgen.api"),
    "Arena": "uav_testgen.scenario.arena",
    "Camera": "uav_testgen.planner.camera",
    "CampaignResults": "uav_testgen.view.campaign_results",
    "Finding": "uav_testgen.oracle.finding",
    "Flight": "uav_testgen.flight.model",
    "Mission": "uav_testgen.scenario.model",
    "Observation": "uav_testgen.planner.base",
    "Obstacle": "uav_testgen.scenario.model",
    "Plan": "uav_testgen.planner.base",
    "Prediction": "uav_testgen.predict.prediction",
    "Requirement": "uav_testgen.oracle.requirement",
    "Scenario": "uav_testgen.scenario.model",
    "Settings": "uav_testgen.settings",
    "System": "uav_testgen.loop.system",
    "Verdict": "uav_testgen.oracle.model",
    "Waypoint": "uav_testgen.scenario.model",
}

__all__ = [
    "Arena",
    "Camera",
    "CampaignResults",
    "Finding",
    "Flight",
    "Mission",
    "Observation",
    "Obstacle",
    "Plan",
    "Prediction",
    "Requirement",
    "Scenario",
    "Settings",
    "System",
    "Verdict",
    "Waypoint",
    "__version__",
    "campaign",
    "certify",
    "check",
    "explain",
    "fly",
    "judge",
    "load_scenario",
    "minimise",
    "missions",
    "plot",
    "predict",
    "save",
    "scenes",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    import importlib

    if name in _ROOMS:
        return importlib.import_module(f"uav_testgen.{name}")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'uav_testgen' has no attribute '{name}'")
    return getattr(importlib.import_module(_PUBLIC[name]), name)
