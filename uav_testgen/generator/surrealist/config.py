"""Settings of the search; the defaults are the paper's Table 1."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator, model_validator

from uav_testgen.core.config import RoomConfig
from uav_testgen.core.plugin import is_plugin
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.flight.series import OF_THE_PATH, UNITS
from uav_testgen.generator.surrealist.fitness import Variable
from uav_testgen.generator.surrealist.greedy import GreedySettings
from uav_testgen.generator.surrealist.mutators import MUTATOR_NAMES, PAPER_MUTATORS
from uav_testgen.scenario.model import ParameterName

Number = Annotated[float, Field(ge=-10_000.0, le=10_000.0)]

# (budget, min_rounds) of Table 1: RQ1 with seed 1, and RQ2.
_TABLE_1 = {"replication": (200, 4), "generation": (50, 2)}
_FITNESS = ("generation", "replication")


class SurrealistConfig(RoomConfig):
    """Which fitness, which mutators, how long."""

    fitness: str = Field(
        default="generation",
        max_length=1000,
        description="generation: get near to obstacles; replication: fly like `target`; or file.py:function, "
        "from the flights of a test to a number, higher is better [-]",
    )
    target: tuple[tuple[Number, ...], ...] = Field(
        default=(),
        max_length=20_000,
        description="What a replication has to match: one row per half second, positions ENU [m], "
        "(horizontal, vertical) speeds [m/s], or one value of `variable`",
    )
    variable: Variable = Field(
        default="trajectory",
        description="What `target` holds: trajectory, speed, or another series of the log, e.g. heading [-]",
    )
    range_m: float = Field(
        default=15.0, gt=0, le=1000, description="Obstacles farther than this count as this far [m]"
    )
    mutators: tuple[Annotated[str, Field(max_length=1000)], ...] = Field(
        default=PAPER_MUTATORS,
        min_length=1,
        description="What may change: move, resize, rotate, z, speed, wind, waypoints, commands, "
        "parameters, "
        "or file.py:Class [-]",
    )
    runs: int = Field(
        default=5,
        ge=1,
        le=1000,
        description="Flights per evaluation of which the worst counts; 1 flies the nominal one alone [1]",
    )
    obstacles: int = Field(
        default=1, ge=1, le=20, description="Random seed obstacles where the base scenario has none [1]"
    )
    added_obstacle: bool = Field(
        default=True,
        description="Generation: add one beside the first (no: the last one of the base is mutated) [-]",
    )
    beside_m: float = Field(
        default=15.0, gt=0, le=200, description="Gap between the first obstacle and the added one [m]"
    )
    seed_size_m: tuple[float, float, float] | None = Field(
        default=None,
        description="Random seed obstacles: along the route, across it, high (none: the paper's) [m]",
    )
    budget: int | None = Field(
        default=None, ge=1, le=10_000_000, description="Evaluations of one search (none: Table 1) [1]"
    )
    min_rounds: int | None = Field(
        default=None, ge=1, le=1000, description="Ensured rounds over all mutators (none: Table 1) [1]"
    )
    max_it: int = Field(default=5, ge=1, le=1000, description="Halvings in a row before giving up [1]")
    max_seq: int = Field(
        default=5, ge=0, le=1000, description="Moves in one direction before the step doubles [1]"
    )
    epsilon: float = Field(default=0.0, ge=0, description="Differences below this are none [fitness]")
    move_step_m: float = Field(default=4.0, gt=0, le=100, description="First step of move [m]")
    resize_step_m: float = Field(default=4.0, gt=0, le=100, description="First step of resize [m]")
    rotate_step_deg: float = Field(default=30.0, gt=0, le=180, description="First step of rotate [deg]")
    z_step_m: float = Field(default=2.0, gt=0, le=100, description="First step of z [m]")
    speed_step_mps: float = Field(default=1.0, gt=0, le=20, description="First step of speed [m/s]")
    wind_step_mps: float = Field(default=2.0, gt=0, le=30, description="First step of wind [m/s]")
    waypoint_step_m: float = Field(default=4.0, gt=0, le=100, description="First step of waypoints [m]")
    command_step_m: float = Field(
        default=2.0, gt=0, le=100, description="First step of commands: the take-off altitude [m]"
    )
    parameter_steps: dict[ParameterName, Annotated[float, Field(gt=0, le=1e6)]] = Field(
        default={"MPC_XY_CRUISE": 1.0, "MPC_ACC_HOR": 1.0, "NAV_ACC_RAD": 0.5},
        min_length=1,
        max_length=100,
        description="PX4 parameters that `parameters` changes, and the first step of each [PX4's unit]",
    )
    usual_speed_mps: float = Field(
        default=3.0, gt=0, le=50, description="Speed of a mission that names none, for the mutator [m/s]"
    )
    stop_at_m: float | None = Field(
        default=None,
        ge=0,
        le=1000,
        description="Stop when a run of a test came this near to an obstacle; none: search on [m]",
    )
    restart: bool = Field(
        default=True, description="Start again from another random seed when a search has ended [-]"
    )
    max_tries: int = Field(default=5000, ge=1, description="Draws of a random seed before giving up [1]")

    @field_validator("fitness")
    @classmethod
    def _known_fitness(cls, value: str) -> str:
        if value not in _FITNESS and not is_plugin(value):
            raise ValueError(
                f"unknown '{value[:40]}'{nearest_and_known(value, [*_FITNESS, 'file.py:function'])}"
            )
        return value

    @property
    def own_fitness(self) -> str | None:
        """The user's function, if one is named."""
        return self.fitness if is_plugin(self.fitness) else None

    @property
    def replicates(self) -> bool:
        """Is a logged flight looked for (all obstacles may change), rather than a harder test?"""
        return self.fitness == "replication" or bool(self.target)

    @model_validator(mode="after")
    def _check(self) -> SurrealistConfig:
        for name in self.mutators:
            if name not in MUTATOR_NAMES and not is_plugin(name):
                known = nearest_and_known(name[:40], [*MUTATOR_NAMES, "file.py:Class"])
                raise ValueError(f"mutators: unknown '{name[:40]}'{known}")
        if len(set(self.mutators)) != len(self.mutators):
            raise ValueError("mutators: one of them is named twice")
        if self.variable not in UNITS:
            raise ValueError(
                f"variable: unknown '{self.variable[:40]}'{nearest_and_known(self.variable, list(UNITS))}"
            )
        if self.own_fitness is not None and self.variable not in OF_THE_PATH:
            raise ValueError("fitness: a function of your own and a series to match exclude each other")
        width = {"trajectory": 3, "speed": 2}.get(self.variable, 1)
        if self.fitness == "replication" and not self.target:
            raise ValueError("a replication needs a target")
        if any(len(row) != width for row in self.target):
            raise ValueError(f"target: every row of a {self.variable} has {width} numbers")
        if self.seed_size_m is not None and min(self.seed_size_m) <= 0.0:
            raise ValueError("seed_size_m: sizes are above 0")
        return self

    def greedy(self) -> GreedySettings:
        """The hyper-parameters of the two algorithms."""
        budget, min_rounds = _TABLE_1["replication" if self.replicates else "generation"]
        return GreedySettings(
            budget=self.budget or budget,
            min_rounds=self.min_rounds or min_rounds,
            max_it=self.max_it,
            max_seq=self.max_seq,
            epsilon=self.epsilon,
        )

    def steps(self) -> dict[str, float]:
        """First step per kind of mutator."""
        return {
            "move": self.move_step_m,
            "resize": self.resize_step_m,
            "rotate": self.rotate_step_deg,
            "z": self.z_step_m,
            "speed": self.speed_step_mps,
            "wind": self.wind_step_mps,
            "waypoints": self.waypoint_step_m,
            "commands": self.command_step_m,
        }
