"""`uav-testgen replicate LOG.ulg`: find obstacles with which the simulated flight is like the logged one."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from uav_testgen.cli._backend_settings import add_backend_settings_option, backend_settings
from uav_testgen.cli._neighbours import MUTATORS_HELP, add_stop_option, mutator_names
from uav_testgen.cli._output import add_json_option, print_json
from uav_testgen.cli._repetitions import (
    add_repetition_options,
    check_repetitions,
    folder_of,
    write_statistics,
)
from uav_testgen.cli._requirements import add_requirement_option, checked_requirements
from uav_testgen.cli._system import add_system_options, chosen_system
from uav_testgen.cli._system import system_settings as system_options
from uav_testgen.core.exit_codes import ExitCode


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    from uav_testgen.cli._campaign import add_run_options, whole_number
    from uav_testgen.cli._generator_settings import add_setting_option, add_settings_file_option

    parser = subparsers.add_parser(
        "replicate",
        help="reconstruct the obstacles behind a flight log (Surrealist, Khatiri et al.)",
        description="Read a PX4 log (ULog) and its mission, search size, place and rotation of obstacles "
        "until the simulated flight matches, and write the best scenario, a picture and a table.",
    )
    parser.add_argument("log", type=Path, metavar="LOG.ulg", help="flight log of a multicopter")
    parser.add_argument("--plan", type=Path, metavar="FILE", help="mission (default: taken from the log)")
    parser.add_argument(
        "--obstacles",
        type=lambda text: whole_number(text, 1, "--obstacles"),
        metavar="N",
        help="seed obstacles: those that the log reports, or random ones on the mission "
        "(default: at most 5 of the log, 1 random)",
    )
    parser.add_argument(
        "--seed-scenario",
        type=Path,
        metavar="FILE",
        help="start from the obstacles of this test (default: those of --obstacles)",
    )
    parser.add_argument(
        "--budget",
        type=lambda text: whole_number(text, 1, "--budget"),
        metavar="N",
        help="maximum number of evaluations (default: 200)",
    )
    parser.add_argument(
        "--min-rounds",
        type=lambda text: whole_number(text, 1, "--min-rounds"),
        metavar="N",
        help="least number of rounds over all mutators (default: 4)",
    )
    parser.add_argument(
        "--runs",
        type=lambda text: whole_number(text, 1, "--runs"),
        default=5,
        metavar="N",
        help="flights per evaluation, averaged (default: 5)",
    )
    parser.add_argument(
        "--mutators",
        default="move,resize,rotate",
        metavar="LIST",
        help=f"what may change, comma-separated: {MUTATORS_HELP} (default: move,resize,rotate)",
    )
    parser.add_argument(
        "--match",
        default="trajectory",
        metavar="SERIES",
        help="what is compared with the log (default: trajectory): speed, heading, height, roll, pitch, yaw_rate, "
        "obstacle_distance, or topic.field of the log, where it has them",
    )
    parser.add_argument(
        "--fitness",
        default="replication",
        metavar="FILE.py:FUNCTION",
        help="what is maximised, from the flights of a test to a number, higher is better "
        "(default: minus the DTW distance to the log)",
    )
    add_stop_option(parser)
    parser.add_argument("--backend", default="lfs", metavar="NAME", help="simulator (default: lfs)")
    add_backend_settings_option(parser)
    add_system_options(parser)
    add_requirement_option(parser)
    parser.add_argument("--accept-cut-log", action="store_true", help="match a log that ends in the air")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="output folder (default: results/replicate/<log>-<seed>)"
    )
    add_setting_option(parser, "of the search, e.g. move_step_m=2")
    add_settings_file_option(parser)
    add_run_options(parser)
    add_repetition_options(parser)
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Replicate one log."""
    from uav_testgen.campaign.replication.replicate import replicate
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.view.replication import publish_replication, table_of
    from uav_testgen.work.stop import Interrupted, StopRequest

    check_repetitions(arguments)
    setup, options = _prepared(arguments)
    again = [word for word in sys.argv[1:] if word != "--resume"] if len(sys.argv) > 1 else []
    command = shlex.join(["uav-testgen", *again, "--resume"])
    farewell = f"interrupted; everything flown so far is safe. Resume with: {command}"
    try:
        with StopRequest(farewell) as stop, make_progress() as observer:
            for note in setup.notes:
                observer.note(note)
            summaries = [
                publish_replication(replicate(setup, one, observer, stop.check))
                for one in _repeated(options, arguments.repetitions)
            ]
    except Interrupted:
        print(farewell, file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        # Workers stop by themselves; waiting for them is not worth the user's time.
        os._exit(ExitCode.INTERRUPTED)
    if arguments.repetitions > 1:
        return _told_together(arguments, options.out, summaries)
    (summary,) = summaries
    if arguments.json:
        print_json(summary)
        return 0
    said = "predicted" if summary["prediction"] else "flown"
    flown_by = f"{options.backend} {summary['system']}".strip()
    print(f"{summary['log']}: {said} by {flown_by}, seed {options.seed}, {options.runs} runs per evaluation")
    print(table_of(summary))
    for name, path in summary["files"].items():
        print(f"  {name}: {path}")
    return 0


def _repeated(options: Any, repetitions: int) -> list[Any]:
    """The same search with one seed after the other."""
    return [
        replace(options, out=folder_of(options.out, number, repetitions), seed=options.seed + number)
        for number in range(repetitions)
    ]


def _told_together(arguments: argparse.Namespace, out: Path, summaries: list[dict[str, Any]]) -> int:
    """One line for each repetition, and the table over all if it was asked for."""
    from uav_testgen.view.repetitions import statistics_of, statistics_text

    found = statistics_of(summaries) if arguments.stats else None
    files: list[Path] = []
    if found is not None:
        boxes = {
            measure: (
                f"{label} to the log",
                [float(summary[f"seed_{measure}"]) for summary in summaries],
                [float(summary[f"best_{measure}"]) for summary in summaries],
            )
            for measure, label in (("dtw", "DTW"), ("frechet", "Fréchet distance"))
        }
        files = write_statistics(out, found, boxes, str(summaries[0]["log"]))
    if arguments.json:
        print_json({"repetitions": summaries, "statistics": found})
        return 0
    for summary in summaries:
        print(
            f"{summary['log']}, seed {summary['seed']}: DTW {summary['seed_dtw']:.2f} -> {summary['best_dtw']:.2f}, "
            f"Fréchet {summary['seed_frechet']:.2f} -> {summary['best_frechet']:.2f} {summary['unit']}: "
            f"{summary['files']['best']}"
        )
    if found is not None:
        print(statistics_text(found, str(summaries[0]["unit"])))
        for path in files:
            print(f"  {path}")
    return 0


def _prepared(arguments: argparse.Namespace) -> tuple[Any, Any]:
    """The search and how it is flown; everything wrong is found here, before the first flight."""
    from uav_testgen.campaign.replication.replicate import Options
    from uav_testgen.campaign.replication.setup import prepare, system_settings
    from uav_testgen.cli._campaign import default_jobs
    from uav_testgen.cli._generator_settings import settings_given
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.flight.ulog.reader import read_log

    mutators = mutator_names(arguments.mutators)
    asked = system_options(arguments)
    if asked and arguments.backend != "lfs":
        raise ConfigError(
            f"--{next(iter(asked))} chooses the system of lfs; backend '{arguments.backend}' has none"
        )
    system = chosen_system(arguments)
    if arguments.backend == "lfs" and "wind" in mutators and not system.feels_wind:
        raise ConfigError(
            f"--mutators wind: system '{system.name}' does not feel wind; use the default system"
        )
    if arguments.seed_scenario is not None and arguments.obstacles is not None:
        raise ConfigError("--obstacles and --seed-scenario: the seed file says how many obstacles there are")
    log = read_log(arguments.log, accept_cut=arguments.accept_cut_log)
    settings: dict[str, Any] = {}
    notes: list[str] = []
    if arguments.backend == "lfs":
        settings, notes = system_settings(system, log.parameters)
    settings = {**settings, **backend_settings(arguments)}
    setup = prepare(
        log,
        arguments.plan,
        obstacles=arguments.obstacles,
        seed_scenario=arguments.seed_scenario,
        mutators=mutators,
        variable=arguments.match,
        budget=arguments.budget,
        min_rounds=arguments.min_rounds,
        stop_at_m=arguments.stop_at_m,
        fitness=_own_fitness(arguments.fitness),
        usual_speed_mps=settings.get("system", {}).get("vehicle", {}).get("mpc_xy_cruise_mps", 3.0),
        notes=notes,
        search_settings=settings_given(arguments),
    )
    seed = 1 if arguments.seed is None else arguments.seed
    out = arguments.out or Path("results") / "replicate" / f"{arguments.log.stem}-{seed}"
    # Two halves of a pair are all there is to fly at once.
    jobs = min(default_jobs(), 2) if arguments.jobs is None else arguments.jobs
    return setup, Options(
        out=out,
        backend=arguments.backend,
        settings=settings,
        runs=arguments.runs,
        seed=seed,
        resume=arguments.resume,
        jobs=jobs,
        requirements=checked_requirements(arguments),
    )


def _own_fitness(name: str) -> str:
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.core.plugin import is_plugin

    if name != "replication" and not is_plugin(name):
        raise ConfigError(f"--fitness {name[:80]}: expected file.py:function or package.module:function")
    return name
