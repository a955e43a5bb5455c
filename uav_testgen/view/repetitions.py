"""Repetitions of a search with different seeds in one table: Surrealist's Tables 2 to 4.

Averages over the repetitions; whether seed and best solution differ (Shapiro-Wilk for each, one-way ANOVA,
Vargha and Delaney's A12, Cohen's d); what the searches needed, and what every round brought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.statistics.repetitions import convergence, mean_and_sd, reduction_percent, seed_against_best

# What has to be the same in all repetitions, so that only chance tells them apart.
_SAME = ("log", "backend", "system", "variable", "fitness", "mutators", "runs")
_SAME_GENERATION = ("case", "backend", "generator", "settings")


def statistics_of(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Replications (Table 3) as plain data; ConfigError if the repetitions do not belong together."""
    _check(summaries, _SAME)
    seed, best = _column(summaries, "seed_dtw"), _column(summaries, "best_dtw")
    dtw, frechet = _reduction(summaries, "dtw"), _reduction(summaries, "frechet")
    return {
        "repetitions": len(summaries),
        **{
            key: fmean(_column(summaries, key))
            for key in ("seed_dtw", "best_dtw", "seed_frechet", "best_frechet")
        },
        "dtw_reduction_percent": dtw[0],
        "dtw_reduction_sd": dtw[1],
        "frechet_reduction_percent": frechet[0],
        "frechet_reduction_sd": frechet[1],
        **seed_against_best(seed, best),
        "seed_to_seed_dtw": _mean_known(summaries, "seed_to_seed_dtw"),
        **_costs(summaries),
    }


def generation_statistics_of(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Generations (Table 4) as plain data; ConfigError if the repetitions do not belong together."""
    _check(summaries, _SAME_GENERATION)
    seed, best = _column(summaries, "seed_min_dist"), _column(summaries, "best_min_dist")
    reduction = reduction_percent(seed, best)
    return {
        "repetitions": len(summaries),
        "seed_min_dist": fmean(seed),
        "best_min_dist": fmean(best),
        "min_dist_reduction_percent": reduction[0],
        "min_dist_reduction_sd": reduction[1],
        **seed_against_best(seed, best),
        **_costs(summaries),
    }


def statistics_text(found: Mapping[str, Any], unit: str) -> str:
    """The figures of replications as a table for people."""
    return _table(
        found,
        [
            ("Seed DTW", f"{found['seed_dtw']:.2f}"),
            ("Best DTW", f"{found['best_dtw']:.2f}"),
            ("DTW Red.", _percent(found["dtw_reduction_percent"], found["dtw_reduction_sd"])),
            ("Seed Fréchet", f"{found['seed_frechet']:.2f} {unit}"),
            ("Best Fréchet", f"{found['best_frechet']:.2f} {unit}"),
            ("Fréchet Red.", _percent(found["frechet_reduction_percent"], found["frechet_reduction_sd"])),
            ("Seed to seed", f"DTW {_figure(found['seed_to_seed_dtw'], '.2f')} (least feasible)"),
        ],
    )


def generation_text(found: Mapping[str, Any]) -> str:
    """The figures of generations as a table for people."""
    return _table(
        found,
        [
            ("Seed Min_dist", f"{found['seed_min_dist']:.2f} m"),
            ("Best Min_dist", f"{found['best_min_dist']:.2f} m"),
            ("Min_dist Red.", _percent(found["min_dist_reduction_percent"], found["min_dist_reduction_sd"])),
        ],
    )


def _table(found: Mapping[str, Any], own: Sequence[tuple[str, str]]) -> str:
    normal = (
        f"{_figure(found['shapiro_p_seed'], '.2g')} (seed), {_figure(found['shapiro_p_best'], '.2g')} (best)"
    )
    budget_sd = _figure(found["needed_budget_sd"], ".1f")
    rows = [
        ("Repetitions", str(found["repetitions"])),
        *own,
        ("Crash Rate", _share(found["crash_rate"])),
        ("Unsafe Rate", _share(found["unsafe_rate"])),
        ("Shapiro-Wilk p", normal),
        ("ANOVA p", _figure(found["anova_p"], ".2g")),
        ("A12", f"{found['a12']:.2f} ({found['a12_size']})"),
        ("Cohen's d", _figure(found["cohens_d"], ".2f")),
        (
            "Needed Budget",
            f"{found['needed_budget']:.1f} (sd {budget_sd}) of {found['evaluations']:.1f} evaluations",
        ),
        ("Eval. Time", f"{found['eval_wall_s']:.3f} s"),
        *(
            (
                f"Round {row['round']}",
                f"best {_figure(row['best'], '.2f')} after {row['evaluations']:.1f} evaluations "
                f"({row['searching']} searches)",
            )
            for row in found["convergence"]
        ),
    ]
    return "\n".join(f"  {name:<14} {value}" for name, value in rows)


def _check(summaries: Sequence[Mapping[str, Any]], same: Sequence[str]) -> None:
    if len(summaries) < 2:
        raise ConfigError("statistics need at least two repetitions of one search, with different seeds")
    for key in same:
        values = {str(summary.get(key)) for summary in summaries}
        if len(values) > 1:
            raise ConfigError(f"the repetitions differ in {key}: {', '.join(sorted(values))}")
    if len({summary["seed"] for summary in summaries}) < len(summaries):
        raise ConfigError("two repetitions have the same seed, so they are the same search")


def _costs(summaries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What both kinds of searches report of their best solution and of their own work."""
    budget = mean_and_sd(_column(summaries, "needed_budget"))
    return {
        "crash_rate": _mean_known(summaries, "crash_rate"),
        "unsafe_rate": _mean_known(summaries, "unsafe_rate"),
        "needed_budget": budget[0],
        "needed_budget_sd": budget[1],
        "evaluations": fmean(_column(summaries, "evaluations")),
        "eval_wall_s": fmean(_column(summaries, "eval_wall_s")),
        "convergence": convergence([summary.get("convergence", ()) for summary in summaries]),
    }


def _column(summaries: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    return [float(summary[key]) for summary in summaries]


def _mean_known(summaries: Sequence[Mapping[str, Any]], key: str) -> float | None:
    known = [float(summary[key]) for summary in summaries if summary.get(key) is not None]
    return fmean(known) if known else None


def _reduction(summaries: Sequence[Mapping[str, Any]], measure: str) -> tuple[float | None, float | None]:
    return reduction_percent(_column(summaries, f"seed_{measure}"), _column(summaries, f"best_{measure}"))


def _figure(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _percent(value: float | None, deviation: float | None) -> str:
    return "-" if value is None else f"{value:.1f} % (sd {_figure(deviation, '.1f')})"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100.0 * value:.0f} %"
