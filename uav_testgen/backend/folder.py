"""The `folder` backend: somebody else flies. Jobs go into a folder, `uav-testgen worker` answers.

For simulators that need another Python, another container or another machine.
"""

from __future__ import annotations

import logging
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import Field

from uav_testgen.backend.base import Capabilities
from uav_testgen.backend.folder_queue import DEFAULT_LEASE_S, FolderQueue
from uav_testgen.backend.folder_worker import job_body
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import BackendError, BackendTimeout
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.json_io import flight_from_json
from uav_testgen.flight.model import Flight
from uav_testgen.scenario.model import Scenario

_log = logging.getLogger(__name__)
_LOOK_EVERY_S = 0.2
_TO_WITHDRAW_S = 10.0


class FolderConfig(RoomConfig):
    """Where the jobs go and how long an answer may take."""

    folder: str = Field(
        min_length=1, max_length=4000, pattern=r"^[^\x00]*$", description="Folder shared with the workers"
    )
    timeout_s: float = Field(
        default=7200.0, gt=0, le=1e7, description="Time for a job, waiting for a worker included [s]"
    )
    lease_s: float = Field(
        default=DEFAULT_LEASE_S, gt=0, le=1e5, description="A silent worker loses its job after this [s]"
    )

    @property
    def longest_flight_s(self) -> float:
        """The limit that is stated for one flight."""
        return self.timeout_s + _TO_WITHDRAW_S


class FolderBackend:
    """Flies by asking; a job that was flown before is not flown again."""

    name = "folder"
    capabilities = Capabilities(deterministic=False, evidence=Evidence.GAZEBO)
    config_type = FolderConfig

    def __init__(self, config: FolderConfig) -> None:
        self.config = config
        self.queue: FolderQueue | None = None
        self._told_to_wait = False

    def __enter__(self) -> FolderBackend:
        self.queue = FolderQueue(Path(self.config.folder), self.config.lease_s)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.queue = None

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        """Submit and wait."""
        job_id = self.submit(scenario, seed)
        assert self.queue is not None
        if not self._told_to_wait and self.queue.result(job_id) is None:
            self._told_to_wait = True
            alive = (
                ", ".join(self.queue.workers()) or f"none; start one: uav-testgen worker {self.config.folder}"
            )
            _log.warning(
                "waiting for workers, at most %.0f s a flight; alive: %s", self.config.timeout_s, alive
            )
        deadline_s = time.monotonic() + self.config.timeout_s
        while (result := self.queue.result(job_id)) is None:
            if time.monotonic() > deadline_s:
                state = "withdrawn" if self.queue.withdraw(job_id) else "left with its worker"
                alive = ", ".join(self.queue.workers()) or "none"
                raise BackendTimeout(
                    f"job {job_id} was not answered within {self.config.timeout_s:.0f} s and was {state}; "
                    f"workers alive: {alive}. Start one with: uav-testgen worker {self.config.folder}"
                )
            time.sleep(_LOOK_EVERY_S)
        return read_result(job_id, result)

    def submit(self, scenario: Scenario, seed: int) -> str:
        """Queue a job unless it is known; returns its id."""
        if self.queue is None:
            raise BackendError("the folder backend is a context manager: use it with 'with'")
        job_id = f"{scenario.id}-{seed}"
        earlier = self.queue.result(job_id)
        if earlier is not None and earlier.get("status") != "flown":
            # Whoever asks again wants to know whether the simulator works by now.
            self.queue.set_aside(job_id)
        self.queue.submit(job_id, job_body(scenario, seed))
        return job_id


def read_result(job_id: str, result: dict[str, Any]) -> Flight:
    """The flight of a result; the error of the worker is raised here."""
    status = result.get("status")
    if status == "flown":
        return flight_from_json(result.get("flight"), f"result of job {job_id}")
    kind = BackendTimeout if status == "timeout" else BackendError
    raise kind(f"job {job_id}, worker {result.get('worker', '?')}: {result.get('message', 'no message')}")
