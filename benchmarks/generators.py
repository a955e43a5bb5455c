"""How good is each generator? Missions x seeds x generators, the same budget for everyone.

Every cell is a whole campaign: the generator proposes, the low-fidelity simulator flies, promising tests
are repeated, the suite of 20 is chosen and scored by the competition's rules of 2025 from its flights.

    python benchmarks/generators.py                       # a short look: one mission, two seeds
    python benchmarks/generators.py --full                # the table of docs/lab/results.md

Finished cells are kept in --work, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.config import BudgetConfig, CampaignConfig, ScreeningConfig
from uav_testgen.campaign.observe import Silent
from uav_testgen.campaign.result import CampaignResult, Options
from uav_testgen.campaign.runner import run_campaign
from uav_testgen.oracle.competition import FlownTest, score_suite
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.view.marked_table import measured_on, preset_of, replace_between
from uav_testgen.work.stop import StopRequest

SUITE = 20
FULL_MISSIONS = ["mission2", "mission4", "mission5"]
COLUMNS = (
    ("failing", 1),
    ("tests", 1),
    ("probability", 2),
    ("score", 2),
    ("diversity", 3),
    ("cpu", 0),
)


@dataclass(frozen=True)
class Cell:
    """One campaign."""

    mission: str
    generator: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.mission}-{self.generator}-{self.seed}"


def main() -> int:
    arguments = parse()
    cells = [
        Cell(mission, generator, seed)
        for mission in arguments.missions
        for generator in arguments.generators
        for seed in range(1, arguments.seeds + 1)
    ]
    measured: dict[Cell, dict[str, float]] = {}
    with StopRequest() as stop:
        for number, cell in enumerate(cells, start=1):
            measured[cell] = measure(cell, arguments, stop)
            facts = ", ".join(f"{key} {value:.2f}" for key, value in measured[cell].items())
            print(f"[{number}/{len(cells)}] {cell.name}: {facts}", file=sys.stderr, flush=True)
    text = table(arguments, measured)
    print(text)
    if arguments.write is not None:
        replace_between(arguments.write, "generators", text)
    return 0


def parse() -> argparse.Namespace:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--full", action="store_true", help="missions 2, 4, 5 and 10 seeds")
    parser.add_argument("--missions", nargs="+", choices=mission_names(), default=None)
    parser.add_argument("--generators", nargs="+", default=["random", "prgen"])
    parser.add_argument("--seeds", type=int, default=None, help="seeds 1..N")
    parser.add_argument("--budget", type=int, default=None, help="evaluations per campaign")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path("results/benchmark-generators"))
    parser.add_argument("--write", type=Path, default=None, help="Markdown file whose table is replaced")
    arguments = parser.parse_args()
    full = arguments.full
    arguments.missions = arguments.missions or (FULL_MISSIONS if full else FULL_MISSIONS[:1])
    arguments.seeds = arguments.seeds or (10 if full else 2)
    arguments.budget = arguments.budget or (100 if full else 20)
    return arguments


def measure(cell: Cell, arguments: argparse.Namespace, stop: StopRequest) -> dict[str, float]:
    """The figures of one campaign; kept, so that a second run only reads them."""
    kept = arguments.work / f"{cell.name}-{arguments.budget}.json"
    if kept.is_file():
        figures: dict[str, float] = json.loads(kept.read_text())
        return figures
    config = CampaignConfig(
        name=cell.name,
        case=cell.mission,
        generator=cell.generator,
        seed=cell.seed,
        budget=BudgetConfig(simulations=arguments.budget),
        screening=ScreeningConfig(),
    )
    case = load_case(cell.mission, Path(), config.arena)
    found: list[CampaignResult] = []
    options = Options(arguments.work / f"{cell.name}-{arguments.budget}", resume=True, jobs=arguments.jobs)
    run_campaign(config, case, options, Silent(), stop, lambda result, _: found.append(result))
    figures = figures_of(found[0])
    kept.write_text(json.dumps(figures))
    return figures


def figures_of(result: CampaignResult) -> dict[str, float]:
    """What the table shows, from one campaign."""
    suite = result.suite[:SUITE]
    flown = [
        FlownTest(
            name=test.stem,
            obstacles=test.ranked.evaluation.scenario.obstacles,
            distances_m=tuple(run.verdict.min_distance_aerialist_m for run in test.runs if run.verdict),
            durations_s=tuple(run.verdict.duration_s for run in test.runs if run.verdict),
        )
        for test in suite
    ]
    score = score_suite(flown, "2025")
    probabilities = [test.ranked.evaluation.failure_probability or 0.0 for test in suite]
    evaluated = max(1, result.progress.evaluated)
    return {
        "failing": 100.0 * result.progress.failures / evaluated,
        "probability": statistics.fmean(probabilities) if probabilities else 0.0,
        "score": score.failure_score,
        "diversity": score.diversity if score.diversity is not None else 0.0,
        "tests": float(len(suite)),
        "cpu": sum(float(evaluation.details.get("cpu_s", 0.0)) for evaluation in result.evaluations),
    }


def table(arguments: argparse.Namespace, measured: dict[Cell, dict[str, float]]) -> str:
    """Mean and standard deviation over the seeds, one line per mission and generator."""
    head = [
        "mission", "generator", "failing per 100", "tests in the suite", "failure probability (first 20)",
        "failure score (2025)", "diversity", "CPU s",
    ]  # fmt: skip
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for mission in arguments.missions:
        for generator in arguments.generators:
            chosen = (mission, generator)
            rows = [figures for cell, figures in measured.items() if (cell.mission, cell.generator) == chosen]
            cells = [spread(defined(rows, key), digits) for key, digits in COLUMNS]
            lines.append(f"| {mission} | {generator} | {' | '.join(cells)} |")
    budget = (
        f"Budget {arguments.budget} evaluations, seeds 1 to {arguments.seeds}, mean ± standard deviation."
    )
    done = f"{len(measured)} campaigns finished."
    return "\n".join([*lines, "", f"{budget} {done} {measured_on({'preset': preset_of('lfs', {})})}"])


def defined(rows: list[dict[str, float]], key: str) -> list[float]:
    """The values of one column; a suite of less than two tests has no diversity."""
    return [row[key] for row in rows if key != "diversity" or row["tests"] >= 2]


def spread(values: list[float], digits: int) -> str:
    """ "mean ± deviation", or the one value."""
    if not values:
        return "–"
    mean = statistics.fmean(values)
    if len(values) < 2:
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} ± {statistics.stdev(values):.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
