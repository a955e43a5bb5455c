"""What the generator says about its search: a table for spreadsheets, the summary and the page."""

from __future__ import annotations

import math
from typing import Any

from uav_testgen.campaign.ranking import promising
from uav_testgen.campaign.result import CampaignResult
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.view.cells import csv_text

# A page with more rows than this would be long, not clearer; the CSV file has them all.
_MOST_ROWS = 200


def generations_csv(report: GeneratorReport) -> str:
    """One line for each generation."""
    columns = _columns(report)
    return csv_text(columns, ([_cell(row[column]) for column in columns] for row in report.generations))


def summary_part(result: CampaignResult) -> dict[str, Any]:
    """What summary.json says about it; nothing for a generator that does not report."""
    report = result.generator_report
    return {} if report is None else {"generator_report": report.to_json()}


def page_part(result: CampaignResult) -> dict[str, Any] | None:
    """Columns, rows and a sentence for the page; None where there is nothing to show."""
    report = result.generator_report
    if report is None or not report.generations:
        return None
    columns = _columns(report)
    every = math.ceil(len(report.generations) / _MOST_ROWS)
    # Counted from the end, so that the last generation is always among them.
    shown = report.generations[::-1][::every][::-1]
    return {
        "columns": columns,
        "rows": [[round(row[column], 3) for column in columns] for row in shown],
        "text": selection_sentence(result),
    }


def selection_sentence(result: CampaignResult) -> str:
    """Generations and final selection in one breath; empty for a generator that does not report."""
    report = result.generator_report
    if report is None or not report.speaks_of_generations:
        return ""
    searched = f"{len(report.generations)} generations of '{result.config.generator}' were completed."
    if report.selection is None:
        return searched
    selection, accept_m = frozenset(report.selection), result.config.screening.accept_below_m
    failing = promising([one for one in result.evaluations if one.number in selection], accept_m)
    return (
        f"{searched} Its final selection keeps {len(selection)} of {len(result.evaluations)} evaluations, "
        f"{len(failing)} of them predicted below {accept_m:g} m; the suite is chosen from these alone."
    )


def _columns(report: GeneratorReport) -> list[str]:
    return list(report.generations[0]) if report.generations else ["generation"]


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6f}"
