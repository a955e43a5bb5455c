"""The experiments of Surrealist on this simulator: RQ1 (two seeds) and RQ2, with its Tables 3 and 4.

    python benchmarks/replication.py                          # three repetitions, the paper's budgets
    python benchmarks/replication.py --repetitions 10         # as many as the paper
    python benchmarks/replication.py --system paper           # the published rule instead of the calibrated PX4

Needs the logs and seeds in ../shared/flightlogs. Finished repetitions are kept in --cells, a small file that is
committed with the results, so another sitting goes on from there; an unfinished one begins anew (it takes a minute).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from uav_testgen.campaign.observe import Silent
from uav_testgen.campaign.replication.replicate import likeness_to
from uav_testgen.campaign.replication.search import Flying, NeighbourSearch
from uav_testgen.campaign.replication.setup import ReplicationSetup, prepare, seed_obstacles, system_settings
from uav_testgen.campaign.screening import Kept
from uav_testgen.core.defaults import DEFAULT_SYSTEM, SAFE_DISTANCE_M
from uav_testgen.flight.model import Ending
from uav_testgen.flight.similarity import dtw_m
from uav_testgen.flight.ulog.reader import FlightLog, read_log
from uav_testgen.generator.surrealist.config import SurrealistConfig
from uav_testgen.generator.surrealist.fitness import series
from uav_testgen.generator.surrealist.generator import SurrealistGenerator
from uav_testgen.generator.surrealist.mutators import PAPER_MUTATORS
from uav_testgen.loop.system import named_system
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Scenario
from uav_testgen.statistics.samples import a12_better, anova_p, cohens_d, effect_size
from uav_testgen.view.finished_cells import FinishedCells, made_by
from uav_testgen.view.marked_table import measured_on
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.inline import InlineExecutor

CELLS = Path(__file__).resolve().parents[1] / "docs" / "lab" / "replication.json"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "flightlogs"

# What the paper reports (Tables 3 and 4, Gazebo).
PAPER: dict[str, dict[str, str]] = {
    "rq1-seed1": {
        "seed DTW": "383.5", "best DTW": "63.15", "DTW reduction": "83.1 %", "seed Fréchet": "6.87 m",
        "best Fréchet": "1.14 m", "Fréchet reduction": "83.4 %", "p (ANOVA)": "1.9e-12",
        "effect size (d)": "7.9", "A12": "-", "needed budget": "74.8", "evaluation time": "152.9 s",
        "seed to seed DTW": "58.5",
    },
    "rq1-seed2": {
        "seed DTW": "116.1", "best DTW": "59.1", "DTW reduction": "48.8 %", "seed Fréchet": "2.25 m",
        "best Fréchet": "1.05 m", "Fréchet reduction": "51.6 %", "p (ANOVA)": "1.2e-12",
        "effect size (d)": "8.13", "A12": "-", "needed budget": "65", "evaluation time": "158.9 s",
        "seed to seed DTW": "-",
    },
    "rq2": {
        "seed min_dist": "3.36 m", "best min_dist": "0 m", "min_dist reduction": "100 %",
        "crash rate": "25 %", "unsafe rate": "84 %", "p (ANOVA)": "6.7e-12", "effect size (d)": "119.9",
        "A12": "-", "needed budget": "36.8", "evaluation time": "388.1 s",
    },
}  # fmt: skip
BUDGETS = {"rq1-seed1": (200, 4, 5), "rq1-seed2": (100, 2, 5), "rq2": (50, 2, 10)}


def main() -> int:
    """Run what is missing, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--experiments", nargs="+", choices=list(PAPER), default=list(PAPER))
    parser.add_argument("--system", default=DEFAULT_SYSTEM, help="preset or file")
    parser.add_argument("--budget", type=int, help="evaluations per search (default: the paper's)")
    parser.add_argument("--runs", type=int, help="flights per evaluation (default: the paper's)")
    parser.add_argument("--cells", type=Path, default=CELLS, help="where finished repetitions are kept")
    arguments = parser.parse_args()
    if not SHARED.is_dir():
        print("replication.py needs the flight logs in ../shared/flightlogs", file=sys.stderr)
        return 2
    log = read_log(SHARED / "real_container_flight.ulg")
    system = named_system(arguments.system)
    cells = FinishedCells(arguments.cells)
    for experiment in arguments.experiments:
        settings, _ = system_settings(system, log.parameters if experiment != "rq2" else {})
        repetitions = [
            _repetition(arguments, cells, experiment, number, log, settings)
            for number in range(1, arguments.repetitions + 1)
        ]
        print(_table(experiment, repetitions, system.label), flush=True)
        print(f"\n{made_by(repetitions)}", flush=True)
    return 0


