"""Planner profiles: how a planner that is a ROS node of somebody else wants to be spoken to.

    uav-testgen fly two_walls --backend graph --planner ros --profile path_planner --start "ros2 run my_pkg planner"

A profile is a YAML file (docs/planner_profile.md): topics, message types by name, fields, frames, time and state.
Shipped ones lie in config/planner_profiles. Nothing here imports ROS; `ros.adapter` turns a profile into messages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, model_validator

from uav_testgen.core.config import RoomConfig, load_config
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest_and_known
from uav_testgen.core.resources import config_folder
from uav_testgen.graph.planner_messages import TOPIC_NAME, FromPlanner, ToPlanner, short_type

FOLDER: Final = "planner_profiles"
_FRAME = re.compile(r"[A-Za-z_][A-Za-z0-9_/]*")


class Frames(RoomConfig):
    """What the planner calls the frames."""

    world: str = Field("map", max_length=100, description="ENU, metres [-]")
    body: str = Field("base_link", max_length=100, description="x forward, y left, z up [-]")
    camera: str = Field("camera_link", max_length=100, description="x forward, y left, z up [-]")
    optical: str = Field("camera_optical", max_length=100, description="x right, y down, z forward [-]")

    @model_validator(mode="after")
    def _are_names(self) -> Frames:
        names = (self.world, self.body, self.camera, self.optical)
        wrong = [name for name in names if not _FRAME.fullmatch(name)]
        if wrong:
            raise ValueError(f"'{wrong[0][:60]}' is no frame name: letters, digits, _ and /")
        if len(set(names)) < len(names):
            raise ValueError(f"the frames need different names, got {', '.join(names)}")
        return self


class TimeMode(RoomConfig):
    """Whose clock the flight goes by."""

    mode: Literal["lock_step", "sim_time", "wall"] = Field(
        "lock_step",
        description="lock_step: the flight waits for each answer; sim_time: paced, the planner reads /clock "
        "(use_sim_time); wall: paced at real time, for planners with wall timers [-]",
    )
    speed: float = Field(1.0, ge=0.05, le=100, description="sim_time: simulated seconds per second [1]")
    clock_hz: float = Field(250.0, ge=250, le=1000, description="rate of /clock in simulated time [Hz]")
    odometry_hz: float = Field(50.0, ge=50, le=1000, description="rate of odometry, pose and tf, paced [Hz]")

    @model_validator(mode="after")
    def _wall_is_real_time(self) -> TimeMode:
        if self.mode == "wall" and self.speed != 1.0:
            raise ValueError(f"speed {self.speed:g} needs mode sim_time: the wall's clock runs at speed 1")
        return self

    @property
    def is_paced(self) -> bool:
        """Does the flight go on whether the planner has answered or not?"""
        return self.mode != "lock_step"


class State(RoomConfig):
    """How the planner forgets the flight before."""

    reset: Literal["restart", "service", "none"] = Field(
        "restart", description="restart its process, call a service, or nothing for one without memory [-]"
    )
    service: str = Field("", max_length=200, description="with reset: service [-]")
    service_type: str = Field("std_srvs/Trigger", max_length=200, description="std_srvs/Trigger or Empty [-]")

    @model_validator(mode="after")
    def _service_is_named(self) -> State:
        if (self.reset == "service") != bool(self.service):
            raise ValueError("service names a service with reset: service, and only then")
        if self.service and not TOPIC_NAME.fullmatch(self.service):
            raise ValueError(f"'{self.service[:60]}' is no service name")
        if short_type(self.service_type) not in ("std_srvs/Trigger", "std_srvs/Empty"):
            raise ValueError("service_type must be std_srvs/Trigger or std_srvs/Empty")
        return self


class Limits(RoomConfig):
    """How long the planner may take."""

    connect_s: float = Field(
        30.0, gt=0, le=100, description="to start and to offer its topic [s of the wall]"
    )
    first_answer_s: float = Field(
        10.0, gt=0, le=600, description="to its first answer; lock_step: s of the wall, paced: simulated [s]"
    )
    answer_s: float = Field(
        2.0, gt=0, le=600, description="age of the newest answer that ends the flight as planner_late [s]"
    )
    warn_s: float = Field(0.25, gt=0, le=600, description="age beyond which an answer counts as late [s]")


class PlannerProfile(RoomConfig):
    """The whole file."""

    description: str = Field("", max_length=500, description="for people [-]")
    time: TimeMode = Field(default_factory=TimeMode, description="whose clock the flight goes by")
    frames: Frames = Field(default_factory=Frames, description="names of the frames")
    to_planner: ToPlanner = Field(default_factory=ToPlanner, description="what the planner is sent")
    from_planner: FromPlanner = Field(default_factory=FromPlanner, description="what it answers with")
    state: State = Field(default_factory=State, description="how it forgets")
    limits: Limits = Field(default_factory=Limits, description="how long it may take")

    @model_validator(mode="after")
    def _topics_differ(self) -> PlannerProfile:
        topics = [*self.to_planner.topics(), self.from_planner.topic]
        twice = sorted({topic for topic in topics if topics.count(topic) > 1})
        if twice:
            raise ValueError(f"topic {twice[0]} is named twice: each message has a topic of its own")
        return self


def profile_names() -> list[str]:
    """Shipped profiles."""
    return sorted(path.stem for path in config_folder(FOLDER).glob("*.yaml"))


def profile_path(name: str) -> Path:
    """The file of a shipped profile, or of a path; ConfigError for an unknown name."""
    if name.endswith((".yaml", ".yml", ".json")):
        return Path(name).expanduser()
    if name not in profile_names():
        raise ConfigError(f"unknown planner profile '{name[:200]}'{nearest_and_known(name, profile_names())}")
    return config_folder(FOLDER) / f"{name}.yaml"


def load_profile(name: str) -> PlannerProfile:
    """A profile by name or file; ConfigError or InputFileError names the file, the field and the rule."""
    return load_config(PlannerProfile, profile_path(name))
