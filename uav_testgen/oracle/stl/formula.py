"""What a formula is, once it is read: frozen nodes. Each prints itself with all brackets, in m, s and deg."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from uav_testgen.oracle.stl.units import PLAIN, Unit


def plain(value: float) -> str:
    """The shortest text that is the same number again."""
    short = f"{value:.12g}"
    return short if float(short) == value else repr(value)


@dataclass(frozen=True, slots=True)
class Number:
    """A number; without a unit of its own it takes that of its neighbour."""

    value: float
    unit: Unit | None = None

    def __str__(self) -> str:
        return plain(self.value)


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal of the flight by its name."""

    name: str
    unit: Unit

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """+, -, * or / of two values; `abs` of one."""

    sign: str
    parts: tuple[Value, ...]
    unit: Unit | None

    def __str__(self) -> str:
        if self.sign == "abs":
            return f"abs({self.parts[0]})"
        return f"({f' {self.sign} '.join(map(str, self.parts))})"


Value = Number | Signal | Arithmetic


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values compared: <, <=, >, >=, == or !=."""

    sign: str
    left: Value
    right: Value

    @property
    def unit(self) -> Unit:
        """Of the difference that is left."""
        return self.left.unit or self.right.unit or PLAIN

    def __str__(self) -> str:
        return f"({self.left} {self.sign} {self.right})"


@dataclass(frozen=True, slots=True)
class Joined:
    """not, and, or, implies, iff."""

    word: str
    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        if self.word == "not":
            return f"(not {self.parts[0]})"
        return f"({f' {self.word} '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Temporal:
    """always, eventually, until and their mirrors historically, once, since, from `low_s` to `high_s` away."""

    word: str
    parts: tuple[Condition, ...]
    low_s: float = 0.0
    high_s: float = math.inf

    @property
    def interval(self) -> str:
        """As written; empty for all of the time."""
        if self.low_s == 0.0 and math.isinf(self.high_s):
            return ""
        return f"[{plain(self.low_s)},{plain(self.high_s)}]"

    def __str__(self) -> str:
        if len(self.parts) == 1:
            return f"({self.word}{self.interval} {self.parts[0]})"
        return f"({self.parts[0]} {self.word}{self.interval} {self.parts[1]})"


Condition = Comparison | Joined | Temporal
Node = Value | Condition


def children(node: Node) -> tuple[Node, ...]:
    """What a node is made of."""
    if isinstance(node, Comparison):
        return (node.left, node.right)
    return () if isinstance(node, Number | Signal) else node.parts


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def signals_in(node: Node) -> tuple[str, ...]:
    """Names of the signals a formula asks for, each once, as first met."""
    return tuple(dict.fromkeys(one.name for one in walk(node) if isinstance(one, Signal)))


def unit_of(node: Condition) -> Unit | None:
    """The unit of the robustness; None where a formula compares different things."""
    units = {one.unit for one in walk(node) if isinstance(one, Comparison)}
    return units.pop() if len(units) == 1 else None
