"""The contract of all backends, on one running graph: starting one for each test would take minutes."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend
from uav_testgen.ros.backends.graph import GraphBackend
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.backend_contract import BackendContract

from .scenes import short_scene


class TestGraphBackend(BackendContract):
    name = "graph"
    settings: ClassVar[dict[str, Any]] = {"start": False}

    @pytest.fixture(autouse=True)
    def _running(self, composed: GraphBackend) -> None:
        self.domain = composed.domain

    def scenario(self) -> Scenario:
        return short_scene()

    def build(self) -> Backend:
        return make_backend(self.name, {**self.settings, "domain": self.domain})
