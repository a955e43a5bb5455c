"""Whoever waits for a compiler is told so, whatever is compiled."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import pytest
from numba import njit
from numba.core import event

from uav_testgen.core import compile_watch
from uav_testgen.core.compile_watch import WATCH, CompileWatch


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    def take() -> list[str]:
        # Below this level nobody would see it without a handler of their own.
        found = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
        caplog.clear()
        return found

    return take


def long_compilation(watch: CompileWatch, said: Callable[[], list[str]]) -> list[str]:
    """What is said during a compilation that lasts until something is said."""
    watch.on_start(event.Event("numba:compile", event.EventStatus.START))
    lines: list[str] = []
    while not lines:
        time.sleep(0.01)
        lines = said()
    watch.on_end(event.Event("numba:compile", event.EventStatus.END))
    return lines


def test_compiling_is_announced_while_it_happens(
    said: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_watch, "_MOMENT_S", 0.0)
    watch = CompileWatch()
    with watch.named("the simulator of system 'mine'"):
        assert long_compilation(watch, said)[0].startswith(
            "compiling the simulator of system 'mine' for this"
        )
        assert said() == []  # more may follow under the same name
    (last,) = said()
    assert last.startswith("compiled the simulator of system 'mine' in ")
    first, *_ = long_compilation(watch, said)
    assert first.startswith("compiling functions of the simulator")


def test_what_takes_a_moment_is_not_worth_a_word(
    said: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_watch, "_MOMENT_S", 3600.0)
    before_s = WATCH.seconds

    @njit
    def doubled(value: float) -> float:
        return 2.0 * value

    assert doubled(21.0) == 42.0
    assert said() == []
    assert WATCH.seconds > before_s, "Numba reports its work"
    after_s = WATCH.seconds
    doubled(1.0)
    assert WATCH.seconds == after_s, "compiled code is not compiled again"
