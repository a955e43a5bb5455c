"""Phrases that made readers stop do not come back: in pages for users, help texts, verdicts and error messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# The laboratory tells history, the changelog too.
PAGES = [ROOT / "README.md", *(path for path in (ROOT / "docs").rglob("*.md") if "lab" not in path.parts)]
BANNED = {
    r"paper 00\d": "name the method or its authors",
    r"\.\./shared": "nothing outside the clone",
    r"who (predicts|proposes)\b": "simulator, test generator",
    r"stands twice|may stand there": "duplicate; may appear",
    r"who says so": "evidence",
    r"fails again": "failure probability",
    r"last words": "last lines",
    r"trouble or outcome": "simulator error or test result",
    r"past one machine": "several machines",
    r"who can hear": "network visibility",
    r"earlier version|used to be|before the last round": "no history in pages for users",
    r"tells what happens and what to do": "explains",
}


def strings_of_the_program() -> Iterator[tuple[str, str]]:
    """Every string in the code that is no docstring."""
    for path in sorted((ROOT / "uav_testgen").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        silent = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value


def found_in(text: str) -> list[str]:
    return [
        f"'{match[0]}': {better}"
        for banned, better in BANNED.items()
        for match in re.finditer(banned, text, re.I)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_free_of_them(page: Path) -> None:
    assert not found_in(page.read_text(encoding="utf-8"))


def test_the_program_is_free_of_them() -> None:
    wrong = [f"{where}: {fault}" for where, text in strings_of_the_program() for fault in found_in(text)]
    assert not wrong, "\n".join(wrong)


def test_they_would_be_found() -> None:
    assert found_in("Key 'x' stands twice (see paper 004)") and not found_in("duplicate key 'x'")
