"""`uav-testgen compare` as a user runs it, and campaigns on logical scenarios."""

from __future__ import annotations

import csv
import json
import signal
from pathlib import Path

import pytest
import yaml

from test.system.command_line import run
from uav_testgen.campaign.compare.config import Cell, CompareConfig, cell_campaign, cells
from uav_testgen.cli.main import main
from uav_testgen.core.resources import config_folder
from uav_testgen.testing.commands import start, wait_until

pytestmark = pytest.mark.system

COMPARISON = """
name: small
algorithms: [nsga2, random+pso+random]
repetitions: 2
evaluations: 12
size: 4
seed: 3
backend: still
backend_settings: {work_s: %g}
scenarios: [scenario-16, static-5]
keep_evaluations: %s
"""
TABLES = ("violations.csv", "performance.csv", "performance-per-scenario.csv")


def comparison(folder: Path, work_s: float = 0.0, keep: bool = True) -> Path:
    path = folder / "small.yaml"
    path.write_text(COMPARISON % (work_s, str(keep).lower()))
    return path


def written(out: Path) -> dict[str, bytes]:
    """What must not depend on how it was run; CPU times do."""
    files = [*(out / name for name in TABLES), *out.glob("worst/*"), *out.glob("plots/*")]
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(files)}


def flown(out: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in out.glob("cells/**/evaluations.jsonl"))


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    done = run("compare", comparison(folder), "--out", folder / "out", "--jobs", "0", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["runs_finished"] == data["runs_planned"] == 8
    return folder / "out"


def test_tables_and_worst_instances(uninterrupted: Path) -> None:
    rows = list(csv.DictReader((uninterrupted / "violations.csv").open()))
    assert [(row["algorithm"], row["scenario"]) for row in rows] == [
        ("NSGAII", "scenario-16"),
        ("NSGAII", "static-5"),
        ("RPR", "scenario-16"),
        ("RPR", "static-5"),
    ]
    runs = list(csv.DictReader((uninterrupted / "runs.csv").open()))
    assert len(runs) == 8
    assert all(int(row["evaluations"]) == 12 for row in runs)
    assert len({row["seed"] for row in runs}) == 8
    assert main(["check", *map(str, sorted((uninterrupted / "worst").glob("*.yaml")))]) == 0
    assert "prediction" in (uninterrupted / "report.md").read_text()


def test_resuming_a_finished_comparison_flies_nothing(uninterrupted: Path) -> None:
    before = flown(uninterrupted)
    folder = uninterrupted.parent
    again = run("compare", folder / "small.yaml", "--out", uninterrupted, "--jobs", "0", "--resume")
    assert again.returncode == 0, again.stderr
    assert flown(uninterrupted) == before


def test_killed_in_mid_run_it_ends_with_the_same_tables(tmp_path: Path, uninterrupted: Path) -> None:
    slow = comparison(tmp_path, work_s=0.02)
    out = tmp_path / "out"
    words = ["compare", slow, "--out", out, "--jobs", "2", "--resume"]
    for lines, number in ((6, signal.SIGKILL), (40, signal.SIGINT)):
        process = start(*words)
        wait_until(lambda lines=lines: flown(out) >= lines, f"{lines} stored lines")
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == (-9 if number == signal.SIGKILL else 130)
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert written(out) == written(uninterrupted)


def test_evaluations_of_finished_runs_can_be_dropped(tmp_path: Path, uninterrupted: Path) -> None:
    out = tmp_path / "out"
    done = run("compare", comparison(tmp_path, keep=False), "--out", out, "--jobs", "0")
    assert done.returncode == 0, done.stderr
    assert flown(out) == 0
    assert written(out) == written(uninterrupted)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("nsga2, ", "nsga2, nsga9, "), "'nsga9' is unknown"),
        (("static-5", "static-6"), "did you mean 'static-5'"),
        (("repetitions: 2", "repetitions: none"), "repetitions"),
        (("backend: still", "backend: grap"), "did you mean 'graph'"),
        (("size: 4", "size: 4\nalgorithm_settings: {nsga2: {crossover: 1}}"), "crossover"),
        (("static-5", f"{'x' * 101}.json"), "is 101 bytes long; results are named after it"),
        (("nsga2, ", f"nsga2, {'pso+' * 30}pso, "), "algorithms: 'pso+pso"),
    ],
)
def test_wrong_settings_are_told_before_anything_flies(
    tmp_path: Path, change: tuple[str, str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = comparison(tmp_path)
    path.write_text(path.read_text().replace(*change))
    assert main(["compare", str(path), "--out", str(tmp_path / "out"), "--jobs", "0"]) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.glob("out/cells/**/*.jsonl"))


def test_long_names_of_scenarios_and_sequences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each may name files; together they are longer than the name of a campaign."""
    scenario, sequence = "s" * 100, "+".join(["random", "pso"] * 9)
    shipped = config_folder("stella/scenarios") / "static-5.json"
    (tmp_path / f"{scenario}.json").write_bytes(shipped.read_bytes())
    path = comparison(tmp_path)
    text = path.read_text().replace("scenario-16, static-5", f"{scenario}.json").replace("12", "18")
    path.write_text(text.replace("random+pso+random", sequence))
    code = main(["compare", str(path), "--out", str(tmp_path / "out"), "--jobs", "0"])
    assert code == 0, capsys.readouterr().err
    assert (tmp_path / "out" / "worst" / f"{scenario}-{sequence}.yaml").is_file()


def test_names_of_cells_stay_different() -> None:
    scenario = "s" * 99
    config = CompareConfig(scenarios=(f"{scenario}.json",), repetitions=12)
    names = {cell_campaign(config, cell, cell.scenario).name for cell in cells(config)}
    assert len(names) == 12
    assert cell_campaign(config, Cell(0, "static-5", "nsga2", 3), "static-5").name == "static-5 nsga2 3"


def test_other_settings_are_not_mixed_in(
    tmp_path: Path, uninterrupted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = comparison(tmp_path)
    path.write_text(path.read_text().replace("seed: 3", "seed: 4"))
    assert main(["compare", str(path), "--out", str(uninterrupted), "--resume"]) == 2
    assert "seed: 3 -> 4" in capsys.readouterr().err


CAMPAIGN = """
name: logical
case: %s
generator: stella
generator_settings: {algorithm: random}
seed: 2
budget: {simulations: 30}
screening: {backend: still, repeats: 2}
ranking: {suite_size: 2, min_path_distance_m: 0}
%s
"""
WALL = """{
  "name": "a wall somewhere",
  "system": {"UAVs": [{"maneuvers": ["move to waypoint"]}]},
  "environment": {
    "flight area": {"landform": "flat", "surface nature": "land"},
    "obstacles": [{"kind": "static", "size": "large", "form": "cuboid"}],
    "weather": {"wind force": "light", "reduced visibility": "fog"}
  }
}"""


def campaign(folder: Path, case: str = "wall.json", extra: str = "") -> Path:
    (folder / "wall.json").write_text(WALL)
    path = folder / "campaign.yaml"
    path.write_text(CAMPAIGN % (case, extra))
    return path


def test_a_logical_scenario_is_a_case_study(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("campaign", campaign(tmp_path), "--out", out, "--jobs", "0", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["failures"] > 0
    tests = sorted(out.glob("tests/*.yaml"))
    assert len(tests) == 2
    assert main(["check", *map(str, tests)]) == 0
    # What is written is held to its logical scenario wherever it goes.
    changed = yaml.safe_load(tests[0].read_text())
    changed["wind"]["velocity_mean_mps"] = 9.0
    tests[0].write_text(yaml.safe_dump(changed))
    assert main(["check", str(tests[0])]) == 1
    again = run("report", out, "--json")
    assert again.returncode == 0, again.stderr


def test_a_logical_scenario_keeps_its_own_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = campaign(tmp_path, extra="arena: sbft2024")
    assert main(["campaign", str(settings), "--out", str(tmp_path / "out")]) == 2
    assert "brings its arena" in capsys.readouterr().err


def test_stella_needs_a_logical_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = campaign(tmp_path, case="mission2")
    assert main(["campaign", str(settings), "--out", str(tmp_path / "out")]) == 2
    assert "not a logical scenario" in capsys.readouterr().err


def test_check_accepts_the_logical_scenario_itself(tmp_path: Path) -> None:
    campaign(tmp_path)
    assert main(["check", str(tmp_path / "wall.json")]) == 0


def test_without_out_the_tables_go_to_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compare", str(comparison(tmp_path)), "--jobs", "0"]) == 0
    assert (tmp_path / "results" / "compare" / "small" / "report.html").is_file()
