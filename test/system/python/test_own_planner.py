"""A planner of the user's own, as the manual shows it: every kind of plan, and everything it may do wrong."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

import uav_testgen
from uav_testgen import Plan
from uav_testgen.backend.registry import make_backend
from uav_testgen.cli.main import main
from uav_testgen.flight.model import Ending
from uav_testgen.scenario.model import Mission, Scenario, Waypoint

pytestmark = pytest.mark.system

MINE = """
import time

from uav_testgen import Plan

class Straight:
    def reset(self, setup): ...
    def plan(self, observation):
        return Plan(position_enu_m=observation.goal_enu_m)


class Raises(Straight):
    def plan(self, observation):
        if observation.t_s > 0.45:
            raise RuntimeError("lost the way")
        return super().plan(observation)


class Late(Straight):
    def plan(self, observation):
        if observation.t_s > 0.45:
            time.sleep(0.8)
        return super().plan(observation)


class Hangs(Straight):
    def plan(self, observation):
        while observation.t_s > 0.45:
            pass
        return super().plan(observation)


class HangsInReset(Straight):
    def reset(self, setup):
        while True:
            pass


class Dies(Straight):
    def plan(self, observation):
        import os
        os._exit(7)


class DiesLater(Straight):
    def plan(self, observation):
        import os
        if observation.t_s > 0.45:
            os._exit(7)
        return super().plan(observation)


class Leaves(Straight):
    def plan(self, observation):
        raise SystemExit("no licence")


class Wrong(Straight):
    def plan(self, observation):
        return "north"


class NotMade(Straight):
    def __init__(self):
        raise RuntimeError("no GPU")


class Solves(Straight):
    def plan(self, observation):
        import numpy
        return numpy.linalg.inv(numpy.zeros((3, 3)))
