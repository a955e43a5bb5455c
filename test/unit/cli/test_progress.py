"""Progress fits the terminal, and speed is that of flying, not of compiling."""

from __future__ import annotations

import io
import sys

import pytest

from uav_testgen.campaign import observe
from uav_testgen.campaign.observe import Progress
from uav_testgen.cli._progress import RichProgress, describe


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now_s = [1000.0]
    monkeypatch.setattr(observe.time, "monotonic", lambda: now_s[0])
    return now_s


def test_speed_and_eta_leave_out_what_happens_before_the_first_answer(clock: list[float]) -> None:
    progress = Progress(100, 1.5)
    progress.count(20, 100, replayed=True)
    clock[0] += 60.0  # compiling
    progress.count(1, 5, replayed=False)
    assert progress.eta_s is None and progress.flights_per_s is None
    assert "ETA -" in describe(progress)
    clock[0] += 10.0
    progress.count(20, 100, replayed=False)
    assert progress.flights_per_s == 10.0
    assert progress.eta_s == 59 * 10.0 / 20


def test_one_failure_is_one(clock: list[float]) -> None:
    progress = Progress(10, 1.5)
    assert "0 failures," in describe(progress)
    progress.failures = 1
    assert "1 failure," in describe(progress)


def test_refused_scenes_do_not_start_the_clock(clock: list[float]) -> None:
    progress = Progress(10, 1.5)
    progress.count(0, 0, replayed=False)
    clock[0] += 60.0
    progress.count(1, 1, replayed=False)
    clock[0] += 2.0
    progress.count(1, 1, replayed=False)
    assert progress.flights_per_s == 0.5


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_bar_count_and_eta_remain_on_a_narrow_terminal(
    columns: int, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    progress = Progress(15000, 1.5, failures=1234, errors=12, best_m=0.25)
    progress.count(1, 5, replayed=False)
    clock[0] += 10.0
    progress.count(7000, 35000, replayed=False)
    with RichProgress() as shown:
        shown.phase("comparing: 27 of 30 runs")
        shown.search(progress)
        text = _plain(shown, columns)
    (line,) = text.splitlines()
    assert len(line) <= columns
    assert "━" in line and "7001/15000" in line and "ETA 0:11" in line
    assert columns < 200 or "35005 flights" in line


def _plain(shown: RichProgress, columns: int) -> str:
    from rich.console import Console

    paper = io.StringIO()
    Console(file=paper, width=columns, color_system=None).print(shown._bar.get_renderable())
    return paper.getvalue()
