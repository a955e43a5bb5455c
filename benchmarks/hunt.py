"""Does `hunt` find suites that hold up? Missions x budgets x seeds, against `prgen`, on flights no search has seen.

Every cell is the search of a campaign, whose suite is then flown by held-out seeds and by presets redrawn from what the
calibration cannot decide. These flights differ from those by which a campaign itself may rank its suite.

    python benchmarks/hunt.py                                      # a short look: one mission, one seed
    python benchmarks/hunt.py --full --write docs/lab/hunt.md      # missions 2, 4, 5, ten seeds, budgets 100 and 1000
    python benchmarks/hunt.py --full --table --write docs/lab/hunt.md   # the table of what is finished, flying nothing

Finished cells are kept in --cells, a small file that is committed beside the page: another sitting, on any machine,
goes on from there. Each cell says of what it was made; one that is to be flown again, because its generator was
changed, is taken out of the file by hand. Campaigns are searched in --work; an interrupted one goes on.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.backend.registry import make_backend
from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.config import BudgetConfig, CampaignConfig, RankingConfig
from uav_testgen.campaign.error import expected_error
from uav_testgen.campaign.ranking import choose_suite, ranking_of
from uav_testgen.campaign.study.searched import search_in
from uav_testgen.loop.system import named_system
from uav_testgen.oracle.competition import diversity
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.unseen import UnseenFlights, fly_unseen
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.view.finished_cells import FinishedCells, made_by
from uav_testgen.view.marked_table import measured_on, replace_between
from uav_testgen.work.stop import StopRequest

SUITE = 20
CELLS = Path(__file__).parents[1] / "docs" / "lab" / "hunt.json"
FULL_MISSIONS = ["mission2", "mission4", "mission5"]
MEASURED = UnseenFlights(runs=5, presets=10, seed=1)
"""Another seed than the one by which campaigns rank their suites."""
GOALS = "score at least 1.5 × that of prgen, diversity 0.9, failure probability 0.9, points 2, hard tests 3"


@dataclass(frozen=True)
class Cell:
    """One campaign."""

    mission: str
    generator: str
    budget: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.mission}-{self.generator}-{self.budget}-{self.seed}"


def main() -> int:
    arguments = parse()
    planned = [
        Cell(mission, generator, budget, seed)
        for budget in arguments.budgets
        for seed in arguments.seeds
        for mission in arguments.missions
        for generator in arguments.generators
    ]
    cells = FinishedCells(arguments.cells)
    found: dict[Cell, dict[str, Any]] = {}
    with StopRequest() as stop:
        for cell in planned:
            figures = cells.get(cell.name)
            if figures is None and not arguments.table:
                figures = measured(cell, arguments.work, stop)
                cells.add(cell.name, figures)
                facts = ", ".join(f"{key} {value:.2f}" for key, value in figures.items() if key != "made")
                print(f"{cell.name}: {facts}", file=sys.stderr, flush=True)
            if figures is not None:
                found[cell] = figures
    text = table(arguments, found, len(planned))
    print(text)
    if arguments.write is not None:
        replace_between(arguments.write, "hunt", text)
    return 0


def parse() -> argparse.Namespace:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument(
        "--full", action="store_true", help="missions 2, 4, 5, seeds 1 to 10, budgets 100, 1000"
    )
    parser.add_argument("--missions", nargs="+", choices=mission_names(), default=None)
    parser.add_argument("--generators", nargs="+", default=["prgen", "hunt"])
    parser.add_argument("--seeds", nargs="+", type=int, default=None)
    parser.add_argument("--budgets", nargs="+", type=int, default=None, help="evaluations per campaign")
    parser.add_argument("--cells", type=Path, default=CELLS, help="where finished cells are kept")
    parser.add_argument("--work", type=Path, default=Path("results/benchmark-hunt"))
    parser.add_argument("--table", action="store_true", help="only the table of the finished cells")
    parser.add_argument("--write", type=Path, default=None, help="Markdown file whose table is replaced")
    arguments = parser.parse_args()
    full = arguments.full
    arguments.missions = arguments.missions or (FULL_MISSIONS if full else FULL_MISSIONS[:1])
    arguments.seeds = arguments.seeds or list(range(1, 11 if full else 2))
    arguments.budgets = arguments.budgets or ([100, 1000] if full else [100])
    return arguments


def measured(cell: Cell, work: Path, stop: StopRequest) -> dict[str, Any]:
    """Search and fly the suite by flights nobody has seen; what was searched is not needed any more then."""
    begin_s = time.process_time()
    config = CampaignConfig(
        name=cell.name,
        case=cell.mission,
        generator=cell.generator,
        seed=cell.seed,
        budget=BudgetConfig(simulations=cell.budget),
        ranking=RankingConfig(suite_size=SUITE),
    )
    case = load_case(cell.mission, Path(), config.arena)
    with make_backend(config.screening.backend, config.screening.settings) as backend:
        found = search_in(work / cell.name, config, case, backend, stop.check)
        figures = figures_of(found.eligible, config, backend, stop)
    flights = sum(int(one.details.get("flights", 0)) for one in found.evaluations)
    figures |= {"flights": float(flights), "cpu_s": round(time.process_time() - begin_s, 1)}
    figures["made"] = measured_on({"preset": named_system().label})
    shutil.rmtree(work / cell.name)
    return figures


def figures_of(
    eligible: Sequence[Evaluation], config: CampaignConfig, backend: Backend, stop: StopRequest
) -> dict[str, Any]:
    """What the table shows: the suite as a campaign chooses it, flown by flights nobody has seen."""
    screening = config.screening
    suite = choose_suite(eligible, screening.accept_below_m, ranking_of(config), expected_error(screening))
    flown = []
    for test in suite:
        stop.check()
        flown.append(fly_unseen(backend, test.evaluation.scenario, MEASURED))

    def mean(values: list[float]) -> float:
        return statistics.fmean(values) if values else 0.0

    claimed = [test.evaluation.failure_probability or 0.0 for test in suite]
    return {
        "tests": float(len(suite)),
        "score": sum(one.expected_score for one in flown),
        "claimed_score": sum(test.worth.value for test in suite),
        "probability": mean([one.failure_probability for one in flown]),
        "claimed_probability": mean(claimed),
        "points": mean([one.expected_points for one in flown]),
        "hard": float(sum(one.collision_probability >= 0.5 for one in flown)),
        "diversity": diversity([test.evaluation.scenario.obstacles for test in suite]) or 0.0,
        "fragile": float(sum(one.is_fragile for one in flown)),
        "obstacles": mean([float(len(test.evaluation.scenario.obstacles)) for test in suite]),
    }


def table(arguments: argparse.Namespace, found: dict[Cell, dict[str, Any]], planned: int) -> str:
    """Mean and standard deviation over the seeds, one line per mission, budget and generator."""
    head = [
        "mission", "budget", "generator", "seeds done", "expected score", "score the search claims",
        "failure probability", "claimed", "points", "hard tests", "diversity", "fragile", "obstacles", "flights",
    ]  # fmt: skip
    keys = (
        ("score", 1), ("claimed_score", 1), ("probability", 2), ("claimed_probability", 2), ("points", 2), ("hard", 1),
        ("diversity", 3), ("fragile", 1), ("obstacles", 2), ("flights", 0),
    )  # fmt: skip
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for mission in arguments.missions:
        for budget in arguments.budgets:
            for generator in arguments.generators:
                chosen = (mission, budget, generator)
                rows = [f for c, f in found.items() if (c.mission, c.budget, c.generator) == chosen]
                if rows:
                    cells = [spread([row[key] for row in rows], digits) for key, digits in keys]
                    lines.append(
                        f"| {mission} | {budget} | {generator} | {len(rows)} | {' | '.join(cells)} |"
                    )
    done = f"{len(found)} of {planned} campaigns finished; mean ± standard deviation over the seeds. Goals: {GOALS}."
    return "\n".join([*lines, "", f"{done} {made_by(found.values())}"])


def spread(values: list[float], digits: int) -> str:
    """ "mean ± deviation", or the one value."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} ± {statistics.stdev(values):.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
