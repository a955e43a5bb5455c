"""Algorithms on the unit cube: they stay inside, repeat by seed, and beat random search on a bowl."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.core.errors import ConfigError
from uav_testgen.generator.algorithm.base import Score, Vector
from uav_testgen.generator.algorithm.combination import sequences
from uav_testgen.generator.algorithm.registry import algorithm_names, build_algorithm

DIMENSION = 4
TARGET = np.array([0.3, 0.7, 0.2, 0.9])
SMALL = {"size": 12}


def settings_for(name: str) -> dict[str, int]:
    return {"size": 12, "evaluations": 150} if "+" in name else SMALL


def bowl(vector: Vector) -> float:
    return float(np.sum((vector - TARGET) ** 2))


def searched(name: str, seed: int = 3, evaluations: int = 90, batch: int = 10) -> list[Vector]:
    algorithm = build_algorithm(name, DIMENSION, settings_for(name), seed)
    seen: list[Vector] = []
    while len(seen) < evaluations:
        proposals = algorithm.ask(min(batch, evaluations - len(seen)))
        assert proposals, f"{name} stopped after {len(seen)}"
        algorithm.tell([Score(p.number, (bowl(p.vector),)) for p in proposals])
        seen += [p.vector for p in proposals]
    return seen


@pytest.mark.parametrize("name", algorithm_names())
def test_inside_the_cube_and_repeatable(name: str) -> None:
    first = searched(name)
    assert all(np.all((vector >= 0.0) & (vector <= 1.0)) for vector in first)
    assert np.array_equal(first, searched(name))
    assert not np.array_equal(first, searched(name, seed=4))


@pytest.mark.parametrize("name", ["nsga2", "pso", "bo", "nsga2+pso+nsga2", "pso+bo+nsga2"])
def test_better_than_random_in_the_median(name: str) -> None:
    def best(kind: str) -> float:
        return float(np.median([min(map(bowl, searched(kind, seed, evaluations=150))) for seed in range(3)]))

    assert best(name) < 0.5 * best("random")


def test_the_twelve_three_fold_combinations() -> None:
    combined = sequences(("nsga2", "pso", "bo"))
    assert len(combined) == 12
    assert len([name for name in algorithm_names() if name.count("+") == 2]) == 12


@pytest.mark.parametrize("name", ["nsga2", "pso", "bo", "random", "nsga2+bo+pso"])
def test_refused_and_failed_vectors_are_survived(name: str) -> None:
    algorithm = build_algorithm(name, DIMENSION, settings_for(name), 1)
    rng = np.random.default_rng(0)
    for _ in range(12):
        scores = []
        for proposal in algorithm.ask(12):
            kind = rng.integers(0, 3)
            value = (bowl(proposal.vector),) if kind == 0 else None
            scores.append(Score(proposal.number, value, 1.0 if kind == 1 else 0.0))
        algorithm.tell(scores)
    assert algorithm.ask(1)


@pytest.mark.parametrize("name", ["nsga2", "pso", "bo"])
def test_nothing_measured_at_all(name: str) -> None:
    algorithm = build_algorithm(name, DIMENSION, SMALL, 1)
    for _ in range(4):
        algorithm.tell([Score(p.number, None) for p in algorithm.ask(12)])
    assert algorithm.ask(1)


def test_constraints_are_learnt() -> None:
    """Vectors with a first coordinate above one half are refused; the population moves away from them."""
    algorithm = build_algorithm("nsga2", DIMENSION, {"size": 20}, 0)
    shares = []
    for _ in range(10):
        proposals = algorithm.ask(20)
        allowed = [p.vector[0] <= 0.5 for p in proposals]
        shares.append(np.mean(allowed))
        algorithm.tell(
            [
                Score(p.number, (bowl(p.vector),)) if ok else Score(p.number, None, float(p.vector[0] - 0.5))
                for p, ok in zip(proposals, allowed, strict=True)
            ]
        )
    assert shares[-1] > shares[0]


def test_unknown_names_and_settings() -> None:
    with pytest.raises(ConfigError, match="did you mean 'nsga2'"):
        build_algorithm("nsga", 3, {}, 0)
    with pytest.raises(ConfigError, match=r"unknown key 'sise', did you mean 'size'"):
        build_algorithm("pso", 3, {"sise": 3}, 0)


def test_successor_starts_from_the_best_and_from_unvisited_regions() -> None:
    algorithm = build_algorithm("pso+random", 2, {"size": 10, "evaluations": 40}, 0)
    first = algorithm.ask(20)
    algorithm.tell([Score(p.number, (float(p.vector[0]),)) for p in first])
    more = algorithm.ask(10)
    algorithm.tell([Score(p.number, (float(p.vector[0]),)) for p in more])
    visited = [*first, *more]
    seeds = algorithm.ask(10)
    best = sorted((tuple(p.vector) for p in visited), key=lambda vector: vector[0])[:5]
    assert [tuple(p.vector) for p in seeds[:5]] == best
    assert len({p.number for p in [*visited, *seeds]}) == len(visited) + 10
