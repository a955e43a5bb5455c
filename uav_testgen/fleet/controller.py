"""The ground controller: answers requests, distributes tasks, keeps its own map and the trust scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from uav_testgen.fleet.cells import Cell, distance
from uav_testgen.fleet.drone import RETRY_TICKS, DroneState
from uav_testgen.fleet.network import Message, MessageType
from uav_testgen.fleet.paths import PathMethod, shortest_path
from uav_testgen.fleet.scenario import DroneSpec, TrustSpec
from uav_testgen.fleet.tasks import (
    Instruction,
    InstructionType,
    Priority,
    Task,
    TaskRecord,
    TaskState,
    expand,
)
from uav_testgen.fleet.trust import TrustWeights, task_score, updated_trust
from uav_testgen.fleet.world import CellWorld

Send = Callable[[int, MessageType, tuple[Any, ...]], None]

# A task that was taken away this often is given up.
MAX_REVOCATIONS = 5
# A tracked task without a deadline of its own may take this many times its estimate.
DEFAULT_DEADLINE_FACTOR = 2


@dataclass(slots=True)
class DroneView:
    """What the controller knows of a drone: its data sheet and its last report."""

    spec: DroneSpec
    position: Cell
    battery: float
    state: DroneState = DroneState.IDLE
    trust: float = 1.0
    idle: bool = False
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
        return f"Drone_id: {self.drone_id}, Score: {round(self.score, 3)}, Est: {self.estimated_ticks}, Act: {self.actual_ticks}"  # noqa: E501


@dataclass(frozen=True, slots=True)
class Plan:
    """What a task costs a drone, seen on the controller's map."""

    first_path: list[Cell]
    ticks: int
    moves_with_reserve: int


