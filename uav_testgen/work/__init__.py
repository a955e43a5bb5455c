"""Processes that do the work: executors, their workers, the store that survives them, the wish to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.work.choose import Placement as Placement
    from uav_testgen.work.choose import make_executor as make_executor
    from uav_testgen.work.executor import Executor as Executor
    from uav_testgen.work.executor import Task as Task
    from uav_testgen.work.executor import WorkerPlan as WorkerPlan
    from uav_testgen.work.stop import Interrupted as Interrupted
    from uav_testgen.work.stop import StopRequest as StopRequest
    from uav_testgen.work.store import Store as Store

__getattr__, __all__ = public_names(
    __name__,
    {
        "executor": "Executor Task WorkerPlan",
        "choose": "Placement make_executor",
        "store": "Store",
        "stop": "Interrupted StopRequest",
    },
)
