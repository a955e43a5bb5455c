"""A moving obstacle with corners and a test with PX4 parameters, over topics: equal to the compiled flight."""

from __future__ import annotations

from uav_testgen.ros.backends.graph import GraphBackend
from uav_testgen.scenario.model import Scenario

from .scenes import box, mission, moving
from .test_equal_to_lfs import compare

SCENES = {
    "corner": Scenario(
        mission=mission(),
        obstacles=(moving(11.0, -3.0, (13.0, 3.0, 6.0), 2.0, via_enu_m=((13.0, -1.0, 6.0),)),),
    ),
    "parameters": Scenario(
        mission=mission(), obstacles=(box(12.0, -0.4),), parameters={"MPC_ACC_HOR": 2.0, "NAV_ACC_RAD": 1.5}
    ),
}


def test_both_fly_as_predicted(composed: GraphBackend) -> None:
    compare(composed, SCENES)
