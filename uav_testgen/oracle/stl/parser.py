"""Reads a formula.

    always (distance > 1.5)
    eventually[0,120] (goal_distance < 1)
    always (distance < 3 m implies eventually[0,5] speed < 1 m/s)

From weakest to strongest: implies, iff; or; and; until, since; not, always, eventually, once, historically;
comparisons; + and -; * and /. Numbers may have units; those without one take the unit of what they are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from uav_testgen.core.registry import nearest_and_known
from uav_testgen.oracle.stl.formula import (
    Arithmetic,
    Comparison,
    Condition,
    Joined,
    Node,
    Number,
    Signal,
    Temporal,
    Value,
)
from uav_testgen.oracle.stl.signals import UNITS, unit_of_signal
from uav_testgen.oracle.stl.units import PLAIN, SECOND, WRITTEN, Unit
from uav_testgen.oracle.stl.words import FormulaError as FormulaError
from uav_testgen.oracle.stl.words import Word, words_of

DEEPEST: Final = 80
"""Levels of a formula: brackets inside brackets, operators inside operators."""
_ALONE: Final = ("always", "eventually", "once", "historically")
_BETWEEN: Final = ("until", "since")
_COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")
_STRENGTH: Final = {
    "implies": 1, "iff": 1, "or": 2, "and": 3, "until": 4, "since": 4,
    **dict.fromkeys(_COMPARISONS, 6), "+": 7, "-": 7, "*": 8, "/": 8,
}  # fmt: skip
_PREFIX: Final = 5
_KEYWORDS: Final = {*_ALONE, *_BETWEEN, "not", "and", "or", "implies", "iff", "abs"}
_EXAMPLE: Final = "a condition such as distance > 1.5"


def parse(formula: str, units: Mapping[str, Unit] | None = None) -> Condition:
    """The condition a text stands for; FormulaError says where it is wrong.

    `units` are the signals there are; without it those of a flight.
    """
    reader = _Reader(formula, units)
    node = reader.read(0, 0)
    reader.expect_end()
    return reader.condition(node, 0, "a formula is")


class _Reader:
    """Reads words from left to right, by strength of the operators."""

    def __init__(self, formula: str, units: Mapping[str, Unit] | None) -> None:
        self._formula = formula
        self._units = units
        self._words = words_of(formula)
        self._at = 0
        self._heights: dict[int, int] = {}
        self._kept: list[Node] = []  # so that no node's id is given to another one

    @property
    def _word(self) -> Word:
        return self._words[self._at]

    def _next(self) -> Word:
        word = self._word
        self._at = min(self._at + 1, len(self._words) - 1)
        return word

    def _error(self, position: int, problem: str) -> FormulaError:
        return FormulaError(self._formula, position, problem)

    def expect_end(self) -> None:
        """Nothing may be left."""
        if self._word.kind != "end":
            raise self._error(
                self._word.position, f"'{self._word.text}' is left over; an operator such as 'and' is missing"
            )

    def _expect(self, text: str, of: str) -> None:
        if self._word.text != text or self._word.kind != "sign":
            raise self._error(
                self._word.position, f"'{text}' is missing here, {of}; found {_shown(self._word)}"
            )
        self._next()

    def _made(self, node: Node, position: int, *below: Node) -> Node:
        """A node that is not too deep; deep ones could neither be evaluated nor be meant."""
        height = 1 + max((self._heights.get(id(one), 0) for one in below), default=0)
        if height > DEEPEST:
            raise self._error(position, f"nested too deeply, at most {DEEPEST} levels are accepted")
        self._heights[id(node)] = height
        self._kept.append(node)
        return node

    def read(self, least: int, depth: int) -> Node:
        """Everything whose operators are at least as strong as `least`."""
        if depth > DEEPEST:
            raise self._error(
                self._word.position, f"nested too deeply, at most {DEEPEST} levels are accepted"
            )
        left = self._first(depth)
        while True:
            word = self._word
            strength = _STRENGTH.get(word.text, -1) if word.kind != "number" else -1
            if strength < max(least, 1):
                return left
            self._next()
            left = self._joined(word, strength, left, depth)

    def _joined(self, word: Word, strength: int, left: Node, depth: int) -> Node:
        text, position = word.text, word.position
        if text in _BETWEEN:
            low_s, high_s = self._interval(word)
            right = self.read(strength + 1, depth + 1)
            if self._word.text in _BETWEEN:
                raise self._error(self._word.position, f"put brackets around one of the '{text}'")
            parts = (self.condition(left, position, "left of it is"), self.condition(right, position, "is"))
            return self._made(Temporal(text, parts, low_s, high_s), position, left, right)
        # implies groups to the right, as in mathematics: a implies (b implies c).
        right = self.read(strength if text == "implies" else strength + 1, depth + 1)
        if text in _COMPARISONS:
            if self._word.text in _COMPARISONS:
                raise self._error(
                    self._word.position, "compare two values at a time: 1 < distance and distance < 3"
                )
            pair = self._value(left, position), self._value(right, position)
            self._check_units(pair, position, text)
            return self._made(Comparison(text, *pair), position, left, right)
        if text in ("+", "-", "*", "/"):
            pair = self._value(left, position), self._value(right, position)
            if text == "/" and isinstance(pair[1], Number) and pair[1].value == 0.0:
                raise self._error(
                    position, "a division by 0 has no value; leave it out or divide by another number"
                )
            unit = self._unit(text, pair, position)
            return self._made(Arithmetic(text, pair, unit), position, left, right)
        first = self.condition(left, position, f"left of '{text}' is")
        second = self.condition(right, position, f"right of '{text}' is")
        if text in ("and", "or") and isinstance(first, Joined) and first.word == text:
            # A long list of conditions is one level, not one for each.
            height = max(self._heights[id(first)], self._heights[id(second)] + 1)
            node = Joined(text, (*first.parts, second))
            self._heights[id(node)] = height
            self._kept.append(node)
            return node
        return self._made(Joined(text, (first, second)), position, left, right)

    def _first(self, depth: int) -> Node:
        word = self._next()
        if word.kind == "number":
            return self._made(self._number(word), word.position)
        if word.text == "(":
            inside = self.read(0, depth + 1)
            self._expect(")", f"for the '(' at character {word.position + 1}")
            return inside
        if word.text == "-":
            inside = self._value(self.read(9, depth + 1), word.position)
            if isinstance(inside, Number):
                return self._made(Number(-inside.value, inside.unit), word.position)
            minus = Arithmetic("-", (Number(0.0), inside), inside.unit)
            return self._made(minus, word.position, inside)
        if word.kind == "name":
            return self._named(word, depth)
        raise self._error(word.position, f"a value, a condition or '(' is expected, found {_shown(word)}")

    def _named(self, word: Word, depth: int) -> Node:
        if word.text in _ALONE or word.text == "not":
            low_s, high_s = self._interval(word) if word.text in _ALONE else (0.0, math.inf)
            inside = self.condition(
                self.read(_PREFIX, depth + 1), word.position, f"after '{word.text}' comes"
            )
            made: Node = (
                Joined("not", (inside,))
                if word.text == "not"
                else Temporal(word.text, (inside,), low_s, high_s)
            )
            return self._made(made, word.position, inside)
        if word.text == "abs":
            self._expect("(", "after 'abs'")
            value = self._value(self.read(0, depth + 1), word.position)
            self._expect(")", f"for the '(' after 'abs' at character {word.position + 1}")
            return self._made(Arithmetic("abs", (value,), value.unit), word.position, value)
        if word.text in _KEYWORDS:
            raise self._error(word.position, f"'{word.text}' needs something on its left")
        unit = unit_of_signal(word.text) if self._units is None else self._units.get(word.text)
        if unit is None:
            known = [*(UNITS if self._units is None else self._units)]
            # Names are written small; ALWAYS and Distance are near to always and distance.
            hint = nearest_and_known(word.text.lower(), [*known, *_ALONE, *_BETWEEN])
            raise self._error(word.position, f"unknown signal '{word.text[:80]}'{hint}")
        return self._made(Signal(word.text, unit), word.position)

    def _number(self, word: Word) -> Number:
        value = float(word.text)
        if not math.isfinite(value):
            raise self._error(word.position, f"{word.text[:30]} is too large a number")
        unit, size = self._written_unit()
        return Number(value * size, unit)

    def _written_unit(self) -> tuple[Unit | None, float]:
        """The unit after a number, if one is there; `m/s` and `deg/s` are two with a stroke between."""
        word = self._word
        if word.kind != "name" or word.text in _KEYWORDS:
            return None, 1.0
        if word.text not in WRITTEN:
            if word.text in UNITS or self._words[self._at + 1].text in ("(", "["):
                raise self._error(word.position, f"an operator is missing before '{word.text}'")
            raise self._error(
                word.position, f"unknown unit '{word.text}'; known: {', '.join(WRITTEN)}, m/s, deg/s"
            )
        self._next()
        unit, size = WRITTEN[word.text]
        below = self._words[self._at + 1] if self._word.text == "/" else None
        if below is not None and below.kind == "name" and below.text in WRITTEN:
            self._at += 2
            other, other_size = WRITTEN[below.text]
            return unit.times(other, -1), size / other_size
        return unit, size

    def _interval(self, of: Word) -> tuple[float, float]:
        if self._word.text != "[":
            return 0.0, math.inf
        start = self._next().position
        low_s = self._time()
        if self._word.text not in (",", ":"):
            raise self._error(self._word.position, f"'{of.text}[from, to]' needs two times in seconds")
        self._next()
        high_s = self._time()
        self._expect("]", f"after the times of '{of.text}'")
        if low_s > high_s or math.isinf(low_s):
            raise self._error(start, f"the times of '{of.text}' must ascend: [{low_s:g}, {high_s:g}]")
        return low_s, high_s

    def _time(self) -> float:
        word = self._next()
        if word.text == "inf":
            return math.inf
        if word.text == "-":
            raise self._error(word.position, "times are 0 or later; 'once' and 'historically' look back")
        if word.kind != "number":
            raise self._error(word.position, f"a time in seconds is expected, found {_shown(word)}")
        number = self._number(word)
        if number.unit not in (None, SECOND):
            raise self._error(word.position, f"a time is in s, not in {number.unit}")
        return number.value

    def condition(self, node: Node, position: int, where: str) -> Condition:
        """The node as a condition; a value alone is none."""
        if isinstance(node, Number | Signal | Arithmetic):
            raise self._error(position, f"{where} {_EXAMPLE}, not the value {str(node)[:60]}")
        return node

    def _value(self, node: Node, position: int) -> Value:
        if isinstance(node, Comparison | Joined | Temporal):
            raise self._error(position, f"a value is expected, not the condition {str(node)[:60]}")
        return node

    def _check_units(self, pair: tuple[Value, Value], position: int, sign: str) -> None:
        one, other = pair[0].unit, pair[1].unit
        if one is not None and other is not None and one != other:
            left, right = (f"{str(value)[:40]} is in {value.unit}" for value in pair)
            raise self._error(position, f"'{sign}' needs equal units, but {left} and {right}")

    def _unit(self, sign: str, pair: tuple[Value, Value], position: int) -> Unit | None:
        one, other = pair[0].unit, pair[1].unit
        if sign in "+-":
            self._check_units(pair, position, sign)
            return one or other
        if one is None and other is None:
            return None
        return (one or PLAIN).times(other or PLAIN, 1 if sign == "*" else -1)


def _shown(word: Word) -> str:
    return "the end" if word.kind == "end" else f"'{word.text[:40]}'"
