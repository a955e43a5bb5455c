"""Finished cells of a long experiment in one small JSON file that is committed beside its page.

An experiment of many hours is done in many sittings, on many machines. What is finished is kept with the code, so
that the next sitting goes on instead of beginning again, and the page is made from the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from uav_testgen.core.errors import InputFileError
from uav_testgen.core.files import write_text


def made_by(cells: Iterable[Mapping[str, Any]]) -> str:
    """Under which circumstances cells were made: each different sentence once, in their order."""
    return " ".join(dict.fromkeys(str(cell["made"]) for cell in cells))


class FinishedCells:
    """The figures of each finished cell by its name, one line each; written when a cell is added."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cells: dict[str, dict[str, Any]] = {}
        if not path.is_file():
            return
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputFileError(f"{path}: not a file of finished cells ({error})") from None
        if not isinstance(cells, dict) or not all(isinstance(cell, dict) for cell in cells.values()):
            raise InputFileError(
                f"{path}: not a file of finished cells (names with their figures are expected)"
            )
        self._cells = cells

    def __len__(self) -> int:
        return len(self._cells)

    def get(self, name: str) -> dict[str, Any] | None:
        """The figures of a cell; None while it is not finished."""
        return self._cells.get(name)

    def items(self) -> Iterable[tuple[str, dict[str, Any]]]:
        """Names and figures of all cells."""
        return self._cells.items()

    def add(self, name: str, figures: dict[str, Any]) -> None:
        """Keep a cell, in place of an earlier one of that name."""
        self._cells[name] = figures
        lines = [f"{json.dumps(key)}: {json.dumps(self._cells[key])}" for key in sorted(self._cells)]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_text(self._path, "{\n" + ",\n".join(lines) + "\n}\n")
