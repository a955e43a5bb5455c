"""The agent that simulates on this machine. Python 3.8."""

from .test_agent import TestAgent


class LocalAgent(TestAgent):
    """One simulation; trouble is an exception."""
