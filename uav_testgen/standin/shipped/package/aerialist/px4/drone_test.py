"""The same tests under the names of older versions: `drone` and `test`. Python 3.8."""

from .aerialist_test import (
    AerialistTest,
    AerialistTestResult,
    AgentConfig,
    AssertionConfig,
    MissionConfig,
    RobotConfig,
    SimulationConfig,
)

DroneConfig = RobotConfig
TestConfig = MissionConfig
DroneTestResult = AerialistTestResult


class DroneTest(AerialistTest):
    """A test and its parts."""

    NAMES = ("drone", "simulation", "test", "assertion", "agent")

    def __init__(self, drone=None, simulation=None, test=None, assertion=None, agent=None):
        super().__init__(drone, simulation, test, assertion, agent)


__all__ = [
    "AgentConfig", "AssertionConfig", "DroneConfig", "DroneTest", "DroneTestResult", "SimulationConfig", "TestConfig",
]  # fmt: skip
