"""What every executor promises, as tests to inherit: override `build`."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.backend.base import Backend, BackendAbsent
from uav_testgen.campaign.screening import ScreenTask, evaluation_seed
from uav_testgen.core.errors import UavTestgenError
from uav_testgen.loop.scatter import ScatterConfig
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.stages import stages_of
from uav_testgen.testing.factories import make_box, make_scenario
from uav_testgen.testing.tasks import Act
from uav_testgen.work.executor import Task, WorkerPlan

PLAN = WorkerPlan("still", {"drift_m": 0.5})
HANGING_PLANNER = """
class Hangs:
    def reset(self, setup): ...
    def plan(self, observation):
        while True:
            pass
"""


def screen_tasks(count: int) -> list[ScreenTask]:
    """Real work: different scenes, seeds by number."""
    return [
        ScreenTask(
            number,
            make_scenario(make_box(east_m=25.0, north_m=-20.0 + number), mission="mission1"),
            evaluation_seed(7, number),
            stages_of(2, 1.5),
            ScatterConfig(start_m=0.3, heading_rad=0.05),
        )
        for number in range(count)
    ]


def comparable(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation without the time it took."""
    from uav_testgen.campaign.record import evaluation_to_body

    body = evaluation_to_body(evaluation, 0.0)
    return {
        **body,
        "details": {key: value for key, value in body["details"].items() if key not in ("cpu_s", "wall_s")},
    }


class Stop(Exception):
    """Raised by a `check_stop` that has seen enough."""


class ExecutorContract:
    """Inherit and override `build`."""

    def build(self, plan: WorkerPlan, **limits: Any) -> Any:
        """An executor that is ready to be entered, with two workers if it has workers."""
        raise NotImplementedError

    def answers(self, tasks: list[Act], **limits: Any) -> dict[int, str]:
        """All answers, each exactly once."""
        with self.build(PLAN, **limits) as executor:
            pairs = [pair for group in executor.run(tasks, lambda: None) for pair in group]
        assert sorted(number for number, _ in pairs) == sorted(task.number for task in tasks)
        return dict(pairs)

    def test_every_task_is_answered_once_as_if_run_here(self) -> None:
        """The results are those of `task.run`, whoever runs it, and can be put in order by number."""
        from uav_testgen.backend.registry import make_backend

        tasks = screen_tasks(40)
        with self.build(PLAN) as executor:
            found = [result for group in executor.run(tasks, lambda: None) for result in group]
        assert sorted(evaluation.number for evaluation in found) == list(range(40))
        backend: Backend
        with make_backend(PLAN.backend, PLAN.settings) as backend:
            here = [comparable(task.run(backend)) for task in tasks]
        assert [comparable(one) for one in sorted(found, key=lambda one: one.number)] == here

    def test_no_task_no_group(self) -> None:
        """Nothing to do ends at once."""
        with self.build(PLAN) as executor:
            assert list(executor.run([], lambda: None)) == []

    def test_runs_again_after_a_run_and_after_close(self) -> None:
        """Workers are warm for the next call and come back when they are needed."""
        with self.build(PLAN) as executor:
            for _ in range(2):
                groups = list(executor.run([Act(0), Act(1)], lambda: None))
                pairs = sorted(pair for group in groups for pair in group)
                assert pairs == [(0, "answered"), (1, "answered")]
            executor.close()
            assert list(executor.run([Act(5)], lambda: None)) == [[(5, "answered")]]

    def test_a_bug_in_one_task_is_its_result(self) -> None:
        """The others do not notice."""
        found = self.answers([Act(0), Act(1, "raise"), Act(2)])
        assert found == {0: "answered", 1: "backend_error: unexpected RuntimeError: a bug", 2: "answered"}

    def test_where_nobody_is_there_who_could_fly_the_work_stops(self) -> None:
        """It is not about one task: the sentence comes once, and no further task is tried."""
        with self.build(PLAN) as executor, pytest.raises(BackendAbsent, match=r"^nobody flies here$"):
            list(executor.run([Act(0, "absent"), Act(1, "absent")], lambda: None))

    def test_stopping_is_noticed_while_waiting(self) -> None:
        """`check_stop` is asked several times a second, once workers have started."""
        asked: list[float] = []
        first_result_s: list[float] = []

        def check() -> None:
            now_s = time.monotonic()
            if first_result_s:
                asked.append(now_s)
                if now_s - first_result_s[0] > 2.0:
                    raise Stop

        tasks: list[Task] = [Act(number, "nap") for number in range(1000)]
        with self.build(PLAN) as executor, pytest.raises(Stop):
            for _ in executor.run(tasks, check):
                first_result_s = first_result_s or [time.monotonic()]
        pauses = sorted(b - a for a, b in pairwise(asked))
        assert pauses[len(pauses) // 2] < 0.5

    def test_a_backend_that_cannot_start_is_an_error_with_its_reason(self) -> None:
        """Before any task is lost."""
        plan = WorkerPlan("replay", {"source": "nowhere.json"})
        with pytest.raises(UavTestgenError, match=r"nowhere\.json"), self.build(plan) as executor:
            list(executor.run([Act(0)], lambda: None))

    def test_a_planner_that_never_returns_costs_its_flight_only(self, tmp_path: Path) -> None:
        """It is ended after `planner_timeout_s` wherever it flies, and the next flight begins."""
        file = tmp_path / "hanging.py"
        file.write_text(HANGING_PLANNER)
        plan = WorkerPlan("lfs", {"system": "paper", "planner": f"{file}:Hangs", "planner_timeout_s": 0.5})
        tasks = [replace(task, stages=()) for task in screen_tasks(2)]
        with self.build(plan) as executor:
            found = [one for group in executor.run(tasks, lambda: None) for one in group]
        assert [one.status.value for one in found] == ["planner_late"] * 2
        assert all(f"(it was at {file}:" in one.message for one in found)


class WorkerExecutorContract(ExecutorContract):
    """For executors whose workers are processes: they may die or hang without stopping the others."""

    def test_what_kills_workers_is_put_in_quarantine(self, tmp_path: Path) -> None:
        """What dies once is flown again; what dies always is given up; nobody else suffers."""
        tasks = [Act(number) for number in range(6)]
        tasks[1] = Act(1, "die")
        tasks[3] = Act(3, "die once", str(tmp_path / "died"))
        found = self.answers(tasks, tries=2)
        assert found.pop(1) == "backend_error: in quarantine: 2 workers died while flying it"
        assert set(found.values()) == {"answered"}

    def test_what_hangs_is_given_up(self) -> None:
        """Its worker is replaced."""
        found = self.answers([Act(0, "hang"), Act(1), Act(2)], flight_timeout_s=6.0)
        assert found.pop(0) == "timeout: the flight computed longer than 6 s and was stopped"
        assert found == {1: "answered", 2: "answered"}
