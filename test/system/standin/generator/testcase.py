"""A test with obstacles, run by the agent that the environment names: the shape that public generators share."""

import copy

from decouple import config

AGENT = config("AGENT", default="docker")
if AGENT == "local":
    from aerialist.px4.local_agent import LocalAgent as Agent
elif AGENT == "k8s":
    from aerialist.px4.k8s_agent import K8sAgent as Agent
else:
    from aerialist.px4.docker_agent import DockerAgent as Agent


class TestCase:
    def __init__(self, case_study, obstacles):
        self.test = copy.deepcopy(case_study)
        self.test.simulation.obstacles = obstacles

    def execute(self):
        self.test_results = Agent(self.test).run()
        self.trajectory = self.test_results[0].record
        self.log_file = self.test_results[0].log_file
        return self.trajectory

    def distance(self):
        line = self.trajectory.to_line()
        return min(obstacle.distance(line) for obstacle in self.test.simulation.obstacles)

    def save_yaml(self, path):
        self.test.to_yaml(path)
