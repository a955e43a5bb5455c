"""Cells of tables for spreadsheets, shared by all tables here."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from itertools import chain

# Spreadsheets execute cells that begin with one of these, also after blanks.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV; None is an empty cell. Every table of this package is written here, so none is forgotten."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in chain([columns], rows):
        writer.writerow([plain_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def plain_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula; a number stays a number."""
    text = text.replace("\0", "\ufffd")  # Python 3.10 cannot write a NUL, and no spreadsheet reads one
    if not text.startswith(_FORMULA_STARTS) and not text.lstrip().startswith(_FORMULA_STARTS):
        return text
    return text if _NUMBER.fullmatch(text) else f"'{text}"
