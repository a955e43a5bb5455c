"""Surrealist, section 3.1.4: fitness_func(flight_logs) -> float is an input of the search."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.campaign.screening import ScreenTask
from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.surrealist.config import SurrealistConfig
from uav_testgen.generator.surrealist.generator import SurrealistGenerator
from uav_testgen.generator.surrealist.own_code import OwnFitness, load_fitness
from uav_testgen.predict.stages import stages_of
from uav_testgen.testing.factories import make_box, make_flight, make_scenario, make_trajectory
from uav_testgen.testing.still_backend import StillBackend, StillConfig

pytestmark = pytest.mark.unit

CODE = """
def count(flights):
    return len(flights)

def longest(flights, scenario):
    return max(flight.duration_s for flight in flights) + 100.0 * len(scenario.obstacles)

def like_log(flights, scenario, log):
    return -1.0 if log is None else float(len(log))

def broken(flights):
    return 1.0 / 0.0

def nothing(flights):
    return float("nan")

def greedy_for_more(flights, scenario, log, more):
    return 0.0

number = 3
"""


@pytest.fixture
def code(tmp_path: Path) -> str:
    """A file with the user's functions."""
    path = tmp_path / "mine.py"
    path.write_text(CODE)
    return str(path)


def test_it_gets_all_flights_and_if_it_wants_the_scenario_and_the_log(code: str) -> None:
    scenario = make_scenario(make_box(20.0, 0.0))
    flights = [make_flight(scenario, [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)])] * 3
    log = make_trajectory([(float(k), 0.0, 0.0) for k in range(7)])
    assert OwnFitness(f"{code}:count").measure(flights, scenario) == {"fitness": 3.0}
    assert OwnFitness(f"{code}:longest").measure(flights, scenario)["fitness"] > 100.0
    assert OwnFitness(f"{code}:like_log").measure(flights, scenario) == {"fitness": -1.0}
    assert OwnFitness(f"{code}:like_log", log).measure(flights, scenario) == {"fitness": 7.0}


@pytest.mark.parametrize(
    ("name", "reason"), [("broken", "mine.py:12: ZeroDivision"), ("nothing", "mine.py:14")]
)
def test_no_number_is_no_fitness_and_names_file_and_line(code: str, name: str, reason: str) -> None:
    task = ScreenTask(0, make_scenario(), 1, stages_of(2), measure=OwnFitness(f"{code}:{name}"))
    evaluation = task.run(StillBackend(StillConfig()))
    assert evaluation.details["fitness"] is None
    assert reason in evaluation.details["no_fitness"]


def test_workers_measure_the_runs_that_count_and_the_search_is_told(code: str) -> None:
    config = SurrealistConfig(fitness=f"{code}:count", added_obstacle=False)
    generator = SurrealistGenerator(make_scenario(make_box(20.0, 0.0)), config, seed=1)
    (seed,) = generator.ask(10)
    evaluation = ScreenTask(0, seed, 1, stages_of(4), measure=generator.measure).run(
        StillBackend(StillConfig())
    )
    assert generator.fitness(evaluation) == 4.0, "the nominal run is not one of the four that were asked for"


@pytest.mark.parametrize("name", ["number", "greedy_for_more", "absent"])
def test_what_is_no_fitness_is_refused_before_the_first_flight(code: str, name: str) -> None:
    with pytest.raises(ConfigError, match="fitness"):
        load_fitness(f"{code}:{name}")
    with pytest.raises(ConfigError, match="fitness"):
        SurrealistGenerator(make_scenario(), SurrealistConfig(fitness=f"{code}:{name}"))


def test_an_unknown_word_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="replication"):
        SurrealistConfig(fitness="replicaton")