def _repetition(
    arguments: argparse.Namespace,
    cells: FinishedCells,
    experiment: str,
    number: int,
    log: FlightLog,
    settings: dict[str, Any],
) -> dict[str, Any]:
    budget, min_rounds, runs = BUDGETS[experiment]
    budget, runs = arguments.budget or budget, arguments.runs or runs
    name = f"{experiment}-{Path(arguments.system).stem}-{budget}-{runs}-{number}"
    kept = cells.get(name)
    if kept is not None:
        return kept
    begin_s, cpu_s = time.monotonic(), time.process_time()
    run: Callable[..., dict[str, Any]] = _generation if experiment == "rq2" else _replication
    result = run(experiment, number, budget, min_rounds, runs, log, settings)
    result |= {"wall_s": time.monotonic() - begin_s, "cpu_s": time.process_time() - cpu_s}
    result["made"] = measured_on({"preset": named_system(arguments.system).label})
    cells.add(name, result)
    print(f"{experiment} repetition {number}: {result['cpu_s']:.0f} s CPU", file=sys.stderr, flush=True)
    return result


def _searched(
    base: Scenario, config: SurrealistConfig, number: int, runs: int, settings: dict[str, Any]
) -> tuple[Any, SurrealistGenerator]:
    keep: Kept = "average" if config.fitness == "replication" else "worst"
    flying = Flying(number, runs, keep)
    generator = SurrealistGenerator(base, config, number)
    with InlineExecutor(WorkerPlan("lfs", settings)) as executor:
        search = NeighbourSearch(generator, flying, executor, Silent(), lambda: None)
        return search.run(config.greedy().budget, config.fitness), generator


def _replication(
    experiment: str, number: int, budget: int, min_rounds: int, runs: int, log: FlightLog, settings: Any
) -> dict[str, Any]:
    setup: ReplicationSetup = prepare(
        log,
        SHARED / "real_container_flight.plan",
        obstacles=1,
        seed_scenario=SHARED / f"{experiment}.yaml",
        mutators=PAPER_MUTATORS,
        variable="trajectory",
        budget=budget,
        min_rounds=min_rounds,
        usual_speed_mps=3.0,
    )
    found, _ = _searched(setup.base, setup.config, number, runs, settings)
    seed, best = likeness_to(setup, found.seed), likeness_to(setup, found.best)
    assert found.seed.trajectory is not None
    return {
        "seed": seed.dtw_m,
        "best": best.dtw_m,
        "seed_frechet": seed.frechet_m,
        "best_frechet": best.frechet_m,
        "seed_path": series(found.seed.trajectory, "trajectory").round(4).tolist(),
        "best_obstacle": found.best.scenario.obstacles[0].model_dump(mode="json"),
        **_costs(found),
    }


def _generation(
    experiment: str, number: int, budget: int, min_rounds: int, runs: int, log: FlightLog, settings: Any
) -> dict[str, Any]:
    # The file lists the added obstacle first; its mission (out 54 m, back, landing 12 m aside) is mission 2.
    added, first = seed_obstacles(SHARED / "rq2-seed.yaml")
    base = Scenario(mission=named_mission("mission2"), obstacles=(first, added), name="rq2")
    config = SurrealistConfig(
        added_obstacle=False, mutators=("move",), budget=budget, min_rounds=min_rounds, restart=False
    )
    found, _ = _searched(base, config, number, runs, settings)
    best = _distances(found.best)
    crashes = sum(verdict.ending is Ending.COLLISION for verdict, _ in found.best.drawn)
    return {
        "seed": min(_distances(found.seed)),
        "best": min(best),
        "crash_rate": crashes / len(best),
        "unsafe_rate": sum(distance < SAFE_DISTANCE_M for distance in best) / len(best),
        "best_obstacle": found.best.scenario.obstacles[-1].model_dump(mode="json"),
        **_costs(found),
    }


