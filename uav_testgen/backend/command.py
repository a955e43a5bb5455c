"""The `command` backend: a simulator of the user's own, started by a command for each flight.

It gets the scene in the form it likes best (a Gazebo world, a .plan, our YAML) and a folder for its answer: a
ULog or a CSV, and where obstacles move by themselves, their poses (docs/reference/command.md).
"""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from types import TracebackType

from pydantic import Field, field_validator

from uav_testgen.backend.base import Capabilities
from uav_testgen.backend.command_answer import read_answer
from uav_testgen.backend.command_run import CommandRun, run_command
from uav_testgen.backend.command_words import INPUTS, filled, split_template
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.errors import BackendError, BackendTimeout, InputFileError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Flight
from uav_testgen.loop.system import system_names
from uav_testgen.scenario.formats.gazebo_write import save_world
from uav_testgen.scenario.formats.plan_file import save_plan
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.scenario.model import Scenario

_log = logging.getLogger(__name__)
_TO_END_IT_S = 15.0


class CommandConfig(RoomConfig):
    """What is started for a flight, and how long it may take."""

    command: str = Field(
        min_length=1,
        max_length=4000,
        pattern=r"^[^\x00]*$",
        description="Program and words; {world} {plan} {scene} are files it gets, {out} is the folder it fills, "
        "{seed} a number for each flight",
    )
    system: str = Field(
        default="your simulator", max_length=100, description="Name of what flies, for reports"
    )
    predicted_as: str = Field(
        default="",
        max_length=100,
        description="Preset that stands for what flies: `confirm` then compares with predictions for it",
    )
    folder: str = Field(
        default="results/command", description="Inputs and answers, one folder for each flight"
    )
    timeout_s: float = Field(default=600.0, gt=0, le=86_400, description="Wall time of one flight [s]")
    parallel: int = Field(default=1, ge=1, le=1000, description="Flights at a time, where --jobs allows it")
    retries: int = Field(default=1, ge=0, le=20, description="Further tries where a run leaves no flight [1]")
    arrival_m: float = Field(
        default=5.0,
        gt=0,
        le=100,
        description="A flight that ends this near to the last waypoint reached it [m]",
    )

    @field_validator("command")
    @classmethod
    def _complete(cls, text: str) -> str:
        split_template(text)
        return text

    @field_validator("predicted_as")
    @classmethod
    def _known_preset(cls, name: str) -> str:
        if name and name not in system_names():
            raise ValueError(f"unknown system '{name}'{nearest_and_known(name, system_names())}")
        return name

    @property
    def longest_flight_s(self) -> float:
        """The limit that is stated for one flight, all tries included."""
        return (self.timeout_s + _TO_END_IT_S) * (self.retries + 1)


class CommandBackend:
    """Flies in a simulator of your own, started by a command of yours."""

    name = "command"
    capabilities = Capabilities(deterministic=False, evidence=Evidence.OWN_SIMULATOR)
    config_type = CommandConfig

    def __init__(self, config: CommandConfig) -> None:
        self.config = config
        self._template = split_template(config.command)

    def __enter__(self) -> CommandBackend:
        program = self._template[0]
        if shutil.which(program) is None:
            raise BackendError(
                f"{program}: program not found; the setting 'command' begins with a program that is on PATH, or "
                "with its path"
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Every run has cleaned up after itself."""

    def fly(self, scenario: Scenario, seed: int) -> Flight:
        """One flight; a run that leaves none is tried again, a flight that fails is an answer."""
        troubles: list[str] = []
        timed_out = False
        for attempt in range(1, self.config.retries + 2):
            folder = self._new_folder(scenario, seed)
            run = self._run(scenario, seed, folder)
            timed_out = run.timed_out
            try:
                flight = read_answer(folder / "out", scenario, seed, run, self.config)
            except InputFileError as error:
                troubles.append(f"{run}: {error}")
                _log.warning("attempt %d of scenario %s: %s", attempt, scenario.id, troubles[-1])
                continue
            details = {**flight.details, "attempt": attempt, "folder": str(folder)}
            return Flight(
                scenario.id, self.name, self.config.system, seed, flight.ending, flight.reason,
                flight.trajectory, details,
            )  # fmt: skip
        kind = BackendTimeout if timed_out else BackendError
        raise kind(
            f"the command left no flight of scenario {scenario.id} in {len(troubles)} attempts; last: {troubles[-1]}"
        )

    def log_of(self, flight: Flight) -> Path | None:
        """The log of a flight of this backend; None where the simulator wrote none."""
        log = flight.details.get("log")
        return Path(log) if isinstance(log, str) else None

    def _new_folder(self, scenario: Scenario, seed: int) -> Path:
        """A folder nobody used: an answer of another run must not be taken for this one's."""
        base = Path(self.config.folder)
        number = 0
        while True:
            folder = base / f"{scenario.id}-{seed}-{number:03d}"
            try:
                (folder / "out").mkdir(parents=True)
            except FileExistsError:
                number += 1
                continue
            except OSError as error:
                raise BackendError(f"{folder}: cannot be made ({error.strerror})") from None
            return folder.resolve()

    def _run(self, scenario: Scenario, seed: int, folder: Path) -> CommandRun:
        files = {name: folder / f"scene{suffix}" for name, suffix in INPUTS.items()}
        save_plan(files["plan"], scenario.mission)
        save_scenario(files["scene"], scenario)
        save_world(files["world"], scenario)
        words = filled(self._template, {**files, "out": folder / "out", "seed": seed})
        environment = {**os.environ, "UAV_TESTGEN_SEED": str(seed)}
        return run_command(words, environment, folder / "command.log", self.config.timeout_s)
