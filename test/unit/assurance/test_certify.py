"""From points to a certificate, with a simulator whose margin is a formula of what was drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from uav_testgen.assurance.certificate import Estimate
from uav_testgen.assurance.flights import Flights, PointTask, seed_of
from uav_testgen.assurance.probability import Method, certify
from uav_testgen.assurance.question import Answer, Question, sense_of_distance
from uav_testgen.assurance.spaces import Instances, OneScene, Region, scatter_u
from uav_testgen.assurance.study import Study
from uav_testgen.core.errors import BackendError, ConfigError, StoreError
from uav_testgen.flight.model import Ending
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Scenario
from uav_testgen.statistics.intervals import exact_interval
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario
from uav_testgen.work.store import Store

SCATTER = ScatterConfig(start_m=0.1, model_m=0.2, bias_m=0.1)
SCENE = OneScene(make_scenario(make_box(), mission=make_mission()))


class Formula:
    """An executor that computes margins from the first number of the scatter: fails beyond `beta`."""

    def __init__(self, beta: float) -> None:
        self.beta = beta
        self.flown = 0

    def run(self, tasks: Sequence[PointTask], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        for task in reversed(tasks):  # results come in any order
            check_stop()
            self.flown += task.flights
            margins = [self.beta - float(ndtri(u[0])) for _, u, _ in task.runs]
            yield [(task.number, [Answer(margin, float(ndtr(-margin / 0.2))) for margin in margins])]


def answer(
    beta: float, method: Method = "auto", store: Store | None = None, seed: int = 3, count: int = 1000
) -> Any:
    executor = Formula(beta)
    flights = Flights(executor, SCENE, Question(), SCATTER, store, {"beta": beta})
    certificate = certify(flights, SCENE, Question(), method=method, count=count, seed=seed, system="made")
    return certificate, executor


def test_frequent_failures_are_counted() -> None:
    found, executor = answer(1.0)
    assert found.method == "monte-carlo" and found.flights == executor.flown == 1000
    assert found.simulated.interval[0] <= float(ndtr(-1.0)) <= found.simulated.interval[1]
    real = float(ndtr(-1.0 / math.hypot(1.0, 0.2)))
    assert found.real is not None and found.real.interval[0] <= real <= found.real.interval[1]
    assert "1000 flights by monte-carlo" in "\n".join(found.lines())


def test_rare_failures_are_split() -> None:
    found, executor = answer(4.0)
    assert found.method == "splitting" and found.flights == executor.flown > 1000
    assert found.simulated.interval[0] <= float(ndtr(-4.0)) <= found.simulated.interval[1]
    assert found.monte_carlo_flights is not None and found.monte_carlo_flights > 5 * found.flights
    assert found.to_json()["simulated"]["probability"] == found.simulated.probability


def test_few_flights_are_counted_however_rare_failures_are() -> None:
    """Splitting with small batches says 95 % and holds the truth in 80."""
    found, executor = answer(3.0, count=200)
    assert found.method == "monte-carlo" and executor.flown == 200
    assert found.simulated.interval[1] == pytest.approx(exact_interval(found.failures, 200)[1])
    with pytest.raises(ConfigError, match="at least 1000 flights on each level"):
        answer(3.0, "splitting", count=900)


def test_no_failure_gives_an_upper_limit() -> None:
    found, _ = answer(60.0)
    assert not found.reached and found.simulated.probability == 0.0
    assert "no failure found; below" in "\n".join(found.lines())


def test_an_interrupted_study_goes_on_and_gives_the_same(tmp_path: Path) -> None:
    whole, _ = answer(3.0)
    with Store(tmp_path) as store:
        flights = Flights(Formula(3.0), SCENE, Question(), SCATTER, store, {"beta": 3.0})
        points = np.zeros(
            (450, SCENE.dimension)
        )  # what was stored counts by its place, so these answers are wrong
        points[:, 0] = 5.0
        flights.margins(points)
    with Store(tmp_path) as store:
        spoilt, executor = answer(3.0, store=store)
    assert executor.flown == spoilt.flights - 450
    assert spoilt.failures == 450 + sum(margin < 0.0 for margin in whole.margins[450:])
    with pytest.raises(StoreError, match="another question"), Store(tmp_path) as store:
        answer(2.0, store=store)


def test_wrong_questions() -> None:
    for changes, words in (
        ({"method": "magic"}, "monte-carlo"),
        ({"count": 5}, "100"),
        ({"confidence": 1.0}, "confidence"),
    ):
        with pytest.raises(ConfigError, match=words):
            certify(Flights(Formula(1.0), SCENE, Question(), SCATTER), SCENE, Question(), **changes)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="generator"):
        Study(SCENE.base, within_m=1.0, generator="random").space()
    with pytest.raises(ConfigError, match="unknown signal"):
        Question("always (distanze > 1)")


def test_flights_that_say_nothing() -> None:
    class Silent(Formula):
        def run(self, tasks: Sequence[PointTask], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
            for task in tasks:
                yield [(task.number, [Answer(None, None)] * task.flights)]

    with pytest.raises(BackendError, match="no flight says anything"):
        certify(Flights(Silent(1.0), SCENE, Question(), SCATTER), SCENE, Question(), count=100)


def passing(north_m: float, ending: Ending = Ending.GOAL_REACHED) -> tuple[Scenario, Any]:
    scenario = SCENE.base
    return scenario, make_flight(scenario, [(0.25 * step, north_m, 10.0) for step in range(200)], ending)


def test_margins_of_flights() -> None:
    kept = Question().answer(*passing(6.0), SCATTER, False)
    assert kept.margin == pytest.approx(3.0 - 0.125 + 0.1 - 1.5, abs=0.01)
    assert kept.real_share is not None and kept.real_share < 1e-6
    crashed = Question().answer(*passing(6.0, Ending.COLLISION), SCATTER, False)
    assert crashed.margin == -1.5 and crashed.real_share == pytest.approx(1.0)
    assert Question().answer(*passing(6.0, Ending.PLANNER_ERROR), SCATTER, False) == Answer(None, None)
    text = Question("always (clearance > 1.5)").answer(*passing(6.0), SCATTER, False)
    assert text.margin == pytest.approx(kept.margin, abs=0.01) and text.real_share is not None
    speed = Question("always (speed < 3)").answer(*passing(6.0), SCATTER, False)
    assert speed.margin == pytest.approx(0.5) and speed.real_share is None


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        ("always (clearance > 1.5)", 1),
        ("not eventually (clearance < 1.5)", 1),
        ("always (1.5 < plan_distance)", 1),
        ("(distance > 3) until[0,9] (distance > 2)", 1),
        ("eventually (distance < 3)", -1),
        ("distance < 3 implies distance > 9", 1),
        ("always (distance > 1 and distance < 30)", None),
        ("always (2 * distance > 3)", None),
        ("always (distance != 2)", None),
        ("distance > 1 iff distance > 2", None),
        ("always (altitude > 3)", None),
    ],
)
def test_more_distance_leaves_more_or_less(text: str, sense: int | None) -> None:
    """The bias is added where distance helps and taken off where it harms; elsewhere nothing is said about reality."""
    assert sense_of_distance(parse(text)) == sense
    scatter = ScatterConfig(model_m=0.2, bias_m=0.1)
    without = Question(text).answer(*passing(6.0), scatter.model_copy(update={"bias_m": 0.0}), False)
    found = Question(text).answer(*passing(6.0), scatter, False)
    assert found.margin is not None and without.margin is not None
    assert found.margin - without.margin == pytest.approx(0.1 * (sense or 0))
    assert (found.real_share is None) == (sense is None)


def test_flights_saved_depend_on_the_confidence_once() -> None:
    """A wider interval at a higher confidence does not mean that Monte Carlo would need fewer flights."""
    found, _ = answer(4.0)
    low, high = found.simulated.interval
    p = found.simulated.probability
    half = math.log(high / low) / 2.0 * 2.5758 / 1.96
    wider = replace(found, confidence=0.99, simulated=Estimate(p, (p / math.exp(half), p * math.exp(half))))
    assert wider.monte_carlo_flights == pytest.approx(found.monte_carlo_flights, rel=1e-3)


def test_what_varies() -> None:
    point = np.zeros(SCENE.dimension)
    assert SCENE.scenario(point) is SCENE.base
    assert scatter_u(point) == pytest.approx(0.5)
    assert seed_of(point) != seed_of(point + 1e-9)
    region = Region(SCENE.base, 2.0, 10.0)
    middle = np.zeros(region.dimension)
    same = region.scenario(middle)
    assert same is not None and same.obstacles == SCENE.base.obstacles
    middle[0], middle[2] = 8.0, -8.0
    moved = region.scenario(middle)
    assert moved is not None
    assert moved.obstacles[0].center_enu_m[0] == pytest.approx(27.0)
    assert math.degrees(moved.obstacles[0].yaw_rad) == pytest.approx(-10.0)
    with pytest.raises(ConfigError, match="obstacles"):
        Region(SCENE.base.with_obstacles(()), 1.0)
    stage = load_scene("config/stella/scenarios/scenario-01.json")
    instances = Study(stage).space()
    assert isinstance(instances, Instances)
    drawn = [
        instances.scenario(p) for p in np.random.default_rng(1).standard_normal((8, instances.dimension))
    ]
    assert any(one is not None and one.obstacles for one in drawn)


def test_scenes_of_a_generator_are_independent_and_repeat() -> None:
    space = Study(SCENE.base, generator="random").space()
    points = np.random.default_rng(2).standard_normal((3, space.dimension))
    scenes = [space.scenario(point) for point in points]
    assert all(scene is not None for scene in scenes)
    assert len({scene.id for scene in scenes if scene is not None}) == 3
    assert scenes[0] == space.scenario(points[0])
    assert not space.is_continuous
    assert replace(Study(SCENE.base), within_m=1.0).space().is_continuous


def test_the_picture_has_numbers_that_can_be_read(tmp_path: Path) -> None:
    from uav_testgen.view.certificate import plot_certificate

    plot_certificate(tmp_path / "certificate.svg", answer(1.0)[0])
    drawn = (tmp_path / "certificate.svg").read_text(encoding="utf-8")
    assert "mathdefault" not in drawn and "<!-- 0.1 -->" in drawn