def _distances(evaluation: Evaluation) -> list[float]:
    """Of the drawn runs, corrected for the model's bias."""
    return [distance_m for _, distance_m in evaluation.drawn if distance_m is not None]


def _costs(found: Any) -> dict[str, Any]:
    return {
        "needed_budget": found.needed_budget,
        "evaluations": found.evaluations,
        "eval_wall_s": found.eval_wall_s,
        "eval_cpu_s": found.eval_cpu_s,
        "fitness": [value if value is None else round(value, 4) for value in found.fitness],
    }


def _table(experiment: str, repetitions: Sequence[dict[str, Any]], system: str) -> str:
    def column(name: str) -> list[float]:
        return [float(repetition[name]) for repetition in repetitions]

    def mean(name: str) -> float:
        return statistics.fmean(column(name))

    seed, best = column("seed"), column("best")
    reduction = statistics.fmean(100.0 * (1.0 - b / s) for s, b in zip(seed, best, strict=True))
    p, d = anova_p(seed, best), cohens_d(seed, best)
    a12 = a12_better(best, seed)
    common = {
        "p (ANOVA)": "-" if p is None else f"{p:.1e}",
        "effect size (d)": "-" if d is None else f"{d:.1f}",
        "A12": f"{a12:.2f} ({effect_size(a12)})" if len(seed) > 1 else "-",
        "needed budget": f"{mean('needed_budget'):.1f} of {mean('evaluations'):.1f}",
        "evaluation time": f"{mean('eval_cpu_s'):.2f} s CPU",
        "share of the search itself": f"{_search_percent(repetitions):.1f} % of the CPU time",
    }
    if experiment == "rq2":
        ours = {
            "seed min_dist": f"{mean('seed'):.2f} m",
            "best min_dist": f"{mean('best'):.2f} m",
            "min_dist reduction": f"{reduction:.1f} %",
            "crash rate": f"{100.0 * mean('crash_rate'):.0f} %",
            "unsafe rate": f"{100.0 * mean('unsafe_rate'):.0f} %",
            **common,
        }
    else:
        frechet = zip(column("seed_frechet"), column("best_frechet"), strict=True)
        ours = {
            "seed DTW": f"{mean('seed'):.1f}",
            "best DTW": f"{mean('best'):.1f}",
            "DTW reduction": f"{reduction:.1f} %",
            "seed Fréchet": f"{mean('seed_frechet'):.2f} m",
            "best Fréchet": f"{mean('best_frechet'):.2f} m",
            "Fréchet reduction": f"{statistics.fmean(100.0 * (1.0 - b / s) for s, b in frechet):.1f} %",
            **common,
            "seed to seed DTW": _floor([repetition["seed_path"] for repetition in repetitions]),
        }
    lines = [
        f"\n### {experiment}: {len(repetitions)} repetitions, system {system}\n",
        "| metric (average) | paper, Gazebo, 10 repetitions | here, predicted |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {PAPER[experiment].get(name, '-')} | {value} |" for name, value in ours.items()]
    return "\n".join(lines)


def _search_percent(repetitions: Sequence[dict[str, Any]]) -> float:
    """CPU time that was not spent in evaluations."""
    flown_s = sum(item["evaluations"] * item["eval_cpu_s"] for item in repetitions)
    return 100.0 * (1.0 - flown_s / sum(item["cpu_s"] for item in repetitions))


def _floor(paths: list[list[list[float]]]) -> str:
    """Mean DTW between the seeds' average flights of different repetitions: what chance alone makes."""
    pairs = [dtw_m(one, other) for index, one in enumerate(paths) for other in paths[:index]]
    return f"{statistics.fmean(pairs):.1f}" if pairs else "-"


if __name__ == "__main__":
    sys.exit(main())
