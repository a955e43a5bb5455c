"""The competition kit runs as it is, against modules with the organisers' published names."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from uav_testgen.cli.main import main
from uav_testgen.scenario.formats.aerialist import load_test
from uav_testgen.scenario.validity import violations

pytestmark = pytest.mark.timeout(1000)
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def kit(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kit") / "entry"
    assert main(["competition", "init", str(folder)]) == 0
    return folder


def test_the_files_of_an_entry(kit, capsys) -> None:
    names = {path.name for path in kit.iterdir()}
    assert names >= {"cli.py", "testcase.py", "generator.py", "Dockerfile", "requirements.txt", "README.md"}
    for file in kit.glob("*.py"):
        ast.parse(file.read_text(), feature_version=(3, 8))
    assert "FROM skhatiri/aerialist" in (kit / "Dockerfile").read_text()
    assert main(["competition", "init", str(kit)]) == 2
    assert "not empty" in capsys.readouterr().err


def test_case_studies_in_still_air_and_in_wind(kit, monkeypatch) -> None:
    monkeypatch.chdir(kit)
    files = sorted((kit / "case_studies").glob("*.yaml"))
    assert len(files) == 6
    for file in files:
        found = load_test(file)
        assert found.scenario.mission.land
        assert (found.scenario.wind.velocity_mean_mps > 0.0) == file.stem.endswith("-wind")


@pytest.mark.parametrize("case", ["mission2", "mission2-wind"])
def test_an_entry_generates_tests(kit, case) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "UAV_TESTGEN": f"{sys.executable} -m uav_testgen.cli.main",
        "UAV_TESTGEN_PYTHONPATH": str(ROOT),
        "PREDICTIONS": "24",
        "SIMULATION_TIMEOUT": "500",
        "TESTS_FOLDER": f"./generated-{case}/",
    }
    words = [
        sys.executable,
        "-m",
        "uav_testgen.cli.main",
        "as-aerialist",
        "--no-report",
        "--out",
        f"answers-{case}",
    ]
    ran = subprocess.run(
        [*words, "--", sys.executable, "cli.py", "generate", f"case_studies/{case}.yaml", "3"],
        cwd=kit,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert "3 simulations of" in ran.stdout
    folder = kit / ran.stdout.partition("output folder: ")[2].split()[0]
    count = int(ran.stdout.partition(" test cases generated")[0].split()[-1])
    assert count >= 1
    for number in range(count):
        assert {path.suffix for path in folder.glob(f"test_{number}.*")} == {".yaml", ".ulg", ".png"}
        scenario = load_test(folder / f"test_{number}.yaml").scenario
        assert not violations(scenario)
        assert (scenario.wind.velocity_mean_mps > 0.0) == case.endswith("-wind")
