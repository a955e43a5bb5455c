"""The keys of an Aerialist test file, in both dialects, and what they may hold.

Aerialist 2 says `robot` and `mission` where older versions say `drone` and `test`; the content is the
same. Obstacles come as a list of mappings or as one flat list of seven numbers each. Everything is
in Aerialist's test frame (x north, y east, degrees); nothing here converts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

OLD_TO_NEW_KEYS = {"drone": "robot", "test": "mission"}
SECTIONS = ("robot", "simulation", "mission", "assertion", "agent")
FLAT_FIELDS = ("l", "w", "h", "x", "y", "z", "r")
OBSTACLE_NAMES = "obstacle_names"
"""What we call the obstacles: a list at the top of the file, where Aerialist ignores what it does not know."""


def _no_truth_value(value: Any) -> Any:
    """YAML turns yes, on and true into truth values, which pydantic would read as 1."""
    if isinstance(value, bool):
        raise ValueError("a number is expected, not true or false")
    return value


Number = Annotated[float, BeforeValidator(_no_truth_value), Field(ge=-1e6, le=1e6)]
Text = Annotated[str, Field(max_length=1000)]


# What every case study of the competition sets.
CASE_STUDY_PARAMETERS = {
    "NAV_ACC_RAD": 0.5,
    "NAV_MC_ALT_RAD": 0.5,
    "NAV_RCL_ACT": 3,
    "NAV_DLL_ACT": 0,
    "MIS_YAW_ERR": 12.0,
    "MIS_TAKEOFF_ALT": 1.0,
    "MPC_YAW_MODE": 0,
    "SDLOG_PROFILE": 7,
}


class Section(BaseModel):
    """Base of all parts of the file: unknown keys are errors, as they are in Aerialist."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Size(Section):
    """Extents of an obstacle; `r` is the radius of a cylinder."""

    l: Number | None = None  # noqa: E741 (Aerialist's name)
    w: Number | None = None
    h: Number
    r: Number | None = None


class Position(Section):
    """Centre of the base and rotation; one version of Aerialist calls the rotation `angle`."""

    x: Number
    y: Number
    z: Number = 0.0
    r: Number = 0.0
    angle: Number | None = None


class ObstacleEntry(Section):
    """One obstacle."""

    shape: Annotated[
        Literal["box", "cylinder"], BeforeValidator(lambda v: v.lower() if isinstance(v, str) else v)
    ] = "box"
    size: Size
    position: Position


def _listed(value: Any) -> Any:
    """Flat numbers, or lists of seven, as a list of mappings."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError("a list of obstacles is expected")
    if value and all(isinstance(entry, list) for entry in value):
        if any(len(entry) != len(FLAT_FIELDS) for entry in value):
            raise ValueError(f"an obstacle given as a list holds 7 numbers: {', '.join(FLAT_FIELDS)}")
        value = [number for entry in value for number in entry]
    if not value or any(isinstance(entry, (dict, list)) for entry in value):
        return value
    if len(value) % len(FLAT_FIELDS):
        raise ValueError(
            f"a flat list holds 7 numbers per obstacle ({', '.join(FLAT_FIELDS)}), got {len(value)}"
        )
    return [_nested(value[start : start + 7]) for start in range(0, len(value), 7)]


def _nested(numbers: list[Any]) -> dict[str, Any]:
    named = dict(zip(FLAT_FIELDS, numbers, strict=True))
    return {"size": {key: named[key] for key in "lwh"}, "position": {key: named[key] for key in "xyzr"}}


class WindSection(Section):
    """Gazebo's wind; directions are in Gazebo's world frame, which is ENU."""

    velocity_mean: Number = 0.0
    velocity_max: Number | None = None
    velocity_variance: Number = 0.0
    direction: tuple[Number, Number, Number] = (1.0, 0.0, 0.0)
    direction_variance: Number = 0.0
    gust_start: Number = 0.0
    gust_duration: Number = 0.0
    gust_velocity_mean: Number = 0.0
    gust_velocity_max: Number | None = None
    gust_velocity_variance: Number = 0.0
    gust_direction: tuple[Number, Number, Number] = (1.0, 0.0, 0.0)
    gust_direction_variance: Number = 0.0


class RobotSection(Section):
    """Which vehicle, with which parameters, on which mission."""

    port: int | Text | None = None
    params: dict[Text, Any] | None = None
    params_file: Text | None = None
    mission_file: Text | None = None


class SimulationSection(Section):
    """Where it flies."""

    simulator: Text | None = None
    world: Text | None = None
    speed: Number | None = None
    headless: bool | None = None
    obstacles: Annotated[list[ObstacleEntry], BeforeValidator(_listed), Field(max_length=1000)] = Field(
        default_factory=list
    )
    home_position: tuple[Number, Number, Number] | None = None
    wind: WindSection | None = None
    timeout: Number | None = None


class MissionSection(Section):
    """What it is told to do: timed commands, or waypoints where there is no plan."""

    commands: list[dict[Text, Any]] | None = None
    commands_file: Text | None = None
    speed: Number | None = None
    waypoints: list[Position] | None = Field(default=None, max_length=1000)


class AssertionSection(Section):
    """What the original flight looked like."""

    log_file: Text | None = None
    variable: Text | None = None
    expectation: Any = None


class AgentSection(Section):
    """Where Aerialist runs the test."""

    engine: Text | None = None
    count: Annotated[int, Field(ge=0, le=100_000)] | None = None
    path: Text | None = None
    id: Text | int | None = None


class AerialistDocument(Section):
    """A whole test file, in the new key names."""

    robot: RobotSection = RobotSection()
    simulation: SimulationSection = SimulationSection()
    mission: MissionSection = MissionSection()
    assertion: AssertionSection | None = None
    agent: AgentSection | None = None
