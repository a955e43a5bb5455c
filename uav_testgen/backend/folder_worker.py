"""Takes jobs from a folder, flies them with a backend, and hands in the results."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from uav_testgen.backend.base import Backend
from uav_testgen.backend.folder_queue import Claim, FolderQueue
from uav_testgen.core.config import in_one_line
from uav_testgen.core.errors import BackendTimeout, StoreError, UavTestgenError
from uav_testgen.core.plain_text import one_line
from uav_testgen.flight.json_io import flight_to_json
from uav_testgen.flight.model import Flight
from uav_testgen.scenario.model import Scenario

_log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
LOOK_EVERY_S = 0.5
Report = Callable[[str], None]


class FolderWorker:
    """One worker with one backend. `stop` may be set from a signal handler; one that raises must do so only
    while `flying`: a claim or a result in the making is finished first."""

    def __init__(self, queue: FolderQueue, backend: Backend, name: str, report: Report) -> None:
        self._queue = queue
        self._backend = backend
        self._name = name
        self._report = report
        self.stop = False
        self.flying = False
        self.flown = 0
        self.handled = 0

    def serve(self, until_empty: bool = False, idle_limit_s: float | None = None) -> int:
        """Work until told to stop, or until the queue is empty; returns the number of jobs handled."""
        idle_since_s = time.monotonic()
        while not self.stop:
            claim = self._queue.claim(self._name)
            if claim is None:
                if until_empty or (
                    idle_limit_s is not None and time.monotonic() - idle_since_s > idle_limit_s
                ):
                    break
                time.sleep(LOOK_EVERY_S)
                continue
            self._handle(claim)
            self.handled, idle_since_s = self.handled + 1, time.monotonic()
        return self.handled

    def _handle(self, claim: Claim) -> None:
        if claim.attempt > MAX_ATTEMPTS:
            message = f"{claim.attempt - 1} workers died or were stopped while flying this job"
            self._hand_in(claim, {"status": "error", "message": message})
            return
        try:
            scenario, seed = _job(claim.body)
        except Exception as error:  # a job comes from outside: whatever is wrong with it is its own fault
            self._hand_in(claim, {"status": "error", "message": f"not a flyable job: {in_one_line(error)}"})
            return
        began_s = time.monotonic()
        with _Renewal(self._queue, claim):
            try:
                flight = self._fly(scenario, seed)
                result: dict[str, Any] = {"status": "flown", "flight": flight_to_json(flight)}
                self.flown += 1
            except BackendTimeout as error:
                result = {"status": "timeout", "message": str(error)}
            except UavTestgenError as error:
                result = {"status": "error", "message": str(error)}
            except Exception as error:
                # One scenario that breaks a simulator must not cost the others their worker.
                result = {"status": "error", "message": f"unexpected {type(error).__name__}: {error}"}
                _log.warning("job %s: %s", claim.job_id, one_line(str(result["message"])))
            except BaseException:
                # Stopped in the middle: somebody else, or this worker after a restart, shall fly it.
                self._queue.give_back(claim)
                raise
        self._hand_in(claim, {**result, "wall_s": round(time.monotonic() - began_s, 3)})

    def _fly(self, scenario: Scenario, seed: int) -> Flight:
        self.flying = True
        try:
            if self.stop:  # asked for just before
                raise KeyboardInterrupt
            return self._backend.fly(scenario, seed)
        finally:
            self.flying = False

    def _hand_in(self, claim: Claim, result: dict[str, Any]) -> None:
        about = {"worker": self._name, "attempt": claim.attempt}
        try:
            first = self._queue.complete(claim, {**result, **about})
        except (TypeError, ValueError) as error:
            result = {"status": "error", "message": f"the flight cannot be written as JSON ({error})"}
            first = self._queue.complete(claim, {**result, **about})
        status = result["status"] if first else "too late: another worker was given the job and finished it"
        self._report(one_line(f"{claim.job_id}: {status} {result.get('message', '')}".rstrip()))


class _Renewal:
    """Renews the lease of a claim while a flight goes on."""

    def __init__(self, queue: FolderQueue, claim: Claim) -> None:
        self._queue, self._claim = queue, claim
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._queue.lease_s / 4.0):
            try:
                if not self._queue.renew(self._claim):
                    _log.warning("the lease of job %s was lost", self._claim.job_id)
                    return
            except (OSError, StoreError) as error:
                _log.warning("the lease of job %s cannot be renewed: %s", self._claim.job_id, error)


def job_body(scenario: Scenario, seed: int) -> dict[str, Any]:
    """What a job says."""
    return {"scenario": scenario.model_dump(mode="json"), "scenario_id": scenario.id, "seed": seed}


def _job(body: dict[str, Any]) -> tuple[Scenario, int]:
    seed = body["seed"]
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise ValueError(f"seed is {str(seed)[:40]}, a whole number from 0 to 2^63-1 is expected")
    return Scenario.model_validate(body["scenario"]), seed
