"""Whoever waits for a compiler is told so."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from uav_testgen.core.compile_cache import announce_compilation, has_flight_kernel


def test_a_cold_cache_is_announced_and_a_warm_one_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    def said() -> list[str]:
        caplog.clear()
        with announce_compilation("the kernel", has_flight_kernel()):
            pass
        # Below this level nobody would see it without a handler of their own.
        return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]

    first, last = said()
    assert first.startswith("compiling the kernel") and last.startswith("compiled the kernel in")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "compiled.fly_until-1.py311.nbi").touch()
    assert said() == []
