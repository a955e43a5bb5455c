"""The low-fidelity simulator: compiled and stepwise flights agree, missions end as they should."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numba.core import event
from pydantic import ValidationError

from uav_testgen.backend.lfs import LfsBackend, LfsConfig
from uav_testgen.backend.registry import check_settings
from uav_testgen.core import compile_watch
from uav_testgen.core.compile_watch import WATCH
from uav_testgen.core.errors import ConfigError
from uav_testgen.flight.model import Ending, Flight
from uav_testgen.loop.compiled import CompiledFlight
from uav_testgen.loop.state import differing
from uav_testgen.loop.system import named_system, system_names
from uav_testgen.planner.base import Observation, Plan, PlannerSetup
from uav_testgen.predict.runs import predict
from uav_testgen.scenario.model import (
    LinearMotion,
    Mission,
    Obstacle,
    Scenario,
    Shape,
    Terrain,
    Visibility,
    Waypoint,
    Wind,
    obstacle_on_ground,
)
from uav_testgen.sensing.camera import CameraConfig, CameraRig
from uav_testgen.sensing.noise import NoiseConfig

pytestmark = pytest.mark.xdist_group("compiled")


def airborne(goal: tuple[float, float, float], *obstacles: Obstacle, **more: Any) -> Scenario:
    """A flight that starts in the air at (0, 0, 10)."""
    mission = Mission(
        waypoints=(Waypoint(position_enu_m=goal),), home_enu_m=(0.0, 0.0, 10.0), takeoff=False, land=False
    )
    return Scenario(mission=mission, obstacles=obstacles, **more)


BOX = obstacle_on_ground(10.0, 1.0, (4.0, 5.0, 20.0), 30.0)
BALL = Obstacle(center_enu_m=(18.0, -3.0, 10.0), size_m=(3.0, 3.0, 3.0), shape=Shape.SPHERE)
PILLAR = Obstacle(center_enu_m=(16.0, 4.0, 8.0), size_m=(2.0, 2.0, 16.0), shape=Shape.CYLINDER)
MOVING = Obstacle(
    center_enu_m=(14.0, -6.0, 10.0),
    size_m=(2.0, 2.0, 4.0),
    motion=LinearMotion(to_enu_m=(14.0, 6.0, 10.0), speed_mps=1.5),
)
NOISY = CameraRig(
    cameras=(
        CameraConfig(noise=NoiseConfig(range_std_m=0.05, range_std_per_m=0.001, dropout=0.1, latency_s=0.15)),
    )
)


def paper(**settings: Any) -> LfsConfig:
    """The published motion rule, with single values of the system changed."""
    options = {
        name: settings.pop(name)
        for name in ("stepwise", "record_clouds", "record_planner")
        if name in settings
    }
    return LfsConfig(system=named_system("paper").changed(settings), **options)


def same(a: Flight, b: Flight) -> bool:
    """Equal to the last bit."""
    return (
        a.ending == b.ending
        and np.array_equal(a.trajectory.position_enu_m, b.trajectory.position_enu_m)
        and np.array_equal(a.trajectory.yaw_rad, b.trajectory.yaw_rad)
        and np.array_equal(a.trajectory.velocity_enu_mps, b.trajectory.velocity_enu_mps)
    )


CASES = {
    "box": (airborne((24.0, 0.0, 10.0), BOX), {}),
    "all shapes": (airborne((24.0, 0.0, 10.0), BOX, BALL, PILLAR), {}),
    "moving": (airborne((22.0, 0.0, 10.0), MOVING), {}),
    "noise and latency": (airborne((22.0, 0.0, 10.0), BOX, PILLAR), {"camera": NOISY}),
    "fog": (airborne((22.0, 0.0, 10.0), BOX, visibility=Visibility(range_m=6.0, contrast_loss=0.5)), {}),
    "hill": (
        airborne(
            (22.0, 0.0, 10.0),
            BOX,
            terrain=Terrain(landform="elevation", height_m=6.0, center_enu_m=(15.0, 0.0), radius_m=15.0),
        ),
        {},
    ),
    "gusty wind": (
        airborne(
            (22.0, 0.0, 10.0),
            BOX,
            wind=Wind(
                velocity_mean_mps=4.0,
                velocity_variance=2.0,
                direction_enu=(0.0, 1.0, 0.1),
                direction_variance=0.05,
                gust_start_s=2.0,
                gust_duration_s=3.0,
                gust_velocity_mean_mps=3.0,
                gust_velocity_variance=1.0,
            ),
        ),
        {},
    ),
    "three cameras": (airborne((22.0, 0.0, 10.0), BOX, PILLAR), {"camera": "three_cameras"}),
    "low over ground": (
        Scenario(
            mission=Mission(waypoints=(Waypoint(position_enu_m=(15.0, 0.0, 3.0)),), takeoff_altitude_m=3.0),
            obstacles=(obstacle_on_ground(8.0, 0.5, (2.0, 2.0, 6.0)),),
        ),
        {},
    ),
}


def case_and_system(name: str, system_name: str) -> object:
    """Each number of cameras compiles the whole loop anew, and has nothing to do with the vehicle: once is enough
    for every run of the suite."""
    once_more = name == "three cameras" and system_name != "paper"
    return pytest.param(name, system_name, marks=[pytest.mark.slow] if once_more else [])


@pytest.mark.parametrize(
    ("name", "system_name"), [case_and_system(name, system) for name in CASES for system in system_names()]
)
def test_stepwise_flight_is_the_compiled_one(name: str, system_name: str) -> None:
    scenario, settings = CASES[name]
    system = named_system(system_name).changed(settings)
    compiled = LfsBackend(LfsConfig(system=system)).fly(scenario, 7)
    stepped = LfsBackend(LfsConfig(system=system, stepwise=True)).fly(scenario, 7)
    assert same(compiled, stepped)
    assert compiled.details["steps"] > 10
    ignored = {"cpu_s"}
    assert {k: v for k, v in compiled.details.items() if k not in ignored} == {
        k: v for k, v in stepped.details.items() if k not in ignored
    }


def test_reference_planner_flies_the_same() -> None:
    scenario = airborne((14.0, 0.0, 10.0), obstacle_on_ground(7.0, 0.5, (2.0, 2.0, 20.0)))
    fast = LfsBackend(paper()).fly(scenario, 0)
    strict = LfsBackend(paper(**{"planner.implementation": "reference"})).fly(scenario, 0)
    assert same(fast, strict)
    assert fast.details["planned_steps"] > 5


def test_clouds_and_planner_trace_on_request() -> None:
    scenario = airborne((8.0, 0.0, 10.0), obstacle_on_ground(10.0, 3.0, (2.0, 2.0, 20.0)))
    plain = LfsBackend(paper()).fly(scenario, 0)
    full = LfsBackend(paper(record_clouds=True, record_planner=True)).fly(scenario, 0)
    assert same(plain, full)
    assert plain.clouds == () and plain.planner_trace == ()
    assert len(full.clouds) == len(full.planner_trace) == full.details["steps"]
    assert full.clouds[0].shape[1] == 3 and len(full.clouds[0]) > 0
    assert full.planner_trace[0]["planned"] and full.planner_trace[0]["tree"]["parent"][0] == 0


def test_seeds_decide_noise_and_nothing_else() -> None:
    noisy, clean = LfsBackend(paper(camera=NOISY)), LfsBackend(paper())
    scenario = airborne((22.0, 0.0, 10.0), BOX)
    assert same(noisy.fly(scenario, 1), noisy.fly(scenario, 1))
    assert not same(noisy.fly(scenario, 1), noisy.fly(scenario, 2))
    assert same(clean.fly(scenario, 1), clean.fly(scenario, 2))


def test_threads_fly_the_same() -> None:
    scenarios = [airborne((15.0, 0.3 * k, 10.0), BOX) for k in range(6)]
    seeds = list(range(6))
    with LfsBackend(paper()) as backend, ThreadPoolExecutor(3) as threads:
        here = [backend.fly(s, seed) for s, seed in zip(scenarios, seeds, strict=True)]
        threaded = list(threads.map(backend.fly, scenarios, seeds))
    assert all(same(a, b) for a, b in zip(here, threaded, strict=True))


def test_a_flight_resumes_from_any_saved_step_and_stops_when_told() -> None:
    scenario = airborne((24.0, 0.0, 10.0), BOX, MOVING)
    for name in system_names():
        backend = LfsBackend(LfsConfig(system=name))
        whole = backend.fly(scenario, 3)
        flight = backend.begin(scenario, 3)
        flight.run(40)
        saved = flight.save()
        flight.run()
        assert same(flight.flight(), whole)
        flight.restore(saved)
        assert flight.step == 40 and not differing(flight.state, saved)
        flight.run(5)
        assert "body" in differing(flight.state, saved)
        flight.run()
        assert same(flight.flight(), whole)
        flight.restore(saved)
        flight.stop()
        flight.run()
        assert flight.step == 41 and flight.flight().ending is Ending.ABORTED


def test_mission_with_takeoff_legs_and_landing() -> None:
    mission = Mission(
        waypoints=(Waypoint(position_enu_m=(0.0, 12.0, 10.0)), Waypoint(position_enu_m=(9.0, 15.0, 10.0))),
        home_yaw_rad=1.5,
    )
    flight = LfsBackend(paper()).fly(Scenario(mission=mission), 0)
    position, t_s = flight.trajectory.position_enu_m, flight.trajectory.t_s
    assert flight.ending is Ending.GOAL_REACHED
    assert position[0].tolist() == [0.0, 0.0, 0.0]
    top = int(np.argmax(position[:, 2] >= 10.0))
    assert t_s[top] == pytest.approx(10.0 / 1.5, abs=0.11)
    assert np.all(position[: top + 1, :2] == 0.0)
    takeoff_s, first_s = flight.details["waypoint_times_s"]
    at_first = position[round(first_s / 0.1)]
    assert np.linalg.norm(at_first - [0.0, 12.0, 10.0]) < 1.0 and takeoff_s < first_s
    assert np.linalg.norm(position[-1, :2] - [9.0, 15.0]) < 1.0
    assert position[-1, 2] == pytest.approx(0.0, abs=0.05)


def test_endings() -> None:
    wall = obstacle_on_ground(6.0, 0.0, (1.0, 60.0, 60.0))
    inside = LfsBackend(paper()).fly(
        airborne((20.0, 0.0, 10.0), obstacle_on_ground(0.0, 0.0, (4.0, 4.0, 20.0))), 0
    )
    assert inside.ending is Ending.COLLISION and "starts inside" in inside.reason
    assert len(inside.trajectory) == 1
    late = LfsBackend(paper(**{"mission.time_limit_s": 2.0})).fly(airborne((90.0, 0.0, 10.0)), 0)
    assert late.ending is Ending.TIME_LIMIT and late.duration_s == pytest.approx(2.0)
    blocked = LfsBackend(
        paper(**{"mission.stuck_time_s": 3.0, "mission.stuck_radius_m": 12.0, "mission.time_limit_s": 60.0})
    ).fly(airborne((20.0, 0.0, 10.0), wall), 0)
    assert blocked.ending is Ending.STUCK
    here = LfsBackend(paper()).fly(airborne((0.0, 0.0, 10.0)), 0)
    assert here.ending is Ending.GOAL_REACHED and here.details["steps"] == 1
    blind = LfsBackend(paper(camera=CameraRig(cameras=(CameraConfig(near_m=0.01, far_m=0.02),)))).fly(
        airborne((20.0, 0.0, 10.0), wall), 0
    )
    assert blind.ending is Ending.COLLISION and "obstacle" in blind.reason
    cliff = Terrain(landform="steep_transition", height_m=30.0, center_enu_m=(12.0, 0.0), radius_m=10.0)
    blind = LfsBackend(paper(camera=CameraRig(cameras=(CameraConfig(near_m=0.01, far_m=0.02),)))).fly(
        airborne((30.0, 0.0, 10.0), terrain=cliff), 0
    )
    assert blind.ending is Ending.COLLISION and "ground" in blind.reason


def test_mission_speed_replaces_the_configured_one() -> None:
    slow = Scenario(mission=airborne((15.0, 0.0, 10.0)).mission.model_copy(update={"speed_mps": 1.0}))
    flight = LfsBackend(paper()).fly(slow, 0)
    assert np.linalg.norm(flight.trajectory.velocity_enu_mps, axis=1).max() == pytest.approx(1.0)


@pytest.mark.parametrize(
    "changes",
    [
        {"timing.dt_s": 0.0},
        {"vehicle": {"model": "kite"}},
        {"mission.time_limit_s": 36000, "timing.dt_s": 0.01},
        {"vehicle.wings": 2},
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        named_system("paper").changed(changes)


def test_wrong_parts_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(ValidationError):
        LfsConfig(renderer="brush")
    with pytest.raises(ConfigError, match="did you mean 'paper'"):
        LfsBackend(LfsConfig(system="papper"))
    with pytest.raises(ConfigError, match="unknown vehicle 'px5', did you mean 'px4'"):
        LfsBackend(LfsConfig(vehicle="px5"))


def test_wrong_camera_numbers_are_refused() -> None:
    with pytest.raises(ConfigError, match="hfs_64x48"):
        LfsBackend(LfsConfig(camera="hfs_64x49"))
    with pytest.raises(ValidationError, match="far_m"):
        CameraConfig(near_m=3.0, far_m=2.0)


def test_only_a_planner_of_ones_own_can_be_late() -> None:
    """Whatever a compiler takes for the first answer of the shipped one is no fault of the planner."""
    scenario = airborne((14.0, 0.0, 10.0), BOX)
    config = LfsConfig(system="paper", stepwise=True, planner_late_s=1e-9)
    assert same(LfsBackend(config).fly(scenario, 0), LfsBackend(paper()).fly(scenario, 0))
    late = LfsBackend(config.model_copy(update={"planner": "straight"})).fly(scenario, 0)
    assert late.ending is Ending.PLANNER_LATE and "it answered after" in late.details["planner_error"]


@pytest.mark.parametrize("name", ["system", "vehicle", "camera"])
def test_unknown_parts_are_found_with_the_settings(name: str) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        check_settings("lfs", {name: "nowhere"})


def test_mission_without_waypoints_is_refused() -> None:
    with pytest.raises(ValidationError):
        Mission(waypoints=())


ANNOUNCED_ONCE = [
    "compiling the simulator of system 'px4_mission_v1.12'",
    "compiled the simulator of system 'px4_mission_v1.12'",
]


def compile_something() -> None:
    """Numba works for longer than a moment."""
    WATCH.on_start(event.Event("numba:compile", event.EventStatus.START))
    time.sleep(0.1)
    WATCH.on_end(event.Event("numba:compile", event.EventStatus.END))


def announcements(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was said about compiling, without times."""
    said = [record.getMessage() for record in caplog.records if "compil" in record.getMessage()]
    return [line.split(" for this")[0].split(" in ")[0] for line in said]


