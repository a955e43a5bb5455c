"""A case study with obstacles, simulated by the agent that AGENT names: local, docker or k8s."""

import copy
import logging

from aerialist.px4.aerialist_test import AerialistTest, AgentConfig
from decouple import config

AGENT = config("AGENT", default=AgentConfig.DOCKER)
if AGENT == AgentConfig.LOCAL:
    from aerialist.px4.local_agent import LocalAgent as Agent
elif AGENT == AgentConfig.K8S:
    from aerialist.px4.k8s_agent import K8sAgent as Agent
else:
    from aerialist.px4.docker_agent import DockerAgent as Agent
try:
    from aerialist.px4.plot import Plot
except ImportError:  # older versions draw from the test class
    Plot = None

logger = logging.getLogger(__name__)


class TestCase(object):
    """One test. `execute` simulates it; everything else speaks of the last simulation."""

    def __init__(self, casestudy, obstacles):
        self.test = copy.deepcopy(casestudy)
        self.test.simulation.obstacles = obstacles
        if self.test.agent is None:
            self.test.agent = AgentConfig(AGENT)
        self.test_results = []
        self.trajectory = None
        self.log_file = None
        self.plot_file = None

    def execute(self):
        """Simulate; returns the trajectory. Trouble of the simulator is an exception."""
        test = copy.deepcopy(self.test)  # agents change ids and paths in the test they are given
        self.test_results = Agent(test).run()
        if not self.test_results:
            raise Exception("the simulation left no log")
        self.trajectory = self.test_results[0].record
        self.log_file = self.test_results[0].log_file
        return self.trajectory

    def get_distances(self):
        """Distance to each obstacle [m]."""
        return [self.trajectory.min_distance_to_obstacles([one]) for one in self.test.simulation.obstacles]

    def duration_s(self):
        """Length of the flight [s]."""
        positions = self.trajectory.positions
        return (positions[-1].timestamp - positions[0].timestamp) * 1e-6

    def plot(self):
        """Draw the last simulation."""
        draw = Plot.plot_test if Plot is not None else AerialistTest.plot
        self.plot_file = draw(self.test, self.test_results)

    def save_yaml(self, path):
        """Write the test."""
        test = copy.copy(self.test)
        test.agent = None
        test.to_yaml(path)
