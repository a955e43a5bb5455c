"""The agent that simulates in a cluster. Python 3.8."""

from .test_agent import TestAgent


class K8sAgent(TestAgent):
    """As many simulations as the test asks for."""

    def __init__(self, config):
        super().__init__(config)
        self.runs = int(getattr(config.agent, "count", None) or 1)
