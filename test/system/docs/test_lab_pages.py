"""The tables of the notebooks are what their commands make of the finished cells beside them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from uav_testgen.view.finished_cells import FinishedCells

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[3]
LAB = ROOT / "docs" / "lab"


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_table_of_hunt_is_made_of_its_cells(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hunt = benchmark("hunt")
    monkeypatch.setattr(sys, "argv", ["hunt.py", "--full", "--table"])
    assert hunt.main() == 0
    table = capsys.readouterr().out.strip()
    page = (LAB / "hunt.md").read_text(encoding="utf-8")
    assert table in page, "make it again: python benchmarks/hunt.py --full --table --write docs/lab/hunt.md"
    assert len(FinishedCells(LAB / "hunt.json")) > 0


def test_every_cell_says_of_what_it_was_made() -> None:
    for path in LAB.glob("*.json"):
        if path.name != "samples.json":
            cells = FinishedCells(path)
            assert all("preset" in figures["made"] for _, figures in cells.items()), path.name
