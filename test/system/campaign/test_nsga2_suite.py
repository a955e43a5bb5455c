"""A budget of 100 simulations gives the NSGA-II generator a whole suite of tests that differ."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from uav_testgen.cli.main import main

# A hundred whole missions and the pictures of twenty: on a busy machine more than the usual limit.
pytestmark = [pytest.mark.system, pytest.mark.timeout(1800)]

CAMPAIGN = """
name: nsga2
case: {mission}
generator: nsga2
seed: 42
budget: {{simulations: 100}}
screening: {{repeats: 0}}
ranking: {{suite_size: 20}}
"""


@pytest.mark.parametrize("mission", ["mission4", "mission5"])
def test_twenty_different_tests_from_a_hundred_evaluations(mission: str, tmp_path: Path) -> None:
    config, out = tmp_path / "nsga2.yaml", tmp_path / "out"
    config.write_text(CAMPAIGN.format(mission=mission))
    assert main(["campaign", str(config), "--out", str(out), "--jobs", "0"]) == 0
    found = json.loads((out / "summary.json").read_text())
    assert found["failures"] >= 20
    assert len(found["tests"]) == 20
    rows = list(csv.DictReader((out / "generations.csv").open()))
    assert float(rows[0]["valid_share"]) >= 0.95
    assert int(rows[0]["evaluations"]) == 10, "the whole first population is flown"
