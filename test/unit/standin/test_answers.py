"""Simulations are numbered, differ, are kept, and are the same again when the program starts again."""

from __future__ import annotations

import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from uav_testgen.campaign.observe import Silent
from uav_testgen.core.errors import BackendError, StoreError
from uav_testgen.flight.model import Flight
from uav_testgen.flight.ulog.topics import read_topics
from uav_testgen.scenario.formats.aerialist_write import save_test
from uav_testgen.scenario.model import Scenario, obstacle_on_ground
from uav_testgen.standin.answers import Answer, Answers, Settings
from uav_testgen.standin.report import report_case
from uav_testgen.standin.request import read_request
from uav_testgen.testing.factories import make_scenario
from uav_testgen.testing.still_backend import StillBackend, StillConfig
from uav_testgen.view.publish import publish
from uav_testgen.work.stop import StopRequest

STILL = "uav_testgen.testing.still_backend:StillBackend"


def scene(east_m: float, mission: str = "mission2") -> Scenario:
    return make_scenario(mission=mission).with_obstacles(
        (obstacle_on_ground(east_m, -6.0, (2.0, 3.0, 20.0)),)
    )


def settings(out: Path, **more: object) -> Settings:
    given: dict[str, object] = {"backend": STILL, "backend_settings": {"drift_m": 1.0, "period_s": 0.1}}
    return Settings(out, ("python3", "cli.py"), **{**given, **more})  # type: ignore[arg-type]


def ask(answers: Answers, folder: Path, scenario: Scenario, timeout_s: str | None = None) -> Answer:
    path = folder / f"{scenario.id}.yaml"
    save_test(path, scenario)
    return answers.fly(read_request(path, {"SIMULATION_TIMEOUT": timeout_s} if timeout_s else {}))


def test_repeated_simulations_differ_and_are_repeatable(tmp_path: Path) -> None:
    found: list[list[float | None]] = []
    for name in ("one", "two"):
        with Answers(settings(tmp_path / name)) as answers:
            asked = [ask(answers, tmp_path, scene(east)) for east in (20.0, 20.0, 30.0, 20.0)]
        assert [(one.scene, one.run) for one in asked] == [(0, 1), (0, 2), (1, 1), (0, 3)]
        assert all(one.log is not None and len(read_topics(one.log).topics) >= 3 for one in asked)
        found.append([one.distance_m for one in asked])
    assert found[0] == found[1]
    assert len(set(found[0])) == 4
    with Answers(settings(tmp_path / "three", seed=2)) as answers:
        assert ask(answers, tmp_path, scene(20.0)).distance_m not in found[0]


def test_a_program_started_again_gets_the_same_answers(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Answers(settings(out)) as answers:
        first = [ask(answers, tmp_path, scene(east)) for east in (20.0, 30.0)]
    assert first[1].log is not None
    first[1].log.unlink()  # lost: flown again
    with Answers(settings(out, resume=True)) as answers:
        # In another order: scenes keep their numbers.
        again = [ask(answers, tmp_path, scene(east)) for east in (30.0, 20.0, 20.0)]
    assert again[0] == first[1]
    assert again[0].log is not None and again[0].log.is_file()
    assert again[1] == first[0]
    assert again[2].run == 2
    with pytest.raises(StoreError, match="--resume"):
        Answers(settings(out))


def test_other_settings_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Answers(settings(out)) as answers:
        ask(answers, tmp_path, scene(20.0))
    with pytest.raises(StoreError, match="seed"), Answers(settings(out, resume=True, seed=9)):
        pass


def test_budget(tmp_path: Path) -> None:
    with Answers(settings(tmp_path / "out", most_simulations=1)) as answers:
        ask(answers, tmp_path, scene(20.0))
        with pytest.raises(BackendError, match="budget of 1"):
            ask(answers, tmp_path, scene(20.0))
    assert (answers.simulations, answers.refused) == (1, 1)


def test_each_mission_has_a_folder(tmp_path: Path) -> None:
    with Answers(settings(tmp_path / "out")) as answers:
        ask(answers, tmp_path, scene(20.0, "mission2"))
        ask(answers, tmp_path, scene(20.0, "mission3"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["mission2", "mission3"]


def test_time_limits_are_answers_of_their_own(tmp_path: Path) -> None:
    with Answers(settings(tmp_path / "out")) as answers:
        short, whole = ask(answers, tmp_path, scene(20.0), "20"), ask(answers, tmp_path, scene(30.0))
    assert short.duration_s == pytest.approx(20.0, abs=0.11)
    assert short.ending == "time_limit"
    assert whole.duration_s > 25.0


def test_several_threads_ask_at_once(tmp_path: Path) -> None:
    with Answers(settings(tmp_path / "out")) as answers, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: ask(answers, tmp_path, scene(20.0)), range(8)))
    assert sorted(one.run for one in found) == list(range(1, 9))


def test_report_and_tests(tmp_path: Path) -> None:
    with Answers(settings(tmp_path / "out")) as answers:
        for east in (20.0, 30.0, 20.0):
            ask(answers, tmp_path, scene(east))
    (case,) = answers.cases.values()
    with StopRequest() as stop:
        result = report_case(case, 0, False, Silent(), stop, publish)
        again = report_case(case, 0, False, Silent(), stop, publish)
    assert [test.stem for test in again.suite] == [test.stem for test in result.suite]
    assert len(result.evaluations) == 2
    assert (case.folder / "report.html").is_file()
    assert len(list((case.folder / "tests").glob("*.yaml"))) == len(result.suite) > 0
    with (case.folder / "answers.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["simulation"] for row in rows] == ["1", "2", "1"]
    assert all((case.folder / row["log"]).is_file() for row in rows)
    assert "as-aerialist" in (case.folder / "summary.json").read_text()


class _Grounded(StillBackend):
    """Never gets off the ground in one scene."""

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        if scenario.obstacles[0].center_enu_m[0] < 25.0:
            raise BackendError("the flight starts inside an obstacle")
        return super().fly(scenario, seed)


def test_a_scene_that_could_not_be_simulated_is_no_test(tmp_path: Path) -> None:
    with (
        _Grounded(StillConfig(drift_m=1.0, period_s=0.1)) as backend,
        Answers(settings(tmp_path / "out"), backend) as answers,
    ):
        asked = [ask(answers, tmp_path, scene(east)) for east in (20.0, 30.0)]
    assert [one.log is None for one in asked] == [True, False]
    (case,) = answers.cases.values()
    with StopRequest() as stop:
        result = report_case(case, 0, False, Silent(), stop, publish)
    assert [test.ranked.evaluation.scenario.id for test in result.suite] == [scene(30.0).id]
    refused = next(one for one in result.evaluations if one.number == 0)
    assert (refused.status.value, refused.message) == (
        "invalid_scenario",
        "the flight starts inside an obstacle",
    )
