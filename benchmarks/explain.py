"""How stable explanations are, and what judging formulas costs.

    python benchmarks/explain.py --failures 100      # mechanisms under other seeds, changes that hold (minutes)
    python benchmarks/explain.py --failures 0        # only the cost of judging, seconds

Failures are random scenes of mission 2 that fail. Each is flown with two seeds; the adjusted Rand index says how well
the two groupings by mechanism agree (1: the same groups, 0: chance).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from math import comb

from uav_testgen.assurance.counterfactual import counterfactuals
from uav_testgen.assurance.failing import Trials
from uav_testgen.assurance.question import Question
from uav_testgen.assurance.suite import explained
from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.generator.registry import build_generator
from uav_testgen.oracle.stl.judgement import judge_formula
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.predict.runs import fly_run
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Scenario

FORMULAS = (
    "always (distance > 1.5)",
    "eventually[0,120] (goal_distance < 1)",
    "always (distance < 3 implies eventually[0,5] speed < 1)",
)


def adjusted_rand(first: list[str], second: list[str]) -> float:
    """Hubert and Arabie's index of two groupings of the same things."""
    pairs = sum(comb(count, 2) for count in Counter(zip(first, second, strict=True)).values())
    one, other = (sum(comb(count, 2) for count in Counter(labels).values()) for labels in (first, second))
    expected = one * other / comb(len(first), 2)
    most = 0.5 * (one + other)
    return 1.0 if most == expected else (pairs - expected) / (most - expected)


def judging(backend: LfsBackend) -> None:
    """Processor time of judging beside that of flying."""
    scene = load_scene("two_walls")
    backend.fly(scene, 1)
    start = time.process_time()
    flights = [backend.fly(scene, seed) for seed in range(5)]
    flying_s = (time.process_time() - start) / 5
    for text in FORMULAS:
        formula = parse(text)
        start = time.process_time()
        for flight in flights * 4:
            judge_formula(formula, scene, flight)
        judging_s = (time.process_time() - start) / 20
        print(f"judging {1e3 * judging_s:.2f} ms, {judging_s / flying_s:.2%} of a flight: {text}")


def failures(backend: LfsBackend, wanted: int, runs: int) -> None:
    """Mechanisms under two seeds, and changes that hold."""
    generator = build_generator("random", Scenario(mission=named_mission("mission2")), None, 7)
    view_rad = max(camera.horizontal_fov_rad for camera in backend.system.rig.cameras)
    labels: tuple[list[str], list[str]] = ([], [])
    held = fresh = 0
    while len(labels[0]) < wanted:
        scene = generator.ask(1)[0]
        found = [
            explained(
                "", scene, [fly_run(backend, scene, seed, run)[0] for run in range(1, runs + 1)], view_rad
            )
            for seed in (1, 2)
        ]
        if found[0] is None or found[1] is None:
            continue
        for label, one in zip(labels, found, strict=True):
            label.append(one.mechanism.value)  # type: ignore[union-attr]
        if len(labels[0]) <= wanted // 10:
            trials = Trials(backend, Question(), 1, 3, budget=150)
            if trials.of(scene).fails:
                for change in counterfactuals(scene, trials):
                    held, fresh = held + change.held, fresh + change.fresh
    print(f"{wanted} failures: adjusted Rand index {adjusted_rand(*labels):.2f}; {dict(Counter(labels[0]))}")
    if fresh:
        print(f"changes hold in {held} of {fresh} fresh runs ({held / fresh:.0%})")


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--failures", type=int, default=100, metavar="N")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    arguments = parser.parse_args()
    with LfsBackend() as backend:
        judging(backend)
        if arguments.failures:
            failures(backend, arguments.failures, arguments.runs)


if __name__ == "__main__":
    main()
