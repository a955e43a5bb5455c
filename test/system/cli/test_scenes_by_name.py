"""A shipped scene is called by its name wherever a scenario is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from test.system.command_line import run
from uav_testgen import load_scenario, scenes


@pytest.mark.parametrize("name", scenes())
def test_in_python(name: str) -> None:
    assert load_scenario(name).obstacles or load_scenario(name).logical is not None


def test_check_knows_it() -> None:
    ran = run("check", "too_close", "--json")
    assert ran.returncode == 0 and json.loads(ran.stdout)["valid"]


def test_a_misspelt_name_is_met_with_the_nearest(tmp_path: Path) -> None:
    ran = run("check", "too_clos", cwd=tmp_path)
    assert ran.returncode == 2 and "did you mean 'too_close'?" in ran.stderr
