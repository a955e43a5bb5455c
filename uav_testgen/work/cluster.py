"""Workers on a Ray cluster: the only file that imports ray, and only when it is asked for.

One actor per processor, each with a backend that stays warm. An actor holds at most two bundles, the one it
flies and the next, so memory on the driver and the cluster is bounded however long the campaign is. Nothing
is kept on the cluster: a driver that dies takes its actors with it and resumes from its store.
"""

from __future__ import annotations

import importlib
import logging
import os
import secrets
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from uav_testgen.backend.base import BackendAbsent
from uav_testgen.backend.registry import make_backend
from uav_testgen.core.errors import BackendError, ConfigError, MissingDependency, UavTestgenError
from uav_testgen.core.extras import way_to_get
from uav_testgen.work.bundles import Bundles
from uav_testgen.work.executor import Task, WorkerPlan
from uav_testgen.work.versions import versions
from uav_testgen.work.worker import run_task

log = logging.getLogger(__name__)

# Longest time before a Ctrl-C is noticed.
_POLL_S = 0.2
# The bundle under way and the next one, so that no worker waits while the driver writes to its disk.
_HELD_BUNDLES = 2
# An actor waits for a free processor, imports and compiles before its first answer.
_START_TIMEOUT_S = 600.0
_LOOK_AT_CLUSTER_EVERY_S = 2.0
_GRACE_S = 5.0
_CONNECT_S = 10.0


class ClusterWorker:
    """The actor: builds the backend once, then runs bundles."""

    def __init__(self) -> None:
        self._backend: Any = None

    def start(self, plan: WorkerPlan) -> dict[str, Any]:
        """Build the backend; says where it runs, with which versions, or why it cannot."""
        import ray

        node = str(ray.get_runtime_context().get_node_id())
        try:
            self._backend = make_backend(plan.backend, plan.settings)
            self._backend.__enter__()
        except UavTestgenError as error:
            return {"node": node, "trouble": str(error)}
        return {"node": node, "versions": versions(), "pid": os.getpid()}

    def run(self, bundle: Sequence[Task]) -> tuple[list[Any], float]:
        """The results in order, and the seconds they took."""
        began_s = time.monotonic()
        results = [run_task(task, self._backend) for task in bundle]
        return results, time.monotonic() - began_s

    def stop(self) -> None:
        """Let the backend end what it started."""
        if self._backend is not None:
            self._backend.__exit__(None, None, None)
            self._backend = None


@dataclass
class _Held:
    reference: Any
    bundle: list[Task]


@dataclass
class _Worker:
    actor: Any
    starting: Any
    node: str = ""
    held: deque[_Held] = field(default_factory=deque)
    since_s: float = 0.0

    @property
    def first_reference(self) -> Any:
        """What it will answer next; None if it has nothing to do."""
        if self.starting is not None:
            return self.starting
        return self.held[0].reference if self.held else None


