"""The tables of a study for people: plain text, Markdown, CSV and LaTeX from the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uav_testgen.view.cells import csv_text
from uav_testgen.view.comparison_text import Table, number, table_csv
from uav_testgen.view.study import MEASURES

__all__ = ["latex", "markdown", "runs_csv", "table_csv", "tables", "text"]

_LABELS = {measure.key: measure.label for measure in MEASURES}
_SHORT = {
    "first_failure": "first failure",
    "failures": "failures",
    "score_2024": "score 2024",
    "score_2025": "score 2025",
    "score_2026": "score 2026",
    "diversity": "diversity",
    "failure_probability": "failure probability",
}
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def tables(data: dict[str, Any]) -> dict[str, Table]:
    """summary, friedman and pairwise, by the names of their files."""
    return {"summary": _summary(data), "friedman": _friedman(data), "pairwise": _pairwise(data)}


def text(data: dict[str, Any]) -> str:
    """What the terminal shows: the summary and Friedman's test; the pairs are in their files."""
    lines = [*_head(data), ""]
    found = tables(data)
    shown = ["summary", "friedman"] if len(data["settings"]["generators"]) > 1 else ["summary"]
    for name in shown:
        title, header, rows = found[name]
        lines += [title, *_aligned([header, *rows]), ""]
    for failed in data["failed"]:
        lines.append(f"missing: {_place(failed)}: {failed['reason']}")
    return "\n".join(lines)


def markdown(data: dict[str, Any]) -> str:
    """The whole report as Markdown."""
    lines = [f"# {data['name']}", "", *_head(data), ""]
    for title, header, rows in tables(data).values():
        lines += [f"## {title}", "", _line(header), _line(["---"] * len(header)), *map(_line, rows), ""]
    for failed in data["failed"]:
        lines.append(f"* missing: {_place(failed)}: {failed['reason']}")
    return "\n".join(lines)


def latex(table: Table) -> str:
    """A tabular that needs no package."""
    title, header, rows = table
    lines = [f"% {title}", rf"\begin{{tabular}}{{{'l' * len(header)}}}", r"\hline"]
    lines += [_latex_line(header), r"\hline", *map(_latex_line, rows), r"\hline", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def runs_csv(data: dict[str, Any]) -> str:
    """One line per run; what depends on the machine's speed is left out."""
    columns = [
        "case", "generator", "budget", "seed", "simulations", "flights", "first_failure", "failures",
        "best_distance_m", "tests", "score_2024", "score_2025", "score_2026", "diversity", "failure_probability",
        "held_out_flights", "end_reason",
    ]  # fmt: skip
    return csv_text(
        columns, (["" if run[c] is None else str(run[c]) for c in columns] for run in data["runs"])
    )


def _head(data: dict[str, Any]) -> list[str]:
    settings = data["settings"]
    return [
        f"{data['name']}: {data['runs_finished']} of {data['runs_planned']} runs; "
        f"{len(settings['generators'])} generators, {len(settings['cases'])} cases, {len(settings['seeds'])} seeds, "
        f"budgets {', '.join(map(str, settings['budgets']))}.",
        f"All flights are predictions by backend '{settings['backend']}'. A failure is nearer than "
        f"{settings['accept_below_m']:g} m; suites are judged by {settings['held_out']['runs']} flights of each test "
        "on seeds no search saw.",
    ]


def _summary(data: dict[str, Any]) -> Table:
    header = ["budget", "case", "generator", "runs", "failing runs", *_SHORT.values()]
    rows = []
    for row in data["summary"]:
        cells = [
            str(row["budget"]),
            row["case"],
            row["generator"],
            str(row["runs"]),
            str(row["failing_runs"]),
        ]
        for measure in MEASURES:
            value = row[measure.key]
            never = measure.key == "first_failure" and value is not None and value > row["budget"]
            # The median of an even number of runs lies between two of them.
            digits = 1 if measure.digits == 0 and value is not None and value % 1.0 else measure.digits
            cells.append(f"> {row['budget']}" if never else number(value, digits))
        rows.append(cells)
    return "Medians over the seeds", header, rows


def _friedman(data: dict[str, Any]) -> Table:
    names = list(data["settings"]["generators"])
    header = ["budget", "measure", "blocks", "chi squared", "p", *(f"rank {name}" for name in names)]
    rows = []
    for row in data["friedman"]:
        cells = [str(row["budget"]), _LABELS[row["measure"]], str(row["blocks"])]
        cells += [number(row["statistic"], 3), number(row["p"], 4)]
        cells += [number(row["mean_ranks"].get(name), 2) for name in names]
        rows.append(cells)
    return "Friedman's test over cases and seeds (mean rank 1 is best)", header, rows


def _pairwise(data: dict[str, Any]) -> Table:
    header = ["budget", "measure", "case", "first", "second", "p", "p (Holm)", "A12", "effect"]
    rows = []
    for row in data["pairwise"]:
        cells = [str(row["budget"]), _LABELS[row["measure"]], row["case"], row["first"], row["second"]]
        cells += [number(row["p"], 4), number(row["p_holm"], 4), number(row["a12"], 2), row["effect"]]
        rows.append(cells)
    return "Pairs: Mann-Whitney with Holm's correction, A12 above 0.5 favours the first", header, rows


def _place(failed: dict[str, Any]) -> str:
    return f"{failed['case']} {failed['generator']} budget {failed['budget']} seed {failed['seed']}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _latex_line(cells: Sequence[str]) -> str:
    escaped = ("".join(_LATEX.get(letter, letter) for letter in cell) for cell in cells)
    return " & ".join(escaped).replace(">", "$>$") + r" \\"
