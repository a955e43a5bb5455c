"""The generator for logical scenarios, and the sharing of a budget in combinations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from uav_testgen.core.config import read_yaml
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.resources import config_folder
from uav_testgen.flight.model import Ending
from uav_testgen.generator.algorithm.base import Score
from uav_testgen.generator.algorithm.registry import build_algorithm
from uav_testgen.generator.registry import build_generator
from uav_testgen.generator.stella import StellaConfig, StellaGenerator
from uav_testgen.predict.evaluation import Evaluation, EvaluationStatus
from uav_testgen.scenario.crowding import crowding_m
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Scenario, Shape
from uav_testgen.scenario.validity import Rule
from uav_testgen.testing.factories import make_evaluation, make_scenario, make_verdict


def stage(name: str) -> Scenario:
    return load_scenario(config_folder("stella/scenarios") / f"{name}.json")


def test_dimensions_are_parameters_places_and_velocities() -> None:
    names = [one.name for one in LogicalSpace(stage("scenario-14")).free]
    sphere = ["diameter_m", "east", "north", "floating_m"]
    moving_sphere = [*sphere, "end.east", "end.north", "end.floating_m", "speed_mps"]
    moving_cylinder = ["diameter_m", "height_m", "east", "north", "end.east", "end.north", "speed_mps"]
    expected = ["landform_height_m", "wind_mps"]
    expected += [f"obstacle0.{name}" for name in sphere]
    expected += [f"obstacle1.{name}" for name in moving_sphere]
    expected += [f"obstacle2.{name}" for name in moving_cylinder]
    assert names == expected


def test_ends_of_the_cube_are_ends_of_the_ranges() -> None:
    base = stage("scenario-16")
    assert base.logical is not None
    space = LogicalSpace(base)
    for corner, end in ((0.0, 0), (1.0, 1)):
        scenario = space.decode(np.full(space.dimension, corner))
        box = scenario.obstacles[0]
        assert box.size_m == pytest.approx([base.logical.obstacles[0].size_m[end]] * 3)
        assert scenario.wind.velocity_mean_mps == pytest.approx(base.logical.wind_mps[end], abs=1e-3)
        assert scenario.terrain.height_m == base.logical.height_m[end]
        assert box.motion is not None and base.logical.obstacles[0].speed_mps is not None
        assert box.motion.speed_mps == base.logical.obstacles[0].speed_mps[end]


def test_all_forms_and_motions_are_proposed() -> None:
    generator = build_generator("stella", stage("scenario-19"), {"algorithm": "random"}, 3)
    for scenario in generator.ask(3):
        assert [o.shape for o in scenario.obstacles] == [Shape.CYLINDER, Shape.BOX, Shape.SPHERE, Shape.BOX]
        assert [o.motion is not None for o in scenario.obstacles] == [True, True, True, False]
        assert problems(scenario) == ()


def test_the_objective_is_the_distance_left() -> None:
    generator = StellaGenerator(stage("static-5"), StellaConfig(safety_distance_m=2.0))
    scenario = generator.ask(1)[0]
    assert generator.objectives(make_evaluation(0, scenario, distance_m=1.5)) == (-0.5,)
    stuck = Evaluation(0, scenario, EvaluationStatus.VALID, (make_verdict(0.5, Ending.STUCK),))
    assert generator.objectives(stuck) is None


def test_an_ordinary_mission_is_refused() -> None:
    with pytest.raises(ConfigError, match="is not a logical scenario"):
        build_generator("stella", make_scenario(), {}, 1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"algorithm": "nsga3"}, "unknown algorithm 'nsga3', did you mean 'nsga2'"),
        ({"algorithm": "pso+swarm"}, "unknown algorithm 'swarm'"),
        ({"settings": {"sise": 4}}, "unknown key 'sise', did you mean 'size'"),
        ({"safety_distance_m": 0}, "safety_distance_m"),
    ],
)
def test_wrong_settings(settings: dict, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build_generator("stella", stage("static-5"), settings, 1)


def test_more_obstacles_than_fit(tmp_path: Path) -> None:
    table = read_yaml(config_folder("stella") / "px4.yaml")
    table["arena"] |= {"east_max_m": 40.0, "north_min_m": -15.0, "north_max_m": 15.0}
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(table))
    data = read_yaml(config_folder("stella/scenarios") / "scenario-10.json")
    large = {"kind": "static", "size": "large", "form": "cuboid"}
    data["environment"]["obstacles"] = [large] * 20
    path = tmp_path / "full.json"
    path.write_text(json.dumps({**data, "ranges": "small.yaml"}))
    with pytest.raises(ConfigError, match=r"20 obstacles do not fit .*30 m x 30 m"):
        build_generator("stella", load_scenario(path), {}, 1)
    table["arena"]["max_obstacles"] = 3
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(table))
    with pytest.raises(ConfigError, match="allows 3"):
        build_generator("stella", load_scenario(path), {}, 1)


def test_certain_overlaps_are_overlaps() -> None:
    """The quick check never refuses what the exact rules allow."""
    seen = 0
    for name in ("scenario-04", "scenario-07", "scenario-18"):
        space, rng = LogicalSpace(stage(name)), np.random.default_rng(2)
        for _ in range(40):
            scenario = space.decode(rng.random(space.dimension))
            if crowding_m(scenario) > 0.0:
                seen += 1
                assert Rule.APART in {one.rule for one in problems(scenario)}
    assert seen > 40


def test_it_learns() -> None:
    """On a made-up landscape the later proposals are better than random ones."""

    def late_mean(algorithm: str) -> float:
        settings = {"algorithm": algorithm, "settings": {"size": 10}}
        generator = build_generator("stella", stage("static-5"), settings, 5)
        found = []
        for _ in range(12):
            asked = list(generator.ask(10))
            distances = [abs(s.obstacles[0].center_enu_m[0] - 60.0) for s in asked]
            distances = [
                d + abs(s.obstacles[0].center_enu_m[1] + 15.0) for d, s in zip(distances, asked, strict=True)
            ]
            told = zip(asked, distances, strict=True)
            generator.tell([make_evaluation(k, s, distance_m=d) for k, (s, d) in enumerate(told)])
            found += distances
        return float(np.mean(found[-40:]))

    random = late_mean("random")
    for algorithm in ("nsga2", "pso", "bo"):
        assert late_mean(algorithm) < 0.7 * random, algorithm


def test_refused_vectors_use_up_no_share_of_a_combination() -> None:
    """Thirty flights in three stages of ten, whatever is refused in between."""
    algorithm = build_algorithm("random+pso+random", 2, {"size": 5, "evaluations": 30}, 1)
    stages: list[int] = []
    flown = 0
    while flown < 30:
        proposals = algorithm.ask(4)
        assert proposals
        scores = []
        for proposal in proposals:
            if proposal.number % 3 == 0:
                scores.append(Score(proposal.number, None, 1.0))
                continue
            stages.append(algorithm._stage)  # type: ignore[attr-defined]
            scores.append(Score(proposal.number, (float(proposal.vector.sum()),)))
            flown += 1
        algorithm.tell(scores)
    assert [stages.count(stage) for stage in (0, 1)] == [10, 10]


def test_instances_carry_the_distance_that_was_searched_for() -> None:
    generator = StellaGenerator(stage("static-5"), StellaConfig(safety_distance_m=2.0))
    assert {one.logical.safety_distance_m for one in generator.ask(2) if one.logical} == {2.0}
    plain = StellaGenerator(stage("static-5"), StellaConfig())
    assert {one.logical.safety_distance_m for one in plain.ask(2) if one.logical} == {1.0}
