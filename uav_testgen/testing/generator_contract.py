"""What every generator promises, as tests to inherit.

Bind a generator by subclassing in a test file::

    class TestMine(GeneratorContract):
        name = "mine"
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any, ClassVar

from uav_testgen.core.resources import config_folder
from uav_testgen.generator.base import Generator
from uav_testgen.generator.registry import build_generator
from uav_testgen.generator.reporting import GeneratorReport, Reporting
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.missions import mission_names
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_evaluation, make_scenario

_STATUSES = tuple(EvaluationStatus)

# Asks and tells in rounds and prints the ids, so that another interpreter can be compared with this one.
_OTHER_PROCESS = """
import json, sys
from uav_testgen.testing.generator_contract import played
print(json.dumps(played(*json.loads(sys.argv[1]))))
"""


def base_scenario(case: str) -> Scenario:
    """The scenario to place obstacles on: a shipped mission, or a file below config/ (a logical scenario)."""
    return make_scenario(mission=case) if case in mission_names() else load_scenario(config_folder() / case)


def played(name: str, settings: dict[str, Any], case: str, seed: int, rounds: int, batch: int) -> list[str]:
    """Ids proposed in some rounds of asking and telling."""
    generator = build_generator(name, base_scenario(case), settings, seed)
    return [scenario.id for scenario in _play(generator, rounds, batch)]


def _play(generator: Generator, rounds: int, batch: int, first_number: int = 0) -> list[Scenario]:
    """Some rounds of asking and telling made-up, but reproducible, distances."""
    proposed: list[Scenario] = []
    for _ in range(rounds):
        asked = list(generator.ask(batch))
        numbers = range(first_number + len(proposed), first_number + len(proposed) + len(asked))
        generator.tell(
            [
                make_evaluation(number, scenario, distance_m=(int(scenario.id[:4], 16) % 300) / 100.0)
                for number, scenario in zip(numbers, asked, strict=True)
            ]
        )
        proposed += asked
    return proposed


class GeneratorContract:
    """Inherit, set `name`, and optionally settings, cases (see `base_scenario`) and sizes."""

    name: ClassVar[str]
    settings: ClassVar[dict[str, Any]] = {}
    cases: ClassVar[tuple[str, ...]] = ("mission2", "mission6")
    rounds: ClassVar[int] = 3
    batch: ClassVar[int] = 4

    def build(self, case: str | None = None, seed: int = 7) -> Generator:
        """A fresh generator, on the first case unless another one is named."""
        return build_generator(self.name, base_scenario(case or self.cases[0]), self.settings, seed)

    def test_follows_the_protocol(self) -> None:
        """It has the methods, and the name it is registered under."""
        generator = self.build()
        assert isinstance(generator, Generator)
        assert generator.name == self.name

    def test_proposes_only_valid_and_feasible_scenarios(self) -> None:
        """Nothing it proposes breaks a rule or closes the way."""
        for case in self.cases:
            for scenario in _play(self.build(case), self.rounds, self.batch):
                assert problems(scenario) == (), (case, scenario.obstacles)

    def test_keeps_mission_and_arena(self) -> None:
        """It places obstacles on the mission it was given; at least one."""
        base = base_scenario(self.cases[0])
        for scenario in build_generator(self.name, base, self.settings, 3).ask(self.batch):
            assert scenario.mission == base.mission
            assert scenario.arena == base.arena
            assert scenario.obstacles

    def test_never_more_than_asked(self) -> None:
        """Up to as many as asked; asking for none gives none."""
        generator = self.build()
        assert len(generator.ask(0)) == 0
        assert 0 < len(generator.ask(1)) <= 1

    def test_same_seed_gives_the_same_sequence(self) -> None:
        """A run can be repeated, and resumed: what was asked and told is asked and told again."""
        first = _play(self.build(seed=11), self.rounds, self.batch)
        again = _play(self.build(seed=11), self.rounds, self.batch)
        assert [scenario.id for scenario in first] == [scenario.id for scenario in again]

    def test_another_seed_gives_another_sequence(self) -> None:
        """The seed matters."""
        first = _play(self.build(seed=1), 1, self.batch)
        other = _play(self.build(seed=2), 1, self.batch)
        assert [scenario.id for scenario in first] != [scenario.id for scenario in other]

    def test_same_sequence_in_another_process(self) -> None:
        """Nothing depends on hash randomisation, import order or leftovers of this process."""
        task = (self.name, self.settings, self.cases[0], 5, 2, 3)
        ran = subprocess.run(
            [sys.executable, "-c", _OTHER_PROCESS, json.dumps(task)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert ran.returncode == 0, ran.stderr
        assert json.loads(ran.stdout) == played(*task)

    def test_a_report_follows_from_what_was_told(self) -> None:
        """Where it reports: rows of one kind, a selection of what was told, the same after a restart."""
        generator = self.build(seed=31)
        if not isinstance(generator, Reporting):
            return
        assert not generator.report().generations and not generator.report().selection
        told = len(_play(generator, 4, self.batch))
        report = generator.report()
        assert generator.report() == report, "reporting changes nothing"
        assert GeneratorReport.from_json(json.loads(json.dumps(report.to_json(), allow_nan=False))) == report
        for place, row in enumerate(report.generations):
            assert next(iter(row)) == "generation" and row["generation"] == place
            assert list(row) == list(report.generations[0])
            assert all(math.isfinite(value) for value in row.values())
        if report.selection is not None:
            assert len(set(report.selection)) == len(report.selection)
            assert set(report.selection) <= set(range(told))
        again = self.build(seed=31)
        _play(again, 4, self.batch)
        assert isinstance(again, Reporting) and again.report() == report

    def test_survives_evaluations_that_say_nothing(self) -> None:
        """Invalid scenarios, broken backends, time-outs and missing distances are part of life."""
        generator = self.build()
        for _ in range(2):
            asked = list(generator.ask(len(_STATUSES)))
            told = [
                make_evaluation(number, scenario, status=_STATUSES[number % len(_STATUSES)])
                for number, scenario in enumerate(asked)
            ]
            generator.tell([*told, make_evaluation(len(told), asked[0], distance_m=None)])
        generator.tell([])
        assert all(problems(scenario) == () for scenario in generator.ask(2))

    def test_answers_may_come_in_any_order(self) -> None:
        """A batch told backwards is accepted."""
        generator = self.build()
        asked = list(generator.ask(self.batch))
        told = [make_evaluation(number, scenario) for number, scenario in enumerate(asked)]
        generator.tell(told[::-1])
        assert len(generator.ask(1)) <= 1
