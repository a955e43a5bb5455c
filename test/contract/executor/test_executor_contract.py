"""This process, processes on this machine and a Ray cluster keep the same promises."""

from __future__ import annotations

from typing import Any

import pytest

from uav_testgen.testing.executor_contract import ExecutorContract, WorkerExecutorContract
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan


class TestInline(ExecutorContract):
    def build(self, plan: WorkerPlan, **limits: Any) -> Any:
        return make_executor(plan, Placement(0), **limits)


class TestLocal(WorkerExecutorContract):
    def build(self, plan: WorkerPlan, **limits: Any) -> Any:
        return make_executor(plan, Placement(2), **limits)


@pytest.mark.xdist_group("ray")
class TestRay(WorkerExecutorContract):
    address = ""

    @pytest.fixture(autouse=True)
    def _join(self, ray_cluster: Any) -> None:
        """Each test connects to the cluster as a driver of its own."""
        self.address = ray_cluster.address

    def build(self, plan: WorkerPlan, **limits: Any) -> Any:
        return make_executor(plan, Placement(2, "ray", self.address), **limits)
