"""The `aerialist` backend: PX4 + Gazebo + PX4-Avoidance, run through Aerialist.

Aerialist is a program of its own (local installation, or its docker and k8s agents); it gets a test file and
leaves ULogs. It may need another Python: then let `uav-testgen worker` run beside it (docs/howto/aerialist.md).
"""

from __future__ import annotations

import logging
import math
import os
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from pydantic import Field

from uav_testgen.backend.aerialist_run import WHERE_IT_IS, Run, RunEnd, end_container, execute
from uav_testgen.backend.base import Capabilities
from uav_testgen.backend.logged_flight import ending_of, placed
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import BackendError, BackendTimeout, InputFileError
from uav_testgen.core.files import write_text, yaml_text
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.judged_on import ESTIMATE, JUDGED_ON
from uav_testgen.flight.model import Flight
from uav_testgen.scenario.formats.aerialist_write import aerialist_document
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.model import Scenario

_log = logging.getLogger(__name__)
_TO_END_IT_S = 15.0


class AerialistConfig(RoomConfig):
    """How Aerialist is called."""

    command: tuple[str, ...] = Field(
        default=("aerialist",),
        min_length=1,
        description="Program and first words, e.g. python3.8 -m aerialist",
    )
    agent: Literal["local", "docker", "k8s"] = Field(default="docker", description="Where Aerialist flies")
    image: str = Field(
        default="", max_length=300, description="Container image; empty: Aerialist's own choice"
    )
    k8s_path: str = Field(default="", max_length=1000, description="Where k8s pods copy their logs to")
    headless: bool = Field(default=True, description="Without a window of the simulator")
    folder: str = Field(
        default="results/aerialist", description="Test files and logs, one folder for each run"
    )
    timeout_s: float = Field(default=1000.0, gt=0, le=86_400, description="Wall time of one run [s]")
    grace_s: float = Field(
        default=60.0, ge=0, le=3600, description="Time beyond that for Aerialist to end its simulator [s]"
    )
    retries: int = Field(
        default=2, ge=0, le=20, description="Further tries after trouble of the simulator [1]"
    )
    arrival_m: float = Field(
        default=5.0, gt=0, le=100, description="A log that ends this near to the last waypoint reached it [m]"
    )
    keep_logs: bool = Field(default=True, description="Keep ULogs after they were read")

    @property
    def longest_flight_s(self) -> float:
        """The limit that is stated for one flight, all tries included."""
        return (self.timeout_s + self.grace_s + _TO_END_IT_S) * (self.retries + 1)


class MissingProgram(BackendError):
    """Aerialist is not on this machine. A worker says so in its own words: it cannot send the jobs to a worker."""

    def __init__(self, program: str) -> None:
        self.here = f"{program}: program not found; install Aerialist, or {WHERE_IT_IS}"
        super().__init__(
            f"{self.here}, or fly with backend 'folder' and run 'uav-testgen worker' where it is installed"
        )


