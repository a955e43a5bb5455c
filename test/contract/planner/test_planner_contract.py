"""Every registered planner keeps the contract of planners in the loop."""

from __future__ import annotations

from uav_testgen.planner.registry import PLANNERS
from uav_testgen.testing.planner_contract import PlannerContract

for _name in PLANNERS.names():
    _class = f"Test{_name.title().replace('_', '')}"
    globals()[_class] = type(_class, (PlannerContract,), {"name": _name})


def test_every_name_is_bound() -> None:
    bound = {value.name for value in globals().values() if isinstance(value, type) and hasattr(value, "name")}
    assert set(PLANNERS.names()) == bound


class TestReference(PlannerContract):
    """3DVFH* as it is read; and with the guide of PX4-Avoidance."""

    name = "vfh3d"
    system_name = "px4_mission_v1.12"
