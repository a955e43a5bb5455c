"""pytest plugin: `--dist loadgroup` that knows the groups and goes on when a worker dies.

    python -m pytest -p uav_testgen.testing.steady_groups -n 2 --dist loadgroup ...

The scheduler of pytest-xdist 3.8 hands finished and single tests of a dead worker to its successor in a way
that makes the successor wait for ever, and gives it the deadly test once more (its issues 1189, 1323, 1327
and 1378). Here only what was not begun is handed on, and a worker always knows what comes next.

It also learns of groups through the names of tests, which pytest 9.2 no longer lets it change: every test is then
a group of its own, without a word. Here each worker writes down the groups it has found. Tests that share a fixture
of their module or package are a group, too: every worker that runs one of them would make the fixture anew, and
those are the campaigns, servers and environments that take longest.

What may take longest is begun first, by the limits that its tests have: a long test that is begun last keeps one
worker busy while the others have nothing left to do.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController

from uav_testgen.testing.running_tests import limit_of

FOLDER = "steady_groups_folder"
ENOUGH = 3
"""A worker begins a test when it knows the next one, or that there is none."""
_FOLDER_OF_RUN = pytest.StashKey[str]()


class SteadyGroupScheduling(LoadGroupScheduling):
    """Groups of tests, each on one worker; the groups of a dead worker go to others."""

    _sorted = False

    def add_node_collection(self, node: WorkerController, collection: list[str]) -> None:
        """A worker says which tests it has; which of them belong together it has written down before."""
        found = json.loads(_groups_file(node.workerinput).read_text(encoding="utf-8"))
        self._groups, self._limits_s = found["groups"], found["limits_s"]
        super().add_node_collection(node, collection)

    def _split_scope(self, nodeid: str) -> str:
        return str(self._groups.get(nodeid, nodeid))

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

    def _assign_work_unit(self, node: WorkerController) -> None:
        if not self._sorted:  # xdist has just filled the queue, the group with the most tests in front
            for group in sorted(self.workqueue, key=self._limit_s, reverse=True):
                self.workqueue.move_to_end(group)
            self._sorted = True
        super()._assign_work_unit(node)

    def _limit_s(self, group: str) -> float:
        """How long all tests of a group may take; a test without a limit of its own counts as nothing."""
        return sum(float(self._limits_s.get(test, 0.0)) for test in self.workqueue[group])

    def _reschedule(self, node: WorkerController) -> None:
        if node not in self.registered_collections:
            return  # it still collects, and is given work when it has done so
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < ENOUGH:
            if not self.workqueue:
                node.shutdown()
                return
            self._assign_work_unit(node)


def pytest_configure(config: pytest.Config) -> None:
    """Where workers are started: the folder in which they say what they found."""
    if config.getoption("dist", "no") == "loadgroup" and not hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp(prefix="steady_groups_")
        config.stash[_FOLDER_OF_RUN] = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: WorkerController) -> None:
    """Tell a worker about it."""
    if _FOLDER_OF_RUN in node.config.stash:
        node.workerinput[FOLDER] = node.config.stash[_FOLDER_OF_RUN]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """In a worker, before it says which tests it has."""
    told = getattr(session.config, "workerinput", {})
    if FOLDER in told:
        found = {
            "groups": {item.nodeid: group for item in session.items if (group := group_of(item))},
            "limits_s": {item.nodeid: limit_of(item) for item in session.items},
        }
        _groups_file(told).write_text(json.dumps(found), encoding="utf-8")


def group_of(item: pytest.Item) -> str | None:
    """Name of the group a test was given, else the place of a fixture it shares; None for a test on its own."""
    given = {str(mark.args[0]) for mark in item.iter_markers("xdist_group") if mark.args}
    return "_".join(sorted(given)) or _shared_home(item)


def _shared_home(item: pytest.Item) -> str | None:
    """Folder or file of the fixtures that a test shares with others of its package or module."""
    used = getattr(item, "_fixtureinfo", None)
    made = [steps[-1] for steps in used.name2fixturedefs.values() if steps] if used is not None else []
    homes = {fixture.scope: fixture.baseid for fixture in made if fixture.scope in ("package", "module")}
    return homes.get("package") or homes.get("module")


def _groups_file(workerinput: dict[str, Any]) -> Path:
    return Path(workerinput[FOLDER]) / f"{workerinput['workerid']}.json"


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SteadyGroupScheduling | None:
    """Takes the place of xdist's own scheduler for groups."""
    return SteadyGroupScheduling(config, log) if config.getvalue("dist") == "loadgroup" else None
