"""Repetitions of a replication with different seeds in one table: Surrealist's Tables 2 and 3.

Averages over the repetitions; whether seed and best solution differ (Shapiro-Wilk for each, one-way ANOVA,
Vargha and Delaney's A12, Cohen's d); what the searches needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.statistics.samples import a12_better, anova_p, cohens_d, effect_size, shapiro_p

# What has to be the same in all repetitions, so that only chance tells them apart.
_SAME = ("log", "backend", "vehicle", "variable", "mutators", "runs")


def statistics_of(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All figures as plain data; ConfigError if the repetitions do not belong together."""
    if len(summaries) < 2:
        raise ConfigError("statistics need at least two repetitions of one replication, with different seeds")
    for key in _SAME:
        values = {str(summary[key]) for summary in summaries}
        if len(values) > 1:
            raise ConfigError(f"the repetitions differ in {key}: {', '.join(sorted(values))}")
    if len({summary["seed"] for summary in summaries}) < len(summaries):
        raise ConfigError("two repetitions have the same seed, so they are the same search")
    seed, best = _column(summaries, "seed_dtw"), _column(summaries, "best_dtw")
    a12 = a12_better(best, seed)
    return {
        "repetitions": len(summaries),
        **{
            key: fmean(_column(summaries, key))
            for key in ("seed_dtw", "best_dtw", "seed_frechet", "best_frechet")
        },
        "dtw_reduction_percent": _reduction(summaries, "dtw"),
        "frechet_reduction_percent": _reduction(summaries, "frechet"),
        "shapiro_p_seed": shapiro_p(seed),
        "shapiro_p_best": shapiro_p(best),
        "anova_p": anova_p(seed, best),
        "a12": a12,
        "a12_size": effect_size(a12),
        "cohens_d": cohens_d(seed, best),
        "needed_budget": fmean(_column(summaries, "needed_budget")),
        "evaluations": fmean(_column(summaries, "evaluations")),
        "eval_wall_s": fmean(_column(summaries, "eval_wall_s")),
    }


def statistics_text(found: Mapping[str, Any], unit: str) -> str:
    """The figures as a table for people."""

    def percent(value: float | None) -> str:
        return "-" if value is None else f"{value:.1f} %"

    def figure(value: float | None, form: str) -> str:
        return "-" if value is None else format(value, form)

    rows = [
        ("Repetitions", str(found["repetitions"])),
        ("Seed DTW", f"{found['seed_dtw']:.2f}"),
        ("Best DTW", f"{found['best_dtw']:.2f}"),
        ("DTW Red.", percent(found["dtw_reduction_percent"])),
        ("Seed Fréchet", f"{found['seed_frechet']:.2f} {unit}"),
        ("Best Fréchet", f"{found['best_frechet']:.2f} {unit}"),
        ("Fréchet Red.", percent(found["frechet_reduction_percent"])),
        ("Shapiro-Wilk p", f"{figure(found['shapiro_p_seed'], '.2g')} (seed), "
                           f"{figure(found['shapiro_p_best'], '.2g')} (best)"),
        ("ANOVA p", figure(found["anova_p"], ".2g")),
        ("A12", f"{found['a12']:.2f} ({found['a12_size']})"),
        ("Cohen's d", figure(found["cohens_d"], ".2f")),
        ("Needed Budget", f"{found['needed_budget']:.1f} of {found['evaluations']:.1f} evaluations"),
        ("Eval. Time", f"{found['eval_wall_s']:.3f} s"),
    ]  # fmt: skip
    return "\n".join(f"  {name:<14} {value}" for name, value in rows)


def _column(summaries: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    return [float(summary[key]) for summary in summaries]


def _reduction(summaries: Sequence[Mapping[str, Any]], measure: str) -> float | None:
    """Mean of the single reductions; None where a seed was already perfect."""
    pairs = zip(_column(summaries, f"seed_{measure}"), _column(summaries, f"best_{measure}"), strict=True)
    shares = [None if seed == 0.0 else 1.0 - best / seed for seed, best in pairs]
    known = [share for share in shares if share is not None]
    return 100.0 * fmean(known) if len(known) == len(shares) else None