class RayExecutor:
    """`jobs` actors, or one for each processor the cluster has at the moment."""

    def __init__(
        self,
        plan: WorkerPlan,
        jobs: int | None,
        address: str | None,
        *,
        flight_timeout_s: float = 300.0,
        tries: int = 3,
    ) -> None:
        self._plan = plan
        self._jobs = jobs
        self._address = address
        self._flight_timeout_s = flight_timeout_s
        self._tries = tries
        self._ray: Any = None
        self._actor_class: Any = None
        self._connected_here = False
        self._workers: list[_Worker] = []
        self._processors = 0
        self._looked_s = 0.0
        self._failed_starts = 0
        self._task_s: float | None = None

    def __enter__(self) -> RayExecutor:
        _set_environment(self._address)
        self._ray = _import_ray()
        if not self._ray.is_initialized():
            _connect(self._ray, self._address)
            self._connected_here = True
        options = {"num_cpus": 1, "max_restarts": 0, "max_task_retries": 0, "scheduling_strategy": "SPREAD"}
        self._actor_class = self._ray.remote(**options)(ClusterWorker)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(_GRACE_S if error is None else 0.0)
        if self._connected_here:
            self._ray.shutdown()
            self._connected_here = False

    def run(self, tasks: Sequence[Task], check_stop: Callable[[], None]) -> Iterator[list[Any]]:
        """Groups of results as they are finished."""
        bundles = Bundles(tasks, self._tries, self._task_s)
        while bundles.open_count:
            check_stop()
            self._staff(bundles.open_count)
            self._hand_out(bundles)
            finished = [*self._collect(bundles), *self._stop_late(bundles)]
            if finished:
                self._task_s = bundles.task_s
                yield finished

    def close(self, grace_s: float = _GRACE_S) -> None:
        """End all actors; what they computed and did not deliver is computed again later."""
        idle = [worker.actor.stop.remote() for worker in self._workers if worker.first_reference is None]
        if idle and grace_s > 0.0:
            self._ray.wait(idle, num_returns=len(idle), timeout=grace_s)
        for worker in self._workers:
            self._ray.kill(worker.actor)
        self._workers = []

    def _staff(self, open_count: int) -> None:
        now_s = time.monotonic()
        if now_s - self._looked_s > _LOOK_AT_CLUSTER_EVERY_S:
            self._looked_s = now_s
            self._processors = int(self._ray.cluster_resources().get("CPU", 0))
        wanted = min(max(self._jobs or self._processors, 1), open_count)
        # Where the cluster shrank, actors still wait for processors it no longer has.
        starting = [worker for worker in self._workers if worker.starting is not None]
        for worker in starting[: max(0, len(self._workers) - wanted)]:
            self._workers.remove(worker)
            self._ray.kill(worker.actor)
        self._check_start(now_s)
        while len(self._workers) < wanted:
            actor = self._actor_class.remote()
            self._workers.append(_Worker(actor, actor.start.remote(self._plan), since_s=now_s))

    def _check_start(self, now_s: float) -> None:
        waits_s = [now_s - worker.since_s for worker in self._workers if worker.starting is not None]
        # Some may wait for long on a busy cluster; nobody working at all is another matter.
        if waits_s and len(waits_s) == len(self._workers) and min(waits_s) > _START_TIMEOUT_S:
            raise BackendError(
                f"no worker got ready within {_START_TIMEOUT_S:.0f} s: the cluster has {self._processors} "
                "processors, perhaps used by others (see: ray status). What was flown is safe, use --resume"
            )

    def _hand_out(self, bundles: Bundles) -> None:
        """First everybody gets something to do, then everybody gets a next bundle."""
        ready = [worker for worker in self._workers if worker.starting is None]
        for depth in range(_HELD_BUNDLES):
            for worker in ready:
                if len(worker.held) != depth or (depth and bundles.is_suspect(worker.held[0].bundle)):
                    continue
                bundle = bundles.take(_HELD_BUNDLES * len(self._workers), idle=depth == 0)
                if not bundle:
                    return
                if depth == 0:
                    worker.since_s = time.monotonic()
                worker.held.append(_Held(worker.actor.run.remote(bundle), bundle))

    def _collect(self, bundles: Bundles) -> list[Any]:
        by_reference = {
            worker.first_reference: worker for worker in self._workers if worker.first_reference is not None
        }
        references = list(by_reference)
        if not references:
            time.sleep(_POLL_S)
            return []
        self._ray.wait(references, num_returns=1, timeout=_POLL_S)
        answered, _ = self._ray.wait(references, num_returns=len(references), timeout=0)
        found: list[Any] = []
        for reference in answered:
            worker = by_reference[reference]
            try:
                answer = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                cause = getattr(error, "cause", None)
                if isinstance(cause, BackendAbsent):
                    raise BackendAbsent(str(cause)) from None
                found += self._lose(worker, bundles, error)
                continue
            if worker.starting is not None:
                self._greet(worker, answer)
            else:
                held = worker.held.popleft()
                worker.since_s = time.monotonic()
                found += bundles.finished(held.bundle, *answer)
        return found

    def _greet(self, worker: _Worker, answer: dict[str, Any]) -> None:
        if "trouble" in answer:
            raise BackendError(f"backend '{self._plan.backend}' cannot start: {answer['trouble']}")
        ours = versions()
        other = [f"{name} {answer['versions'].get(name)}, here {ours[name]}" for name in ours
                 if answer["versions"].get(name) != ours[name]]  # fmt: skip
        if other:
            raise BackendError(
                f"a worker on node {answer['node'][:12]} has other versions ({'; '.join(other)}): its "
                "flights would differ. Use the same container image or environment on every machine"
            )
        worker.starting, worker.node = None, answer["node"]
        worker.since_s = time.monotonic()
        self._failed_starts = 0

    def _lose(self, worker: _Worker, bundles: Bundles, error: Exception) -> list[Any]:
        """An actor is gone (or what it sent is): its first bundle is suspect, the next one untouched."""
        self._workers.remove(worker)
        self._ray.kill(worker.actor)
        if worker.starting is not None:
            self._count_failed_start(error)
            return []
        first, *others = worker.held
        for held in reversed(others):
            bundles.put_back(held.bundle)
        machine_lost = not self._node_is_alive(worker.node)
        if machine_lost:
            log.warning("node %s is lost; its flights go to the others", worker.node[:12])
        reason = "" if isinstance(error, self._ray.exceptions.RayActorError) else f" ({_first_line(error)})"
        return bundles.lost(first.bundle, machine_lost=machine_lost, reason=reason)

    def _node_is_alive(self, node: str) -> bool:
        return any(entry["NodeID"] == node and entry["Alive"] for entry in self._ray.nodes())

    def _stop_late(self, bundles: Bundles) -> list[Any]:
        given_up: list[Any] = []
        now_s = time.monotonic()
        for worker in list(self._workers):
            if worker.starting is not None or not worker.held:
                continue
            first, *others = worker.held
            if now_s - worker.since_s <= self._flight_timeout_s * sum(task.flights for task in first.bundle):
                continue
            self._workers.remove(worker)
            self._ray.kill(worker.actor)
            for held in reversed(others):
                bundles.put_back(held.bundle)
            given_up += bundles.late(first.bundle, self._flight_timeout_s)
        return given_up

    def _count_failed_start(self, error: Exception) -> None:
        self._failed_starts += 1
        if self._failed_starts >= self._tries * max(1, self._processors):
            raise BackendError(
                f"workers for backend '{self._plan.backend}' die at the start ({_first_line(error)}); "
                "run with --executor local --jobs 0 to see the reason"
            )


