"""Searches on a simulator that does not repeat: killed, it goes on without flying anything twice."""

from __future__ import annotations

import json
import shlex
import signal
import sys
from pathlib import Path

import pytest
import yaml

from uav_testgen.cli.main import main
from uav_testgen.core.exit_codes import ExitCode
from uav_testgen.testing.commands import start, wait_until
from uav_testgen.work.store import Store

pytestmark = pytest.mark.system

STAND_IN = Path(__file__).parents[2] / "fakes" / "simulator.py"
COMMAND = shlex.join([sys.executable, str(STAND_IN)]) + " --scene {scene} --out {out} --seed {seed}"


def settings(folder: Path, **more: object) -> dict[str, object]:
    return {"command": COMMAND, "folder": str(folder / "runs"), "retries": 0, "timeout_s": 30, **more}


def campaign(folder: Path, simulations: int = 4, repeats: int = 2, **more: object) -> Path:
    path = folder / "search.yaml"
    data = {
        "case": "mission2",
        "generator": "random",
        "seed": 3,
        "batch_size": 4,
        "budget": {"simulations": simulations},
        "screening": {
            "backend": "command",
            "settings": settings(folder, **more),
            "repeats": repeats,
            "accept_below_m": 100.0,
        },
        "ranking": {"suite_size": 2, "min_path_distance_m": 0},
    }
    path.write_text(yaml.safe_dump(data))
    return path


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STAND_IN_CALLS", str(tmp_path / "calls"))
    return tmp_path / "calls"


def flown(calls: Path) -> list[tuple[str, int]]:
    """(scenario, seed) of every start of the simulator."""
    lines = [json.loads(line) for line in calls.read_text().splitlines()]
    return [(Path(one["scene"]).parent.name.split("-")[0], one["seed"]) for one in lines]


def test_killed_in_the_middle_no_flight_is_flown_twice(tmp_path: Path, calls: Path) -> None:
    out, config = tmp_path / "out", campaign(tmp_path, parallel=2)
    process = start("campaign", config, "--out", out, "--jobs", "2")
    store = out / "evaluations.jsonl"
    wait_until(
        lambda: (
            (store.exists() and store.read_bytes().count(b'"kind":"flight"') >= 3)
            or process.poll() is not None
        ),
        "flights on record",
    )
    process.send_signal(signal.SIGKILL)
    process.wait()
    stored = store.read_bytes().count(b'"kind":"flight"')
    assert 3 <= stored < 12, "it was killed in the middle"
    under_way = len(flown(calls)) - stored
    assert under_way <= 2
    assert main(["campaign", str(config), "--out", str(out), "--jobs", "0", "--resume"]) == 0
    # 4 tests, each flown once and twice more; those under way when it was killed had to be begun again.
    starts = flown(calls)
    assert len(set(starts)) == 12
    assert len(starts) <= 12 + 2
    assert store.read_bytes().count(b'"kind":"flight"') == 12
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["evaluations"], summary["flights"]) == (4, 12)
    assert summary["evidence"] == "flown in your simulator"
    # Written again from the store, nothing is flown, and no program of the stored settings is started.
    tests = sorted((out / "tests").glob("*.yaml"))
    before = [path.read_bytes() for path in tests]
    assert main(["report", str(out)]) == 0
    assert [path.read_bytes() for path in tests] == before and len(flown(calls)) == len(starts)
    assert len(json.loads((out / "flights" / f"{tests[0].stem}.json").read_text())["runs"]) == 3
    assert "predict" not in tests[0].read_text()


def test_a_simulator_that_stops_working_stops_the_search(
    tmp_path: Path, calls: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plan").write_text("fly fly die")
    monkeypatch.setenv("STAND_IN_PLAN", str(tmp_path / "plan"))
    out, config = tmp_path / "out", campaign(tmp_path, simulations=8, repeats=0)
    words = ["campaign", str(config), "--out", str(out), "--jobs", "0"]
    assert main(words) == ExitCode.UNFINISHED
    said = capfd.readouterr().err
    assert "'command' left 3 tests in a row without a flight" in said and "--resume" in said
    assert len(flown(calls)) == 5, "it does not spend the budget on nothing"
    (tmp_path / "plan").write_text("fly")
    assert main([*words, "--resume"]) == 0
    kinds = [record.kind for record in Store(out).read()]
    assert kinds.count("evaluation") == 8, "nothing was lost, and what had failed was flown"
    assert all(
        record.body["status"] == "valid" for record in Store(out).read() if record.kind == "evaluation"
    )
    assert len(flown(calls)) == 5 + 6


def test_generate_flies_the_budget_on_the_simulator(
    tmp_path: Path, calls: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sim.yaml").write_text(yaml.safe_dump(settings(tmp_path)))
    out = tmp_path / "out"
    words = [
        "generate",
        "mission2",
        "3",
        "--backend",
        "command",
        "--backend-settings",
        str(tmp_path / "sim.yaml"),
    ]
    assert main([*words, "--out", str(out), "--generator", "random", "--jobs", "0"]) == 0
    assert len(flown(calls)) == 3, "one flight for each test"
    said = capfd.readouterr().out
    assert "flown failures:" in said and "predicted failures" not in said


def test_a_missing_simulator_is_said_before_anything_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sim.yaml").write_text("command: no-such-simulator {world} {out}\n")
    words = [
        "generate",
        "mission2",
        "3",
        "--backend",
        "command",
        "--backend-settings",
        str(tmp_path / "sim.yaml"),
    ]
    for jobs in ("0", "1"):
        assert main([*words, "--out", str(tmp_path / f"out{jobs}"), "--jobs", jobs]) == ExitCode.UNFINISHED
        assert "no-such-simulator: program not found" in capfd.readouterr().err


def test_a_comparison_runs_on_the_simulator_and_goes_on(tmp_path: Path, calls: Path) -> None:
    config = tmp_path / "compare.yaml"
    data = {
        "scenarios": ["scenario-01"],
        "algorithms": ["random"],
        "baseline": "random",
        "repetitions": 1,
        "evaluations": 3,
        "size": 4,
        "backend": "command",
        "backend_settings": settings(tmp_path),
    }
    config.write_text(yaml.safe_dump(data))
    words = ["compare", str(config), "--out", str(tmp_path / "out"), "--jobs", "0"]
    assert main(words) == 0
    assert len(flown(calls)) == 3
    assert main([*words, "--resume"]) == 0
    assert len(flown(calls)) == 3
