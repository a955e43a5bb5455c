"""What every oracle promises, and the oracles by name."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from uav_testgen.core.registry import Registry
from uav_testgen.flight.model import Flight
from uav_testgen.oracle.model import Verdict
from uav_testgen.scenario.model import Scenario


@runtime_checkable
class Oracle(Protocol):
    """Judges flights. Pure: the same scenario and flight always give the same verdict."""

    name: str

    def judge(self, scenario: Scenario, flight: Flight) -> Verdict:
        """Was this flight safe?"""
        ...


ORACLES = Registry("oracle", {"separation": "uav_testgen.oracle.judging:SeparationOracle"})
"""A registered class has `config_type` and is built from its configuration."""
