"""Every notebook runs from its first cell to its last, and holds no output that could grow old."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import matplotlib
import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[3] / "docs" / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.stem))
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    names: dict[str, Any] = {"__name__": "__notebook__"}
    for number, cell in enumerate(cells(path)):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}:{number}", "exec"), names)
        if isinstance(last, ast.Expr):  # what a notebook would display
            shown = eval(compile(ast.Expression(last.value), f"{path.name}:{number}", "eval"), names)
            if hasattr(shown, "_repr_html_"):
                shown._repr_html_()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.stem))
def test_no_output_is_kept(path: Path) -> None:
    assert all(not cell.get("outputs") for cell in cells(path))
    assert cells(path)[0]["cell_type"] == "markdown"
