"""What a controller knows of a drone, of a finished task and of a way it has given out."""

from __future__ import annotations

from dataclasses import dataclass

from uav_testgen.fleet.cells import Cell, distance
from uav_testgen.fleet.job import DroneState
from uav_testgen.fleet.specs import DroneSpec


@dataclass(slots=True)
class DroneView:
    """What the controller knows of a drone: its data sheet and its last report."""

    spec: DroneSpec
    position: Cell
    battery: float
    state: DroneState = DroneState.IDLE
    trust: float = 1.0
    idle: bool = False
    # The fleet's requests for work are numbered as they come in.
    request_number: int = 0
    going_home: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """A finished task: how punctual it was and what the drone is trusted afterwards."""

    task_id: int
    drone_id: int
    score: float
    estimated_ticks: int
    actual_ticks: int
    trust: float

    def __str__(self) -> str:
        score = "1.0" if self.score == 1.0 else f"{self.score:.3f}"
        ticks = f"Est: {self.estimated_ticks}, Act: {self.actual_ticks}"
        return f"Drone_id: {self.drone_id}, Score: {score}, {ticks}"


@dataclass(frozen=True, slots=True)
class Route:
    """A way the controller has given out: from where to where, and how direct it is."""

    home: Cell
    start: Cell
    goal: Cell
    moves: int

    def __str__(self) -> str:
        return f"{self.directness} : {self.home} {self.start} {self.goal}"

    @property
    def directness(self) -> float:
        """Manhattan length over the cells that lie between both ends; larger is more direct."""
        return distance(self.start, self.goal) / (self.moves - 1) if self.moves > 1 else 1.0
