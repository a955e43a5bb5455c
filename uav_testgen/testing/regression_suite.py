"""A stored suite of scenes for somebody's planner, read from a file NAME.planner_suite.yaml.

start: ["ros2 launch my_planner planner.launch.py"]   # your planner, in place of planner_node
scenes: ["scenes/*.yaml", two_walls]                  # files beside the suite, or shipped scenes
runs: 3                                               # drawn from the calibrated scatter, besides the nominal one
seed: 1
baseline: planner.baseline.json                       # the last release
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig, load_config
from uav_testgen.core.errors import InputFileError
from uav_testgen.scenario.formats.scenes import find_scene

_REPLACED = "planner_node"


class RegressionSuite(RoomConfig):
    """What is flown, by whom, and what it is compared with."""

    scenes: tuple[str, ...] = Field(
        min_length=1, description="scenario files beside the suite (wildcards allowed) or shipped scenes"
    )
    start: tuple[str, ...] = Field(
        default=(), description="commands that start the planner; they get a ROS domain of their own"
    )
    backend: str = Field(default="graph", description="who flies: graph, lfs, px4, ...")
    settings: dict[str, Any] = Field(default_factory=dict, description="settings of the backend")
    runs: int = Field(
        default=3,
        ge=0,
        le=100,
        description="runs drawn from the calibrated scatter, besides the nominal one [1]",
    )
    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="seed of the runs [1]")
    baseline: str = Field(default="", description="file with the distances of the last release; empty: none")
    require: Literal["not_worse", "safe"] = Field(
        default="not_worse",
        description="not_worse: than the baseline, where it knows the scene; safe: every run, always",
    )
    tolerance_m: float = Field(
        default=0.05, ge=0.0, le=100.0, description="a smaller loss of distance is never worse [m]"
    )

    @model_validator(mode="after")
    def _started_in_the_graph(self) -> RegressionSuite:
        if self.start and self.backend != "graph":
            raise ValueError("start goes with backend graph: the planner is a node of the graph")
        return self

    def backend_settings(self, domain: int | None) -> dict[str, Any]:
        """Settings with what a planner from outside needs: its place in the graph, and the domain to meet in."""
        settings = dict(self.settings)
        if domain is not None:
            settings["domain"] = domain
            settings["without"] = sorted({*settings.get("without", ()), _REPLACED})
        return settings


def read_suite(path: Path) -> RegressionSuite:
    """The suite in a file; ConfigError names file, field and rule."""
    return load_config(RegressionSuite, path)


def suite_scenes(suite: RegressionSuite, folder: Path) -> dict[str, Path]:
    """Files of the scenes by name, in order; InputFileError for one that is not there or named twice."""
    found: dict[str, Path] = {}
    for given in suite.scenes:
        beside = sorted(folder.glob(given)) if not Path(given).is_absolute() else [Path(given)]
        if not beside and (Path(given).suffix or any(sign in given for sign in "*?[")):
            raise InputFileError(f"{folder / given}: no such scenario file")
        for path in beside or [find_scene(given)]:
            if found.setdefault(path.stem, path) != path:
                raise InputFileError(f"two scenes are called '{path.stem}': {found[path.stem]} and {path}")
    return found
