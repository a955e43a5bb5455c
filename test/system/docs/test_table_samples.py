"""A small part of each published table is still what its command gives."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend

pytestmark = pytest.mark.system

TOOL = Path(__file__).resolve().parents[3] / "tools" / "table_samples.py"


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("table_samples", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SAMPLES = _tool()
RECORD = json.loads(SAMPLES.KEPT.read_text(encoding="utf-8"))
KEPT = RECORD["samples"]


@pytest.fixture(scope="module")
def backend() -> Backend:
    return make_backend("lfs", {})


@pytest.mark.parametrize("name", list(SAMPLES.SAMPLES))
def test_the_first_flights_of_a_cell_are_those_on_record(name: str, backend: Backend) -> None:
    if SAMPLES.preset() != RECORD["preset"]:
        pytest.skip(
            f"the tables were made with {RECORD['preset']}: make them again, then tools/table_samples.py --write"
        )
    now = SAMPLES.flown(name, backend)
    assert len(now) == SAMPLES.FLIGHTS
    for found, kept in zip(now, KEPT[name], strict=True):
        assert found["scenario_id"] == kept["scenario_id"], (
            "the generator proposes other tests than the table's"
        )
        # Machines differ in the last digits; a change of the flight shows in centimetres or seconds.
        assert found["distance_m"] == pytest.approx(kept["distance_m"], abs=1e-3)
        assert found["duration_s"] == pytest.approx(kept["duration_s"], abs=0.15)


def test_every_sample_is_on_record() -> None:
    assert set(KEPT) == set(SAMPLES.SAMPLES)
