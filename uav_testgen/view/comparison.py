"""The tables of a comparison as plain data: violations per run, and algorithms against the baseline.

Runs of all scenarios are pooled when algorithms are compared, each run represented by the best (smallest)
fitness it found; single scenarios are listed too.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median
from typing import Any

from uav_testgen.campaign.compare.cell import CellResult
from uav_testgen.campaign.compare.config import CompareConfig, cells
from uav_testgen.campaign.compare.runner import ComparisonResult
from uav_testgen.core.config import read_yaml
from uav_testgen.core.resources import config_folder
from uav_testgen.statistics.samples import a12_better, effect_size, improvement_percent, mann_whitney_p
from uav_testgen.view.marked_table import measured_on, preset_of

LETTERS = {"nsga2": "N", "pso": "P", "bo": "B", "random": "R"}


def short_name(algorithm: str) -> str:
    """NSGA-II as NSGAII, sequences by letters: PNP."""
    members = algorithm.split("+")
    if len(members) == 1:
        return {"nsga2": "NSGAII", "pso": "PSO", "bo": "BO"}.get(algorithm, algorithm)
    return "".join(LETTERS.get(member, member[:1].upper()) for member in members)


def comparison_data(result: ComparisonResult) -> dict[str, Any]:
    """Everything the report shows, as JSON data."""
    config = result.config
    published = read_yaml(config_folder("stella") / "published" / "tables.yaml")
    names = list(dict.fromkeys(cell.scenario for cell in cells(config)))
    return {
        "name": config.name,
        "settings": config.model_dump(mode="json"),
        "prediction": True,
        "violations": violations_table(result.cells, names, config.algorithms, published["violations"]),
        "performance": performance_table(result.cells, names, config, published["performance"]),
        "cost": cost_table(result.cells, config.algorithms),
        "runs": [_run(cell) for cell in result.cells],
        "runs_finished": len(result.cells),
        "runs_planned": len(cells(config)),
        "failed": [
            {"scenario": c.scenario, "algorithm": c.algorithm, "run": c.repetition, "reason": c.message}
            for c in result.failed
        ],
        "versions": result.versions,
        "made": measured_on({"preset": preset_of(config.backend, config.backend_settings)}),
        "notes": list(result.notes),
    }


def violations_table(
    results: Sequence[CellResult],
    scenarios: Sequence[str],
    algorithms: Sequence[str],
    published: dict[str, list[int]],
) -> list[dict[str, Any]]:
    """One row per algorithm and scenario: violations of every run, mean, median, and the published ones."""
    rows = []
    for algorithm in algorithms:
        for scenario in scenarios:
            runs = _of(results, scenario, algorithm)
            counts = [run.violations for run in runs]
            theirs = published.get(scenario, []) if algorithm == "nsga2" else []
            rows.append(
                {
                    "algorithm": algorithm,
                    "scenario": scenario,
                    "violations": counts,
                    "mean": mean(counts) if counts else None,
                    "median": median(counts) if counts else None,
                    "evaluations": [run.evaluations for run in runs],
                    "without_fitness": [sum(m is None for m in run.margins_m) for run in runs],
                    "best_margin_m": min(_best(runs), default=None),
                    "published_mean": mean(theirs) if theirs else None,
                    "published_median": median(theirs) if theirs else None,
                }
            )
    return rows


def performance_table(
    results: Sequence[CellResult],
    scenarios: Sequence[str],
    config: CompareConfig,
    published: dict[str, dict[str, float]],
) -> list[dict[str, Any]]:
    """One row per algorithm for all scenarios together, then one per scenario."""
    rows = []
    for algorithm in config.algorithms:
        for scenario in (None, *scenarios):
            pool = scenarios if scenario is None else [scenario]
            ours = [value for name in pool for value in _best(_of(results, name, algorithm))]
            base = [value for name in pool for value in _best(_of(results, name, config.baseline))]
            is_base = algorithm == config.baseline
            row = {"algorithm": algorithm, "scenario": scenario, **against(ours, [] if is_base else base)}
            row["effect"] = "baseline" if is_base else row["effect"]
            row["published"] = published.get(algorithm) if scenario is None else None
            rows.append(row)
    return rows


def against(ours: Sequence[float], base: Sequence[float]) -> dict[str, Any]:
    """Medians, performance, p-values and effect size of one sample of best fitness values against another."""
    empty = {"runs": len(ours), "median_m": median(ours) if ours else None}
    if not ours or not base:
        return empty | dict.fromkeys(
            ("performance_percent", "p_two_sided", "p_better", "a12", "effect"), None
        )
    a12 = a12_better(ours, base)
    return empty | {
        "performance_percent": improvement_percent(median(ours), median(base)),
        "p_two_sided": mann_whitney_p(ours, base),
        "p_better": mann_whitney_p(ours, base, "better"),
        "a12": a12,
        "effect": effect_size(a12),
    }


def cost_table(results: Sequence[CellResult], algorithms: Sequence[str]) -> list[dict[str, Any]]:
    """What the algorithms themselves cost, beside the flights."""
    rows = []
    for algorithm in algorithms:
        runs = [run for run in results if run.algorithm == algorithm]
        search, flights = sum(run.search_cpu_s for run in runs), sum(run.flight_cpu_s for run in runs)
        total = search + flights
        rows.append(
            {
                "algorithm": algorithm,
                "search_cpu_s": round(search, 3),
                "flight_cpu_s": round(flights, 3),
                "search_share": search / total if total > 0.0 else None,
            }
        )
    return rows


def _run(cell: CellResult) -> dict[str, Any]:
    data = cell.to_json()
    return {key: data[key] for key in data if key not in ("worst", "message")}


def _of(results: Sequence[CellResult], scenario: str, algorithm: str) -> list[CellResult]:
    runs = [run for run in results if run.scenario == scenario and run.algorithm == algorithm]
    return sorted(runs, key=lambda run: run.repetition)


def _best(runs: Sequence[CellResult]) -> list[float]:
    return [run.best_margin_m for run in runs if run.best_margin_m is not None]