class AerialistBackend:
    """Flies in the high-fidelity simulator; simulator trouble is retried, test outcomes are not."""

    name = "aerialist"
    capabilities = Capabilities(deterministic=False, evidence=Evidence.GAZEBO)
    config_type = AerialistConfig

    def __init__(self, config: AerialistConfig | None = None) -> None:
        self.config = config or AerialistConfig()

    def __enter__(self) -> AerialistBackend:
        program = self.config.command[0]
        if shutil.which(program) is None:
            raise MissingProgram(program)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Every run has cleaned up after itself."""

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        """One flight. Gazebo knows no seed: it only tells the runs apart."""
        return self.fly_repeats(scenario, [seed])[0]

    def fly_repeats(self, scenario: Scenario, seeds: list[int]) -> list[Flight]:
        """Several flights of one scenario: in parallel with k8s, one after the other elsewhere."""
        if self.config.agent == "k8s" and len(seeds) > 1:
            return self._flights(scenario, seeds)
        return [flight for seed in seeds for flight in self._flights(scenario, [seed])]

    def _flights(self, scenario: Scenario, seeds: list[int]) -> list[Flight]:
        troubles: list[str] = []
        timed_out = False
        for attempt in range(self.config.retries + 1):
            folder = self._new_folder(scenario, seeds[0])
            run = self._execute(scenario, folder, len(seeds))
            flights, unusable = self._read(scenario, seeds, run, attempt)
            if len(flights) >= len(seeds):
                return flights[: len(seeds)]
            timed_out = run.end is RunEnd.TIMED_OUT
            troubles.append("; ".join([str(run), *unusable]))
            _log.warning("attempt %d of scenario %s: %s", attempt + 1, scenario.id, troubles[-1])
        kind = BackendTimeout if timed_out else BackendError
        raise kind(
            f"aerialist flew scenario {scenario.id} in none of {len(troubles)} attempts; last: {troubles[-1]}"
        )

    def _new_folder(self, scenario: Scenario, seed: int) -> Path:
        """A folder nobody used: logs of another run must not be taken for this one's."""
        base = Path(self.config.folder)
        number = 0
        while True:
            folder = base / f"{scenario.id}-{seed}-{number:03d}"
            try:
                folder.mkdir(parents=True)
            except FileExistsError:
                number += 1
                continue
            except OSError as error:
                raise BackendError(f"{folder}: cannot be made ({error.strerror})") from None
            return folder.resolve()

    def _execute(self, scenario: Scenario, folder: Path, count: int) -> Run:
        config = self.config
        plan, test = folder / "mission.plan", folder / "test.yaml"
        save_plan(plan, scenario.mission)
        document = aerialist_document(scenario, str(plan))
        document.setdefault("simulation", {})["headless"] = config.headless
        document["agent"] = {"engine": config.agent, "count": count, "path": config.k8s_path or str(folder)}
        container = f"{folder.name}-{os.getpid()}"
        if config.agent == "docker":
            document["agent"]["id"] = container
        write_text(test, yaml_text(document))
        logs = folder / "logs"
        logs.mkdir(exist_ok=True)
        command = [*config.command, "exec", "--test", str(test), "--agent", config.agent, "-n", str(count)]
        environment = {
            "AGENT": config.agent,
            "LOGS_COPY_DIR": f"{logs}/",
            "RESULTS_DIR": f"{folder}/",
            "SIMULATION_TIMEOUT": str(math.ceil(config.timeout_s)),
            "DOCKER_TIMEOUT": str(math.ceil(config.timeout_s)),
            **({"DOCKER_IMG": config.image} if config.image else {}),
        }
        # Aerialist's own limit comes first: it then ends its container, which our signals do not reach.
        run = execute(command, folder, environment, config.timeout_s + config.grace_s)
        if run.end is RunEnd.TIMED_OUT and config.agent == "docker":
            end_container(f"aerialist_{container}")
        return run

    def _read(
        self, scenario: Scenario, seeds: list[int], run: Run, attempt: int
    ) -> tuple[list[Flight], list[str]]:
        from uav_testgen.flight.ulog.reader import read_log

        flights: list[Flight] = []
        unusable: list[str] = []
        for log in run.logs:
            if len(flights) == len(seeds):
                break
            try:
                found = read_log(log, accept_cut=True)
            except InputFileError as error:
                # A log without a flight is the simulator's failure: the vehicle never took off.
                unusable.append(str(error))
                continue
            trajectory = placed(found.trajectory, scenario)
            ending, reason = ending_of(
                scenario,
                trajectory,
                in_air=found.ends_in_air,
                timed_out=run.end is RunEnd.TIMED_OUT,
                arrival_m=self.config.arrival_m,
            )
            details: dict[str, Any] = {
                "log": str(log) if self.config.keep_logs else None,
                "attempt": attempt + 1,
                "wall_s": round(run.wall_s, 3),
                "agent": self.config.agent,
                "notes": list(found.notes),
                # Aerialist measures distances on the estimate, and so do all figures we compare with.
                JUDGED_ON: ESTIMATE,
            }
            seed = seeds[len(flights)]
            flights.append(
                Flight(scenario.id, self.name, "px4_gazebo", seed, ending, reason, trajectory, details)
            )
            if not self.config.keep_logs:
                log.unlink(missing_ok=True)
        return flights, unusable

    def log_of(self, flight: Flight) -> Path | None:
        """The log of a flight of this backend, where it is kept."""
        log = flight.details.get("log")
        return Path(log) if isinstance(log, str) else None
