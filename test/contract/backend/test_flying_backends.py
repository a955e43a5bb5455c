"""The simulator and the replay of recordings keep the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend
from uav_testgen.flight.json_io import save_flights
from uav_testgen.testing.backend_contract import BackendContract


# Kernels are compiled once; a group keeps these tests on the worker that did it.
@pytest.mark.xdist_group("compiled")
class TestLfs(BackendContract):
    name = "lfs"


class TestReplay(BackendContract):
    name = "replay"
    flown_by = "still"

    @pytest.fixture(autouse=True)
    def recording(self, tmp_path: Path) -> None:
        """Flights of the contract's scenario with the seeds it asks for."""
        self._file = tmp_path / "flights.json"
        with make_backend("still") as backend:
            flights = [backend.fly(self.scenario(), seed) for seed in (3, 5)]
        save_flights(self._file, "recorded", flights)

    def build(self) -> Backend:
        return make_backend("replay", {"source": str(self._file)})
