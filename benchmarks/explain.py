"""How stable explanations are, and what judging formulas costs.

    python benchmarks/explain.py                     # the cost of judging, seconds
    python benchmarks/explain.py --failures 100      # mechanisms under other seeds, minutes
    python benchmarks/explain.py --tests 12          # changes that are claimed to help, minutes

Failures are random scenes whose nominal flight comes too close, from the named missions in turn. Each is flown with two
seeds: the nominal flight, which is the same for both, and drawn ones, as in a campaign. The adjusted Rand index says
how well the two groupings by mechanism agree (1: the same groups, 0: chance).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from math import comb

from uav_testgen.assurance.counterfactual import counterfactuals
from uav_testgen.assurance.failing import Trials
from uav_testgen.assurance.question import Question
from uav_testgen.assurance.suite import explained
from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.core.rng import derive_seed
from uav_testgen.generator.registry import build_generator
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.stl.judgement import judge_formula
from uav_testgen.oracle.stl.parser import parse
from uav_testgen.predict.runs import NOMINAL, fly_run
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.scenes import load_scene
from uav_testgen.scenario.model import Scenario

FORMULAS = (
    "always (distance > 1.5)",
    "eventually[0,120] (goal_distance < 1)",
    "always (distance < 3 implies eventually[0,5] speed < 1)",
    "always (distance > 1 until[0,60] speed > 0.5)",
    "always (speed < 1 since[2,30] distance > 3)",
    "always eventually[0,10] historically[0,5] (tilt < 20 and once[3,9] yaw_rate < 20)",
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


def failing_scenes(backend: LfsBackend, missions: Sequence[str], seed: int) -> Iterator[Scenario]:
    """Random scenes whose nominal flight comes too close, one of each mission in turn."""
    generators = [
        build_generator("random", Scenario(mission=named_mission(name)), None, seed) for name in missions
    ]
    for generator in cycle(generators):
        scene = generator.ask(1)[0]
        while not judge(scene, fly_run(backend, scene, 1, NOMINAL)[0]).failed:
            scene = generator.ask(1)[0]
        yield scene


def mechanisms(backend: LfsBackend, scenes: Iterator[Scenario], wanted: int, runs: int) -> None:
    """Mechanisms under two seeds."""
    view_rad = max(camera.horizontal_fov_rad for camera in backend.system.rig.cameras)
    labels: tuple[list[str], list[str]] = ([], [])
    while len(labels[0]) < wanted:
        scene = next(scenes)
        numbers = range(NOMINAL, runs + 1)  # as in a campaign: the nominal flight, then the drawn ones
        flights = [[fly_run(backend, scene, seed, run)[0] for run in numbers] for seed in (1, 2)]
        first, second = (explained("", scene, flown, view_rad) for flown in flights)
        if first is None or second is None:
            continue
        labels[0].append(first.mechanism.value)
        labels[1].append(second.mechanism.value)
        if len(labels[0]) % 10 == 0 or len(labels[0]) == wanted:
            index = adjusted_rand(*labels)
            print(f"{len(labels[0])} failures: adjusted Rand index {index:.2f}", flush=True)
    differing = Counter(pair for pair in zip(*labels, strict=True) if pair[0] != pair[1])
    print(f"mechanisms: {dict(Counter(labels[0]))}\nnamed differently: {dict(differing)}", flush=True)


def changes(backend: LfsBackend, scenes: Iterator[Scenario], wanted: int, flights: int) -> None:
    """Of the changes that are claimed to help, how many runs hold with seeds that the claim never saw."""
    tests = claimed = held = fresh = 0
    while tests < wanted:
        scene = next(scenes)
        trials = Trials(backend, Question(), 1, 3, budget=flights)
        if not trials.of(scene).fails:
            continue
        found = counterfactuals(scene, trials)
        for change in found:
            again = trials.of(change.scenario, derive_seed(1, "audit"))
            held, fresh = held + again.safe, fresh + trials.runs_each
        tests, claimed = tests + 1, claimed + len(found)
        share = f"{held} of {fresh} ({held / fresh:.0%})" if fresh else "none"
        print(
            f"{tests} tests, {claimed} changes claimed; runs with other seeds that hold: {share}", flush=True
        )


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--failures", type=int, default=0, metavar="N")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--tests", type=int, default=0, metavar="N")
    parser.add_argument("--flights", type=int, default=200, metavar="N", help="for the changes of one test")
    parser.add_argument("--missions", nargs="+", default=["mission1", "mission2", "mission3", "mission4"])
    parser.add_argument("--seed", type=int, default=8)
    arguments = parser.parse_args()
    with LfsBackend() as backend:
        scenes = failing_scenes(backend, arguments.missions, arguments.seed)
        if not arguments.failures and not arguments.tests:
            judging(backend)
        if arguments.failures:
            mechanisms(backend, scenes, arguments.failures, arguments.runs)
        if arguments.tests:
            changes(backend, scenes, arguments.tests, arguments.flights)


if __name__ == "__main__":
    main()
