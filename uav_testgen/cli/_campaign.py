"""What `campaign` and `generate` have in common: options, running, printing."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uav_testgen.core.errors import StoreError
from uav_testgen.core.exit_codes import ExitCode

if TYPE_CHECKING:
    from uav_testgen.campaign.case import CaseStudy
    from uav_testgen.campaign.config import CampaignConfig
    from uav_testgen.work.choose import Placement


def whole_number(text: str, least: int, what: str) -> int:
    """An argparse type: an integer not below `least`."""
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least or value >= 2**63:
        raise argparse.ArgumentTypeError(
            f"{what} must be a whole number of at least {least}, got '{text[:40]}'"
        )
    return value


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """--seed, --resume, --jobs."""
    parser.add_argument(
        "--seed",
        type=lambda text: whole_number(text, 0, "the seed"),
        metavar="N",
        help="seed of the search; the same seed gives the same result (default: the one in the file, else 1)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="resume a previous run in this folder, or start a new one"
    )
    parser.add_argument(
        "--jobs",
        type=lambda text: whole_number(text, 0, "the number of jobs"),
        metavar="N",
        help="worker processes (default: all cores; 0: fly in this process); never changes the result",
    )


def add_keep_all_option(parser: argparse.ArgumentParser) -> None:
    """--keep-all."""
    parser.add_argument(
        "--keep-all",
        action="store_true",
        help="write every simulation as YAML and JSON into simulations/, not only the suite",
    )


def add_code_option(parser: argparse.ArgumentParser) -> None:
    """--code."""
    parser.add_argument(
        "--code",
        action="append",
        default=[],
        metavar="NAME",
        help="file.py:Class or module:Class that the campaign used and that may be loaded; may be repeated",
    )


def add_executor_options(parser: argparse.ArgumentParser) -> None:
    """--executor, --address."""
    parser.add_argument(
        "--executor",
        choices=("local", "ray"),
        default="local",
        help="where predictions are flown: processes here, or a Ray cluster (default: local)",
    )
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="address of the Ray cluster (default: start one on this machine for this campaign)",
    )


def placement(arguments: argparse.Namespace) -> Placement | None:
    """The cluster that was asked for; None for processes here."""
    from uav_testgen.work.choose import Placement

    if arguments.executor == "local" and arguments.address is None:
        return None
    return Placement(arguments.jobs, arguments.executor, arguments.address)


def placement_words(arguments: argparse.Namespace) -> list[str]:
    """The options that say so again."""
    words = ["--executor", arguments.executor] if arguments.executor != "local" else []
    return words + (["--address", arguments.address] if arguments.address else [])


def default_jobs() -> int:
    """The cores this process may use."""
    from uav_testgen.core.processors import available_cores

    return available_cores()


def run_and_report(
    config: CampaignConfig, case: CaseStudy, arguments: argparse.Namespace, again: Sequence[str]
) -> tuple[int, dict[str, Any]]:
    """Run or resume; returns the exit code and the summary."""
    from uav_testgen.campaign.result import Options
    from uav_testgen.campaign.runner import run_campaign
    from uav_testgen.cli._progress import make_progress
    from uav_testgen.view.publish import publish
    from uav_testgen.work.stop import Interrupted, StopRequest

    jobs = default_jobs() if arguments.jobs is None else arguments.jobs
    options = Options(
        out=arguments.out,
        resume=arguments.resume,
        jobs=jobs,
        cluster=placement(arguments),
        keep_all=arguments.keep_all,
    )
    where = ["--keep-all"] if arguments.keep_all else []
    where += placement_words(arguments)
    command = shlex.join(["uav-testgen", *again, *where, "--resume"])
    farewell = f"interrupted; everything flown so far is safe. Resume with: {command}"
    try:
        with StopRequest(farewell) as stop, make_progress() as observer:
            run_campaign(config, case, options, observer, stop, publish)
    except Interrupted:
        print(farewell, file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        # Workers stop by themselves; waiting for them is not worth the user's time.
        os._exit(ExitCode.INTERRUPTED)
    summary = read_summary(arguments.out)
    return exit_code_of(summary), summary


def exit_code_of(summary: dict[str, Any]) -> int:
    """3 if nothing could be flown, or a test that was to be flown again was not; the notes say why."""
    again = summary["flown_again"]
    nothing_flown = summary["evaluations"] > 0 and summary["statuses"]["valid"] == 0
    unanswered = again is not None and again["answered"] < again["tests"]
    return ExitCode.UNFINISHED if nothing_flown or unanswered else ExitCode.DONE


def read_summary(folder: Path) -> dict[str, Any]:
    """summary.json of a finished campaign."""
    path = folder / "summary.json"
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{path}: the campaign is finished but its summary cannot be read ({error}); "
            f"write the outputs again with: uav-testgen report {folder}"
        ) from None
    return data


def print_summary(summary: dict[str, Any], folder: Path) -> None:
    """The result for people: numbers, the best tests, where everything is."""
    best = "-" if summary["best_distance_m"] is None else f"{summary['best_distance_m']:.2f} m"
    print(
        f"{summary['name']}: {summary['evaluations']} evaluations ({summary['flights']} flights) of "
        f"generator '{summary['generator']}' on {summary['case']}, seed {summary['seed']}"
    )
    print(
        f"{'flown' if 'evidence' in summary else 'predicted'} failures: {summary['failures']}, "
        f"best distance: {best}, "
        f"tests written: {len(summary['tests'])}{_left_out(summary)}"
    )
    for test in summary["tests"][:10]:
        says = summary.get("evidence", "predicted")
        if test["confirmed"] is not None:
            says = f"{'confirmed' if test['confirmed'] else 'refuted'} by {test['confirmed_by']}"
        again = test["fly_again"].replace(test["file"], shlex.quote(str(folder / test["file"])), 1)
        obstacles = f"{test['obstacles']} obstacle{'' if test['obstacles'] == 1 else 's'}"
        print(
            f"  {test['rank']:3d}. {_closest(test)}, {obstacles}, {_likely(test)} "
            f"({test['counts']}), {says}; again: {again}"
        )
    if len(summary["tests"]) > 10:
        print(f"  ... and {len(summary['tests']) - 10} more")
    if "held_out" in summary:
        from uav_testgen.view.held_out import held_out_sentence

        print(held_out_sentence(summary["held_out"]))
    if "flown" in summary:
        from uav_testgen.view.flights import flights_lines

        for line in flights_lines(summary["flown"]):
            print(line)
    else:
        _print_flown_again(summary["flown_again"])
    if "generator_report" in summary:
        _print_generations(summary["generator_report"], folder)
    for note in summary["notes"]:
        print(f"note: {note}")
    print(f"report: {folder / 'report.html'}")


def _closest(test: dict[str, Any]) -> str:
    """The distance; where requirements decide, the margin and what is violated."""
    if "findings" in test:
        violated = [finding["name"] for finding in test["findings"] if finding["violated"]]
        margin = "no margin" if test["margin"] is None else f"margin {test['margin']:.3g}"
        return f"{margin} ({', '.join(violated) or 'nominal run: nothing'} violated)"
    if test["distance_m"] is None:
        return "no obstacle"
    return "collision" if test["distance_m"] == 0.0 else f"{test['distance_m']:.2f} m"


def _left_out(summary: dict[str, Any]) -> str:
    """Why there are fewer tests than failures."""
    missing = int(summary["failures"]) - len(summary["tests"])
    return (
        f" ({missing} left out: too like a test before them, or beyond the size of the suite)"
        if missing > 0
        else ""
    )


def _likely(test: dict[str, Any]) -> str:
    """Probabilities are calibrated for the shipped system and the safe distance only."""
    from uav_testgen.statistics.percent import probability_words

    if test["failure_probability"] is None:
        return "failure probability uncalibrated"
    return f"failure probability {probability_words(test['failure_probability'])}"


def _print_flown_again(found: dict[str, Any] | None) -> None:
    if found is None:
        return
    print(
        f"{found['evidence']} ({found['backend']}): {found['answered']} of {found['tests']} tests flown, "
        f"{found['as_predicted']} as predicted"
    )


def _print_generations(report: dict[str, Any], folder: Path) -> None:
    """How the search went by its own account: the last generation, and what it would hand in."""
    generations, selection = report["generations"], report["selection"]
    if generations:
        from uav_testgen.cli._progress import describe_generation

        print(f"last {describe_generation(generations[-1])}")
        print(f"all generations: {folder / 'generations.csv'}")
    if selection is not None:
        print(f"final selection of the generator: {len(selection)} evaluations; no other is in the suite")
