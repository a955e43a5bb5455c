"""`compare-planners`: the same scenes for each, told in the terminal, as CSV and as HTML; resumable."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from uav_testgen.campaign.planners.fan_out import KEY, combined
from uav_testgen.cli.main import main
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.testing.evaluations import evaluation_at

pytestmark = pytest.mark.system

CAREFUL = """
from uav_testgen import Plan

class Stays:
    '''Hovers where it is: never near anything, never at the goal.'''
    def reset(self, setup): ...
    def plan(self, observation):
        return Plan(position_enu_m=(0.0, 0.0, 10.0))

class Breaks:
    def reset(self, setup): ...
    def plan(self, observation):
        raise ValueError("no plan")
"""


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("compared")
    (place / "own.py").write_text(CAREFUL)
    (place / "campaign.yaml").write_text(
        "case: mission2\ngenerator: random\nbudget: {simulations: 3}\nsystem: paper\nplanner: ignored.py:Nobody\n"
        "screening: {repeats: 0, settings: {changes: {mission.time_limit_s: 40}}}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        words = [
            "compare-planners",
            "straight",
            "own.py:Stays",
            "own.py:Breaks",
            "--campaign",
            "campaign.yaml",
        ]
        assert main([*words, "--jobs", "0", "--out", "out"]) == 3  # one of them never gave a result
    return place


def test_tables_tell_who_fails(compared: Path) -> None:
    out = compared / "out"
    data = json.loads((out / "comparison.json").read_text())
    by_name = {one["planner"]: one for one in data["planners"]}
    assert data["scenes_flown"] == 3 and by_name["straight"]["scenes"] == 3
    stays = by_name["own.py:Stays"]
    assert stays["failures"] == 0 and stays["incomplete"] == 3 and stays["failure_rate_95"][0] == 0.0
    assert (
        by_name["own.py:Breaks"]["planner_errors"] == 3 and by_name["own.py:Breaks"]["failure_rate"] is None
    )
    with (out / "planners.csv").open() as file:
        assert [row["planner"] for row in csv.DictReader(file)] == list(by_name)
    with (out / "scenes.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 9
    page = (out / "report.html").read_text()
    assert "own.py:Stays" in page and "95 % CI" in page and "<script" not in page


def test_it_resumes_and_refuses_other_planners(
    compared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(compared)
    planners = ["straight", "own.py:Stays", "own.py:Breaks"]
    words = ["--campaign", "campaign.yaml", "--jobs", "0", "--out", "out", "--resume"]
    before = json.loads(Path("out/comparison.json").read_text())["scenes"]
    assert main(["compare-planners", *planners, *words, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["scenes"] == before
    assert main(["compare-planners", *planners[:2], *words]) == 2
    assert "other settings" in capsys.readouterr().err


@pytest.mark.parametrize(
    "planners, said",
    [
        (["straight"], "at least two"),
        (["straight", "straight"], "only once"),
        (["straight", "strait"], "did you mean 'straight'"),
        (["straight", "own.py:Nobody"], "has no 'Nobody'"),
    ],
)
def test_wrong_planners_are_named_before_anything_flies(
    compared: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    planners: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(compared)
    assert main(["compare-planners", *planners, "--campaign", "campaign.yaml", "--out", "never"]) == 2
    assert said in capsys.readouterr().err
    assert not Path("never").exists()


def test_the_generator_is_told_the_worst() -> None:
    near, far = evaluation_at(0, 0.4), evaluation_at(0, 2.0)
    found = combined({"a": far, "b": near})
    assert found.distance_m == near.distance_m and found.failure_probability is None
    assert list(found.details[KEY]) == ["a", "b"]
    assert found.status is EvaluationStatus.VALID
