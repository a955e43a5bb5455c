"""Cells of CSV files that no spreadsheet takes for formulas."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
# Spreadsheets execute cells that begin with one of these, also after blanks.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def plain_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula; a number stays a number."""
    if not text.startswith(_FORMULA_STARTS) and not text.lstrip().startswith(_FORMULA_STARTS):
        return text
    return text if _NUMBER.fullmatch(text) else f"'{text}"
