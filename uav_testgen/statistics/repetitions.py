"""Repetitions of a search: seeds against best solutions, reductions, and what each round brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from uav_testgen.statistics.samples import a12_better, anova_p, cohens_d, effect_size, shapiro_p


def seed_against_best(seed: Sequence[float], best: Sequence[float]) -> dict[str, Any]:
    """Normal or not, different or not, and how much; smaller values are better."""
    a12 = a12_better(best, seed)
    return {
        "shapiro_p_seed": shapiro_p(seed),
        "shapiro_p_best": shapiro_p(best),
        "anova_p": anova_p(seed, best),
        "a12": a12,
        "a12_size": effect_size(a12),
        "cohens_d": cohens_d(seed, best),
    }


def mean_and_sd(values: Sequence[float]) -> tuple[float, float | None]:
    """Average and standard deviation; None for a single value."""
    return fmean(values), stdev(values) if len(values) > 1 else None


def reduction_percent(seed: Sequence[float], best: Sequence[float]) -> tuple[float | None, float | None]:
    """Mean and standard deviation of 1 - best / seed of every repetition; None where a seed was already perfect."""
    if any(value == 0.0 for value in seed):
        return None, None
    return mean_and_sd([100.0 * (1.0 - b / s) for s, b in zip(seed, best, strict=True)])


def convergence(repetitions: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Per round: mean evaluations and mean best value so far; a repetition that ended keeps its last one."""
    told = [rounds for rounds in repetitions if rounds]
    rows = []
    for number in range(max((len(rounds) for rounds in told), default=0)):
        at = [rounds[min(number, len(rounds) - 1)] for rounds in told]
        known = [float(row["best"]) for row in at if row["best"] is not None]
        rows.append(
            {
                "round": number + 1,
                "searching": sum(len(rounds) > number for rounds in told),
                "evaluations": fmean(float(row["evaluations"]) for row in at),
                "best": fmean(known) if known else None,
            }
        )
    return rows
