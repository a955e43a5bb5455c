"""--repetitions and --stats: the same search with several seeds, and Surrealist's tables over them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def add_repetition_options(parser: argparse.ArgumentParser) -> None:
    """--repetitions, --stats."""
    from uav_testgen.cli._campaign import whole_number

    parser.add_argument(
        "--repetitions",
        type=lambda text: whole_number(text, 1, "--repetitions"),
        default=1,
        metavar="N",
        help="search N times with the seeds from --seed on, each in a folder of its own (default 1)",
    )
    parser.add_argument(
        "--stats",
        action="store_true",
        help="with --repetitions: reductions, tests and effect sizes of seed against best, as a table, JSON and "
        "box plots",
    )


def check_repetitions(arguments: argparse.Namespace) -> None:
    """ConfigError where statistics are asked of a single search."""
    from uav_testgen.core.errors import ConfigError

    if arguments.stats and arguments.repetitions < 2:
        raise ConfigError("--stats needs at least two searches; say how many with --repetitions N")


def folder_of(out: Path, number: int, repetitions: int) -> Path:
    """Where a repetition (from 0) is kept; a single one has the whole folder."""
    return out if repetitions == 1 else out / f"rep-{number + 1:0{max(2, len(str(repetitions)))}d}"


def write_statistics(
    out: Path,
    found: Mapping[str, Any],
    boxes: Mapping[str, tuple[str, Sequence[float], Sequence[float]]],
    title: str,
) -> list[Path]:
    """statistics.json and one box plot for each measure: name of the file -> (label, seeds, bests)."""
    from uav_testgen.core.files import write_text
    from uav_testgen.view.plots import plot_boxes

    files = [out / "statistics.json"]
    write_text(files[0], json.dumps(found, indent=2, allow_nan=False) + "\n")
    for name, (label, seed, best) in boxes.items():
        files.append(out / f"boxes-{name}.png")
        plot_boxes(files[-1], {"seed": list(seed), "best": list(best)}, label, title)
    return files