"""

SCENE = Scenario(
    name="short",
    mission=Mission(home_enu_m=(0.0, 0.0, 5.0), waypoints=(Waypoint(position_enu_m=(6.0, 0.0, 5.0)),)),
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    uav_testgen.save(SCENE, tmp_path / "short.yaml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(*words: str) -> int:
    return main([*words, "--undisturbed", "--system", "paper", "--out", "flown"])


def test_the_shape_of_the_manual_flies_from_the_shell(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shell("fly", "short.yaml", "--planner", "mine.py:Straight", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["nominal"]["ending"] == "goal_reached"
    assert said["prediction"]["failure_probability"] is None and not said["prediction"]["calibrated"]


def test_what_is_printed_to_fly_again_asks_for_the_same_runs(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fly", "short.yaml", "--system", "paper", "--planner", "mine.py:Raises", "--runs", "2"]
    assert main([*words, "--out", "flown"]) == 3, "the planner ends the nominal run, and no other is flown"
    said = capsys.readouterr().out
    assert said.splitlines()[-1].split("--planner")[1].split() == ["mine.py:Raises", "--runs", "2"]


@pytest.mark.parametrize(
    "wish",
    [
        {"path_enu_m": [(2.0, 0.0, 5.0), (6.0, 0.0, 5.0)]},
        {"velocity_enu_mps": None},
        {"acceleration_enu_mps2": None},
        {"position_enu_m": None, "yaw_rad": 0.5},
        {"position_enu_m": None, "yaw_rate_radps": 0.2},
    ],
    ids=lambda wish: "+".join(wish),
)
def test_every_kind_of_plan_flies(wish: dict[str, object]) -> None:
    seen = []

    class Wishes:
        def reset(self, setup: object) -> None:
            seen.clear()

        def plan(self, observation: uav_testgen.Observation) -> Plan:
            seen.append(observation)
            way = observation.goal_enu_m - observation.position_enu_m
            if "position_enu_m" in wish:
                way = observation.goal_enu_m
            if "acceleration_enu_mps2" in wish:
                way = 0.5 * way - observation.velocity_enu_mps
            return Plan(**{name: way if value is None else value for name, value in wish.items()})  # type: ignore[arg-type]

    # The lightweight drone looks where it flies, whatever it is told.
    flight, _ = uav_testgen.fly(SCENE, planner=Wishes, system=None if "yaw_rad" in wish else "paper")
    assert flight.ending is Ending.GOAL_REACHED, flight.reason
    first = seen[0]
    assert first.attitude_rad.shape == first.goal_enu_m.shape == first.previous_enu_m.shape == (3,)
    assert first.cloud_enu_m.shape[1] == 3
    if "yaw_rad" in wish:
        # Nothing turns it to where it flies, which is west on the way down.
        assert abs(flight.trajectory.yaw_rad).max() < 1.0


def line_of(text: str) -> int:
    """Where it stands in mine.py."""
    return 1 + MINE[: MINE.index(text)].count("\n")


SETTINGS = {"system": "paper", "planner_late_s": 0.5, "planner_timeout_s": 1.5, "planner_start_s": 2.0}


def test_trouble_ends_the_flight_and_not_the_process(place: Path) -> None:
    """All of it on one backend: a process that was ended is replaced."""
    expected = {
        "Raises": (Ending.PLANNER_ERROR, "RuntimeError: lost the way"),
        "Late": (Ending.PLANNER_LATE, "it answered after"),
        "Hangs": (Ending.PLANNER_LATE, "no answer within 1.5 s, so its process was ended (it was at"),
        "HangsInReset": (Ending.PLANNER_LATE, "it was not made and reset within 2 s"),
        "Dies": (Ending.PLANNER_ERROR, "exit code 7"),
        "DiesLater": (Ending.PLANNER_ERROR, "exit code 7"),
        "Leaves": (Ending.PLANNER_ERROR, f"mine.py:{line_of('no licence')}: SystemExit: no licence"),
        "Wrong": (
            Ending.PLANNER_ERROR,
            f"mine.py:{line_of('north') - 1}: TypeError: plan() must return a Plan",
        ),
        "NotMade": (Ending.PLANNER_ERROR, f"mine.py:{line_of('no GPU')}: RuntimeError: no GPU"),
        "Solves": (Ending.PLANNER_ERROR, f"mine.py:{line_of('linalg')}: LinAlgError: Singular matrix"),
    }
    straight = uav_testgen.fly(SCENE, planner="straight", system="paper")[0].trajectory.position_enu_m
    with make_backend("lfs", {**SETTINGS, "planner": "mine.py:Straight"}) as backend:
        for name, (ending, said) in expected.items():
            system = backend.system.changed({"planner.name": f"mine.py:{name}"})  # type: ignore[attr-defined]
            flight = backend.fly_system(system, SCENE, 1)  # type: ignore[attr-defined]
            assert flight.ending is ending, name
            assert said in flight.details["planner_error"], name
            verdict = uav_testgen.judge(SCENE, flight)
            assert verdict.outcome.value == "inconclusive", name
            if name == "Late":
                assert "planner_late_s: 0.5" in flight.details["planner_error"]
                assert len(flight.trajectory) > 3, "an answer that comes late does not cost the process"
            if name in ("Hangs", "DiesLater"):
                assert straight[:6].tobytes() == flight.trajectory.position_enu_m.tobytes(), (
                    "as far as it came"
                )
                assert flight.duration_s == pytest.approx(0.5) and flight.details["steps"] == 5
            if name in ("Raises", "Hangs", "HangsInReset", "Wrong", "NotMade"):
                assert "mine.py" in flight.details["planner_traceback"] or name == "Wrong"
        assert backend.fly(SCENE, 1).ending is Ending.GOAL_REACHED


def test_a_campaign_survives_a_planner_that_never_returns(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "campaign.yaml").write_text(
        "case: mission2\ngenerator: random\nbudget: {simulations: 2}\nplanner: mine.py:Hangs\nsystem: paper\n"
        "screening: {settings: {planner_timeout_s: 0.5}}\n"
    )
    assert main(["campaign", "campaign.yaml", "--out", "out", "--jobs", "1", "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["statuses"]["planner_late"] == 2 and told["failures"] == 0
    assert "mine.py:" in told["notes"][0]


def test_a_campaign_keeps_the_traceback_of_a_planner(place: Path) -> None:
    results = uav_testgen.campaign(
        "mission2",
        generator="random",
        planner="mine.py:Raises",
        settings={"system": "paper"},
        budget=1,
        out="out",
        jobs=0,
    )
    assert not results.tests
    stored = (place / "out" / "evaluations.jsonl").read_text()
    assert "Traceback" in stored and "RuntimeError: lost the way" in stored


# A limit kept by a thread: the other kind uses the alarm clock that interrupts planners.
@pytest.mark.timeout(120, method="thread")
def test_an_object_that_never_answers_is_interrupted() -> None:
    class Sleeps:
        def reset(self, setup: object) -> None: ...

        def plan(self, observation: uav_testgen.Observation) -> Plan:
            if observation.t_s > 0.45:
                time.sleep(3600.0)
            return Plan(position_enu_m=observation.goal_enu_m)

    flight, _ = uav_testgen.fly(SCENE, planner=Sleeps(), system="paper", settings={"planner_timeout_s": 0.5})
    assert flight.ending is Ending.PLANNER_LATE
    assert "test_own_planner.py" in flight.details["planner_traceback"]
    assert np.all(np.isfinite(flight.trajectory.position_enu_m)) and len(flight.trajectory) > 3


# A limit kept by a thread, as above.
@pytest.mark.timeout(120, method="thread")
def test_an_object_that_is_never_made_ends_its_flight() -> None:
    class Broken:
        def __init__(self) -> None:
            raise RuntimeError("no GPU")

        def reset(self, setup: object) -> None: ...

        def plan(self, observation: uav_testgen.Observation) -> Plan:
            return Plan()

    class Sleeps(Broken):
        def __init__(self) -> None:
            time.sleep(3600.0)

    broken, verdict = uav_testgen.fly(SCENE, planner=Broken, system="paper")
    assert broken.ending is Ending.PLANNER_ERROR and verdict.outcome.value == "inconclusive"
    assert "test_own_planner.py" in broken.details["planner_error"]
    sleeps, _ = uav_testgen.fly(SCENE, planner=Sleeps, system="paper", settings={"planner_start_s": 0.3})
    assert (
        sleeps.ending is Ending.PLANNER_LATE
        and "it was not made within 0.3 s" in sleeps.details["planner_error"]
    )


def test_a_guide_may_be_late_too() -> None:
    class Dawdles:
        def reset(self, setup: object) -> None: ...

        def plan(self, observation: uav_testgen.Observation) -> Plan:
            return Plan(position_enu_m=observation.goal_enu_m)

        def guide(self, plan: Plan, pose: object, t_s: float) -> Plan:
            if t_s > 0.45:
                time.sleep(0.6)
            return plan

    flight, _ = uav_testgen.fly(SCENE, planner=Dawdles(), system="paper", settings={"planner_late_s": 0.5})
    assert flight.ending is Ending.PLANNER_LATE and "planner_late_s: 0.5" in flight.details["planner_error"]
    assert 0.6 <= flight.details["planner_slowest_s"] < 10.0


def test_the_flight_is_the_same_in_a_process_of_its_own(place: Path) -> None:
    there, _ = uav_testgen.fly(SCENE, planner="mine.py:Straight", system="paper")
    here, _ = uav_testgen.fly(SCENE, planner="straight", system="paper")
    assert there.trajectory.position_enu_m.tobytes() == here.trajectory.position_enu_m.tobytes()
