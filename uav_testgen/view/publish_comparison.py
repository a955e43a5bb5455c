"""Write everything a comparison leaves behind: tables, box plots, the worst instance of every cell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from uav_testgen.campaign.compare.cell import CellResult
from uav_testgen.campaign.compare.runner import ComparisonResult
from uav_testgen.core.files import write_text
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.scenario.model import Scenario
from uav_testgen.view.comparison import comparison_data, short_name
from uav_testgen.view.comparison_text import markdown, runs_csv, table_csv, tables
from uav_testgen.view.tables_page import tables_page

_FILES = ("violations", "performance", "performance-per-scenario", "cost")


def publish_comparison(result: ComparisonResult) -> dict[str, Any]:
    """Tables (CSV, Markdown, HTML, JSON), plots/ and worst/; returns the data of the tables."""
    data = comparison_data(result)
    out = result.out
    found = tables(data)
    names = _FILES if len(found) == len(_FILES) else (*_FILES[:2], _FILES[3])
    for name, table in zip(names, found, strict=True):
        write_text(out / f"{name}.csv", table_csv(table))
    write_text(out / "runs.csv", runs_csv(data))
    pictures = _plots(result, out)
    for path, scenario in worst_instances(result.cells).items():
        save_scenario(out / path, scenario)
    write_text(out / "report.md", markdown(data))
    head = markdown(data).split("\n")[2:4]
    write_text(out / "report.html", tables_page(data["name"], "comparison", head, found, pictures))
    write_text(out / "comparison.json", json.dumps(data, indent=1, allow_nan=False) + "\n")
    return data


def worst_instances(results: Sequence[CellResult]) -> dict[str, Scenario]:
    """The worst instance of every scenario and algorithm over all runs, by the name of its file."""
    best: dict[str, CellResult] = {}
    for run in results:
        name = f"worst/{run.scenario}-{run.algorithm}.yaml"
        if run.worst is None or run.best_margin_m is None:
            continue
        known = best.get(name)
        if known is None or known.best_margin_m is None or run.best_margin_m < known.best_margin_m:
            best[name] = run
    return {name: Scenario.model_validate(run.worst) for name, run in best.items()}


def _plots(result: ComparisonResult, out: Path) -> list[Path]:
    from uav_testgen.view.plots import plot_boxes

    algorithms = result.config.algorithms
    scenarios = list(dict.fromkeys(run.scenario for run in result.cells))
    pictures = []
    if len(algorithms) > 1:
        groups = {
            short_name(algorithm): [
                run.best_margin_m
                for run in result.cells
                if run.algorithm == algorithm and run.best_margin_m is not None
            ]
            for algorithm in algorithms
        }
        pictures.append(out / "plots" / "best-margin.png")
        plot_boxes(
            pictures[-1], groups, "best margin of a run [m]", "all scenarios together, smaller is worse"
        )
    for algorithm in algorithms:
        runs = [run for run in result.cells if run.algorithm == algorithm]
        per_scenario = {
            name: [float(run.violations) for run in runs if run.scenario == name] for name in scenarios
        }
        pictures.append(out / "plots" / f"violations-{algorithm}.png")
        plot_boxes(pictures[-1], per_scenario, "violations per run", short_name(algorithm))
    return pictures
