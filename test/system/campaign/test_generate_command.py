"""The competition's contract: a case study, a budget, failing tests best first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from test.system.command_line import run
from uav_testgen.cli.main import main
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario
from uav_testgen.work.store import FILE_NAME, Store

pytestmark = pytest.mark.system

CASE = """
drone:
  port: ros
  params_file: case_studies/params.csv
  mission_file: case_studies/m2.plan
simulation:
  simulator: ros
  speed: 1
  headless: true
  obstacles: [10, 5, 20, 10, 20, 0, 0]
test:
  commands_file: case_studies/commands.csv
  speed: 1
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    folder = tmp_path / "case_studies"
    folder.mkdir()
    save_plan(folder / "m2.plan", named_mission("mission2"))
    (folder / "params.csv").write_text("NAV_ACC_RAD,0.5\n")
    (folder / "commands.csv").write_text("timestamp,mode,x,y,z,r\n1,3,0,0,0.5,0\n")
    path = folder / "mission2.yaml"
    path.write_text(CASE)
    return path


def generate(case: Path, out: Path, *words: str) -> int:
    return main(["generate", str(case), *words, "--backend", "still", "--out", str(out), "--jobs", "0"])


def test_tests_are_written_like_the_case_study_and_resolve(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert generate(case, out, "20", "--generator", "random", "--seed", "3", "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["evaluations"] <= 20 and summary["tests"]
    for entry in summary["tests"]:
        path = out / entry["file"]
        document = yaml.safe_load(path.read_text())
        assert {"drone", "simulation", "test"} <= set(document)
        assert (path.parent / document["drone"]["mission_file"]).is_file()
        assert "params_file" not in document["drone"] and document["drone"]["params"] == {"NAV_ACC_RAD": 0.5}
        scenario = load_scenario(path)
        assert len(scenario.obstacles) == entry["obstacles"]
        assert (out / "plots" / f"{path.stem}.png").is_file()


def test_the_results_can_be_moved(case: Path, tmp_path: Path) -> None:
    assert generate(case, tmp_path / "out", "10", "--generator", "random") == 0
    moved = tmp_path / "elsewhere"
    (tmp_path / "out").rename(moved)
    for name in ("m2.plan", "mission2.yaml"):
        (case.parent / name).unlink()
    for path in (moved / "tests").glob("*.yaml"):
        assert load_scenario(path).mission.waypoints


def test_the_budget_is_never_exceeded(case: Path, tmp_path: Path) -> None:
    for budget in (1, 7, 33):
        out = tmp_path / str(budget)
        assert generate(case, out, str(budget), "--generator", "random") == 0
        summary = json.loads((out / "summary.json").read_text())
        assert summary["evaluations"] == budget


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["{case}", "0"], "BUDGET must be a whole number of at least 1"),
        (["{case}", "ten"], "BUDGET must be a whole number"),
        (["{case}", "5", "--generator", "prgenn"], "did you mean 'prgen'"),
        (["{tmp}/none.yaml", "5"], "no such file"),
        (["{tmp}", "5"], "folder"),
    ],
)
def test_wrong_words_are_explained(case: Path, tmp_path: Path, words: list[str], says: str) -> None:
    done = run(
        "generate", *(word.format(case=case, tmp=tmp_path) for word in words), "--backend", "still",
        "--out", tmp_path / "out",
    )  # fmt: skip
    assert done.returncode == 2
    assert says in done.stderr and "Traceback" not in done.stderr
    assert not list((tmp_path / "out").glob("*")) if (tmp_path / "out").exists() else True


def test_own_fitness_and_mutators_reach_the_generator(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Surrealist, sections 3.1.2 and 3.1.4: fitness and mutators are inputs of the search."""
    (tmp_path / "mine.py").write_text(
        "def east(flights, scenario):\n    return scenario.obstacles[-1].center_enu_m[0]\n"
    )
    words = ("6", "--fitness", f"{tmp_path}/mine.py:east")
    out = tmp_path / "out"
    assert generate(case, out, *words, "--generator", "surrealist", "--mutators", "move", "--json") == 0
    header = json.loads((out / FILE_NAME).read_text().splitlines()[0])
    assert "east" in json.dumps(header) and "move" in json.dumps(header)
    rows = (out / FILE_NAME).read_text().splitlines()[1:]
    assert any('"fitness":' in row for row in rows)
    capsys.readouterr()
    assert generate(case, tmp_path / "no", *words, "--generator", "random") == 2
    assert "no setting 'fitness'" in capsys.readouterr().err


def test_a_test_whose_mission_was_mutated_is_written_with_that_mission(case: Path, tmp_path: Path) -> None:
    """Surrealist, section 3: commands are test properties; the file holds the test that was flown."""
    (tmp_path / "mine.py").write_text(
        "def high(flights, scenario):\n    return scenario.mission.takeoff_altitude_m\n"
    )
    words = ("--generator", "surrealist", "--mutators", "commands", "--fitness", f"{tmp_path}/mine.py:high")
    out = tmp_path / "out"
    assert generate(case, out, "6", *words, "--keep-all") == 0
    bodies = [record.body for record in Store(out).read() if record.kind == "evaluation"]
    flown = [Scenario.model_validate(body["scenario"]).mission.takeoff_altitude_m for body in bodies]
    written = [load_scenario(path) for path in sorted((out / "simulations").glob("*.yaml"))]
    assert len(set(flown)) > 2
    assert {scenario.mission.takeoff_altitude_m for scenario in written} == set(flown)


def test_min_dist_ends_a_generation(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Surrealist: MIN_DIST as a stop."""
    words = ("30", "--generator", "surrealist", "--min-dist", "0.5", "--json")
    assert generate(case, tmp_path / "out", *words) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["evaluations"] == 1
    assert "stop_at_m" in json.dumps(summary)


def test_repetitions_with_the_papers_table_4(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Surrealist, RQ2: seed against best of repeated generations; what is finished is not flown again."""
    out = tmp_path / "out"
    words = ("5", "--generator", "surrealist", "--mutators", "move", "--repetitions", "2", "--stats")
    assert generate(case, out, *words) == 0
    printed = capsys.readouterr().out
    for said in (
        "Seed Min_dist",
        "Best Min_dist",
        "Crash Rate",
        "Unsafe Rate",
        "ANOVA p",
        "Needed Budget",
        "Round 1",
    ):
        assert said in printed, said
    assert (out / "boxes-min-dist.png").read_bytes().startswith(b"\x89PNG")
    before = [(out / f"rep-0{k}" / FILE_NAME).read_bytes() for k in (1, 2)]
    assert generate(case, out, *words, "--resume", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["seed"] for row in data["repetitions"]] == [1, 2]
    assert data["statistics"] == json.loads((out / "statistics.json").read_text())
    assert [(out / f"rep-0{k}" / FILE_NAME).read_bytes() for k in (1, 2)] == before
    assert generate(case, tmp_path / "no", "5", "--generator", "random", "--repetitions", "2", "--stats") == 2
    assert "no seed" in capsys.readouterr().err
