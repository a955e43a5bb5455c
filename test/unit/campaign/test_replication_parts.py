"""Parts of a replication: averaging runs, fitting log and plan together, taking over parameters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.campaign.replication.replicate import likeness_to
from uav_testgen.campaign.replication.search import Flying
from uav_testgen.campaign.replication.setup import ReplicationSetup, prepare, system_settings
from uav_testgen.campaign.screening import averaged
from uav_testgen.core.errors import BackendError, ConfigError
from uav_testgen.flight.ulog.reader import FlightLog
from uav_testgen.loop.system import System, named_system
from uav_testgen.predict.evaluation import EvaluationStatus
from uav_testgen.predict.runs import fly_run
from uav_testgen.predict.stages import stages_of
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.model import Mission, Waypoint
from uav_testgen.testing.factories import make_box, make_mission, make_scenario, make_trajectory
from uav_testgen.testing.still_backend import StillBackend, StillConfig

pytestmark = pytest.mark.unit


def logged(**changes: object) -> FlightLog:
    """40 m east at 5 m height, mission and place known."""
    points = [(float(k), 0.0, min(k, 5, 40 - k)) for k in range(41)]
    mission = Mission(waypoints=(Waypoint(position_enu_m=(40.0, 0.0, 5.0)),), takeoff_altitude_m=5.0)
    log = FlightLog(
        path=Path("some.ulg"),
        trajectory=make_trajectory(points, period_s=0.5),
        home=(47.0, 8.0, 400.0),
        mission=mission,
        parameters={},
        vehicle="rotary wing",
        ends_in_air=False,
        notes=(),
    )
    return replace(log, **changes)  # type: ignore[arg-type]


def prepared(log: FlightLog, plan: Path | None = None, seed: Path | None = None) -> ReplicationSetup:
    return prepare(
        log,
        plan,
        obstacles=1,
        seed_scenario=seed,
        mutators=("move",),
        variable="trajectory",
        budget=None,
        min_rounds=None,
        usual_speed_mps=3.0,
    )


def test_average_lies_between_the_runs() -> None:
    low, high = (
        make_trajectory([(float(k), side, 10.0) for k in range(50)], period_s=0.5) for side in (-1.0, 1.0)
    )
    middle = averaged([low, high])
    assert middle.position_enu_m[5:-5, 1] == pytest.approx(np.zeros(40), abs=1e-6)
    assert averaged([low]) is low


def test_every_candidate_flies_the_same_runs_and_fresh_ones_differ() -> None:
    flying = Flying(seed=3, runs=4, keep="average")
    one, other = (flying.task(number, make_scenario(make_box(20.0 + number))) for number in (0, 1))
    assert one.seed == other.seed and one.stages == other.stages == stages_of(4)
    assert flying.task(0, one.scenario, "fresh").seed != one.seed


def test_a_single_run_is_the_nominal_one() -> None:
    assert Flying(seed=3, runs=1, keep="average").task(0, make_scenario()).flights == 1


def test_aggregate_of_a_generation_is_the_worst_run() -> None:
    backend = StillBackend(StillConfig(drift_m=2.0))
    scenario = make_scenario(make_box(25.0, 6.0), mission=make_mission())
    task = Flying(seed=1, runs=8, keep="worst").task(7, scenario)
    evaluation = task.run(backend)
    assert evaluation.trajectory is not None
    flown = [
        fly_run(backend, scenario, task.seed, run)[0].trajectory.position_enu_m[:, 1].max()
        for run in range(9)
    ]
    assert evaluation.trajectory.position_enu_m[:, 1].max() == max(flown), "the run nearest to the box"
    assert (len(evaluation.verdicts), evaluation.number, evaluation.details["flights"]) == (9, 7, 9)


def test_trouble_of_the_backend_is_a_status() -> None:
    class Broken(StillBackend):
        def fly(self, scenario: object, seed: int) -> object:  # type: ignore[override]
            raise BackendError("the simulator is gone")

    scenario = make_scenario(make_box(), mission=make_mission())
    evaluation = Flying(seed=1, runs=1, keep="average").task(0, scenario).run(Broken())
    assert evaluation.status is EvaluationStatus.BACKEND_ERROR
    with pytest.raises(BackendError, match="the simulator is gone"):
        likeness_to(prepared(logged()), evaluation)


def test_mission_and_heading_come_from_the_log() -> None:
    setup = prepared(logged())
    assert setup.base.mission.waypoints[0].position_enu_m == (40.0, 0.0, 5.0)
    assert setup.base.mission.home_yaw_rad == 0.0
    assert setup.config.greedy().budget == 200
    assert len(setup.config.target) == 40
    assert setup.base.arena.east_max_m >= 70.0


def test_plan_is_placed_around_the_logged_start(tmp_path: Path) -> None:
    mission = Mission(waypoints=(Waypoint(position_enu_m=(40.0, 1.0, 5.0)),), takeoff_altitude_m=5.0)
    save_plan(tmp_path / "a.plan", mission, (47.0, 8.0, 400.0))
    flown = prepared(logged(), tmp_path / "a.plan").base.mission
    assert flown.waypoints[0].position_enu_m == pytest.approx((40.0, 1.0, 5.0), abs=1e-3)
    # Without a place on the globe the plan's own take-off point is the start.
    placeless = prepared(logged(home=None), tmp_path / "a.plan").base.mission
    assert placeless.waypoints[0].position_enu_m == pytest.approx((40.0, 1.0, 5.0), abs=1e-3)


def test_log_without_mission_needs_a_plan_and_a_foreign_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--plan"):
        prepared(logged(mission=None))
    elsewhere = Mission(waypoints=(Waypoint(position_enu_m=(0.0, 80.0, 5.0)),), takeoff_altitude_m=5.0)
    save_plan(tmp_path / "b.plan", elsewhere, (47.0, 8.0, 400.0))
    with pytest.raises(ConfigError, match="not the one that was flown"):
        prepared(logged(), tmp_path / "b.plan")
    near = Mission(waypoints=(Waypoint(position_enu_m=(45.0, 0.0, 5.0)),), takeoff_altitude_m=5.0)
    save_plan(tmp_path / "c.plan", near, (47.0, 8.0, 400.0))
    assert any("5.0 m from where" in note for note in prepared(logged(), tmp_path / "c.plan").notes)


def test_seed_file_may_have_a_mission_that_is_not_there(tmp_path: Path) -> None:
    """As the published seeds: a flat list of numbers and a plan of another machine."""
    seed = tmp_path / "seed.yaml"
    seed.write_text(
        "drone: {port: ros, mission_file: experiments/absent.plan}\n"
        "simulation: {simulator: ros, obstacles: [3, 4, 5, -8, 2, 0, 30]}\n"
    )
    (obstacle,) = prepared(logged(), seed=seed).base.obstacles
    assert obstacle.center_enu_m == (2.0, -8.0, 2.5)
    assert obstacle.size_m == (4.0, 3.0, 5.0)


def test_simulated_autopilot_takes_over_the_logged_parameters() -> None:
    parameters = {"MPC_XY_CRUISE": 2.0, "NAV_ACC_RAD": 1.5, "MPC_TKO_SPEED": 99.0, "SYS_AUTOSTART": 4016.0}
    settings, notes = system_settings(named_system(), parameters)
    vehicle = settings["system"]["vehicle"]
    assert vehicle["mpc_xy_cruise_mps"] == 2.0
    assert vehicle["nav_acc_rad_m"] == settings["system"]["mission"]["acceptance_radius_m"] == 1.5
    assert vehicle["mpc_tko_speed_mps"] < 5.0, "outside the model's limits: not taken"
    assert notes == ["parameters taken from the log: MPC_XY_CRUISE=2, NAV_ACC_RAD=1.5"]
    paper = named_system("paper")
    unchanged, nothing = system_settings(paper, parameters)
    assert System.model_validate(unchanged["system"]) == paper and nothing == []
