"""Requirements through every door: the user's own, with the user's own generator, in one campaign."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

import uav_testgen
from uav_testgen.cli.main import main
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box

pytestmark = pytest.mark.system

OWN = """
from uav_testgen import Finding


class StaysWest:
    name = "stays_west"

    def __init__(self, limit_m=10.0):
        self.limit_m = limit_m

    def judge(self, scenario, flight):
        east = flight.trajectory.position_enu_m[:, 0]
        k = int(east.argmax())
        return Finding(self.name, self.limit_m - float(east[k]), "m", float(flight.trajectory.t_s[k]), "went east")


class OneBox:
    name = "one_box"

    def __init__(self, base, config=None, seed=0):
        self.base, self.told, self.asked = base, [], 0

    def ask(self, count):
        from uav_testgen.scenario.model import Obstacle

        found = []
        for _ in range(count):
            self.asked += 1
            box = Obstacle(shape="box", size_m=(4, 6, 12), center_enu_m=(3.0 * self.asked, 20.0, 6.0))
            found.append(self.base.with_obstacles((box,)))
        return found

    def tell(self, evaluations):
        self.told += evaluations
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(*words: str) -> int:
    return main([*words, "--json"])


def test_own_requirement_and_own_generator_from_the_shell(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "campaign.yaml").write_text(
        "case: mission2\nbackend: still\ngenerator: own.py:OneBox\nbudget: {simulations: 4}\n"
        "requirements:\n- own.py:StaysWest: {limit_m: -1000}\n- max_altitude(limit_m=120)\n"
    )
    words = ["campaign", "campaign.yaml", "--jobs", "0", "--out"]
    assert shell(*words, "out") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["failures"] == 4 and told["requirements"][0] == "own.py:StaysWest(limit_m=-1000)"
    best = told["tests"][0]
    assert best["margin"] == told["best_margin"] < 0.0
    assert [finding["violated"] for finding in best["findings"]] == [True, False]
    assert best["failure_probability"] is None and "violates" in best["counts"]
    with (place / "out" / "evaluations.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "valid"]
    assert float(rows[0]["margin"]) < 0.0 and rows[0]["violated"] == "stays_west"
    assert "stays_west" in (place / "out" / "junit.xml").read_text()
    assert main([*words, "kept", "--requirement", "max_altitude(limit_m=120)"]) == 0
    assert "predicted failures: 0" in capsys.readouterr().out


def test_a_test_file_is_flown_with_its_requirements(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "mission2", "2", "--backend", "still", "--generator", "own.py:OneBox", "--jobs", "0"]
    assert shell(*words, "--out", "out", "--requirement", "max_altitude(limit_m=1)") == 0
    test = json.loads(capsys.readouterr().out)["tests"][0]
    assert shell("fly", f"out/{test['file']}", "--out", "flown") == 1
    again = json.loads(capsys.readouterr().out)
    assert again["prediction"]["requirements"] == ["max_altitude(limit_m=1)"]
    assert again["prediction"]["margin"] == pytest.approx(test["margin"])
    # Code is loaded only if the user names it, not because a file does.
    assert shell(*words, "--out", "code", "--requirement", "own.py:StaysWest(limit_m=-1000)") == 0
    test = json.loads(capsys.readouterr().out)["tests"][0]
    assert main(["fly", f"code/{test['file']}"]) == 2
    assert "--requirement" in capsys.readouterr().err
    assert main(["report", "code"]) == 2
    assert "own.py" in capsys.readouterr().err
    named = ["--code", "own.py:StaysWest", "--code", "own.py:OneBox"]
    assert main(["report", "code", *named]) == 0


def test_fly_reports_each_requirement(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["fly", "two_walls", "--backend", "still", "--undisturbed", "--out", "flown"]
    chosen = ["--requirement", "max_altitude(limit_m=1)", "--requirement", "max_duration(limit_s=3000)"]
    assert main([*words, *chosen]) == 1
    said = capsys.readouterr().out
    assert "violated     max_altitude" in said and "holds        max_duration" in said
    assert "--requirement 'max_altitude(limit_m=1)'" in said
    shell(*words)
    findings = json.loads(capsys.readouterr().out)["nominal"]["findings"]
    assert [finding["name"] for finding in findings] == ["separation", "mission_completed"]
    assert main([*words, "--requirement", "max_altitud"]) == 2
    assert "did you mean 'max_altitude'" in capsys.readouterr().err


def test_objects_in_python(place: Path) -> None:
    sys.path.insert(0, str(place))
    try:
        import own  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(place))
    found = uav_testgen.campaign(
        "mission2",
        generator=own.OneBox,
        requirements=[own.StaysWest(limit_m=-1000)],
        backend="still",
        budget=2,
    )
    assert len(found) > 0 and found.best is not None and found.best.facts["margin"] < 0.0
    scene = Scenario(mission=named_mission("mission2"), obstacles=(make_box(),))
    prediction = uav_testgen.predict(scene, backend="still", runs=0, requirements=[own.StaysWest, "max_tilt"])
    assert len(prediction.nominal.verdict.findings) == 2 and not prediction.calibrated
    flight, verdict = uav_testgen.fly(scene, backend="still", requirements=own.StaysWest(limit_m=-1000))
    assert verdict.failed
    assert uav_testgen.judge(scene, flight, requirements=[own.StaysWest(limit_m=-1000)]) == verdict
