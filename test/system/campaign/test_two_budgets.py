"""Predict much, fly what is worth it: a suite of flown failures, resumable, with honest labels."""

from __future__ import annotations

import csv
import json
import shlex
import sys
from pathlib import Path

import pytest
import yaml

from uav_testgen.cli.main import main
from uav_testgen.core.exit_codes import ExitCode

pytestmark = pytest.mark.system

STAND_IN = Path(__file__).parents[2] / "fakes" / "simulator.py"
COMMAND = shlex.join([sys.executable, str(STAND_IN)]) + " --scene {scene} --out {out} --seed {seed}"


def campaign(folder: Path, flights: int = 4, **confirmation: object) -> Path:
    path = folder / "both.yaml"
    data = {
        "case": "mission2",
        "generator": "random",
        "seed": 3,
        "budget": {"predictions": 60, "flights": flights},
        "screening": {"backend": "still", "repeats": 2, "settings": {"drift_m": 0.8}},
        "confirmation": {
            "backend": "command",
            "settings": {"command": COMMAND, "folder": str(folder / "runs"), "retries": 0, "timeout_s": 30},
            **confirmation,
        },
        "ranking": {"suite_size": 10, "min_path_distance_m": 0},
    }
    path.write_text(yaml.safe_dump(data))
    return path


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STAND_IN_CALLS", str(tmp_path / "calls"))
    (tmp_path / "calls").touch()
    return tmp_path / "calls"


def count(calls: Path) -> int:
    return len(calls.read_text().splitlines())


def test_the_suite_holds_flown_failures_only_and_says_what_was_learned(
    tmp_path: Path, calls: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, config = tmp_path / "out", campaign(tmp_path)
    assert main(["campaign", str(config), "--out", str(out), "--jobs", "0"]) == 0
    assert count(calls) == 4
    said = capfd.readouterr()
    assert "systematic error on this case study: flown minus predicted" in said.out
    assert "flown by command: 4 tests in 4 of 4 flights" in said.out
    assert "flying with 'command': 1 of 4 flights" in said.err, "told while it happens"
    summary = json.loads((out / "summary.json").read_text())
    flown = summary["flown"]
    assert summary["evaluations"] == 60 and flown["flights"] == 4
    assert len(summary["tests"]) == flown["failed"] > 0
    assert all(test["confirmed"] is True and test["confirmed_by"] == "command" for test in summary["tests"])
    assert summary["agreement"]["flights"] == 4, "agreement is over all that was flown, not over the failures"
    rows = list(csv.DictReader((out / "flown.csv").open()))
    assert len(rows) == 4
    assert [row["expected_failure"] for row in rows] == [""] * 4, (
        "nobody compared this stand-in with real flights"
    )
    assert flown["expected_failures_not_flown"] is None
    # Written again from the store, without a flight.
    before = (out / "flown.csv").read_bytes()
    assert main(["report", str(out)]) == 0
    assert (out / "flown.csv").read_bytes() == before and count(calls) == 4
    assert main(["confirm", str(out), "--backend", "still"]) == ExitCode.INVALID_INPUT
    assert "within a budget of flights" in capfd.readouterr().err


def test_a_simulator_that_dies_stops_it_and_nothing_is_lost(
    tmp_path: Path, calls: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan").write_text("fly fly die")
    monkeypatch.setenv("STAND_IN_PLAN", str(tmp_path / "plan"))
    out, config = tmp_path / "out", campaign(tmp_path, flights=4, repeats=1)
    words = ["campaign", str(config), "--out", str(out), "--jobs", "0"]
    assert main(words) == ExitCode.UNFINISHED
    assert "left 3 tests in a row without a flight" in capfd.readouterr().err
    assert count(calls) == 5
    (tmp_path / "plan").write_text("fly")
    assert main([*words, "--resume"]) == 0
    assert count(calls) == 5 + 2, "the two flights on record are not flown again"
    summary = json.loads((out / "summary.json").read_text())
    assert summary["flown"]["flights"] == 4


def test_generate_evaluates_with_a_simulator(
    tmp_path: Path, calls: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sim.yaml").write_text(yaml.safe_dump({"command": COMMAND, "folder": str(tmp_path / "runs")}))
    words = ["generate", "mission2", "2", "--backend", "still", "--generator", "random", "--jobs", "0"]
    flying = ["--evaluate-with", "command", "--evaluation-settings", str(tmp_path / "sim.yaml")]
    assert main([*words, *flying, "--predictions", "30", "--out", str(tmp_path / "out")]) == 0
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (summary["evaluations"], summary["flown"]["budget"], count(calls)) == (30, 2, 2)
    # One test is left after those that are flown on the same path: its failure is flown again.
    assert summary["flown"]["tests"] == 1 and len(summary["tests"][0]["confirmation_distances_m"]) == 2
    capfd.readouterr()
    for bad, word in (
        (["--predictions", "30"], "--predictions goes with --evaluate-with"),
        (["--evaluate-with", "graph"], "which flies nothing real"),
        (["--evaluate-with", "comand"], "command"),
    ):
        assert main([*words, *bad, "--out", str(tmp_path / "no")]) == ExitCode.INVALID_INPUT
        assert word in capfd.readouterr().err
        assert not (tmp_path / "no").exists()


def test_one_budget_is_written_as_before(tmp_path: Path) -> None:
    from uav_testgen.campaign.config import CampaignConfig

    plain = CampaignConfig(case="mission2").model_dump(mode="json")
    assert plain["budget"] == {"simulations": 300, "wall_s": None}
