"""`uav-testgen statistics DIR…`: repetitions of a replication in one table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from uav_testgen.cli._output import add_json_option, print_json


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "statistics",
        help="compare seed and best solution over repetitions of a replication",
        description="Read the output folders of `replicate` runs of one log with different seeds and print "
        "averages, reductions, Shapiro-Wilk, ANOVA, A12, Cohen's d and the needed budget.",
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="output folders of replicate")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="write box plots of seed and best DTW (.png)"
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, compute, print."""
    from uav_testgen.core.errors import ConfigError
    from uav_testgen.view.repetitions import statistics_of, statistics_text

    if arguments.picture is not None and arguments.picture.suffix.lower() != ".png":
        raise ConfigError(f"--picture {arguments.picture}: the name must end in .png")
    summaries = [_summary(folder) for folder in arguments.folders]
    found = statistics_of(summaries)
    if arguments.picture is not None:
        from uav_testgen.view.plots import plot_boxes

        groups = {name: [float(summary[f"{name}_dtw"]) for summary in summaries] for name in ("seed", "best")}
        plot_boxes(arguments.picture, groups, "DTW to the log", f"{summaries[0]['log']}")
    if arguments.json:
        print_json(found)
    else:
        unit = str(summaries[0].get("unit", "m"))
        print(f"{summaries[0]['log']}, {summaries[0]['backend']}")
        print(statistics_text(found, unit))
    return 0


def _summary(folder: Path) -> dict[str, Any]:
    from uav_testgen.core.config import read_yaml
    from uav_testgen.core.errors import InputFileError

    path = folder / "summary.json"
    data = read_yaml(path)
    if not isinstance(data, dict) or "best_dtw" not in data or "seed_dtw" not in data:
        raise InputFileError(f"{path}: not the summary of a replication; name output folders of replicate")
    return data