class CompilesTwice:
    """A planner in whose first two answers something is compiled for longer than a moment."""

    def reset(self, setup: PlannerSetup) -> None:
        self.answers = 0

    def plan(self, observation: Observation) -> Plan:
        self.answers += 1
        if self.answers <= 2:
            compile_something()
        elif self.answers > 5:
            raise RuntimeError("seen enough")
        return Plan(position_enu_m=observation.goal_enu_m)


def test_compiling_step_by_step_is_announced_once_for_a_flight(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_watch, "_MOMENT_S", 0.0)
    LfsBackend(planner=CompilesTwice()).fly(airborne((30.0, 0.0, 10.0)))
    assert announcements(caplog) == ANNOUNCED_ONCE


@pytest.mark.parametrize("fly", [LfsBackend.fly, lambda *given: predict(*given, runs=1)])
def test_beginning_and_flying_of_all_runs_are_announced_once(
    fly: Callable[[LfsBackend, Scenario], object],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compile_watch, "_MOMENT_S", 0.0)
    begin, run = CompiledFlight.__init__, CompiledFlight.run
    monkeypatch.setattr(CompiledFlight, "__init__", lambda *given: (compile_something(), begin(*given))[1])
    monkeypatch.setattr(CompiledFlight, "run", lambda flight: (compile_something(), run(flight))[1])
    fly(LfsBackend(), airborne((5.0, 0.0, 10.0)))
    assert announcements(caplog) == ANNOUNCED_ONCE
