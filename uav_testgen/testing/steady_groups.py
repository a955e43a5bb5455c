"""pytest plugin: `--dist loadgroup` that goes on when a worker dies.

    python -m pytest -p uav_testgen.testing.steady_groups -n 2 --dist loadgroup ...

The scheduler of pytest-xdist 3.8 hands finished and single tests of a dead worker to its successor in a way
that makes the successor wait for ever, and gives it the deadly test once more (its issues 1189, 1323, 1327
and 1378). Here only what was not begun is handed on, and a worker always knows what comes next.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController

ENOUGH = 3
"""A worker begins a test when it knows the next one, or that there is none."""


class SteadyGroupScheduling(LoadGroupScheduling):
    """Groups of tests, each on one worker; the groups of a dead worker go to others."""

    def remove_node(self, node: WorkerController) -> str | None:
        """The test during which a worker died, which counts as failed; None if it had nothing to do."""
        workload: dict[str, dict[str, bool]] = self.assigned_work.pop(node)
        left = [test for unit in workload.values() for test, done in unit.items() if not done]
        if not left:
            return None
        deadly = left[0]
        for group, unit in workload.items():
            rest = {test: False for test, done in unit.items() if not done and test != deadly}
            if rest:
                self.workqueue[group] = rest
        for other in self.nodes:
            self._reschedule(other)
        return deadly

    def _reschedule(self, node: WorkerController) -> None:
        if node not in self.registered_collections:
            return  # it still collects, and is given work when it has done so
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < ENOUGH:
            if not self.workqueue:
                node.shutdown()
                return
            self._assign_work_unit(node)


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SteadyGroupScheduling | None:
    """Takes the place of xdist's own scheduler for groups."""
    return SteadyGroupScheduling(config, log) if config.getvalue("dist") == "loadgroup" else None
