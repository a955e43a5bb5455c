"""Surrealist (Khatiri et al.), mutation of test cases: parameters of the autopilot beside obstacles and commands."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from uav_testgen.backend.blind_spots import blind_spots
from uav_testgen.backend.registry import make_backend
from uav_testgen.cli.main import main
from uav_testgen.core.errors import ConfigError, InvalidScenario
from uav_testgen.generator.registry import build_generator
from uav_testgen.loop.autopilot import with_parameters
from uav_testgen.loop.system import named_system
from uav_testgen.scenario.formats.aerialist import load_test
from uav_testgen.scenario.formats.aerialist_write import CASE_STUDY_PARAMETERS, as_written, save_test
from uav_testgen.scenario.formats.scenario_file import load_scenario, save_scenario
from uav_testgen.scenario.model import Scenario, obstacle_on_ground
from uav_testgen.testing.factories import make_scenario
from uav_testgen.vehicle.px4.parameters import parameter_fields, usual_value

SETTINGS = {"mutators": ["parameters"], "parameter_steps": {"MPC_XY_CRUISE": 1.5}, "added_obstacle": False}


def scenario(**parameters: float) -> Scenario:
    walled = make_scenario(mission="mission2").with_obstacles(
        (obstacle_on_ground(25.0, -3.0, (2.0, 12.0, 20.0)),)
    )
    return walled.model_copy(update={"parameters": parameters})


def test_the_search_asks_for_a_parameter_more_and_less() -> None:
    generator = build_generator("surrealist", scenario(), SETTINGS, 1)
    (seed,) = generator.ask(5)
    assert seed.parameters == {}
    usual = usual_value("MPC_XY_CRUISE")
    (cruise,) = generator._mutators(seed)
    assert cruise.apply(seed, 1.5).parameters == {"MPC_XY_CRUISE": usual + 1.5}
    assert cruise.apply(seed, -usual) is None, "a speed of 0 is none"
    assert generator.changes_parameters == ("MPC_XY_CRUISE",)


def test_a_parameter_without_a_beginning_is_refused() -> None:
    settings = {**SETTINGS, "parameter_steps": {"MPC_TILTMAX_AIR": 5.0}}
    with pytest.raises(ConfigError, match=r"nothing says where MPC_TILTMAX_AIR begins.*MPC_XY_CRUISE"):
        build_generator("surrealist", scenario(), settings, 1)
    assert build_generator("surrealist", scenario(MPC_TILTMAX_AIR=45.0), settings, 1)


def test_parameters_make_another_scene_and_none_make_the_same(tmp_path: Path) -> None:
    assert scenario().id == make_scenario(mission="mission2").with_obstacles(scenario().obstacles).id
    fast = scenario(MPC_XY_CRUISE=8.0)
    assert fast.id != scenario().id
    save_scenario(tmp_path / "fast.yaml", fast)
    assert load_scenario(tmp_path / "fast.yaml").id == fast.id


def test_an_aerialist_test_holds_them_beside_those_of_the_case_studies(tmp_path: Path) -> None:
    fast = as_written(scenario(MPC_XY_CRUISE=8.0, NAV_ACC_RAD=0.5))
    assert fast.parameters == {"MPC_XY_CRUISE": 8.0}, "what every case study sets is no part of a test"
    save_test(tmp_path / "fast.yaml", fast)
    document = yaml.safe_load((tmp_path / "fast.yaml").read_text())
    assert document["robot"]["params"] == {**CASE_STUDY_PARAMETERS, "MPC_XY_CRUISE": 8.0}
    read = load_test(tmp_path / "fast.yaml")
    assert read.scenario.id == fast.id
    save_test(tmp_path / "usual.yaml", as_written(scenario()), template=read)
    assert load_test(tmp_path / "usual.yaml").scenario.id == as_written(scenario()).id


def test_the_simulated_autopilot_takes_them_over() -> None:
    system = named_system()
    assert with_parameters(system, {"SDLOG_PROFILE": 1.0}) is system
    changed = with_parameters(system, {"NAV_ACC_RAD": 3.0, "MPC_ACC_HOR": 2.0})
    assert changed.mission.acceptance_radius_m == 3.0
    assert changed.autopilot.mpc_acc_hor_mps2 == 2.0
    with pytest.raises(InvalidScenario, match="PX4 parameter MPC_XY_CRUISE = 50"):
        with_parameters(system, {"MPC_XY_CRUISE": 50.0})
    assert {"MPC_XY_CRUISE", "MPC_ACC_HOR", "NAV_ACC_RAD", "MPC_Z_VEL_MAX_UP"} <= set(parameter_fields())


def test_a_flight_is_another_with_another_parameter() -> None:
    with make_backend("lfs") as backend:
        usual = backend.fly(scenario(), 1)
        slow = backend.fly(scenario(MPC_TKO_SPEED=0.5), 1)
        same = backend.fly(scenario(MPC_TILTMAX_AIR=20.0), 1)
    assert slow.duration_s > usual.duration_s + 5.0, "it climbs 10 m with 0.5 instead of 1.5 m/s"
    assert (same.trajectory.position_enu_m == usual.trajectory.position_enu_m).all()


@pytest.mark.parametrize(
    ("backend", "parameters", "words"),
    [
        ("lfs", {"MPC_XY_CRUISE": 8.0}, None),
        (
            "lfs",
            {"MPC_XY_CRUISE": 8.0, "MPC_TILTMAX_AIR": 20.0},
            "change nothing here: MPC_TILTMAX_AIR; simulated are",
        ),
        ("lfs", {"MPC_TILTMAX_AIR": 20.0}, "change nothing here: MPC_TILTMAX_AIR; simulated are"),
        ("lfs", {"MPC_XY_CRUISED": 8.0}, "change nothing here: MPC_XY_CRUISED"),
        ("still", {"MPC_XY_CRUISE": 8.0}, "does not have: MPC_XY_CRUISE"),
        ("px4", {"MPC_XY_CRUISE": 8.0}, "not sent to the live PX4"),
        ("aerialist", {"MPC_XY_CRUISE": 8.0}, None),
    ],
)
def test_what_a_simulator_does_not_use_is_said(
    backend: str, parameters: dict[str, float], words: str | None
) -> None:
    said = blind_spots(backend, {}, scenario(**parameters))
    assert not said if words is None else any(words in one for one in said)


def test_a_search_with_a_simulator_that_uses_none_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case.yaml"
    save_test(case, scenario())
    words = [
        "generate",
        str(case),
        "3",
        "--generator",
        "surrealist",
        "--mutators",
        "parameters",
        "--backend",
        "still",
    ]
    words += ["--setting", "added_obstacle=false", "--setting", "runs=1"]
    assert main([*words, "--out", str(tmp_path / "out"), "--jobs", "0"]) == 0
    assert "PX4 parameters that this simulator does not have" in capfd.readouterr().err
    stored = (tmp_path / "out" / "evaluations.jsonl").read_text()
    assert '"parameters":{"MPC_XY_CRUISE":' in stored.replace(" ", "")


def test_the_page_names_every_simulated_parameter(project_root: Path) -> None:
    page = (project_root / "docs" / "reference" / "replication.md").read_text()
    assert [name for name in parameter_fields() if f"`{name}`" not in page] == []
