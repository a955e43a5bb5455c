"""The handful of functions for scripts and notebooks: load a scenario, fly it, plot it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uav_testgen.backend.registry import make_backend
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.config import OracleConfig
from uav_testgen.oracle.judge import judge
from uav_testgen.oracle.model import Verdict
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.formats import scenario_file
from uav_testgen.scenario.model import Scenario


def load_scenario(path: str | Path, arena: Arena | None = None) -> Scenario:
    """A scenario from our own YAML/JSON, an Aerialist test, or a bare mission (.plan)."""
    return scenario_file.load_scenario(Path(path), arena)


def fly(
    scenario: Scenario,
    *,
    backend: str = "lfs",
    vehicle: str | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] | None = None,
    oracle: OracleConfig | None = None,
) -> tuple[Flight, Verdict]:
    """Fly a scenario once and judge it.

    `seed` defaults to the scenario's own; `vehicle` to the backend's; `settings` are those of the
    backend, as in its configuration file.

        flight, verdict = fly(load_scenario("config/scenarios/two_walls.yaml"))
    """
    chosen = dict(settings or {})
    if vehicle is not None:
        chosen["vehicle"] = vehicle
    with make_backend(backend, chosen) as flown_by:
        flight = flown_by.fly(scenario, scenario.seed if seed is None else seed)
    return flight, judge(scenario, flight, oracle)


def plot(scenario: Scenario, flight: Flight, verdict: Verdict, path: str | Path) -> None:
    """A picture of the flight: coordinates over time, and the map with the closest approach."""
    from uav_testgen.view.plots import plot_flight

    plot_flight(Path(path), scenario, [flight], [verdict], title=verdict.sentence)
