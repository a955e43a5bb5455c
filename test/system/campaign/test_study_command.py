"""`uav-testgen study` as a user runs it: shipped generators, a class of one's own, and programs that use Aerialist."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import signal
import sys
from pathlib import Path

import pytest
import yaml

from test.system.command_line import run
from uav_testgen.cli._answers.search import StudyAnswer
from uav_testgen.cli.main import main
from uav_testgen.testing.commands import start, wait_until

pytestmark = pytest.mark.system

PROGRAM = Path(__file__).parents[1] / "standin" / "generator"
OWN = """
from uav_testgen.scenario.model import obstacle_on_ground


class Walls:
    name = "walls"

    def __init__(self, base, seed):
        self.base, self.seed, self.asked = base, seed, 0

    def ask(self, count):
        found = []
        for _ in range(count):
            self.asked += 1
            east_m = 15.0 + 0.1 * self.asked + self.seed
            found.append(self.base.with_obstacles((obstacle_on_ground(east_m, 0.0, (2.0, 12.0, 20.0)),)))
        return found

    def tell(self, evaluations):
        pass
"""
SETTINGS = {
    "name": "small",
    "generators": ["prgen", "random", "nsga2"],
    "cases": ["mission2"],
    "seeds": 2,
    "budgets": [6],
    "held_out": {"tests": 2, "runs": 5},
    "backend": "still",
    "backend_settings": {"drift_m": 0.5},
}
SAME = ("runs.csv", "seeds.csv", "tables/*", "suites/**/*.yaml", "plots/*")


def study(folder: Path, **changes: object) -> Path:
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump({**SETTINGS, **changes}))
    return path


def written(out: Path) -> dict[str, bytes]:
    """What must not depend on how it was run."""
    files = [path for pattern in SAME for path in out.glob(pattern) if path.is_file()]
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(files)}


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open()))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    assert main(["study", str(study(folder)), "--out", str(folder / "out"), "--jobs", "0"]) == 0
    return folder / "out"


def test_every_run_has_its_figures(whole: Path) -> None:
    runs = rows(whole / "runs.csv")
    assert len(runs) == 3 * 2
    assert all(int(row["simulations"]) == 6 for row in runs)
    failing = [row for row in runs if row["first_failure"]]
    assert failing, "a blind drone hits walls"
    for row in failing:
        assert 1 <= int(row["first_failure"]) <= 6
        assert float(row["score_2025"]) > 0.0
        assert 0.0 < float(row["failure_probability"]) <= 1.0
    data = json.loads((whole / "study.json").read_text())
    StudyAnswer.model_validate(data)
    assert {row["measure"] for row in data["friedman"]} >= {"first_failure", "failures", "score_2026"}
    assert all(row["blocks"] == 2 for row in data["friedman"] if row["measure"] == "failures")
    assert {(row["first"], row["second"]) for row in data["pairwise"]} >= {("prgen", "random")}


def test_the_artefact_is_whole_and_repeats_itself(whole: Path, tmp_path: Path) -> None:
    for line in (whole / "SHA256SUMS").read_text().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((whole / name).read_bytes()).hexdigest() == digest, name
    listed = {line.partition("  ")[2] for line in (whole / "SHA256SUMS").read_text().splitlines()}
    assert {"study.yaml", "versions.json", "command.txt", "requirements.txt", "tables/summary.tex"} <= listed
    tabular = (whole / "tables" / "summary.tex").read_text()
    assert tabular.count("&") == 11 * (1 + 3) and r"\end{tabular}" in tabular
    words = ["study", str(whole / "study.yaml"), "--out", str(tmp_path / "again"), "--jobs", "0"]
    assert main(words) == 0
    assert written(tmp_path / "again") == written(whole)


def test_killed_and_resumed_it_gives_the_same_tables(whole: Path, tmp_path: Path) -> None:
    slow = study(tmp_path, backend_settings={"drift_m": 0.5, "work_s": 0.02})
    out = tmp_path / "out"
    words = ["study", slow, "--out", out, "--jobs", "2", "--resume"]
    for lines, number, code in ((5, signal.SIGKILL, -9), (25, signal.SIGTERM, 130)):
        process = start(*words)
        wait_until(
            lambda lines=lines: (
                sum(p.read_bytes().count(b"\n") for p in out.rglob("evaluations.jsonl")) >= lines
            ),
            f"{lines} stored lines",
        )
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == code
    done = run(*words, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["runs_finished"] == 6
    assert written(out) == written(whole)


def test_a_program_and_a_class_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walls.py").write_text(OWN)
    shutil.copytree(PROGRAM, tmp_path / "theirs")
    generators = {
        "mine": {"generator": "walls.py:Walls"},
        "theirs": {
            "command": [sys.executable, "cli.py", "generate", "{case}", "{budget}"],
            "folder": "theirs",
            "environment": {"RUN_SEED": "{seed}"},
        },
    }
    path = study(tmp_path, generators=generators, cases=["mission2"], seeds=[4], budgets=[4])
    assert main(["study", str(path), "--out", "out", "--jobs", "0"]) == 0
    found = {row["generator"]: row for row in rows(tmp_path / "out" / "runs.csv")}
    assert found["mine"]["simulations"] == found["theirs"]["simulations"] == "4"
    assert int(found["theirs"]["tests"]) >= 1
    assert not (tmp_path / "theirs" / "generated_tests").exists(), "it works in a copy"
    log = tmp_path / "out" / "cells" / "mission2" / "theirs" / "budget-4" / "seed-4" / "program.log"
    assert "4 test cases generated" in log.read_text()
    assert "cli.py" in json.loads((tmp_path / "out" / "programs.json").read_text())["theirs"]
    monkeypatch.chdir(tmp_path / "out")
    assert main(["study", "study.yaml", "--out", str(tmp_path / "again"), "--jobs", "0"]) == 0
    assert written(tmp_path / "again") == written(tmp_path / "out")
    (tmp_path / "theirs" / "cli.py").write_text("changed")
    monkeypatch.chdir(tmp_path)
    assert main(["study", str(path), "--out", "out", "--jobs", "0", "--resume"]) == 2


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; print('no such case'); sys.exit(4)", "ended with code 4 (no such case)"),
        ("pass", "asked for no simulation"),
    ],
)
def test_a_program_that_fails_is_told_and_the_others_go_on(
    program: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    generators = {"random": {}, "theirs": {"command": [sys.executable, "-c", program]}}
    path = study(tmp_path, generators=generators, cases=["mission2"], seeds=1, budgets=[2])
    assert main(["study", str(path), "--out", str(tmp_path / "out"), "--jobs", "0"]) == 3
    said = capfd.readouterr()
    assert words in said.out and "--resume" in said.err
    assert [row["generator"] for row in rows(tmp_path / "out" / "runs.csv")] == ["random"]


def test_a_program_has_its_time(tmp_path: Path) -> None:
    slow = {"command": [sys.executable, "-c", "import time; time.sleep(600)"], "timeout_s": 0.5}
    path = study(tmp_path, generators={"slow": slow}, cases=["mission2"], seeds=1, budgets=[2])
    assert main(["study", str(path), "--out", str(tmp_path / "out"), "--jobs", "0"]) == 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"generators": ["prgn"]}, "did you mean 'prgen'"),
        ({"generators": ["prgen", "prgen"]}, "each may appear only once"),
        ({"generators": {"a/b": {"generator": "prgen"}}}, "'a/b' is no name for results"),
        (
            {"generators": {"x": {"command": ["a"], "settings": {"b": 1}}}},
            "a command has no generator or settings",
        ),
        (
            {"generators": {"x": {"command": ["a"], "folder": "absent"}}},
            "generators.x.folder: 'absent' is no folder",
        ),
        ({"cases": ["mision2"]}, "did you mean 'mission2'"),
        ({"cases": ["mission2", "mission2"]}, "cases: each may appear only once"),
        ({"seeds": 0}, "1 to 1000 seeds are expected"),
        ({"seeds": [-1]}, "seeds: whole numbers of at least 0"),
        ({"budgets": [0]}, "budgets: whole numbers of at least 1"),
        ({"held_out": {"runs": 3}}, "held_out.runs"),
        ({"generators": {"x": {"command": ["a"]}}, "cases": ["scenario-05"]}, "Aerialist has no word for"),
    ],
)
def test_wrong_settings_are_told_before_anything_flies(
    changes: dict[str, object], words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["study", str(study(tmp_path, **changes)), "--out", str(out), "--jobs", "0"]) == 2
    assert words in capfd.readouterr().err
    assert not out.exists()


def test_a_comparison_of_algorithms_is_a_study(tmp_path: Path) -> None:
    """StellaUAV's algorithms over logical scenarios, by either command, and as generators of a study."""
    settings = {
        "name": "few",
        "algorithms": ["nsga2", "random"],
        "repetitions": 1,
        "evaluations": 8,
        "size": 4,
    }
    path = tmp_path / "few.yaml"
    path.write_text(yaml.safe_dump({**settings, "backend": "still", "scenarios": ["scenario-16"]}))
    for command in ("study", "compare"):
        assert main([command, str(path), "--out", str(tmp_path / command), "--jobs", "0"]) == 0
    by_study, by_compare = tmp_path / "study", tmp_path / "compare"
    for name in ("violations.csv", "performance.csv"):
        assert (by_study / name).read_bytes() == (by_compare / name).read_bytes()
    compared = rows(by_compare / "runs.csv")
    stella = {
        name: {
            "generator": "stella",
            "settings": {"algorithm": name, "settings": {"size": 4}, "safety_distance_m": 1.0},
        }
        for name in ("nsga2", "random")
    }
    for row in compared:
        one = study(
            tmp_path,
            generators={row["algorithm"]: stella[row["algorithm"]]},
            cases=["scenario-16"],
            seeds=[int(row["seed"])],
            budgets=[8],
            backend_settings={},
            accept_below_m=1.0,
        )
        out = tmp_path / f"as-{row['algorithm']}"
        assert main(["study", str(one), "--out", str(out), "--jobs", "0"]) == 0
        (same,) = rows(out / "runs.csv")
        assert same["failures"] == row["violations"]
