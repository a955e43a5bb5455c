"""The agent that simulates in a container. Python 3.8."""

import logging

from .aerialist_test import AerialistTestResult
from .test_agent import TestAgent

logger = logging.getLogger(__name__)


class DockerAgent(TestAgent):
    """One simulation; trouble is logged and leaves no result."""

    def run(self):
        """Simulate."""
        try:
            self.results.append(AerialistTestResult(self.simulate()))
        except Exception as error:
            logger.error("%s", error)
        return self.results
