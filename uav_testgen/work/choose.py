"""Which executor computes: decided by the command line, never by what is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from uav_testgen.core.errors import ConfigError
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.inline import InlineExecutor
from uav_testgen.work.local import LocalExecutor

Place = Literal["local", "ray"]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where flights are computed. `jobs`: processes; 0 is this process, None every processor of a cluster."""

    jobs: int | None = 1
    place: Place = "local"
    address: str | None = None

    def __post_init__(self) -> None:
        if self.place == "local" and self.address is not None:
            raise ConfigError("--address names a Ray cluster; use it together with --executor ray")
        if self.place == "ray" and self.jobs == 0:
            raise ConfigError("--jobs 0 flies in this process, --executor ray elsewhere: leave one out")
        if self.place == "local" and self.jobs is None:
            raise ConfigError("local workers need a number of jobs")


def make_executor(
    plan: WorkerPlan, placement: Placement, *, flight_timeout_s: float = 300.0, tries: int = 3
) -> Any:
    """The executor, to be used as a context manager."""
    if placement.place == "ray":
        from uav_testgen.work.cluster import RayExecutor

        return RayExecutor(
            plan, placement.jobs, placement.address, flight_timeout_s=flight_timeout_s, tries=tries
        )
    if not placement.jobs:
        return InlineExecutor(plan)
    return LocalExecutor(plan, placement.jobs, flight_timeout_s=flight_timeout_s, tries=tries)
