"""How well a formula holds: its robustness at every sample, positive where it holds.

A comparison has what is left to its limit; and is the least, or the greatest, always the least over its window,
eventually the greatest. Windows end with the flight: an empty one holds for always and fails for eventually. Times
are those of the samples, which need not be evenly spaced.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.oracle.stl.formula import (
    Arithmetic,
    Comparison,
    Condition,
    Joined,
    Node,
    Number,
    Signal,
    Temporal,
)
from uav_testgen.oracle.stl.windows import bounds, least, until, until_end

_MIRROR: Final = {"once": "eventually", "historically": "always", "since": "until"}


class Courses:
    """The robustness (of a value: the value) of a formula and of all its parts over a flight, each computed once."""

    def __init__(self, t_s: FloatArray, signals: Mapping[str, FloatArray]) -> None:
        self._t_s, self._signals = t_s, signals
        self._known: dict[int, tuple[Node, FloatArray]] = {}  # the node is kept, so that its id stays its own

    def of(self, node: Node) -> FloatArray:
        """At every sample."""
        if id(node) not in self._known:
            with np.errstate(all="ignore"):
                self._known[id(node)] = node, self._computed(node)
        return self._known[id(node)][1]

    def _computed(self, node: Node) -> FloatArray:
        if isinstance(node, Number):
            return np.full(len(self._t_s), node.value)
        if isinstance(node, Signal):
            return np.asarray(self._signals[node.name], dtype=np.float64)
        if isinstance(node, Comparison):
            return _compared(node.sign, self.of(node.left), self.of(node.right))
        parts = [self.of(part) for part in node.parts]
        if isinstance(node, Arithmetic):
            return _computed(node.sign, parts)
        if isinstance(node, Joined):
            return _joined(node.word, parts)
        return _temporal(node, self._t_s, parts)

    def deciding(self, node: Condition, at: int = 0) -> tuple[int, Comparison]:
        """The sample and the comparison that decide the robustness at sample `at`."""
        if isinstance(node, Comparison):
            return at, node
        value = self.of(node)[at]
        parts = [self.of(part) for part in node.parts]
        if isinstance(node, Joined):
            signs = {"not": (-1.0,), "implies": (-1.0, 1.0)}.get(node.word, (1.0,) * len(parts))
            with np.errstate(invalid="ignore"):
                off = [abs(sign * part[at] - value) for sign, part in zip(signs, parts, strict=True)]
            chosen = int(np.nanargmin(off)) if np.any(np.isfinite(off)) else 0
            return self.deciding(node.parts[chosen], at)
        # The first sample of the window that has the value; until may be decided by either side.
        inside = _window(node, self._t_s, at)
        for part, values in zip(reversed(node.parts), reversed(parts), strict=True):
            same = np.flatnonzero(inside & (values == value))
            if len(same):
                return self.deciding(part, int(same[0]))
        return self.deciding(node.parts[-1], at)


def robustness(formula: Node, t_s: FloatArray, signals: Mapping[str, FloatArray]) -> FloatArray:
    """The robustness (of a value: the value) at every sample."""
    return Courses(t_s, signals).of(formula)


def _compared(sign: str, left: FloatArray, right: FloatArray) -> FloatArray:
    if sign in ("<", "<="):
        return right - left
    if sign in (">", ">="):
        return left - right
    return np.abs(left - right) if sign == "!=" else -np.abs(left - right)


def _computed(sign: str, parts: list[FloatArray]) -> FloatArray:
    if sign == "abs":
        return np.abs(parts[0])
    apply = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[sign]
    return np.asarray(apply(parts[0], parts[1]))


def _joined(word: str, parts: list[FloatArray]) -> FloatArray:
    if word == "not":
        return -parts[0]
    if word == "and":
        return np.asarray(np.minimum.reduce(parts))
    if word == "or":
        return np.asarray(np.maximum.reduce(parts))
    if word == "implies":
        return np.maximum(-parts[0], parts[1])
    return -np.abs(parts[0] - parts[1])


def _temporal(node: Temporal, t_s: FloatArray, parts: list[FloatArray]) -> FloatArray:
    word = node.word
    if word in _MIRROR:
        # Looking back is looking ahead in the flight played backwards.
        mirrored = Temporal(_MIRROR[word], node.parts, node.low_s, node.high_s)
        return _temporal(mirrored, -t_s[::-1], [part[::-1] for part in parts])[::-1]
    if node.low_s == 0.0 and math.isinf(node.high_s):
        if word == "until":
            return until_end(parts[0], parts[1])
        reduce = np.minimum if word == "always" else np.maximum
        return np.asarray(reduce.accumulate(parts[0][::-1])[::-1])
    first, last = bounds(t_s, node.low_s, node.high_s)
    if word == "until":
        return until(parts[0], parts[1], first, last)
    return least(parts[0], first, last) if word == "always" else -least(-parts[0], first, last)


def _window(node: Temporal, t_s: FloatArray, at: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    away_s = t_s - t_s[at] if node.word not in _MIRROR else t_s[at] - t_s
    low_s = 0.0 if len(node.parts) == 2 else node.low_s
    return np.asarray((away_s >= low_s - 1e-6) & (away_s <= node.high_s + 1e-6))
