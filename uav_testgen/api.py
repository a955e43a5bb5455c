"""The handful of functions for scripts and notebooks: load a scenario, fly it, plot it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.backend.registry import make_backend
from uav_testgen.core.config import parse_config
from uav_testgen.core.defaults import DEFAULT_BACKEND
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Flight
from uav_testgen.loop.system import System
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.model import Verdict
from uav_testgen.predict.predict import DEFAULT_RUNS
from uav_testgen.predict.predict import predict as _predict
from uav_testgen.predict.prediction import Prediction
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats import scenario_file
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Scenario


def load_scenario(path: str | Path, arena: Arena | None = None) -> Scenario:
    """A scenario from our own YAML/JSON, an Aerialist test, or a bare mission (.plan)."""
    return scenario_file.load_scenario(Path(path), arena)


def predict(
    scenario: Scenario | str | Path,
    *,
    runs: int = DEFAULT_RUNS,
    seed: int | None = None,
    system: str | System | None = None,
    planner: Any = None,
    backend: str = DEFAULT_BACKEND,
    settings: Mapping[str, Any] | None = None,
    oracle: OracleConfig | None = None,
) -> Prediction:
    """How close does the drone come, and how likely does the test fail?

    `scenario` may be a file or the name of a shipped scene; `system` a preset, a file or a `System`; `planner` a
    name, `file.py:Class`, a class or an object. `seed` defaults to the scenario's own.

        predict("two_walls").failure_probability
    """
    chosen = scenario if isinstance(scenario, Scenario) else load_scene(str(scenario))
    with _backend(backend, system, planner, settings) as flown_by:
        return _predict(flown_by, chosen, chosen.seed if seed is None else seed, runs, oracle)


def fly(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    system: str | System | None = None,
    planner: Any = None,
    backend: str = DEFAULT_BACKEND,
    settings: Mapping[str, Any] | None = None,
    oracle: OracleConfig | None = None,
) -> tuple[Flight, Verdict]:
    """Fly a scenario once, as it is, and judge it: the nominal run of `predict`.

    flight, verdict = fly("two_walls")
    """
    found = predict(
        scenario,
        runs=0,
        seed=seed,
        system=system,
        planner=planner,
        backend=backend,
        settings=settings,
        oracle=oracle,
    )
    return found.nominal.flight, found.nominal.verdict


def _backend(name: str, system: str | System | None, planner: Any, settings: Mapping[str, Any] | None) -> Any:
    chosen: dict[str, Any] = dict(settings or {})
    if system is not None:
        chosen["system"] = system
    if planner is None or isinstance(planner, str):
        return make_backend(name, chosen if planner is None else {**chosen, "planner": planner})
    if name != DEFAULT_BACKEND:
        raise ConfigError(f"a planner object flies in this process; backend '{name}' takes a name")
    return LfsBackend(parse_config(LfsConfig, chosen, source="settings"), planner=planner)


def plot(scenario: Scenario, flight: Flight, verdict: Verdict, path: str | Path) -> None:
    """A picture of the flight: coordinates over time, and the map with the closest approach."""
    from uav_testgen.view.plots import plot_flight

    plot_flight(Path(path), scenario, [flight], [verdict], title=scenario.name or f"scenario {scenario.id}")
