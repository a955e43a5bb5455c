"""`surrealist`: the greedy search behind the ask/tell contract.

One search asks for its seed, then for pairs (a property increased, the same decreased). The obstacles of
the base scenario are the seed; without any, random ones on the mission are. Generation adds one beside the
first and mutates only that one; replication mutates all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from uav_testgen.core.errors import ConfigError, InvalidScenario
from uav_testgen.core.plugin import is_plugin
from uav_testgen.core.rng import stream
from uav_testgen.flight.model import Trajectory
from uav_testgen.flight.series import OF_THE_PATH
from uav_testgen.generator.reporting import GeneratorReport
from uav_testgen.generator.surrealist.config import SurrealistConfig
from uav_testgen.generator.surrealist.fitness import danger, likeness, series
from uav_testgen.generator.surrealist.greedy import Fitness, GreedySearch, Mutator
from uav_testgen.generator.surrealist.mutators import (
    flown_form,
    obstacle_mutators,
    parameter_mutators,
    scene_mutators,
    waypoint_mutators,
)
from uav_testgen.generator.surrealist.own_code import OwnFitness, load_fitness, load_mutator
from uav_testgen.generator.surrealist.seeds import complaints, random_seed, with_added
from uav_testgen.generator.surrealist.series_likeness import SeriesLikeness
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.predict.stages import Stages, stages_of
from uav_testgen.scenario.model import Scenario
from uav_testgen.vehicle.px4.parameters import parameter_fields


class SurrealistGenerator:
    """Proposes neighbours of a test, each better than the last if it can."""

    name = "surrealist"
    config_type = SurrealistConfig
    starts_from_a_test = True
    looks_at_worst_run = True

    def __init__(
        self,
        base: Scenario,
        config: SurrealistConfig | None = None,
        seed: int = 0,
        log: Trajectory | None = None,
    ) -> None:
        self._base = base
        self._config = config or SurrealistConfig()
        self._seed = seed
        self.measure = self._measure(log)
        """What workers have to compute from all flights of a test; None where a trajectory is enough."""
        self._target = np.array(self._config.target, dtype=np.float64)
        self.end_reason = ""
        """Why the search ended before its budget; empty while it goes on."""
        self._searches = 0
        self._asked = 0
        self._out: set[str] = set()
        self._answers: dict[str, Fitness] = {}
        # (fitness, number of the evaluation) of the best of all searches.
        self._best: tuple[float, int] | None = None
        _check_starts(base, self.changes_parameters)
        self.search = self._new_search()

    def ask(self, count: int) -> Sequence[Scenario]:
        """What the search waits for and nobody has been asked yet: at most a pair."""
        proposals: list[Scenario] = []
        for identifier, scenario in self.search.wanted.items():
            if len(proposals) == count:
                break
            if identifier in self._out or identifier in self._answers:
                continue
            self._out.add(identifier)
            name = f"{self.name}-{self._asked:05d}"
            self._asked += 1
            proposals.append(flown_form(scenario).model_copy(update={"name": name}))
        return proposals

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """Fitness of what was flown; what the search does not wait for is ignored."""
        for evaluation in sorted(evaluations, key=lambda item: item.number):
            identifier = evaluation.scenario.id
            if identifier in self.search.wanted and identifier not in self._answers:
                self._look_at_distance(evaluation)
                fitness = self.fitness(evaluation)
                if fitness is not None and (self._best is None or fitness > self._best[0]):
                    self._best = (fitness, evaluation.number)
                self._answer(identifier, fitness)

    @property
    def changes_parameters(self) -> tuple[str, ...]:
        """PX4 parameters that its tests will set."""
        return tuple(self._config.parameter_steps) if "parameters" in self._config.mutators else ()

    @property
    def stages(self) -> Stages:
        """The fitness is that of the worst of so many runs, also where none of them is promising."""
        # A single run is the nominal one.
        return stages_of(self._config.runs if self._config.runs > 1 else 0)

    def report(self) -> GeneratorReport:
        """Algorithm 1 returns its best solution, always."""
        return GeneratorReport(best=None if self._best is None else self._best[1])

    def _look_at_distance(self, evaluation: Evaluation) -> None:
        limit_m = self._config.stop_at_m
        if limit_m is None or evaluation.status is not EvaluationStatus.VALID:
            return
        nearest_m = min((d for d in evaluation.distances_m if d is not None), default=math.inf)
        if nearest_m <= limit_m and not self.end_reason:
            self.end_reason = f"a run came within {nearest_m:.2f} m, which stop_at_m {limit_m:g} m asks for"

    def fitness(self, evaluation: Evaluation) -> Fitness:
        """What is maximised; None where the evaluation says nothing."""
        trajectory = evaluation.trajectory
        if evaluation.status is not EvaluationStatus.VALID or trajectory is None or len(trajectory) == 0:
            return None
        if self.measure is not None:
            told = evaluation.details.get("fitness")
            value = math.nan if told is None else float(told)
        elif self._config.fitness == "replication":
            value = likeness(self._target, series(trajectory, self._config.variable))
        elif evaluation.margin is not None:
            value = -evaluation.margin
        else:
            value = danger(evaluation.scenario, trajectory)
        return value if math.isfinite(value) else None

    def _measure(self, log: Trajectory | None) -> OwnFitness | SeriesLikeness | None:
        config, name = self._config, self._config.own_fitness
        if name is None:
            measured = config.fitness == "replication" and config.variable not in OF_THE_PATH
            return SeriesLikeness(config.variable, config.target, config.range_m) if measured else None
        load_fitness(name)  # what is wrong with it is said before anything flies
        return OwnFitness(name, log)

    def identify(self, scenario: Scenario) -> str:
        """Under which id a solution of the search is flown."""
        return flown_form(scenario).id

    def _answer(self, identifier: str, fitness: Fitness) -> None:
        self._answers[identifier] = fitness
        if self.search.wanted.keys() <= self._answers.keys():
            answers, self._answers, self._out = self._answers, {}, set()
            self.search.tell(answers)
            if self.end_reason:
                self.search.stop()
            elif self.search.finished and self._config.restart and not self._base.obstacles:
                self.search = self._new_search()

    def _new_search(self) -> GreedySearch[Scenario]:
        """A search from the given seed, or from the next random one."""
        seed = self._given_seed() if self._base.obstacles else self._random_seed()
        self._searches += 1
        return GreedySearch(seed, self._mutators(seed), self._config.greedy(), self._key)

    def _random_seed(self) -> Scenario:
        return random_seed(self._base, self._config, stream(self._seed, self.name, self._searches))

    def _given_seed(self) -> Scenario:
        config = self._config
        seed: Scenario | None = self._base
        if not config.replicates and config.added_obstacle:
            seed = with_added(self._base, config)
            if seed is None:
                raise InvalidScenario(
                    f"generator 'surrealist': no room for an obstacle {config.beside_m:g} m beside the first "
                    f"one on mission '{self._base.mission.name}'; change beside_m, or set added_obstacle to "
                    "false and give the obstacle to be moved as the last one"
                )
        assert seed is not None
        broken = complaints(flown_form(seed), may_float="z" in config.mutators)
        if broken:
            raise InvalidScenario(f"generator 'surrealist': the seed cannot be flown: {'; '.join(broken)}")
        return seed

    def _mutators(self, seed: Scenario) -> list[Mutator[Scenario]]:
        names, steps = self._config.mutators, self._config.steps()
        count = len(seed.obstacles)
        changing = range(count) if self._config.replicates else range(count - 1, count)
        found: list[Mutator[Scenario]] = []
        for index in changing:
            found += obstacle_mutators(index, seed.obstacles[index], names, steps)
        found += waypoint_mutators(seed.mission, names, steps)
        found += parameter_mutators(names, self._config.parameter_steps)
        found += scene_mutators(names, steps, self._config.usual_speed_mps)
        return found + [load_mutator(name) for name in names if is_plugin(name)]

    def _key(self, scenario: Scenario) -> str | None:
        """The id of what would be flown; None where a rule forbids it."""
        flown = flown_form(scenario)
        return None if complaints(flown, may_float="z" in self._config.mutators) else flown.id


def _check_starts(base: Scenario, names: Sequence[str]) -> None:
    unknown = [name for name in names if name not in base.parameters and name not in parameter_fields()]
    if unknown:
        raise ConfigError(
            f"generator 'surrealist': parameter_steps: nothing says where {unknown[0]} begins; set it in the case "
            f"study, or choose of {', '.join(parameter_fields())}"
        )
