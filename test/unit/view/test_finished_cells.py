"""Finished cells of a long experiment outlive the sitting that flew them."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.core.errors import InputFileError
from uav_testgen.view.finished_cells import FinishedCells, made_by


def test_another_sitting_finds_what_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "cells.json"
    first = FinishedCells(path)
    assert first.get("b") is None
    first.add("b", {"score": 1.5, "made": "today"})
    first.add("a", {"score": 2.0})
    again = FinishedCells(path)
    assert len(again) == 2
    assert again.get("b") == {"score": 1.5, "made": "today"}


def test_a_cell_is_one_line_and_their_order_is_that_of_the_names(tmp_path: Path) -> None:
    path = tmp_path / "cells.json"
    cells = FinishedCells(path)
    cells.add("b", {"score": 1.0})
    cells.add("a", {"score": 2.0})
    cells.add("b", {"score": 3.0})
    assert path.read_text() == '{\n"a": {"score": 2.0},\n"b": {"score": 3.0}\n}\n'


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}'])
def test_another_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cells.json"
    path.write_text(text)
    with pytest.raises(InputFileError, match=r"cells\.json: not a file of finished cells"):
        FinishedCells(path)


def test_each_way_of_making_is_said_once() -> None:
    assert made_by([{"made": "a."}, {"made": "b."}, {"made": "a."}]) == "a. b."
    assert made_by([]) == ""
