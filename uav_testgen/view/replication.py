"""Results of a replication: the paper's metrics as a table, the scenarios, the picture, the summary."""

from __future__ import annotations

import json
from typing import Any

from uav_testgen import __version__
from uav_testgen.campaign.replication.replicate import Likeness, Replication
from uav_testgen.core.errors import InvalidScenario
from uav_testgen.core.files import write_text
from uav_testgen.flight.series import UNITS
from uav_testgen.oracle.finding import worst
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.statistics.samples import improvement_percent
from uav_testgen.view.plots import plot_replication
from uav_testgen.work.versions import versions


def publish_replication(result: Replication) -> dict[str, Any]:
    """Write everything into the output folder; returns the summary."""
    out = result.options.out
    seed, best = result.search.seed.scenario, result.search.best.scenario
    files = {
        "best": out / "best.yaml",
        "best_aerialist": out / "best_aerialist.yaml",
        "seed": out / "seed.yaml",
        "plot": out / "overlay.png",
        "summary": out / "summary.json",
    }
    save_scenario(files["best"], best.model_copy(update={"name": f"{result.setup.base.name}-best"}))
    save_scenario(files["seed"], seed.model_copy(update={"name": f"{result.setup.base.name}-seed"}))
    notes = list(result.notes)
    try:
        save_test(files["best_aerialist"], best)
    except InvalidScenario as error:
        files.pop("best_aerialist")
        notes.append(str(error))
    plot_replication(
        files["plot"],
        title=f"{result.setup.base.name}: DTW {result.seed.dtw_m:.1f} -> {result.best.dtw_m:.1f}, Fréchet "
        f"{result.seed.frechet_m:.2f} -> {result.best.frechet_m:.2f}",
        scenarios=(seed, best),
        target=result.setup.target,
        flown=(result.search.seed.trajectory, result.search.best.trajectory),
        fitness=result.search.fitness,
    )
    notes += disagreement(result.seed, result.best)
    summary = {
        **summary_of(result),
        "notes": notes,
        "files": {name: str(path) for name, path in files.items()},
    }
    write_text(files["summary"], json.dumps(summary, indent=2, allow_nan=False) + "\n")
    return summary


def disagreement(seed: Likeness, best: Likeness) -> list[str]:
    """A sentence where the measure that the search looks at improved and the other one got worse."""
    if not (best.dtw_m < seed.dtw_m and best.frechet_m > seed.frechet_m):
        return []
    return [
        "the solution is the best by DTW, which the search looks at; its Fréchet distance got worse: "
        f"{seed.frechet_m:.2f} -> {best.frechet_m:.2f}"
    ]


def summary_of(result: Replication) -> dict[str, Any]:
    """The metrics of the paper's Table 2 and how they came about, as plain data."""
    search, options = result.search, result.options
    # A distance is minimised by maximising its negative; a fitness of one's own is shown as it is.
    sign = 1.0 if result.setup.config.own_fitness is not None else -1.0
    return {
        "log": result.setup.base.name,
        "backend": options.backend,
        "system": options.settings.get("system", {}).get("name", ""),
        "prediction": result.prediction,
        "variable": result.setup.config.variable,
        "unit": UNITS[result.setup.config.variable],
        "mutators": list(result.setup.config.mutators),
        "seed": options.seed,
        "runs": options.runs,
        "fitness": result.setup.config.fitness,
        "seed_fitness": search.seed_fitness,
        "best_fitness": search.best_fitness,
        **_measures(result.seed, result.best),
        "fresh": _measures(result.fresh_seed, result.fresh_best),
        "evaluations": search.evaluations,
        "recalled": search.recalled,
        "needed_budget": search.needed_budget,
        "rounds": search.rounds,
        "refused_mutants": search.refused,
        "eval_wall_s": round(search.eval_wall_s, 4),
        "eval_cpu_s": round(search.eval_cpu_s, 4),
        "seed_to_seed_dtw": None if result.seed_to_seed_dtw is None else round(result.seed_to_seed_dtw, 4),
        **_rates(search.best),
        "requirements": {
            word: _kept_requirements(evaluation)
            for word, evaluation in zip(("seed", "best"), result.judged, strict=True)
        },
        "convergence": [
            {"evaluations": evaluations, "best": None if best is None else round(sign * best, 6)}
            for evaluations, best in search.convergence
        ],
        "seed_obstacles": _obstacles(search.seed.scenario),
        "best_obstacles": _obstacles(search.best.scenario),
        "speed_mps": search.best.scenario.mission.speed_mps,
        "wind": search.best.scenario.wind.model_dump(mode="json"),
        "version": __version__,
        "versions": versions(),
    }


