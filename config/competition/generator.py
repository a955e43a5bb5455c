"""Predict thousands of layouts, then spend the budget of simulations on those that are most likely to fail.

Predictions come from `uav-testgen generate`, which runs in a Python of its own (UAV_TESTGEN). Edit `propose` or
`worth_another` to make this generator yours.
"""

import glob
import logging
import os
import subprocess
import tempfile

import yaml
from aerialist.px4.aerialist_test import AerialistTest
from aerialist.px4.obstacle import Obstacle
from decouple import config
from testcase import TestCase

SAFE_M = 1.5
POINTS = ((0.25, 5.0), (1.0, 2.0), (1.5, 1.0))
logger = logging.getLogger(__name__)


def obstacles_in(path):
    """The obstacles of a test file; its plan need not be found from here."""
    with open(path) as stream:
        found = yaml.safe_load(stream)["simulation"]["obstacles"]
    return [
        Obstacle(
            Obstacle.Size(**one["size"]), Obstacle.Position(**one["position"]), one.get("shape", Obstacle.BOX)
        )
        for one in found
    ]


class Candidate(object):
    """A test and what its simulations showed."""

    def __init__(self, test, place):
        self.test = test
        self.place = place
        self.distances = []
        self.durations_s = []

    @property
    def failures(self):
        """Simulations that came too close."""
        return sum(distance < SAFE_M for distance in self.distances)

    @property
    def score(self):
        """The competition's score of a test, from the simulations so far."""
        points = [next((p for limit, p in POINTS if distance < limit), 0.0) for distance in self.distances]
        minutes = sum(self.durations_s) / len(self.durations_s) / 60.0
        return sum(points) / len(points) * 10.0 / (len(self.test.test.simulation.obstacles) ** 2 * minutes)


class TestGenerator(object):
    """The organisers' shape: a case study, and `generate(budget)` that returns tests, best first."""

    PREDICTIONS = config("PREDICTIONS", default=2000, cast=int)
    REPEATS = config("REPEATS", default=2, cast=int)
    UAV_TESTGEN = config("UAV_TESTGEN", default="uav-testgen")
    SEED = config("SEED", default=1, cast=int)

    def __init__(self, case_study_file):
        self.case_study_file = case_study_file
        self.case_study = AerialistTest.from_yaml(case_study_file)

    def propose(self):
        """Layouts that are predicted to fail, most valuable first."""
        folder = os.path.join(tempfile.mkdtemp(prefix="predicted-"), "out")
        words = [*self.UAV_TESTGEN.split(), "generate", self.case_study_file, str(self.PREDICTIONS)]
        words += [
            "--generator",
            config("GENERATOR", default="prgen"),
            "--seed",
            str(self.SEED),
            "--out",
            folder,
        ]
        # The Python of the predictions is not this one: nothing of this one's path is for it.
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        if os.environ.get("UAV_TESTGEN_PYTHONPATH"):
            environment["PYTHONPATH"] = os.environ["UAV_TESTGEN_PYTHONPATH"]
        subprocess.run(words, check=True, env=environment, stdout=subprocess.DEVNULL)
        return [obstacles_in(path) for path in sorted(glob.glob(folder + "/tests/*.yaml"))]

    def worth_another(self, candidate):
        """Simulate it again? Real flights differ: a test that failed once may not fail again."""
        return candidate.failures == len(candidate.distances) < self.REPEATS

    def generate(self, budget):
        """Tests that failed in simulation, best first."""
        candidates = []
        for place, obstacles in enumerate(self.propose()):
            candidate = Candidate(TestCase(self.case_study, obstacles), place)
            while budget > 0 and (not candidate.distances or self.worth_another(candidate)):
                budget -= 1
                if not self._simulate(candidate):
                    break
            if candidate.distances:
                candidates.append(candidate)
            if budget <= 0:
                break
        failing = [candidate for candidate in candidates if candidate.failures]
        ranked = sorted(failing, key=lambda candidate: (-candidate.score, candidate.place))
        return [candidate.test for candidate in ranked]

    def _simulate(self, candidate):
        """One simulation; False if the simulator had trouble of its own."""
        try:
            candidate.test.execute()
            candidate.distances.append(min(candidate.test.get_distances()))
            candidate.durations_s.append(max(candidate.test.duration_s(), 1.0))
            candidate.test.plot()
        except Exception as error:
            logger.warning("test %d could not be simulated: %s", candidate.place, error)
            return False
        logger.info("test %d: minimum_distance:%.2f", candidate.place, candidate.distances[-1])
        return True
