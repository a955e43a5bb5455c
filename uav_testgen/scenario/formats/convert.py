"""From any scenario file to any other: what is read, what is written, and what the target cannot hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from uav_testgen.core.errors import ConfigError, InputFileError, InvalidScenario, StoreError
from uav_testgen.core.rng import stream
from uav_testgen.scenario.feasibility import problems
from uav_testgen.scenario.formats.aerialist_write import inexpressible, save_test
from uav_testgen.scenario.formats.gazebo_read import load_world
from uav_testgen.scenario.formats.gazebo_write import beyond_a_world, save_world
from uav_testgen.scenario.formats.plan_file import save_plan, survives_plan
from uav_testgen.scenario.formats.scenario_file import save_scenario
from uav_testgen.scenario.formats.scenes import find_scene, load_scene
from uav_testgen.scenario.logical.space import LogicalSpace
from uav_testgen.scenario.model import Mission, Scenario

SUFFIXES = {"own": (".yaml", ".yml", ".json"), "plan": (".plan",), "world": (".world", ".sdf")}
"""Formats that a file's name says."""
_INTO_YAML = ("own", "aerialist", "aerialist-old", "instance")
_DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Converted:
    """What was written, and what was not."""

    scenario: Scenario
    format: str
    files: tuple[Path, ...]
    left_out: tuple[str, ...]
    """What of the source has no counterpart here."""
    cannot_hold: tuple[str, ...]
    """What of the scenario the target has no word for."""


def convert(
    source: str,
    target: Path,
    wanted: str | None = None,
    *,
    mission: Mission | None = None,
    seed: int = 0,
    replace: bool = False,
) -> Converted:
    """Write `source` as `target`; errors name the file, the rule and the way out."""
    kind = format_of(target, wanted)
    if target.exists() and not replace:
        raise StoreError(f"{target}: exists; name another file, or replace it with --force")
    scenario, left_out = read_any(source, mission)
    if kind == "instance":
        scenario = draw_instance(source, scenario, seed)
    elif scenario.logical is not None and not scenario.obstacles and kind != "plan":
        raise InvalidScenario(
            f"{source}: a logical scenario has no obstacles yet; write an instance of it first with --to instance"
        )
    files, cannot = write_as(kind, target, scenario)
    return Converted(scenario, kind, tuple(files), tuple(left_out), tuple(cannot))


def format_of(target: Path, wanted: str | None) -> str:
    """The format to write: the one that is wanted, if the file's name allows it, else the one the name says."""
    by_name = next((kind for kind, suffixes in SUFFIXES.items() if target.suffix in suffixes), None)
    if by_name is None:
        known = ", ".join(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)
        raise ConfigError(f"{target}: the name must end with one of {known}")
    if wanted is None:
        return by_name
    fits = by_name == "own" if wanted in _INTO_YAML else wanted == by_name
    if not fits:
        raise ConfigError(f"{target}: --to {wanted} and the ending {target.suffix} contradict each other")
    return wanted


def read_any(source: str, mission: Mission | None) -> tuple[Scenario, list[str]]:
    """A scenario from any format, and what of the file has no counterpart here."""
    path = find_scene(source)
    if path.suffix in SUFFIXES["world"]:
        if mission is None:
            raise ConfigError(f"{path}: a Gazebo world holds no mission; name one with --mission NAME|FILE")
        world = load_world(path, mission)
        return world.scenario, list(world.left_out)
    if mission is not None:
        raise ConfigError(f"{path}: --mission goes with a Gazebo world; this file brings its own")
    if path.suffix not in (*SUFFIXES["own"], *SUFFIXES["plan"]):
        known = ", ".join(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)
        raise InputFileError(f"{path}: the name must end with one of {known}")
    return load_scene(source), []


def draw_instance(source: str, stage: Scenario, seed: int) -> Scenario:
    """A valid instance, drawn: the same seed gives the same."""
    if seed < 0:
        raise ConfigError(f"--seed {seed}: a seed is 0 or more")
    if stage.logical is None:
        raise InvalidScenario(f"{source}: --to instance needs a logical scenario, this is none")
    if stage.obstacles:
        return stage
    space = LogicalSpace(stage)
    draw = stream(seed, "instance")
    for _ in range(_DRAWS):
        scenario = space.decode(np.asarray(draw.uniform(0.0, 1.0, space.dimension)))
        if not problems(scenario):
            return scenario
    raise InvalidScenario(f"{source}: none of {_DRAWS} drawn instances keeps the rules; try another --seed")


def write_as(kind: str, target: Path, scenario: Scenario) -> tuple[list[Path], list[str]]:
    """The written files, and what the format has no word for."""
    if kind == "world":
        return save_world(target, scenario), beyond_a_world(scenario)
    if kind == "plan":
        save_plan(target, scenario.mission)
        return [target], _beyond_a_plan(scenario)
    if kind in ("own", "instance"):
        save_scenario(target, scenario)
        return [target], []
    cannot = inexpressible(scenario)
    if cannot:
        # Without them it would be another test.
        raise InvalidScenario(
            f"{target}: an Aerialist test cannot hold {', '.join(cannot)}; write it as --to own or --to world"
        )
    plan = save_test(target, scenario, dialect="robot" if kind == "aerialist" else "drone")
    assert plan is not None, "without a template the mission is written"
    lost = ["the rules of the arena"]
    lost += [] if survives_plan(scenario.mission) else ["heading, speed or start in the air of the mission"]
    lost += ["the ranges of the logical scenario"] if scenario.logical is not None else []
    return [target, plan], lost


def _beyond_a_plan(scenario: Scenario) -> list[str]:
    lost = [] if survives_plan(scenario.mission) else ["heading, speed or start in the air of the mission"]
    if scenario.obstacles:
        lost.append("obstacles")
    return [*lost, "wind, visibility, ground, the rules of the arena"]
