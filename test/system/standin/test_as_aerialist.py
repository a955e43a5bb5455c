"""A generator written for Aerialist runs unchanged: with the released Aerialist, and without any."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pyulog import ULog

from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.testing.factories import make_scenario

ENVIRONMENT = Path(__file__).parents[1] / "aerialist" / "environment.py"
GENERATOR = Path(__file__).with_name("generator")
STAND_IN = Path(__file__).parents[2] / "fakes" / "simulator.py"
SIMULATIONS = 4
# The first flight on a machine compiles the simulator.
pytestmark = pytest.mark.timeout(1000)


@pytest.fixture(scope="module")
def released(project_root):
    """The interpreter of an environment with the released Aerialist."""
    spec = importlib.util.spec_from_file_location("aerialist_environment", ENVIRONMENT)
    environment = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(environment)
    try:
        return str(environment.aerialist_python(project_root))
    except environment.NotInstallable as reason:
        pytest.skip(str(reason))


def generator(folder: Path) -> Path:
    """The generator and its case study, as they would lie in its repository."""
    shutil.copytree(GENERATOR, folder)
    save_test(folder / "case.yaml", make_scenario(mission="mission2"), dialect="drone")
    (folder / "results" / "logs").mkdir(parents=True)
    return folder


def run(folder: Path, python: str, *options: str, count: int = SIMULATIONS, **environment: str):
    words = [
        sys.executable,
        "-m",
        "uav_testgen.cli.main",
        "as-aerialist",
        "--out",
        "out",
        "--jobs",
        "0",
        *options,
    ]
    given = {key: value for key, value in os.environ.items() if key != "AGENT"}
    root = str(Path(__file__).resolve().parents[3])
    return subprocess.run(
        [*words, "--", python, "cli.py", "generate", "case.yaml", str(count)],
        cwd=folder,
        env={**given, "PYTHONPATH": root, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def distances(ran) -> list[float]:
    return [float(line.partition(":")[2]) for line in ran.stdout.splitlines() if line.startswith("distance:")]


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """The generator in a Python without Aerialist."""
    folder = generator(tmp_path_factory.mktemp("without") / "generator")
    return folder, run(folder, sys.executable)


def test_a_generator_without_aerialist(without) -> None:
    folder, ran = without
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{SIMULATIONS} test cases generated, 0 skipped" in ran.stdout
    found = distances(ran)
    assert len(set(found)) == SIMULATIONS, "the same scene flown twice must differ"
    for number in range(SIMULATIONS):
        log = ULog(str(folder / f"generated_tests/test_{number}.ulg"))
        assert {topic.name for topic in log.data_list} >= {"vehicle_local_position", "vehicle_attitude"}
    out = folder / "out" / "mission2"
    summary = json.loads((out / "summary.json").read_text())
    assert summary["evaluations"] == 3
    assert (out / "report.html").is_file()
    assert len((out / "answers.csv").read_text().splitlines()) == 1 + SIMULATIONS


@pytest.fixture
def begun(without, tmp_path):
    """A copy of that run to go on with: the tests of a file run in any order."""
    folder, ran = without
    return shutil.copytree(folder, tmp_path / "generator"), ran


def test_started_again_it_gets_the_same_answers(begun) -> None:
    folder, first = begun
    again = run(folder, sys.executable, "--resume", "--no-report", count=SIMULATIONS + 1)
    assert again.returncode == 0, again.stderr
    assert distances(again)[:SIMULATIONS] == distances(first)
    refused = run(folder, sys.executable, "--no-report")
    assert refused.returncode == 2
    assert "--resume" in refused.stderr


def test_the_best_are_flown_for_real_later(begun) -> None:
    folder, _ = begun
    words = [sys.executable, STAND_IN, "--scene", "{scene}", "--out", "{out}"]
    (folder / "simulator.yaml").write_text(json.dumps({"command": " ".join(str(word) for word in words)}))
    later = (
        "--resume",
        "--evaluate-with",
        "command",
        "--evaluation-settings",
        "simulator.yaml",
        "--tests",
        "2",
    )
    ran = run(folder, sys.executable, *later)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    summary = json.loads((folder / "out" / "mission2" / "summary.json").read_text())
    again = summary["flown_again"]
    assert again["backend"] == "command" and again["answered"] == again["tests"] >= 1


def test_flying_for_real_needs_the_report(tmp_path) -> None:
    ran = run(generator(tmp_path / "generator"), sys.executable, "--no-report", "--evaluate-with", "command")
    assert ran.returncode == 2
    assert "leave out --no-report" in ran.stderr
    assert not (tmp_path / "generator" / "generated_tests").exists(), "refused before the program has started"


@pytest.mark.parametrize("agent", ["docker", "local"])
def test_a_generator_with_the_released_aerialist(without, released, tmp_path, agent) -> None:
    folder = generator(tmp_path / "generator")
    ran = run(folder, released, "--no-report", AGENT=agent)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert distances(ran) == pytest.approx(distances(without[1]), abs=1e-4)


def test_a_spent_budget_is_trouble_of_the_simulation(tmp_path) -> None:
    folder = generator(tmp_path / "generator")
    ran = run(folder, sys.executable, "--no-report", "--simulations", "1", count=2)
    assert "1 test cases generated, 1 skipped" in ran.stdout
    assert "budget of 1 simulations is spent" in ran.stdout


def test_what_cannot_be_started(tmp_path) -> None:
    folder = generator(tmp_path / "generator")
    ran = run(folder, "no-such-program", "--no-report")
    assert ran.returncode == 2
    assert "no-such-program: the program cannot be started" in ran.stderr
    assert "Traceback" not in ran.stderr
