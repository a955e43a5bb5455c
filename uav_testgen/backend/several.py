"""One backend for several planners: the same simulator and vehicle, another planner for each flight."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from pydantic import Field

from uav_testgen.backend.base import Backend, Capabilities
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import DEFAULT_BACKEND
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Flight
from uav_testgen.scenario.model import Scenario


class PlannersConfig(RoomConfig):
    """Which planners, on which simulator."""

    backend: str = Field(DEFAULT_BACKEND, description="simulator")
    settings: dict[str, Any] = Field(default_factory=dict, description="its settings, without a planner")
    planners: tuple[str, ...] = Field(min_length=1, description="names, module:Class or file.py:Class")


class PlannersBackend:
    """Flies with the planner that is asked for; each has a backend of its own, made when it is first used."""

    name = "planners"
    capabilities = Capabilities(deterministic=True, evidence=Evidence.PREDICTED)
    config_type = PlannersConfig

    def __init__(self, config: PlannersConfig) -> None:
        self.config = config
        self._made: dict[str, Backend] = {}

    def __enter__(self) -> PlannersBackend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._made:
            self._made.popitem()[1].__exit__(kind, error, trace)

    def of(self, planner: str) -> Backend:
        """The backend that flies with this planner."""
        from uav_testgen.backend.registry import make_backend

        if planner not in self._made:
            made = make_backend(self.config.backend, {**self.config.settings, "planner": planner})
            self._made[planner] = made.__enter__()
        return self._made[planner]

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        """One flight with the first of the planners."""
        return self.of(self.config.planners[0]).fly(scenario, seed)
