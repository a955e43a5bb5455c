"""Tables of numbers in .csv and .csv.gz files, the form of recordings that are no ULog."""

from __future__ import annotations

import csv
import gzip
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import InputFileError

_LEAST_ROWS, _MOST_ROWS = 20, 1_000_000


def tables_in(folder: Path, what: str) -> list[Path]:
    """The files of a folder and of its sub-folders, by name; `what` says what was looked for."""
    if not folder.is_dir():
        raise InputFileError(f"{folder}: no such folder")
    files = sorted({*folder.rglob("*.csv"), *folder.rglob("*.csv.gz")})
    if not files:
        raise InputFileError(f"{folder}: no .csv or .csv.gz file with {what}")
    return files


def read_table(path: Path) -> tuple[list[str], FloatArray]:
    """(names of the columns, rows); an empty cell is NaN, lines before the header begin with '#'."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8", newline="") as file:
            rows = csv.reader(line for line in file if not line.startswith("#"))
            columns = next(rows, [])
            table = [[float(cell) if cell else math.nan for cell in row] for row in rows]
    except (OSError, EOFError, UnicodeDecodeError, ValueError) as error:
        raise InputFileError(f"{path}: not a readable table of numbers ({error})") from None
    if not _LEAST_ROWS <= len(table) <= _MOST_ROWS:
        raise InputFileError(f"{path}: {len(table)} rows; from {_LEAST_ROWS} to {_MOST_ROWS} are expected")
    wrong = next((n for n, row in enumerate(table, start=2) if len(row) != len(columns)), None)
    if wrong is not None:
        raise InputFileError(f"{path}: line {wrong} does not have the {len(columns)} cells of the header")
    return columns, np.array(table)


def need_columns(
    path: Path, columns: list[str], table: FloatArray, names: Sequence[str]
) -> dict[str, FloatArray]:
    """Every column by name; InputFileError names the first of `names` that is missing."""
    missing = [name for name in names if name not in columns]
    if missing:
        raise InputFileError(f"{path}: column '{missing[0]}' is missing")
    return {name: table[:, columns.index(name)] for name in columns}


def sample_period_s(path: Path, t_s: FloatArray) -> float:
    """The step of evenly spaced times."""
    steps = np.diff(t_s)
    period_s = float(np.median(steps))
    if not period_s > 0.0 or np.max(np.abs(steps - period_s)) > 0.5 * period_s:
        raise InputFileError(f"{path}: column 't_s': evenly spaced, ascending times are expected")
    return round(period_s, 4)


def stem_of(path: Path) -> str:
    """The name of a recording, without .csv, .csv.gz or .ulg."""
    return path.name.removesuffix(".gz").removesuffix(".csv").removesuffix(".ulg")
