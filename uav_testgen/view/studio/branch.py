"""Flights that are flown again after an edit, from the last state the edit could not have influenced.

An obstacle acts on a flight only through the camera and by being touched. As long as the vehicle was farther from
the old and the new place of an obstacle than any camera reaches, both flights are the same to the last bit, so the
second one begins where the first may have been told apart.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.body import POSITION, VELOCITY
from uav_testgen.loop.compiled import CompiledFlight
from uav_testgen.loop.state import DISTANCE, Log, LoopState
from uav_testgen.loop.system import System
from uav_testgen.planner.vfh3d.compiled.workspace import Workspace
from uav_testgen.scenario.model import Landform, Obstacle, Scenario
from uav_testgen.vehicle.mission import FLYING
from uav_testgen.world.packed import pack_obstacle
from uav_testgen.world.scene import Scene, distance_to

CHUNK_STEPS = 40
"""Steps between two looks at whether the flight is still wanted; states are kept as often."""
MARGIN_M = 1.0
IMAGE_AGE_S = 0.4
"""Images are taken up to 0.3 s before they are planned with, by cameras that may sit off the centre."""
KEPT_FLIGHTS = 8


class FlightStopped(Exception):
    """Nobody wants this flight any more."""


@dataclass
class PastFlight:
    """A flight with states to go back to."""

    system: System
    scenario: Scenario
    log: Log
    states: list[tuple[int, LoopState]] = field(default_factory=list)


class BranchingFlight(CompiledFlight):
    """A compiled flight that may begin in the middle of an earlier one."""

    @property
    def log(self) -> Log:
        """What was written down so far."""
        return self._log

    def begin_from(self, past: PastFlight, saved: LoopState) -> None:
        """Take over everything up to a saved state; distances are those of the new obstacles."""
        step = int(saved.clock["step"][0])
        self._log.track[: step + 1] = past.log.track[: step + 1]
        self._log.record[: step + 1] = past.log.record[: step + 1]
        self._log.waypoint_steps[:] = past.log.waypoint_steps
        self.restore(saved)
        points = self._log.track[: step + 1, POSITION : POSITION + 3]
        distances = Scene.of(self.scenario).distances_m(points, 0.0)
        self._log.record[: step + 1, DISTANCE] = distances.min(axis=1) if distances.size else math.inf


class FlightMemory:
    """Remembers recent flights by seed and flies changed scenes from where they may differ."""

    def __init__(self) -> None:
        self._past: OrderedDict[int, PastFlight] = OrderedDict()
        self.saved_steps = 0
        """Steps of the last flight that did not have to be flown again."""

    def fly(
        self, system: System, scenario: Scenario, seed: int, workspace: Workspace, wanted: Callable[[], bool],
        budget_s: float = math.inf,
    ) -> BranchingFlight:  # fmt: skip
        """The flight of a scenario; FlightStopped as soon as it is not wanted any more.

        After so much CPU time it is returned as far as it came, still flying; flown again, it goes on there.
        """
        end_s = time.thread_time() + budget_s
        flight = BranchingFlight(system, scenario, seed, workspace)
        past = self._past.get(seed)
        kept: list[tuple[int, LoopState]] = []
        self.saved_steps = 0
        if past is not None and may_branch(past, system, scenario):
            first = first_influenced_step(past, scenario)
            kept = [(step, state) for step, state in past.states if step < first]
            if kept:
                flight.begin_from(past, kept[-1][1])
                self.saved_steps = flight.step
        states = list(kept)
        while flight.code == FLYING:
            if not wanted():
                raise FlightStopped
            if flight.run(CHUNK_STEPS) == FLYING:
                states.append((flight.step, flight.save()))
                if time.thread_time() > end_s:
                    break
        self._past[seed] = PastFlight(system, scenario, flight.log, states)
        self._past.move_to_end(seed)
        while len(self._past) > KEPT_FLIGHTS:
            self._past.popitem(last=False)
        return flight


def may_branch(past: PastFlight, system: System, scenario: Scenario) -> bool:
    """Do the flights differ in resting obstacles on flat ground only?"""
    before = past.scenario
    same = before.model_copy(update={"obstacles": scenario.obstacles, "name": scenario.name})
    rests = all(one.motion is None for one in (*before.obstacles, *scenario.obstacles))
    return rests and same == scenario and past.system == system and scenario.terrain.landform is Landform.FLAT


def first_influenced_step(past: PastFlight, scenario: Scenario) -> int:
    """The first step in which an obstacle that was moved, added or removed could be seen or touched."""
    steps = past.states[-1][0] + 1 if past.states else 0
    if not steps:
        return 0
    points = past.log.track[:steps, POSITION : POSITION + 3]
    speed_mps = np.linalg.norm(past.log.track[:steps, VELOCITY : VELOCITY + 3], axis=1)
    reach_m = reach_of(past.system) + MARGIN_M + IMAGE_AGE_S * speed_mps
    near = np.zeros(steps, dtype=bool)
    for obstacle in changed_obstacles(past.scenario, scenario):
        row = pack_obstacle(obstacle)
        centre: FloatArray = np.asarray(obstacle.center_enu_m, dtype=np.float64)
        near |= distance_to(row, centre, points) <= reach_m
    return int(np.argmax(near)) if near.any() else steps


def changed_obstacles(before: Scenario, after: Scenario) -> list[Obstacle]:
    """Obstacles that stand in one of the two scenes only; names do not matter."""
    old, new = ([one.model_copy(update={"name": ""}) for one in scene.obstacles] for scene in (before, after))
    return [one for one in old if one not in new] + [one for one in new if one not in old]


def reach_of(system: System) -> float:
    """The farthest any camera of a system sees, into the corner of its image."""
    reaches = [0.0]
    for camera in system.rig.cameras:
        across, up = (min(0.5 * angle, math.radians(89.0))
                      for angle in (camera.horizontal_fov_rad, camera.vertical_fov_rad))  # fmt: skip
        reaches.append(camera.far_m * math.sqrt(1.0 + math.tan(across) ** 2 + math.tan(up) ** 2))
    return max(reaches)
