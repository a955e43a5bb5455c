"""The `lfs` backend: scenarios in, predicted flights out."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from uav_testgen.backend.base import Capabilities
from uav_testgen.backend.lfs.announced import announced
from uav_testgen.backend.lfs.guarded import GuardedFlights
from uav_testgen.core.config import RoomConfig
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.flight.evidence import Evidence
from uav_testgen.flight.model import Flight
from uav_testgen.loop.compiled import CompiledFlight
from uav_testgen.loop.planner_watch import Interrupts, PlannerLimits
from uav_testgen.loop.stepwise import StepwiseOptions, fly_stepwise
from uav_testgen.loop.system import OwnVehicleConfig, System, assemble
from uav_testgen.planner.registry import is_foreign
from uav_testgen.planner.vfh3d.compiled.workspace import Workspace, make_parameters, make_workspace
from uav_testgen.scenario.model import Scenario


class LfsConfig(RoomConfig):
    """Which system is flown, and how."""

    system: str | System = Field(DEFAULT_SYSTEM, description="preset, a .yaml file or the system itself")
    vehicle: str | None = Field(None, description="another vehicle: a model, a system's, or file.py:Class")
    planner: str | None = Field(None, description="another planner: a name, module:Class or file.py:Class")
    camera: str | None = Field(None, description="another camera preset or .yaml file")
    changes: dict[str, Any] = Field(
        default_factory=dict, description="single values of the system, e.g. vehicle.speed_lock: false"
    )
    renderer: Literal["analytic", "open3d"] = Field("analytic", description="who makes the depth image [-]")
    stepwise: bool = Field(
        False, description="fly step by step in Python instead of one compiled function (same flight) [-]"
    )
    record_clouds: bool = Field(False, description="keep the cloud of every step in the flight [-]")
    record_planner: bool = Field(False, description="keep path, tree and costs of every step [-]")
    planner_late_s: float = Field(
        5.0,
        gt=0,
        le=3600,
        description="an answer of your own planner that takes longer ends the flight as planner_late [s]",
    )
    planner_timeout_s: float = Field(
        10.0,
        gt=0,
        le=3600,
        description="a call of your own planner that takes longer is ended, with its process [s]",
    )
    planner_start_s: float = Field(
        60.0,
        gt=0,
        le=3600,
        description="the same for making your planner and for its reset [s]",
    )

    @field_validator("system", mode="before")
    @classmethod
    def _from_file(cls, value: Any) -> Any:
        return System.model_validate(value) if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _check_parts(self) -> LfsConfig:
        """Unknown names are found before anything is flown, wherever the settings come from."""
        _ = self.assembled().rig
        return self

    def assembled(self) -> System:
        """The system with its changes."""
        system = assemble(self.system, vehicle=self.vehicle, planner=self.planner, camera=self.camera)
        return system.changed(self.changes) if self.changes else system

    @property
    def options(self) -> StepwiseOptions:
        """What the stepwise loop is asked for."""
        limits = PlannerLimits(self.planner_late_s, self.planner_timeout_s, self.planner_start_s)
        return StepwiseOptions(self.renderer, self.record_clouds, self.record_planner, limits)


class LfsBackend:
    """Predicts flights by flying them in the closed loop.

    One object may be used from several threads: each thread has its own buffers, and a flight depends on
    scenario, seed and system only. `planner` is an object or class instead of a name.
    """

    name = "lfs"
    capabilities = Capabilities(deterministic=True, evidence=Evidence.PREDICTED)
    config_type = LfsConfig

    def __init__(self, config: LfsConfig | None = None, *, planner: Any = None) -> None:
        self.config = config or LfsConfig()
        self.system = self.config.assembled()
        if planner is not None:
            name = getattr(planner, "__name__", type(planner).__name__)
            self.system = self.system.changed({"planner.name": f"python:{name}"})
        self._planner = planner
        self._local = threading.local()
        self._children: list[GuardedFlights] = []

    def __enter__(self) -> LfsBackend:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes in which planners of the user's flew."""
        while self._children:
            self._children.pop().close()
        self._local = threading.local()

    def needs_steps(self, system: System) -> bool:
        """Must this system be flown step by step?"""
        config = self.config
        return (
            config.stepwise
            or config.renderer != "analytic"
            or config.record_clouds
            or config.record_planner
            or not system.planner.is_shipped
            or system.planner.implementation != "compiled"
            or isinstance(system.vehicle, OwnVehicleConfig)
        )

    def fly(self, scenario: Scenario, seed: int = 0) -> Flight:
        """One flight of the system as it is."""
        return self.fly_system(self.system, scenario, seed)

    def fly_system(self, system: System, scenario: Scenario, seed: int) -> Flight:
        """One flight of a system that differs from this backend's in some numbers."""
        if self._planner is None and is_foreign(system.planner.name):
            return self._guarded().fly(system, scenario, seed, self.config.options)
        if self.needs_steps(system):
            options = self.config.options
            # Ours is exempt: its first answer may wait for a compiler.
            watch = None if system.planner.is_shipped else Interrupts(options.limits)
            with announced(system):
                return fly_stepwise(system, scenario, seed, options, self._planner, watch)
        with announced(system):  # around both: beginning and flying compile one after the other
            flight = self.begin(scenario, seed, system)
            flight.run()
        return flight.flight()

    def begin(self, scenario: Scenario, seed: int, system: System | None = None) -> CompiledFlight:
        """A compiled flight before its first step: to be run in parts, saved, branched, stopped."""
        system = system or self.system
        with announced(system):
            return CompiledFlight(system, scenario, seed, self._workspace())

    def _guarded(self) -> GuardedFlights:
        """The process for planners that are not ours; one for each thread."""
        child: GuardedFlights | None = getattr(self._local, "child", None)
        if child is None:
            child = self._local.child = GuardedFlights()
            self._children.append(child)
        return child

    def _workspace(self) -> Workspace:
        workspace: Workspace | None = getattr(self._local, "workspace", None)
        if workspace is None:
            parameters = make_parameters(self.system.planner.parameters, self.system.autopilot)
            workspace = self._local.workspace = make_workspace(parameters)
        return workspace
