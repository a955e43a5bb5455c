"""Recorded flights as a backend: a log is judged, scored and reported by the same code as a prediction.

A flights file (JSON) answers for the scenarios it holds; a trajectory file (CSV) answers for every
scenario, which is how one real log is held against many obstacle layouts.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from pydantic import Field

from uav_testgen.backend.base import Capabilities
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.json_io import load_flights, load_trajectory_csv
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.scenario.model import Scenario


class ReplayConfig(RoomConfig):
    """Where the recorded flights are."""

    source: str = Field(
        min_length=1,
        max_length=4000,
        description="Flights (.json), folder of them, or trajectory (.csv)",
    )


class ReplayBackend:
    """Flies nothing: answers with what was recorded."""

    name = "replay"
    capabilities = Capabilities(deterministic=True, evidence=Evidence.GAZEBO)
    config_type = ReplayConfig

    def __init__(self, config: ReplayConfig) -> None:
        self.config = config
        self._by_scenario: dict[str, list[Flight]] = {}
        self._for_every_scenario: Flight | None = None

    def __enter__(self) -> ReplayBackend:
        source = Path(self.config.source)
        if source.suffix == ".csv":
            self._for_every_scenario = Flight(
                scenario_id="",
                backend=self.name,
                system="recorded",
                seed=0,
                ending=Ending.GOAL_REACHED,
                reason=f"recorded in {source.name}",
                trajectory=load_trajectory_csv(source),
            )
            return self
        files = sorted(source.glob("*.json")) if source.is_dir() else [source]
        if not files:
            raise ConfigError(f"{source}: no flights file (*.json) in this folder")
        for file in files:
            for flight in load_flights(file)[1]:
                self._by_scenario.setdefault(flight.scenario_id, []).append(flight)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._by_scenario = {}
        self._for_every_scenario = None

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        """The recorded run with this seed, or else the first one; BackendError where none was recorded."""
        if self._for_every_scenario is not None:
            return self._for_every_scenario
        flights = self._by_scenario.get(scenario.id)
        if not flights:
            raise BackendError(f"{self.config.source}: no flight of scenario {scenario.id} was recorded")
        return next((flight for flight in flights if flight.seed == seed), flights[0])