class Controller:
    """Scheduler of a fleet. Knows only what drones have told it."""

    def __init__(
        self,
        device_id: int,
        known_map: CellWorld,
        tasks: list[Task],
        drones: list[DroneSpec],
        trust: TrustSpec,
        path_method: PathMethod,
        send: Send,
    ) -> None:
        self.id = device_id
        self.map = known_map
        self.records = {task.id: TaskRecord(task, expand(task.instructions)) for task in tasks}
        self.drones = {spec.id: DroneView(spec, spec.init_pos, spec.battery_max) for spec in drones}
        self.scores: list[Score] = []
        self._trust = trust
        self._weights = TrustWeights(trust.alpha, trust.beta)
        self._path_method = path_method
        self._send = send
        self._tick = 0
        self._credited: set[tuple[int, int]] = set()
        # Tasks ever given to a drone: asking who has what must not look through all tasks of the fleet.
        self._given: dict[int, set[int]] = {}

    @property
    def finished(self) -> bool:
        """Whether every task is done or given up."""
        return all(record.state in (TaskState.DONE, TaskState.FAILED) for record in self.records.values())

    def add_drone(self, spec: DroneSpec) -> None:
        """A drone that joins the fleet."""
        self.drones[spec.id] = DroneView(spec, spec.init_pos, spec.battery_max)

    def add_task(self, task: Task) -> None:
        """A task that comes in during the run."""
        self.records[task.id] = TaskRecord(task, expand(task.instructions))

    def tick(self, tick: int, messages: list[Message]) -> None:
        """Read the mail, watch deadlines, hand out work."""
        self._tick = tick
        for message in messages:
            view = self.drones.get(message.sender)
            if view is not None:
                self._handle(message, view)
        self._watch_deadlines()
        self._assign()

    # -- mail ---------------------------------------------------------------------------------------

    def _handle(self, message: Message, view: DroneView) -> None:
        contents = message.contents
        if message.type is MessageType.INFO_UPDATE:
            self._note_report(view, *contents)
        elif message.type is MessageType.REQ_TASK:
            self._note_request(view)
        elif message.type is MessageType.REQ_PATH:
            view.position = contents[0]
            path = self._path(contents[0], contents[1])
            self._send(view.spec.id, MessageType.REPLY_PATH, ("task", tuple(path or ())))
        elif message.type is MessageType.CELL_ATTR:
            self.map.set(*contents)
        elif message.type is MessageType.TASK_DONE:
            self._close(view, *contents)
        elif message.type is MessageType.TASK_REFUSED:
            self._note_refusal(view, *contents)
        elif message.type is MessageType.TASK_DROPPED:
            self._take_back(view, *contents)

    def _note_report(
        self,
        view: DroneView,
        position: Cell,
        battery: float,
        state: DroneState,
        last_done: tuple[int, int] | None,
        last_dropped: tuple[Any, ...] | None,
    ) -> None:
        view.position, view.battery, view.state = position, battery, state
        if last_done is not None:
            self._close(view, *last_done)
        if last_dropped is not None:
            self._take_back(view, *last_dropped)
        if state is DroneState.DEAD:
            view.idle = False
            for record in self._active_of(view.spec.id):
                self._requeue(record, "its drone has no charge left")

    def _note_request(self, view: DroneView) -> None:
        view.idle = True
        # A drone on its way home asks only when it has lost its path.
        view.going_home = False
        for record in self._active_of(view.spec.id):
            # It asks although we gave it a task: our answer was lost.
            self._requeue(record, "the drone asked again")

    def _note_refusal(self, view: DroneView, task_id: int, battery: float) -> None:
        view.battery = battery
        record = self.records[task_id]
        if record.state is TaskState.ACTIVE and record.drone_id == view.spec.id:
            self._requeue(record, "refused for lack of charge")
        view.idle = True

    def _close(self, view: DroneView, task_id: int, done_tick: int) -> None:
        record = self.records[task_id]
        if record.drone_id != view.spec.id or (task_id, done_tick) in self._credited:
            return
        if record.state is not TaskState.ACTIVE:
            return
        self._credited.add((task_id, done_tick))
        record.state = TaskState.DONE
        record.completed_tick = done_tick
        self._update_trust(view, record, done_tick)

    def _update_trust(self, view: DroneView, record: TaskRecord, done_tick: int) -> None:
        actual = done_tick - record.assigned_tick + 1
        view.trust = updated_trust(
            view.trust,
            estimated_ticks=record.estimated_ticks,
            actual_ticks=actual,
            battery_level=view.battery,
            battery_max=view.spec.battery_max,
            weights=self._weights,
        )
        score = task_score(record.estimated_ticks, actual)
        finished = Score(record.task.id, view.spec.id, score, record.estimated_ticks, actual, view.trust)
        self.scores.append(finished)

    def _take_back(
        self, view: DroneView, task_id: int, index: int, position: Cell, load: tuple[str, ...]
    ) -> None:
        """A task came back half done: go on where the drone stopped, its load first."""
        record = self.records[task_id]
        if record.drone_id != view.spec.id or record.state not in (TaskState.ACTIVE, TaskState.REVOKED):
            return
        priority = record.task.priority
        fetch: list[Instruction] = []
        for attribute in load:
            fetch.append(Instruction(InstructionType.GOTO, priority, position))
            fetch.append(Instruction(InstructionType.GRAB, priority, attribute=attribute))
        record.remaining = (*fetch, *record.remaining[index:])
        self._requeue(record, record.message or "given back by its drone")

    # -- deadlines ----------------------------------------------------------------------------------

    def _watch_deadlines(self) -> None:
        for record in self.records.values():
            if record.state is TaskState.REVOKED and self._tick - record.assigned_tick >= RETRY_TICKS:
                self._send(record.drone_id or 0, MessageType.REVOKE_TASK, (record.task.id,))
                record.assigned_tick = self._tick
            if record.state is not TaskState.ACTIVE or not record.task.tracked:
                continue
            deadline = record.task.deadline_ticks or DEFAULT_DEADLINE_FACTOR * record.estimated_ticks
            if self._tick - record.assigned_tick + 1 > deadline:
                self._revoke(record)

    def _revoke(self, record: TaskRecord) -> None:
        drone_id = record.drone_id
        assert drone_id is not None
        view = self.drones[drone_id]
        late = self._tick - record.assigned_tick + 1
        view.trust = updated_trust(
            view.trust,
            estimated_ticks=record.estimated_ticks,
            actual_ticks=late,
            battery_level=view.battery,
            battery_max=view.spec.battery_max,
            weights=self._weights,
        )
        self._send(drone_id, MessageType.REVOKE_TASK, (record.task.id,))
        record.excluded_drones.add(drone_id)
        record.state = TaskState.REVOKED
        record.assigned_tick = self._tick
        record.message = f"late after {late} ticks"

    def _requeue(self, record: TaskRecord, why: str) -> None:
        record.state = TaskState.QUEUED
        record.drone_id = None
        record.revocations += 1
        record.message = why
        if record.revocations > MAX_REVOCATIONS:
            record.state = TaskState.FAILED
            record.message = f"given up after {record.revocations} attempts, last: {why}"

    # -- assignment ---------------------------------------------------------------------------------

    def _assign(self) -> None:
        queued = [record for record in self.records.values() if record.state is TaskState.QUEUED]
        queued.sort(key=lambda record: (-record.task.priority, record.task.id))
        for record in queued:
            self._place(record)
        for view in self.drones.values():
            if view.idle:
                self._send_home(view)

    def _place(self, record: TaskRecord) -> None:
        able = [view for view in self.drones.values() if self._is_able(view, record)]
        able = [view for view in able if view.spec.id not in record.excluded_drones] or able
        if not able:
            record.state = TaskState.FAILED
            record.message = "no drone is able to do it"
            return
        ready = sorted((view for view in able if view.idle), key=lambda view: self._rank(view, record))
        for view in ready:
            plan = self._plan(view, record.remaining)
            if plan is None:
                record.state = TaskState.FAILED
                record.message = "no way to one of its positions"
                return
            needed = plan.moves_with_reserve * view.spec.battery_move_cost
            if needed <= view.battery:
                self._give(view, record, plan)
                return
            if needed > view.spec.battery_max:
                record.excluded_drones.add(view.spec.id)
                record.message = (
                    f"needs {needed:.0f} mAh, drone {view.spec.id} holds {view.spec.battery_max:.0f}"
                )
                if record.excluded_drones >= {other.spec.id for other in able}:
                    record.state = TaskState.FAILED
                    return
            else:
                self._send_to_charger(view)

    def _is_able(self, view: DroneView, record: TaskRecord) -> bool:
        if view.state is DroneState.DEAD or record.task.drone_id not in (None, view.spec.id):
            return False
        handled = {(a.attr, a.mode) for a in view.spec.actuators}
        for item in record.remaining:
            mode = "ASSIGN" if item.type is InstructionType.ASSIGN else "GRAB"
            uses = item.type in (InstructionType.GRAB, InstructionType.DROP, InstructionType.ASSIGN)
            if uses and (item.attribute, mode) not in handled:
                return False
        return True

    def _rank(self, view: DroneView, record: TaskRecord) -> tuple[float, ...]:
        """Smaller is better: for urgent tasks trust comes first, otherwise nearness."""
        near = distance(view.position, self._first_target(view, record)) / view.spec.speed
        if record.task.priority is Priority.HIGH:
            untrusted = float(view.trust < self._trust.high_priority_minimum)
            return (untrusted, -view.trust, near, view.spec.id)
        return (near, -view.trust, view.spec.id)

    @staticmethod
    def _first_target(view: DroneView, record: TaskRecord) -> Cell:
        places = (item.position for item in record.remaining if item.position is not None)
        return next(places, view.position)

    def _plan(self, view: DroneView, instructions: tuple[Instruction, ...]) -> Plan | None:
        position = view.position
        ticks = moves = 0
        first_path: list[Cell] | None = None
        for item in instructions:
            target = view.spec.init_pos if item.type is InstructionType.GOHOME else item.position
            if item.type is InstructionType.WAIT:
                ticks += item.ticks
            elif target is None:
                ticks += 1
            else:
                path = self._path(position, target)
                if path is None:
                    return None
                first_path = path if first_path is None else first_path
                ticks += math.ceil(len(path) / view.spec.speed)
                moves += len(path)
                position = target
        reserve = min(distance(position, cell) for cell in (*self.map.chargers, view.spec.init_pos))
        return Plan(first_path or [], max(1, ticks), moves + reserve)

    def _give(self, view: DroneView, record: TaskRecord, plan: Plan) -> None:
        record.state = TaskState.ACTIVE
        record.drone_id = view.spec.id
        self._given.setdefault(view.spec.id, set()).add(record.task.id)
        record.assigned_tick = self._tick
        record.estimated_ticks = plan.ticks
        view.idle = view.going_home = False
        contents = (record.task.id, record.remaining, tuple(plan.first_path), plan.moves_with_reserve)
        self._send(view.spec.id, MessageType.REPLY_TASK, contents)

    def _send_to_charger(self, view: DroneView) -> None:
        paths = [(cell, self._path(view.position, cell)) for cell in sorted(self.map.chargers)]
        reachable = [(len(path), cell, path) for cell, path in paths if path is not None]
        if reachable and view.battery < view.spec.battery_max:
            view.idle = False
            path = min(reachable)[2]
            self._send(view.spec.id, MessageType.REPLY_PATH, ("charger", tuple(path)))

    def _send_home(self, view: DroneView) -> None:
        """No work left: back to base, or to a charger where the battery no longer reaches."""
        if view.position == view.spec.init_pos or view.going_home:
            return
        path = self._path(view.position, view.spec.init_pos)
        if path is not None and len(path) * view.spec.battery_move_cost <= view.battery:
            view.going_home = True
            self._send(view.spec.id, MessageType.REPLY_PATH, ("home", tuple(path)))
        else:
            self._send_to_charger(view)

    # -- helpers ------------------------------------------------------------------------------------

    def _path(self, start: Cell, goal: Cell) -> list[Cell] | None:
        return shortest_path(self.map, start, goal, self._path_method)

    def _active_of(self, drone_id: int) -> list[TaskRecord]:
        """Tasks that a drone has or still has to give back."""
        held = (self.records[task_id] for task_id in sorted(self._given.get(drone_id, ())))
        return [
            record
            for record in held
            if record.state in (TaskState.ACTIVE, TaskState.REVOKED) and record.drone_id == drone_id
        ]
