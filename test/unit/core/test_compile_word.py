"""Whoever waits for a compiler is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.cli.main import show_compilation
from uav_testgen.compile_cache import announce_compilation, has_flight_kernel, tell_if_cold


def test_a_cold_cache_is_announced_and_a_warm_one_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    show_compilation()
    assert not has_flight_kernel()
    tell_if_cold()
    with announce_compilation("the flight kernel", has_flight_kernel()):
        pass
    said = capsys.readouterr().err
    assert said.count("uav-testgen: compiling the") == 2 and "compiled the flight kernel in" in said
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "kernel.fly_kernel-1.py311.nbi").touch()
    assert has_flight_kernel()
    tell_if_cold()
    assert capsys.readouterr().err == ""
