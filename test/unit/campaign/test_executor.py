"""Local workers: every task answered once, whatever dies, hangs or cannot start."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from uav_testgen.campaign.executor.base import WorkerPlan
from uav_testgen.campaign.executor.local import LocalExecutor
from uav_testgen.errors import BackendError
from uav_testgen.testing.tasks import Act

PLAN = WorkerPlan("still")


def answers(tasks: list[Act], **limits: Any) -> dict[int, str]:
    with LocalExecutor(PLAN, 2, **limits) as executor:
        pairs = [pair for group in executor.run(tasks, lambda: None) for pair in group]
    assert sorted(number for number, _ in pairs) == sorted(task.number for task in tasks), "each exactly once"
    return dict(pairs)


def test_dying_and_raising_tasks_do_not_stop_the_others(tmp_path: Path) -> None:
    tasks = [Act(number) for number in range(5)]
    tasks[1] = Act(1, "die")
    tasks[2] = Act(2, "die once", str(tmp_path / "died"))
    tasks[3] = Act(3, "raise")
    found = answers(tasks, tries=2)
    assert found[0] == found[2] == found[4] == "answered"
    assert found[1] == "backend_error: in quarantine: 2 workers died while flying it"
    assert found[3] == "backend_error: unexpected RuntimeError: a bug"


def test_a_hanging_task_is_given_up_and_its_worker_replaced() -> None:
    # Long enough for an honest answer on a busy machine, short enough to wait for.
    found = answers([Act(0, "hang"), Act(1)], flight_timeout_s=8.0)
    assert found == {0: "timeout: the flight computed longer than 8 s and was stopped", 1: "answered"}


def test_a_backend_that_cannot_start_is_an_error_with_its_reason() -> None:
    plan = WorkerPlan("replay", {"source": "nowhere.json"})
    with (
        LocalExecutor(plan, 1) as executor,
        pytest.raises(BackendError, match=r"cannot start: nowhere\.json"),
    ):
        list(executor.run([Act(0)], lambda: None))


def test_stopping_is_noticed_while_waiting() -> None:
    class Stop(Exception):
        pass

    began = time.monotonic()

    def check() -> None:
        if time.monotonic() - began > 0.5:
            raise Stop

    with LocalExecutor(PLAN, 1) as executor, pytest.raises(Stop):
        list(executor.run([Act(0, "hang")], check))
