"""The tables of a comparison for people: Markdown and CSV from the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uav_testgen.view.cells import csv_text
from uav_testgen.view.comparison import short_name

Table = tuple[str, list[str], list[list[str]]]
"""Title, header, rows."""


def tables(data: dict[str, Any]) -> list[Table]:
    """Violations per run, performance over all scenarios, performance per scenario, cost."""
    pooled = [row for row in data["performance"] if row["scenario"] is None]
    single = [row for row in data["performance"] if row["scenario"] is not None]
    found = [
        _violations(data),
        _performance("Performance against the baseline, all scenarios together", pooled, with_published=True),
    ]
    if len(data["settings"]["algorithms"]) > 1 and len(data["settings"]["scenarios"]) > 1:
        found.append(_performance("Performance per scenario", single, with_published=False))
    return [*found, _cost(data)]


def markdown(data: dict[str, Any]) -> str:
    """The report as Markdown."""
    lines = [f"# {data['name']}", "", *_head(data), ""]
    for title, header, rows in tables(data):
        lines += [f"## {title}", "", _line(header), _line(["---"] * len(header)), *map(_line, rows), ""]
    for failed in data["failed"]:
        place = f"{failed['scenario']} {failed['algorithm']} run {failed['run']}"
        lines.append(f"* missing: {place}: {failed['reason']}")
    return "\n".join(lines)


def table_csv(table: Table) -> str:
    """One table as CSV."""
    # Numbers only: a spreadsheet takes a cell that begins with a plus sign for a formula.
    return csv_text(
        table[1], ([cell.removeprefix("+").removesuffix(" %") for cell in row] for row in table[2])
    )


def runs_csv(data: dict[str, Any]) -> str:
    """One line per run."""
    columns = [
        "scenario", "algorithm", "repetition", "seed", "evaluations", "violations", "best_margin_m",
        "flight_cpu_s", "search_cpu_s", "end_reason",
    ]  # fmt: skip
    return csv_text(columns, ([run[column] for column in columns] for run in data["runs"]))


def _head(data: dict[str, Any]) -> list[str]:
    settings = data["settings"]
    return [
        f"{data['runs_finished']} of {data['runs_planned']} runs: {len(settings['algorithms'])} algorithms, "
        f"{len(settings['scenarios'])} logical scenarios, {settings['repetitions']} repetitions, "
        f"{settings['evaluations']} flights per run, population {settings['size']}, seed {settings['seed']}.",
        f"All flights are predictions by backend `{settings['backend']}`; a violation is a 3-D distance "
        f"below {settings['safety_distance_m']:g} m. {data['made']}",
    ]


def _violations(data: dict[str, Any]) -> Table:
    runs = max((len(row["violations"]) for row in data["violations"]), default=0)
    with_published = any(row["published_mean"] is not None for row in data["violations"])
    header = ["algorithm", "scenario", *(f"run {k + 1}" for k in range(runs)), "mean", "median"]
    header += ["no fitness", "least margin [m]"]
    header += ["published mean", "published median"] if with_published else []
    rows = []
    for row in data["violations"]:
        counts = [str(count) for count in row["violations"]]
        cells = [short_name(row["algorithm"]), row["scenario"], *counts, *[""] * (runs - len(counts))]
        cells += [number(row["mean"], 1), number(row["median"], 1), str(sum(row["without_fitness"]))]
        cells.append(number(row["best_margin_m"], 2))
        if with_published:
            cells += [number(row["published_mean"], 0), number(row["published_median"], 0)]
        rows.append(cells)
    return "Violations of the safety distance per run", header, rows


def _performance(title: str, rows: Sequence[dict[str, Any]], *, with_published: bool) -> Table:
    header = [] if with_published else ["scenario"]
    header += ["algorithm", "runs", "median best margin [m]", "performance", "p two-sided", "p better"]
    header += ["A12", "effect"]
    published = with_published and any(row["published"] for row in rows)
    header += ["published performance", "published p", "published A12"] if published else []
    lines = []
    for row in rows:
        cells = [] if with_published else [row["scenario"]]
        cells += [short_name(row["algorithm"]), str(row["runs"]), number(row["median_m"], 3)]
        cells += [percent(row["performance_percent"]), number(row["p_two_sided"], 3)]
        cells += [number(row["p_better"], 3), number(row["a12"], 2), row["effect"] or ""]
        if published:
            theirs = row["published"] or {}
            cells += [percent(theirs.get("performance_percent")), number(theirs.get("p"), 2)]
            cells.append(number(theirs.get("a12"), 2))
        lines.append(cells)
    return title, header, lines


def _cost(data: dict[str, Any]) -> Table:
    header = ["algorithm", "flights, CPU [s]", "algorithm, CPU [s]", "share of the algorithm"]
    rows = [
        [
            short_name(row["algorithm"]),
            number(row["flight_cpu_s"], 1),
            number(row["search_cpu_s"], 1),
            "" if row["search_share"] is None else f"{100.0 * row['search_share']:.1f} %",
        ]
        for row in data["cost"]
    ]
    return "What the algorithms cost", header, rows


def number(value: float | None, digits: int) -> str:
    """Fixed digits; empty for nothing."""
    return "" if value is None else f"{value:.{digits}f}"


def percent(value: float | None) -> str:
    """Signed whole percent; empty for nothing."""
    return "" if value is None else f"{value:+.0f} %"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
