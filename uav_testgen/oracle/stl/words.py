"""A formula as words with their places, and what is said where one is wrong."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from uav_testgen.core.errors import ConfigError

LONGEST: Final = 10_000
"""Characters of a formula."""
_WORD = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><->|->|<=|>=|==|!=|&&|\|\||[-+*/<>()\[\],:!&|])|(?P<space>\s+)",
    re.ASCII,
)
_SAME: Final = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "->": "implies", "<->": "iff"}


class FormulaError(ConfigError):
    """A formula is wrong; says at which character, why, and how it can be mended."""

    def __init__(self, formula: str, position: int, problem: str) -> None:
        self.position = position
        near = formula[max(position - 15, 0) : position + 25].replace("\n", " ")
        shown = near if len(formula) <= 60 else f"…{near}…"
        text = formula.replace("\n", " ") if len(formula) <= 60 else shown
        super().__init__(f"formula '{text}', character {position + 1}: {problem}")


class Word(NamedTuple):
    """One word: `kind` is number, name, sign or end; signs that mean a word are that word."""

    kind: str
    text: str
    position: int


def words_of(formula: str) -> list[Word]:
    """The words of a formula and the end."""
    if len(formula) > LONGEST:
        raise FormulaError(
            formula[:60], 0, f"{len(formula)} characters are too many, at most {LONGEST} are accepted"
        )
    found: list[Word] = []
    position = 0
    while position < len(formula):
        match = _WORD.match(formula, position)
        if match is None:
            hint = "; write == to compare" if formula[position] == "=" else ""
            raise FormulaError(formula, position, f"{formula[position]!r} means nothing here{hint}")
        kind, text = str(match.lastgroup), match.group()
        if kind != "space":
            word = _SAME.get(text, text)
            found.append(Word("name" if word != text else kind, word, position))
        position = match.end()
    return [*found, Word("end", "the end", len(formula))]
