"""What a task costs a drone on the controller's map, with the charging stops it needs on the way."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from uav_testgen.fleet.cells import Cell, distance
from uav_testgen.fleet.paths import PathMethod, shortest_path
from uav_testgen.fleet.specs import DroneSpec
from uav_testgen.fleet.tasks import Instruction, InstructionType
from uav_testgen.fleet.world import CellWorld

# Charges are sums of floats: a whole number of charging ticks must not become one more by rounding.
_ROUNDING = 1e-9
# Lengths that are kept; they are found again when there are more.
MAX_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class Plan:
    """A task as one drone would do it: charging stops, ticks it takes, charge to begin with."""

    instructions: tuple[Instruction, ...]
    first_path: list[Cell]
    ticks: int
    charge_needed: float
    stops: int


@dataclass(frozen=True, slots=True)
class NoPlan:
    """Why a drone cannot do a task; `for_any` if no other drone could either."""

    reason: str
    for_any: bool


class Planner:
    """Ways and plans on one map. Keeps the ways between chargers and which targets cannot be reached."""

    def __init__(self, known_map: CellWorld, method: PathMethod) -> None:
        self._map = known_map
        self._method = method
        self._version = -1
        self._kept: dict[tuple[Cell, Cell], int | None] = {}

    def path(self, start: Cell, goal: Cell) -> list[Cell] | None:
        """Shortest path on the map as it is known; None where there is none."""
        kept = self._kept_lengths()
        if kept.get((start, goal), 0) is None:
            return None
        found = shortest_path(self._map, start, goal, self._method)
        if found is None:
            kept[(start, goal)] = None
        return found

    def plan(
        self, spec: DroneSpec, position: Cell, battery: float, instructions: tuple[Instruction, ...]
    ) -> Plan | NoPlan:
        """The task from here, with charging stops where the charge would not last."""
        return _Course(self, spec, position, battery).plan(instructions)

    def length(self, start: Cell, goal: Cell) -> int | None:
        """Number of moves, remembered: for ways between chargers, which are asked for again and again."""
        kept = self._kept_lengths()
        if (start, goal) not in kept:
            found = shortest_path(self._map, start, goal, self._method)
            kept[(start, goal)] = None if found is None else len(found)
        return kept[(start, goal)]

    def chargers(self) -> list[Cell]:
        """Known chargers, sorted."""
        return sorted(self._map.chargers)

    def _kept_lengths(self) -> dict[tuple[Cell, Cell], int | None]:
        if self._version != self._map.version or len(self._kept) > MAX_KEPT:
            self._kept, self._version = {}, self._map.version
        return self._kept


class _Course:
    """A drone in thought: where it is, what charge it has left, how many ticks have passed."""

    def __init__(self, planner: Planner, spec: DroneSpec, position: Cell, battery: float) -> None:
        self._planner = planner
        self._spec = spec
        self._position = position
        self._level = battery
        self._ticks = 0
        self._first_path: list[Cell] | None = None
        self._first_need: float | None = None
        self._used = 0.0
        self._done: list[Instruction] = []

    def plan(self, instructions: tuple[Instruction, ...]) -> Plan | NoPlan:
        """Go through the instructions one by one."""
        for index, item in enumerate(instructions):
            target = self._spec.init_pos if item.type is InstructionType.GOHOME else item.position
            if target is not None:
                problem = self._travel(target, self._afterwards(instructions[index + 1 :], target))
                if problem is not None:
                    return problem
            if item.type is InstructionType.CHARGE:
                self._charge()
            elif target is None:
                self._spend(0, item.ticks if item.type is InstructionType.WAIT else 1)
            self._done.append(item)
        needed = (
            self._first_need if self._first_need is not None else self._used + self._reserve(self._position)
        )
        stops = sum(item.planned for item in self._done)
        return Plan(tuple(self._done), self._first_path or [], max(1, self._ticks), needed, stops)

    def _travel(self, target: Cell, needed_there: float) -> NoPlan | None:
        path = self._planner.path(self._position, target)
        if path is None:
            return NoPlan(f"no way to {target}", for_any=True)
        if self._cost(len(path)) + needed_there > self._level:
            stops = self._stops(target, needed_there)
            if stops is None:
                needed = self._cost(len(path)) + needed_there
                return NoPlan(
                    f"needs {needed:.0f} mAh from {self._position}, drone {self._spec.id} has "
                    f"{self._level:.0f} of {self._spec.battery_max:.0f} and no chargers on the way",
                    for_any=False,
                )
            for stop in stops:
                self._go(self._planner.path(self._position, stop) or [], stop)
                self._charge()
                self._done.append(Instruction(InstructionType.CHARGE, position=stop, planned=True))
            path = self._planner.path(self._position, target) or []
        self._go(path, target)
        return None

    def _go(self, path: list[Cell], target: Cell) -> None:
        self._first_path = path if self._first_path is None else self._first_path
        self._spend(len(path), math.ceil(len(path) / self._spec.speed))
        self._position = target

    def _spend(self, moves: int, ticks: int) -> None:
        cost = moves * self._spec.battery_move_cost + ticks * self._spec.battery_idle_cost
        self._level -= cost
        self._used += cost
        self._ticks += ticks

    def _charge(self) -> None:
        if self._first_need is None:
            self._first_need = self._used
        missing = self._spec.battery_max - self._level
        self._ticks += math.ceil(missing / self._spec.charge_rate - _ROUNDING)
        self._level = self._spec.battery_max

    def _cost(self, moves: int) -> float:
        return moves * self._spec.battery_move_cost + math.ceil(moves / self._spec.speed) * (
            self._spec.battery_idle_cost
        )

    def _reserve(self, position: Cell) -> float:
        """Charge to get from here to the nearest charger or home, as the drone flies."""
        places = (*self._planner.chargers(), self._spec.init_pos)
        return self._cost(min(distance(position, place) for place in places))

    def _afterwards(self, following: tuple[Instruction, ...], target: Cell) -> float:
        """Charge that must be left on arrival: for the work on the spot and the reserve."""
        ticks = 0
        for item in following:
            if item.position is not None or item.type is InstructionType.GOHOME:
                break
            ticks += item.ticks if item.type is InstructionType.WAIT else 1
        return ticks * self._spec.battery_idle_cost + self._reserve(target)

    def _stops(self, target: Cell, needed_there: float) -> tuple[Cell, ...] | None:
        """Chargers to visit before the target, with the fewest ticks in all; None if none will do."""
        full = self._spec.battery_max
        # Entries: (ticks so far, number of stops, stops, where the drone is, whether it has arrived).
        queue: list[tuple[int, int, tuple[Cell, ...], Cell, bool]] = [(0, 0, (), self._position, False)]
        done: set[Cell] = set()
        while queue:
            ticks, count, stops, here, arrived = heapq.heappop(queue)
            if arrived:
                return stops
            if here in done:
                continue
            done.add(here)
            level = full if stops else self._level
            for charger in self._planner.chargers():
                length = self._length_within(here, charger, level)
                if charger not in done and length is not None:
                    after = ticks + self._leg_ticks(length, level)
                    heapq.heappush(queue, (after, count + 1, (*stops, charger), charger, False))
            length = self._length_within(here, target, full - needed_there) if stops else None
            if length is not None:
                after = ticks + math.ceil(length / self._spec.speed)
                heapq.heappush(queue, (after, count, stops, target, True))
        return None

    def _length_within(self, start: Cell, goal: Cell, charge: float) -> int | None:
        """Moves to the goal if the charge covers them; the straight distance spares most searches."""
        if self._cost(distance(start, goal)) > charge:
            return None
        length = self._planner.length(start, goal)
        return length if length is not None and self._cost(length) <= charge else None

    def _leg_ticks(self, moves: int, level: float) -> int:
        missing = self._spec.battery_max - level + self._cost(moves)
        return math.ceil(moves / self._spec.speed) + math.ceil(missing / self._spec.charge_rate - _ROUNDING)
