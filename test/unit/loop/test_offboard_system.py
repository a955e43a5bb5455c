"""The preset `px4_offboard`: found by its name without a version, flown by planners of every kind."""

from __future__ import annotations

import numpy as np
import pytest

from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.loop.stepwise import fly_stepwise
from uav_testgen.loop.system import assemble, named_system
from uav_testgen.planner.base import Observation, Plan, PlannerSetup
from uav_testgen.predict.draw import difference, disturbed_system, draw_u
from uav_testgen.scenario.model import Mission, Scenario, Waypoint, Wind
from uav_testgen.testing.factories import obstacle_on_ground

SYSTEM = "px4_offboard_v1.16"
OPEN_FIELD = Scenario(
    mission=Mission(
        home_enu_m=(0.0, 0.0, 5.0),
        waypoints=(Waypoint(position_enu_m=(12.0, 4.0, 5.0)),),
        takeoff=False,
        land=False,
        takeoff_altitude_m=5.0,
    )
)


def test_the_name_without_a_version_means_the_newest() -> None:
    system = named_system("px4_offboard")
    assert system.name == SYSTEM and system is named_system(SYSTEM)
    assert assemble(vehicle="px4_offboard").vehicle == system.vehicle
    assert system.is_calibrated and system.feels_wind and not system.positions_only
    for name in ("px4_offboard_v", "px4_off", ""):
        with pytest.raises(ConfigError, match="unknown system"):
            named_system(name)


class Towards:
    """Answers with one kind of plan."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def reset(self, setup: PlannerSetup) -> None:
        pass

    def plan(self, seen: Observation) -> Plan:
        way = seen.goal_enu_m - seen.position_enu_m
        ahead = way / max(float(np.linalg.norm(way)), 1e-6)
        if self.kind == "path":
            return Plan(path_enu_m=[seen.position_enu_m, seen.goal_enu_m])
        if self.kind == "velocity":
            return Plan(velocity_enu_mps=2.0 * ahead)
        if self.kind == "acceleration":
            return Plan(acceleration_enu_mps2=1.5 * ahead - seen.velocity_enu_mps)
        if self.kind == "yaw":
            return Plan(position_enu_m=seen.goal_enu_m, yaw_rad=1.0)
        if self.kind == "yaw_rate":
            return Plan(position_enu_m=seen.goal_enu_m, yaw_rate_radps=0.4)
        return Plan(position_enu_m=seen.goal_enu_m) if self.kind == "position" else Plan()


def flown(kind: str) -> Flight:
    return fly_stepwise(named_system(SYSTEM), OPEN_FIELD, 1, planner=Towards(kind))


@pytest.mark.parametrize(
    "kind", ["path", "position", "velocity", "acceleration", "yaw", "yaw_rate", "silence"]
)
def test_planners_of_every_kind_reach_the_goal(kind: str) -> None:
    flight = flown(kind)
    assert flight.ending is Ending.GOAL_REACHED, flight.reason
    speed = np.hypot(*flight.trajectory.velocity_enu_mps[:, :2].T)
    yaw = flight.trajectory.yaw_rad
    if kind == "velocity":
        assert speed.max() == pytest.approx(1.9, abs=0.15)  # a velocity is flown at that velocity
    if kind == "yaw":
        assert yaw[-1] == pytest.approx(1.0, abs=0.05)
    if kind == "yaw_rate":
        assert np.diff(yaw[20:40]).mean() / 0.1 == pytest.approx(0.4, rel=0.1)


def test_runs_differ_by_the_estimators_error_and_the_delay() -> None:
    system = named_system(SYSTEM)
    drawn = [difference(system.scatter, draw_u(1, run)) for run in (1, 2)]
    one, other = (disturbed_system(system, system.scatter, each).vehicle for each in drawn)
    assert one.velocity_error_mps == system.scatter.velocity_error_mps > 0.0  # type: ignore[union-attr]
    assert one.velocity_error_seed != other.velocity_error_seed  # type: ignore[union-attr]
    assert one.setpoint_delay_s != other.setpoint_delay_s  # type: ignore[union-attr]
    assert system.vehicle.velocity_error_mps == 0.0  # type: ignore[union-attr]


def test_the_shipped_planner_avoids_and_wind_is_felt() -> None:
    walled = OPEN_FIELD.model_copy(update={"obstacles": (obstacle_on_ground(6.0, 2.0, (2.0, 2.0, 12.0)),)})
    with LfsBackend(LfsConfig(system="px4_offboard")) as backend:
        calm = backend.fly(walled, 1)
        windy = backend.fly(walled.model_copy(update={"wind": Wind(velocity_mean_mps=4.0)}), 1)
    assert calm.ending is Ending.GOAL_REACHED and calm.system == SYSTEM
    count = min(len(calm.trajectory), len(windy.trajectory))
    apart = calm.trajectory.position_enu_m[:count] - windy.trajectory.position_enu_m[:count]
    assert np.abs(apart).max() > 0.2
