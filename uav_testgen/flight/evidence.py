"""How much a result proves: the rungs from a prediction to a flight in the high-fidelity simulator."""

from __future__ import annotations

from enum import Enum


class Evidence(str, Enum):
    """Who flew. Only the last three can confirm or refute a prediction."""

    PREDICTED = "predicted"
    TOPICS = "checked over ROS topics"
    PX4 = "flown on PX4"
    GAZEBO = "flown in PX4 + Gazebo"
    OWN_SIMULATOR = "flown in your simulator"

    @property
    def confirms(self) -> bool:
        """Does the result say more than the prediction itself?"""
        return self in (Evidence.PX4, Evidence.GAZEBO, Evidence.OWN_SIMULATOR)

    @property
    def sentence(self) -> str:
        """What a reader may conclude."""
        return {
            Evidence.PREDICTED: "a prediction of the low-fidelity simulator",
            Evidence.TOPICS: "the same simulator over ROS topics: it checks the software, not the prediction",
            Evidence.PX4: "flown on the real autopilot",
            Evidence.GAZEBO: "flown in the high-fidelity simulator",
            Evidence.OWN_SIMULATOR: "flown in a simulator of your own",
        }[self]
