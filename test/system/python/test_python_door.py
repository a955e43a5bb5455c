"""The public functions: what a script or a notebook does, with parts of its own."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import uav_testgen
from uav_testgen import Plan, Scenario
from uav_testgen.core.errors import ConfigError, InputFileError, MissingDependency
from uav_testgen.planner.registry import PLANNERS
from uav_testgen.scenario.model import obstacle_on_ground

SLIDING = """
from uav_testgen.scenario.model import obstacle_on_ground

class Sliding:
    def __init__(self, base, seed=0):
        self.base, self.asked = base, 0

    def ask(self, count):
        self.asked += 1
        if self.asked > 2:
            return []
        boxes = [obstacle_on_ground(20.0, -3.0 + self.asked, (3.0, 3.0, 20.0))]
        return [self.base.with_obstacles(tuple(boxes))]

    def tell(self, evaluations):
        self.told = evaluations
"""
STRAIGHT = """
from uav_testgen import Plan

class Straight:
    def reset(self, setup): ...
    def plan(self, observation):
        return Plan(position_enu_m=observation.goal_enu_m)
"""


class OneBox:
    """A generator of one proposal, as short as it can be."""

    def __init__(self, base: Scenario) -> None:
        self._base, self._asked = base, False

    def ask(self, count: int) -> Sequence[Scenario]:
        if self._asked:
            return []
        self._asked = True
        return [self._base.with_obstacles((obstacle_on_ground(20.0, -3.0, (3.0, 3.0, 20.0)),))]

    def tell(self, evaluations: Sequence[object]) -> None:
        """Nothing to learn."""


class Straight:
    """A planner that sees nothing."""

    def reset(self, setup: object) -> None:
        """Nothing to do."""

    def plan(self, observation: uav_testgen.Observation) -> Plan:
        return Plan(position_enu_m=observation.goal_enu_m)


def test_dir_shows_the_public_names_and_all_exist() -> None:
    assert dir(uav_testgen) == sorted(uav_testgen.__all__)
    for name in uav_testgen.__all__:
        assert getattr(uav_testgen, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_it"):
        uav_testgen.nothing_like_it  # noqa: B018


@pytest.mark.parametrize("before", ["", "import uav_testgen.campaign.runner, uav_testgen.predict.runs;"])
def test_functions_that_share_their_name_with_a_package_are_functions(before: str) -> None:
    call = "round(predict('two_walls', runs=0).distance_m, 6)"
    code = f"{before}from uav_testgen import campaign, predict\nprint({call})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    nominal = uav_testgen.predict("two_walls", runs=0)
    assert float(done.stdout) == round(nominal.distance_m or 0.0, 6)


def test_a_campaign_with_an_own_generator_and_planner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Classes of a file are loaded from it by the workers."""
    (tmp_path / "my_parts.py").write_text(SLIDING + STRAIGHT)
    monkeypatch.syspath_prepend(tmp_path)
    mine = importlib.import_module("my_parts")
    asked = {"generator": mine.Sliding, "planner": mine.Straight, "runs": 0, "out": tmp_path / "out"}
    results = uav_testgen.campaign("mission2", **asked, budget=5, jobs=1)
    assert len(results) == 1 and results.best is not None
    assert results.best.distance_m < 1.0, "who sees nothing flies into the box"
    assert "2 predicted failures in 2 evaluations" in repr(results)
    table = results.to_pandas()
    assert len(table) == 2 and table["distance_m"].min() == pytest.approx(results.best.distance_m, abs=1e-3)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependency, match=r"pip install 'uav_testgen\[pandas\]'"):
        results.to_pandas()
    assert results.report().is_file()
    assert [axis.get_xlabel() for axis in results.plot().axes][-1] == "east [m]"
    # The same call again finds what is there; another one is refused by name.
    again = uav_testgen.campaign("mission2", **asked, budget=5)
    assert again.summary["tests"] == results.summary["tests"]
    with pytest.raises(Exception, match="budget"):
        uav_testgen.campaign("mission2", **asked, budget=6)


def test_parts_that_only_this_process_knows_fly_here(tmp_path: Path) -> None:
    class Local(Straight):
        pass

    results = uav_testgen.campaign(
        "mission2",
        generator=lambda base: OneBox(base),
        planner=Local(),
        budget=5,
        runs=0,
        out=tmp_path / "out",
    )
    assert results.best is not None and results.best.distance_m < 1.0
    assert results.summary["config"]["screening"]["settings"]["planner"] == "own Local"
    assert "own Local" not in PLANNERS.names(), "nobody else is offered it"


def test_the_shell_gives_the_same_answer_to_the_same_question(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SLIDING + STRAIGHT)
    config = tmp_path / "campaign.yaml"
    config.write_text(
        "name: mission2\ncase: mission2\ngenerator: mine.py:Sliding\nbudget: {simulations: 5}\n"
        "screening: {settings: {planner: 'mine.py:Straight'}, repeats: 0}\n"
    )
    words = ["campaign", str(config), "--out", "shell", "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "uav_testgen.cli.main", *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    shell = uav_testgen.CampaignResults(tmp_path / "shell")
    here = uav_testgen.campaign(
        "mission2", generator=f"{tmp_path}/mine.py:Sliding", planner=f"{tmp_path}/mine.py:Straight", budget=5,
        runs=0, out=tmp_path / "here", jobs=0,
    )  # fmt: skip
    assert [test.distance_m for test in shell] == [test.distance_m for test in here]
    assert [test.scenario.id for test in shell] == [test.scenario.id for test in here] != []


@pytest.mark.parametrize(
    ("generator", "says"),
    [
        (object, "no method ask"),
        (lambda base, colour: OneBox(base), "colour"),
    ],
)
def test_what_is_no_generator(generator: object, says: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=says):
        uav_testgen.campaign("mission2", generator=generator, out=tmp_path / "out", jobs=0)


def test_check_judge_and_save(tmp_path: Path) -> None:
    assert "two_walls" in uav_testgen.scenes() and "mission2" in uav_testgen.missions()
    scene = uav_testgen.load_scenario(
        uav_testgen.save(uav_testgen.predict("two_walls", runs=0).scenario, tmp_path / "s.yaml")
    )
    assert uav_testgen.check(scene) == []
    flight, verdict = uav_testgen.fly(scene)
    assert uav_testgen.judge(scene, flight) == verdict
    outside = scene.with_obstacles((obstacle_on_ground(500.0, 0.0, (3.0, 3.0, 20.0)),))
    assert len(uav_testgen.check(outside)) > 0
    figure = uav_testgen.plot(scene, flight, verdict)
    assert figure.axes
    with pytest.raises(InputFileError, match=r"summary\.json.*uav-testgen report"):
        uav_testgen.CampaignResults(tmp_path)
