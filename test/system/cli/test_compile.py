"""`uav-testgen compile` leaves nothing to compile for the first flight, and says what it did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "uav_testgen.cli.main"]


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], cwd=cwd, env=os.environ, capture_output=True, text=True)


@pytest.mark.timeout(1000)
def test_after_it_a_flight_compiles_nothing(tmp_path: Path) -> None:
    first = run("compile", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert "system 'px4_mission_v1.12' (1 of 3) ... compiled" in first.stdout
    again = json.loads(run("compile", "--json", cwd=tmp_path).stdout)
    assert [row["compiled_s"] for row in again["systems"]] == [0.0, 0.0, 0.0]
    flown = run("fly", "two_walls", cwd=tmp_path)
    assert flown.returncode in (0, 1) and "compil" not in flown.stdout + flown.stderr


def test_an_unknown_system_is_refused_before_anything_is_compiled(tmp_path: Path) -> None:
    done = run("compile", "--system", "papr", cwd=tmp_path)
    assert done.returncode == 2 and "paper" in done.stderr
    assert done.stdout == ""


def test_the_comparison_of_paths_is_compiled_too(tmp_path: Path) -> None:
    """Generators by novelty, rankings and replications need it."""
    words = ("compile", "--system", "paper", "--json")
    program = (
        "from uav_testgen.cli.main import main\n"
        "from uav_testgen.flight import similarity\n"
        f"main({list(words)})\n"
        "assert similarity._diagonals._entry.signatures and similarity._matching._entry.signatures"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["comparison_s"] >= 0.0
