"""`hunt`: a quality-diversity search for tests that are worth most in reality.

The objective is what a test is expected to earn by the competition's formula of 2025: points over the calibrated
scatter and the error of the model, few obstacles, short flights. Of every kind of layout the best is kept
(MAP-Elites); new proposals are fresh ideas, among them the walls of `prgen`, or variations of an elite in the frame
of its leg: moved along it, changed a little, put on another leg or the other side, made simpler. Ways that improved
the archive are used more often.

Tests race: all get a nominal run, near ones a few drawn runs, and only those that may win a place in the suite get
enough runs to be sure of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from uav_testgen.core.rng import stream
from uav_testgen.generator.hunt.archive import Elite, Elites
from uav_testgen.generator.hunt.config import HuntConfig
from uav_testgen.generator.hunt.fresh import FreshIdeas
from uav_testgen.generator.hunt.idea import Idea, obstacles_of
from uav_testgen.generator.hunt.variation import Variation
from uav_testgen.oracle.competition import points, score_of_test
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.predict.stages import Stage, Stages
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.footprint import Layouts
from uav_testgen.scenario.model import Scenario
from uav_testgen.scenario.segment import segments_inside

FRESH = "fresh"
REFINING = "vary"
_REFINED_OVERLAP = 0.9
# Of what a place costs, how much a test must promise after two runs to race on.
_RACING_SHARE = 0.5
# How likely a test must come below the collision distance to get more runs although others score more.
_HARD_TO_RACE, _HARD_TO_WIN, _HARD_TO_BE_SURE = 0.15, 0.3, 0.4
_MOST_PARENTS = 30
_NO_SCORE = 1e9
# How often a hard test is made harder by one more wall instead of being varied.
_ONE_MORE_SHARE = 0.4


class HuntGenerator:
    """Quality-diversity search for the tests that are worth most in reality."""

    name = "hunt"
    config_type = HuntConfig
    wants_held_out = True
    wants_hard_places = 8

    def __init__(self, base: Scenario, config: HuntConfig | None = None, seed: int = 0) -> None:
        self._config = config or HuntConfig()
        self._base = base
        self._seed = seed
        self._segments = segments_inside(base.mission, base.arena)
        self._most = min(self._config.max_obstacles, base.arena.max_obstacles)
        self._fresh = FreshIdeas(base, self._segments, self._most)
        self._variation = Variation(self._config, base.arena, len(self._segments))
        self._elites = Elites(self._config.cell_m)
        self._flown = Layouts()
        self._asked = 0
        self._waiting: dict[str, list[tuple[str, Idea]]] = {}
        # How often a way of making ideas was used, and how much it gained.
        self._used: dict[str, int] = dict.fromkeys((FRESH, *self._variation.ways), 0)
        self._gained: dict[str, float] = dict.fromkeys(self._used, 0.0)

    @property
    def stages(self) -> Stages:
        """Few runs for near tests, more for those that race for a place in the suite."""
        bar = self._elites.bar(self._config.suite_size)
        look, race, sure = self._config.runs
        return (
            Stage(runs=look, below_m=self._config.look_below_m),
            Stage(runs=race, score_above=_RACING_SHARE * bar, collision_above=_HARD_TO_RACE),
            Stage(runs=sure, score_above=bar, collision_above=_HARD_TO_WIN),
            Stage(runs=self._config.hard_runs, score_above=_NO_SCORE, collision_above=_HARD_TO_BE_SURE),
        )

    def ask(self, count: int) -> Sequence[Scenario]:
        """The next `count` proposals, all valid and feasible."""
        return [self._proposal() for _ in range(count)]

    def _proposal(self) -> Scenario:
        rng = stream(self._seed, self.name, self._asked)
        way, idea, scenario = self._accepted(rng)
        name = f"{self.name}-{self._asked:05d}"
        self._asked += 1
        self._used[way] += 1
        self._waiting.setdefault(scenario.id, []).append((way, idea))
        self._flown.add(scenario.obstacles)
        return scenario.model_copy(update={"name": name})

    def _accepted(self, rng: np.random.Generator) -> tuple[str, Idea, Scenario]:
        """The first idea that keeps the rules and covers ground of its own; later any that keeps the rules."""
        tries = 0
        while True:
            tries += 1
            way = self._way(rng)
            idea = self._idea(rng, way)
            if idea is None:
                continue
            scenario = self._base.with_obstacles(obstacles_of(idea, self._segments, self._config.height_m))
            if problems(scenario):
                continue
            patient = tries < self._config.max_tries
            # A refinement stands where its parent stands; everything else covers ground of its own.
            most = _REFINED_OVERLAP if way == REFINING else self._config.max_overlap
            if patient and self._flown.overlaps_more_than(scenario.obstacles, most):
                continue
            return way, idea, scenario

    def _idea(self, rng: np.random.Generator, way: str) -> Idea | None:
        if way == FRESH:
            return self._fresh.draw(rng)
        hard = rng.random() < self._config.hard_share
        parents = (self._elites.hardest() if hard else self._elites.best())[:_MOST_PARENTS]
        # The better its rank, the likelier an elite is varied.
        weights = 1.0 / np.arange(2.0, 2.0 + len(parents))
        parent = parents[int(rng.choice(len(parents), p=weights / weights.sum()))]
        if hard and len(parent.idea.boxes) < self._most and rng.random() < _ONE_MORE_SHARE:
            return self._fresh.beside(rng, parent.idea)
        return self._variation.ways[way](rng, parent.idea)

    def _way(self, rng: np.random.Generator) -> str:
        config = self._config
        if not len(self._elites) or self._asked < config.first_ideas or rng.random() < config.first_share:
            return FRESH
        ways = list(self._variation.ways)
        credit = np.array([(1.0 + self._gained[way]) / (1.0 + self._used[way]) for way in ways])
        return ways[int(rng.choice(len(ways), p=credit / credit.sum()))]

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """Put what was flown into the archive; evaluations that nobody asked for here are ignored."""
        for evaluation in sorted(evaluations, key=lambda one: one.number):
            waiting = self._waiting.get(evaluation.scenario.id)
            if not waiting:
                continue
            way, idea = waiting.pop(0)
            worth = self._worth(evaluation)
            if worth > 0.0:
                earned = evaluation.expected_points
                hardness = worth if earned is None else earned
                self._gained[way] += self._elites.add(Elite(idea, worth, hardness, evaluation.number))

    def _worth(self, evaluation: Evaluation) -> float:
        if evaluation.status is not EvaluationStatus.VALID:
            return 0.0
        score = evaluation.expected_score
        if score is not None:
            return score
        # Not measured by Aerialist's distance alone: what the competition would give for the worst margin.
        verdict = evaluation.verdict
        minutes = 0.0 if verdict is None else verdict.duration_s / 60.0
        return score_of_test(points(evaluation.objective_m), len(evaluation.scenario.obstacles), minutes)