def _import_ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise MissingDependency(
            f"--executor ray needs Ray, which is not installed; {way_to_get('ray')}"
        ) from None


def _set_environment(address: str | None) -> None:
    """Before Ray is imported: it reads whom to trust only once per process."""
    # Ray reports usage to its makers unless told otherwise.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if address is None:
        # A cluster of our own listens on every interface; a token only its processes know shuts the door.
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _connect(ray: Any, address: str | None) -> None:
    """Join the cluster at `address`, or start one on this machine that ends with this process."""
    if address is not None and address != "auto":
        _check_reachable(address)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        # Ray turns 127.0.0.1 into the machine's own address; another loopback address stays one.
        options |= {"include_dashboard": False, "_node_ip_address": "127.0.0.2"}
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        ray.init(address=address or "local", **options)
    except Exception as error:  # Ray raises plain Exception, too: a node that takes too long to start
        raise BackendError(
            f"--address {address or '(this machine)'}: no Ray cluster can be used there "
            f"({_first_line(error)}). How to start one: docs/howto/scaling.md"
        ) from None
    finally:
        # Ray takes SIGTERM for itself; what it means is decided by the campaign.
        for number, handler in before.items():
            try:
                signal.signal(number, handler)
            except ValueError:
                break  # not the main thread: nothing was changed


def _check_reachable(address: str) -> None:
    """Ray itself tries for many minutes to reach a head that is not there."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536 or "/" in host:
        raise ConfigError(f"--address {address[:80]}: HOST:PORT of the cluster's head is expected, or auto")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S):
            return
    except OSError as error:
        raise BackendError(
            f"--address {address}: nobody answers there ({error}). How to start a cluster: docs/howto/scaling.md"
        ) from None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
