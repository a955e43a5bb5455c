"""The figures of a study as plain data: medians of every group of runs, Friedman's test, all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from uav_testgen.campaign.study.config import case_name
from uav_testgen.campaign.study.result import RunResult
from uav_testgen.campaign.study.runner import StudyResult
from uav_testgen.statistics.groups import friedman, pairwise


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of a run by which generators are compared."""

    key: str
    label: str
    larger_is_better: bool
    digits: int = 2

    def of(self, run: RunResult) -> float | None:
        """Its value; a run without a failure needed more simulations than it had."""
        if self.key == "first_failure" and run.first_failure is None:
            return float(run.budget + 1)
        value = getattr(run, self.key)
        return None if value is None else float(value)

    def sign(self, value: float) -> float:
        """The value as statistics want it: smaller is better."""
        return -value if self.larger_is_better else value


MEASURES = (
    Measure("first_failure", "simulations to first failure", False, 0),
    Measure("failures", "failures", True, 0),
    Measure("score_2024", "score 2024", True),
    Measure("score_2025", "score 2025", True),
    Measure("score_2026", "score 2026", True),
    Measure("diversity", "diversity", True, 3),
    Measure("failure_probability", "failure probability, held-out seeds", True, 3),
)


def study_data(result: StudyResult) -> dict[str, Any]:
    """Everything the report shows, as JSON data."""
    config = result.config
    cases, generators = [case_name(given) for given in config.cases], list(config.generators)
    return {
        "name": config.name,
        "prediction": True,
        "settings": config.model_dump(mode="json"),
        "summary": summary_rows(result.runs, cases, generators, config.budgets),
        "friedman": friedman_rows(result.runs, generators, config.budgets),
        "pairwise": pairwise_rows(result.runs, cases, generators, config.budgets),
        "runs": [run_row(run) for run in result.runs],
        "runs_finished": len(result.runs),
        "runs_planned": result.planned,
        "failed": [
            {
                **{key: getattr(run, key) for key in ("case", "generator", "budget", "seed")},
                "reason": run.message,
            }
            for run in result.failed
        ],
        "versions": result.versions,
        "notes": list(result.notes),
    }


def run_row(run: RunResult) -> dict[str, Any]:
    """A run without its scenarios."""
    return {key: value for key, value in run.to_json().items() if key not in ("suite", "message")}


def summary_rows(
    runs: Sequence[RunResult], cases: Sequence[str], generators: Sequence[str], budgets: Sequence[int]
) -> list[dict[str, Any]]:
    """Medians over the seeds, for each generator, case and budget."""
    rows = []
    for budget in budgets:
        for case in cases:
            for generator in generators:
                group = _group(runs, generator, budget, case)
                row: dict[str, Any] = {"budget": budget, "case": case, "generator": generator}
                row["runs"] = len(group)
                row["failing_runs"] = sum(run.first_failure is not None for run in group)
                for measure in MEASURES:
                    known = _values(group, measure)
                    row[measure.key] = median(known) if known else None
                rows.append(row)
    return rows


def friedman_rows(
    runs: Sequence[RunResult], generators: Sequence[str], budgets: Sequence[int]
) -> list[dict[str, Any]]:
    """Do the generators differ? A block is a case with a seed that every generator has a value for."""
    rows = []
    for budget in budgets:
        for measure in MEASURES:
            values = {
                (run.case, run.seed, run.generator): measure.of(run) for run in runs if run.budget == budget
            }
            places = dict.fromkeys((case, seed) for case, seed, _ in values)
            blocks = [[values.get((*place, name)) for name in generators] for place in places]
            whole = [[measure.sign(v) for v in block if v is not None] for block in blocks]
            found = friedman([block for block in whole if len(block) == len(generators)])
            rows.append(
                {
                    "budget": budget,
                    "measure": measure.key,
                    "blocks": found.blocks,
                    "statistic": found.statistic,
                    "p": found.p,
                    "mean_ranks": dict(zip(generators, found.mean_ranks, strict=False)),
                }
            )
    return rows


def pairwise_rows(
    runs: Sequence[RunResult], cases: Sequence[str], generators: Sequence[str], budgets: Sequence[int]
) -> list[dict[str, Any]]:
    """Every two generators on every case; p-values of one measure, case and budget are corrected together."""
    rows = []
    for budget in budgets:
        for measure in MEASURES:
            for case in cases:
                samples = {
                    name: [measure.sign(v) for v in _values(_group(runs, name, budget, case), measure)]
                    for name in generators
                }
                place = {"budget": budget, "measure": measure.key, "case": case}
                rows += [{**place, **asdict(pair)} for pair in pairwise(samples)]
    return rows


def growth(runs: Sequence[RunResult], generator: str, budget: int) -> list[float]:
    """Mean number of failures after 0, 1, 2, ... simulations, over all runs with this budget."""
    group = [run for run in runs if run.generator == generator and run.budget == budget]
    if not group:
        return []
    steps = [0] * (budget + 1)
    for run in group:
        for number in run.failing_at:
            steps[min(number, budget)] += 1
    curve, total = [], 0
    for step in steps:
        total += step
        curve.append(total / len(group))
    return curve


def _group(runs: Sequence[RunResult], generator: str, budget: int, case: str) -> list[RunResult]:
    return [run for run in runs if (run.generator, run.budget, run.case) == (generator, budget, case)]


def _values(group: Sequence[RunResult], measure: Measure) -> list[float]:
    found = (measure.of(run) for run in group)
    return [value for value in found if value is not None]
