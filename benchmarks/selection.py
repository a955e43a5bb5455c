"""What choosing does to intervals: how many held-out runs lie inside those of chosen tests, and of all.

    python benchmarks/selection.py --scenes 60 --chosen 15      # minutes

Random scenes that come near are predicted, and the nearest are chosen, as a search does. All of them are flown again
with seeds that the choice never saw. The intervals are made for real flights, which differ from predictions by more
than runs do from each other; so it is the difference between chosen and all that counts, not the shares themselves.
"""

from __future__ import annotations

import argparse
from statistics import mean

from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.generator.registry import build_generator
from uav_testgen.predict.held_out import predict_held_out
from uav_testgen.predict.prediction import Prediction
from uav_testgen.predict.runs import predict
from uav_testgen.predict.stages import Stage
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.model import Scenario

NEAR_M = 3.0


def inside(claimed: Prediction, flown: Prediction) -> list[bool]:
    """For each held-out run: does it lie in the interval that was claimed?"""
    interval = claimed.distance_interval
    assert interval is not None
    return [
        interval.low_m <= run.distance_m <= interval.high_m
        for run in flown.runs
        if run.distance_m is not None
    ]


def share_failing(prediction: Prediction) -> float:
    """Of its runs; as `predict` counts them."""
    return prediction.failing / max(len(prediction.conclusive), 1)


def told(name: str, pairs: list[tuple[Prediction, Prediction]]) -> None:
    """One line."""
    held = [one for first, flown in pairs for one in inside(first, flown)]
    before = mean(first.distance_m or 0.0 for first, _ in pairs)
    after = mean(flown.distance_m or 0.0 for _, flown in pairs)
    failing = [share_failing(one) for pair in pairs for one in pair]
    claimed, held_out = mean(failing[::2]), mean(failing[1::2])
    print(
        f"{name:<8}{len(pairs):>4} tests: {mean(held):.3f} of {len(held)} held-out runs inside; distance {before:.2f}"
        f" m predicted, {after:.2f} m held out; runs that fail {claimed:.2f}, {held_out:.2f}",
        flush=True,
    )


def main() -> None:
    """Print both lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scenes", type=int, default=60, metavar="N")
    parser.add_argument("--chosen", type=int, default=15, metavar="N")
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="held-out runs of a test")
    parser.add_argument("--mission", default="mission2")
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    generator = build_generator(
        "random", Scenario(mission=named_mission(arguments.mission)), None, arguments.seed
    )
    pairs: list[tuple[Prediction, Prediction]] = []
    with LfsBackend() as backend:
        while len(pairs) < arguments.scenes:
            for scene in generator.ask(1):
                claimed = predict(backend, scene, 1, stages=(Stage(runs=5, below_m=NEAR_M),))
                if claimed.distance_interval is not None:
                    pairs.append((claimed, predict_held_out(backend, scene, arguments.runs)))
    told("all", pairs)
    told("chosen", sorted(pairs, key=lambda pair: pair[0].distance_m or 0.0)[: arguments.chosen])


if __name__ == "__main__":
    main()
