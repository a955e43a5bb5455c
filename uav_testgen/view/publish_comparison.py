"""Write everything a comparison leaves behind: tables, box plots, the worst instance of every cell."""

from __future__ import annotations

import base64
import html
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
from uav_testgen.view.comparison_text import Table, markdown, runs_csv, table_csv, tables

_FILES = ("violations", "performance", "performance-per-scenario", "cost")
_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1d2330}"
    "table{border-collapse:collapse;display:block;overflow-x:auto;font-variant-numeric:tabular-nums}"
    "td,th{border:1px solid #d5dae2;padding:.25rem .6rem;text-align:right}"
    "td:first-child,th:first-child,td:nth-child(2),th:nth-child(2){text-align:left}img{max-width:100%}"
)


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
    write_text(out / "report.html", page(data, found, pictures))
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


def page(
    data: dict[str, Any], found: Sequence[Table], pictures: Sequence[Path], head: Sequence[str] | None = None
) -> str:
    """One HTML file without scripts; pictures are inside. `head`: its first lines, else those of the Markdown."""
    head = markdown(data).split("\n")[2:4] if head is None else head
    parts = [f"<h1>{html.escape(data['name'])}</h1>"]
    parts += [f"<p>{html.escape(line)}</p>" for line in head]
    for title, header, rows in found:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        parts.append(f"<h2>{html.escape(title)}</h2><table><tr>{head}</tr>{body}</table>")
    for picture in pictures:
        image = base64.b64encode(picture.read_bytes()).decode()
        parts.append(f'<p><img alt="{html.escape(picture.stem)}" src="data:image/png;base64,{image}"></p>')
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{html.escape(data['name'])}</title><style>{_STYLE}</style></head>"
        f"<body>{''.join(parts)}</body></html>\n"
    )


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
