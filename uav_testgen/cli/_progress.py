"""Live progress on a terminal, plain lines elsewhere. Always on stderr: stdout is for results."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from uav_testgen.campaign.observe import Progress
from uav_testgen.cli._streams import Terminal
from uav_testgen.core.plain_text import one_line, printable

# Seconds between two lines in a log file.
_LINE_EVERY_S = 5.0
# A generation's figures are broken here, at a comma, so that a terminal of 80 columns does not break them.
_LINE_WIDTH = 79


def describe(progress: Progress) -> str:
    """One line: evaluations, time left, failures, best distance, speed."""
    return f"{_count(progress)} evaluations, ETA {_eta(progress)}, {_facts(progress)}"


def _count(progress: Progress) -> str:
    return f"{progress.evaluated}/{progress.budget}"


def _eta(progress: Progress) -> str:
    return "-" if progress.eta_s is None else _clock(progress.eta_s)


def _facts(progress: Progress) -> str:
    """The most important first: a narrow terminal cuts off the end."""
    best = "-" if progress.best_m is None else f"{progress.best_m:.2f} m"
    if progress.best_margin is not None:
        best = f"margin {progress.best_margin:.3g}"
    speed = "-" if progress.flights_per_s is None else f"{progress.flights_per_s:.1f}"
    errors = f"{progress.errors} errors, " if progress.errors else ""
    noun = "failure" if progress.failures == 1 else "failures"
    return f"{errors}{progress.failures} {noun}, best {best}, {progress.flights} flights, {speed} flights/s"


def describe_generation(row: Mapping[str, float]) -> str:
    """The number of the generation and its figures, with the units of their names, within 80 columns."""
    lines = [f"generation {row['generation']:g}:"]
    for name, value in row.items():
        if name == "generation":
            continue
        fact = f" {_fact(name, value)},"
        if len(lines[-1]) + len(fact) > _LINE_WIDTH:
            lines.append("   ")
        lines[-1] += fact
    return "\n".join(lines).rstrip(",:")


def _fact(name: str, value: float) -> str:
    """E.g. "best distance 0.87 m" for best_distance_m, "valid 95 %" for valid_share."""
    if name.endswith("_share"):
        return f"{name.removesuffix('_share').replace('_', ' ')} {100.0 * value:.0f} %"
    for ending, unit in (("_m", " m"), ("_s", " s")):
        if name.endswith(ending):
            return f"{name.removesuffix(ending).replace('_', ' ')} {value:.2f}{unit}"
    text = f"{value:d}" if isinstance(value, int) else f"{value:.2f}"
    return f"{name.replace('_', ' ')} {text}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class PlainProgress:
    """Lines for a log: now and then, and at every change of stage."""

    def __init__(self) -> None:
        self._last_s = 0.0

    def __enter__(self) -> PlainProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is open."""

    def search(self, progress: Progress) -> None:
        """A line every few seconds and at the end."""
        now_s = time.monotonic()
        if now_s - self._last_s >= _LINE_EVERY_S or progress.evaluated >= progress.budget:
            self._last_s = now_s
            print(describe(progress), file=sys.stderr, flush=True)

    def generation(self, row: Mapping[str, float]) -> None:
        """A line for every generation."""
        print(describe_generation(row), file=sys.stderr, flush=True)

    def phase(self, text: str) -> None:
        """A new stage."""
        print(printable(text), file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        """Something to know."""
        print(one_line(f"note: {text}"), file=sys.stderr, flush=True)


class RichProgress:
    """A live bar for people."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
        from rich.table import Column

        self._console = Console(file=Terminal(sys.stderr), stderr=True)  # type: ignore[arg-type]
        # Bar, count and ETA keep their width; the facts have what is left of the line and are cut off there.
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, max_width=28)),
            BarColumn(bar_width=16),
            TextColumn("{task.fields[count]}", markup=False, table_column=Column(no_wrap=True)),
            TextColumn(
                "{task.fields[facts]}",
                markup=False,
                table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"),
            ),
            console=self._console,
            expand=True,
        )
        self._task: Any = None

    def __enter__(self) -> RichProgress:
        self._bar.__enter__()
        self._task = self._bar.add_task("starting", total=None, count="", facts="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.__exit__(kind, error, trace)

    def search(self, progress: Progress) -> None:
        """The bar and its facts."""
        self._bar.update(
            self._task,
            completed=progress.evaluated,
            total=progress.budget,
            count=f"{_count(progress)} ETA {_eta(progress)}",
            facts=_facts(progress),
        )

    def generation(self, row: Mapping[str, float]) -> None:
        """Above the bar."""
        self._console.print(describe_generation(row), markup=False, highlight=False)

    def phase(self, text: str) -> None:
        """A new stage."""
        self._bar.update(self._task, description=printable(text))

    def note(self, text: str) -> None:
        """Above the bar."""
        self._console.print(one_line(f"note: {text}"), markup=False, highlight=False)


def make_progress() -> PlainProgress | RichProgress:
    """A live bar if somebody is looking at a terminal."""
    return RichProgress() if sys.stderr.isatty() else PlainProgress()
