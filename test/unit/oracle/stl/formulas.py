"""Formulas, flights and an evaluation by definition, for the tests of the language."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.rng import stream
from uav_testgen.oracle.stl.formula import Arithmetic, Comparison, Joined, Node, Number, Signal, Temporal
from uav_testgen.oracle.stl.units import METRE, SPEED, Unit

UNITS: Mapping[str, Unit] = {"distance": METRE, "speed": SPEED, "altitude": METRE}
_TIMES = ("", "[0,0.5]", "[0.2,1]", "[0.3,0.3]", "[1,9]", "[0,0]")


def random_formula(random: np.random.Generator, depth: int) -> str:
    """A formula that both this language and rtamt's can read."""
    if depth == 0 or random.random() < 0.15:
        name = random.choice(list(UNITS))
        left = random.choice([f"{name}", f"abs({name} - 1.5)", f"(2 * {name} + 0.5)"])
        return f"({left} {random.choice(['<', '<=', '>', '>='])} {random.integers(0, 40) / 10})"
    word = random.choice(
        ["not", "and", "or", "implies", "always", "eventually", "once", "historically", "until", "since"]
    )
    first = random_formula(random, depth - 1)
    if word == "not":
        return f"(not {first})"
    if word in ("always", "eventually", "once", "historically"):
        return f"({word}{random.choice(_TIMES)} {first})"
    times = random.choice(_TIMES) if word in ("until", "since") else ""
    return f"({first} {word}{times} {random_formula(random, depth - 1)})"


def random_signals(seed: int, count: int) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Evenly sampled signals."""
    random = stream(seed, "signals")
    return 0.1 * np.arange(count), {name: random.uniform(0.0, 4.0, count) for name in UNITS}


def by_definition(node: Node, t_s: FloatArray, signals: Mapping[str, FloatArray], at: int) -> float:
    """The robustness at one sample, straight from the definition of every operator."""

    def of(part: Node, i: int = at) -> float:
        return by_definition(part, t_s, signals, i)

    if isinstance(node, Number):
        return node.value
    if isinstance(node, Signal):
        return float(signals[node.name][at])
    if isinstance(node, Arithmetic):
        values = [of(part) for part in node.parts]
        if node.sign == "abs":
            return abs(values[0])
        a, b = values
        return {"+": a + b, "-": a - b, "*": a * b}[node.sign]
    if isinstance(node, Comparison):
        left, right = of(node.left), of(node.right)
        return right - left if node.sign[0] == "<" else left - right
    if isinstance(node, Joined):
        values = [of(part) for part in node.parts]
        match node.word:
            case "not":
                return -values[0]
            case "and":
                return min(values)
            case "or":
                return max(values)
            case _:
                return max(-values[0], values[1])
    assert isinstance(node, Temporal)
    back = node.word in ("once", "historically", "since")
    away = [(t_s[at] - t if back else t - t_s[at]) for t in t_s]
    inside = [j for j, d in enumerate(away) if node.low_s - 1e-6 <= d <= node.high_s + 1e-6]
    if node.word in ("always", "historically"):
        return min((of(node.parts[0], j) for j in inside), default=math.inf)
    if node.word in ("eventually", "once"):
        return max((of(node.parts[0], j) for j in inside), default=-math.inf)
    results = [-math.inf]
    for j in inside:
        between = range(j + 1, at + 1) if back else range(at, j)
        held = min((of(node.parts[0], k) for k in between), default=math.inf)
        results.append(min(held, of(node.parts[1], j)))
    return max(results)