def table_of(summary: dict[str, Any]) -> str:
    """The paper's Table 3 for one search."""
    unit = summary["unit"]
    own = [
        (f"{word.capitalize()} fitness", f"{summary[f'{word}_fitness']:.6g}")
        for word in ("seed", "best")
        if summary["fitness"] != "replication" and summary[f"{word}_fitness"] is not None
    ]
    rows = [
        *own,
        ("Matched", f"{summary['variable']} [{unit}]"),
        ("Seed DTW", f"{summary['seed_dtw']:.2f}"),
        ("Best DTW", f"{summary['best_dtw']:.2f}"),
        ("DTW Red.", _percent(summary["dtw_reduction_percent"])),
        ("Seed Fréchet", f"{summary['seed_frechet']:.2f} {unit}"),
        ("Best Fréchet", f"{summary['best_frechet']:.2f} {unit}"),
        ("Fréchet Red.", _percent(summary["frechet_reduction_percent"])),
        ("Needed Budget", f"{summary['needed_budget']} of {summary['evaluations']} evaluations"),
        ("Eval. Time", f"{summary['eval_wall_s']:.3f} s ({summary['runs']} runs)"),
        (
            "Fresh seeds",
            f"DTW {summary['fresh']['seed_dtw']:.2f} -> {summary['fresh']['best_dtw']:.2f} "
            f"({_percent(summary['fresh']['dtw_reduction_percent'])})",
        ),
    ]
    rows += [("Requirement", _told(found)) for found in summary["requirements"]["best"]]
    return "\n".join(f"  {name:<14} {value}" for name, value in rows)


def _measures(seed: Likeness, best: Likeness) -> dict[str, Any]:
    return {
        "seed_dtw": round(seed.dtw_m, 4),
        "best_dtw": round(best.dtw_m, 4),
        "dtw_reduction_percent": improvement_percent(best.dtw_m, seed.dtw_m),
        "seed_frechet": round(seed.frechet_m, 4),
        "best_frechet": round(best.frechet_m, 4),
        "frechet_reduction_percent": improvement_percent(best.frechet_m, seed.frechet_m),
    }


def _rates(best: Evaluation) -> dict[str, Any]:
    """Shares of the runs of the best solution that touch an obstacle, or come nearer than is safe."""
    counts = best.counts()
    runs = counts["runs"]
    return {
        "crash_rate": counts["collisions"] / runs if runs else None,
        "unsafe_rate": counts["too_close"] / runs if runs else None,
    }


def _kept_requirements(evaluation: Evaluation) -> list[dict[str, Any]]:
    """For each requirement that was asked for: in how many flights it is violated, and the least margin."""
    flights = evaluation.verdicts[1:] or evaluation.verdicts
    found = []
    for findings in zip(*(verdict.findings for verdict in flights), strict=True):
        least = worst(findings)
        found.append(
            {
                "name": findings[0].name,
                "violated": sum(finding.violated for finding in findings),
                "flights": len(findings),
                "least_margin": None if least is None else least.margin,
                "unit": findings[0].unit,
                "sentence": (least or findings[0]).sentence,
            }
        )
    return found


def _told(found: dict[str, Any]) -> str:
    margin = (
        "" if found["least_margin"] is None else f", least margin {found['least_margin']:.3g} {found['unit']}"
    )
    return (
        f"{found['name']}: violated in {found['violated']} of {found['flights']} flights of the best{margin}"
    )


def _obstacles(scenario: Any) -> list[dict[str, Any]]:
    return [obstacle.model_dump(mode="json", exclude_defaults=True) for obstacle in scenario.obstacles]


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} %"
