"""The ground controller: answers requests, distributes tasks, keeps its own map and the trust scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.job import RETRY_TICKS, DroneState
from uav_testgen.fleet.network import Message, MessageType
from uav_testgen.fleet.paths import PathMethod
from uav_testgen.fleet.planning import NoPlan, Plan, Planner
from uav_testgen.fleet.specs import Assignment, DroneSpec, TrustSpec
from uav_testgen.fleet.suitability import is_able, minimum_trust, rank, why_nobody
from uav_testgen.fleet.tasks import Instruction, InstructionType, Task, TaskRecord, TaskState, expand
from uav_testgen.fleet.trust import TrustWeights, task_score, updated_trust
from uav_testgen.fleet.views import DroneView, Route, Score
from uav_testgen.fleet.world import CellWorld

Send = Callable[[int, MessageType, tuple[Any, ...]], None]

# A task that was taken away this often is given up.
MAX_REVOCATIONS = 5
# A tracked task without a deadline of its own may take this many times its estimate.
DEFAULT_DEADLINE_FACTOR = 2
# A drone that does not answer this many calls to give a task back has lost it for good.
MAX_UNANSWERED = 5


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
        assignment: Assignment,
        send: Send,
    ) -> None:
        self.id = device_id
        self.map = known_map
        self.records = {task.id: TaskRecord(task, expand(task.instructions)) for task in tasks}
        self.drones = {spec.id: DroneView(spec, spec.init_pos, spec.battery_max) for spec in drones}
        self.scores: list[Score] = []
        self._trust = trust
        self._weights = TrustWeights(trust.alpha, trust.beta)
        self._planner = Planner(known_map, path_method)
        self._assignment = assignment
        self._send = send
        self._requests = 0
        self._tick = 0
        # Ways given out in this tick, for those who watch.
        self.routes: list[Route] = []
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
        self.routes = []
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
            self._answer_path(view, *contents)
        elif message.type is MessageType.CELL_ATTR:
            self.map.set(*contents)
        elif message.type is MessageType.TASK_DONE:
            self._close(view, *contents)
        elif message.type is MessageType.TASK_REFUSED:
            self._note_refusal(view, *contents)
        elif message.type is MessageType.TASK_DROPPED:
            self._take_back(view, *contents)

    def _answer_path(self, view: DroneView, position: Cell, target: Cell | None) -> None:
        """A way to a target; a drone without a target asks for a task with its way."""
        view.position = position
        if target is None:
            self._note_request(view)
            return
        path = self._planner.path(position, target)
        if path is None:
            # The map has changed since the task was planned; the drone must not ask for ever.
            for record in self._active_of(view.spec.id):
                if any(target in (item.position, view.spec.init_pos) for item in record.remaining):
                    self._send(view.spec.id, MessageType.REVOKE_TASK, (record.task.id,))
                    self._give_up(record, f"no way to {target}")
            self._send(view.spec.id, MessageType.REPLY_PATH, ("task", ()))
            return
        self.routes.append(Route(view.spec.init_pos, position, target, len(path)))
        self._send(view.spec.id, MessageType.REPLY_PATH, ("task", tuple(path)))

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
        if not view.idle:
            self._requests += 1
            view.request_number = self._requests
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
        actual = done_tick - record.assigned_tick + 1
        self._update_trust(view, record, actual)
        score = task_score(record.estimated_ticks, actual)
        finished = Score(record.task.id, view.spec.id, score, record.estimated_ticks, actual, view.trust)
        self.scores.append(finished)

    def _update_trust(self, view: DroneView, record: TaskRecord, actual_ticks: int) -> None:
        view.trust = updated_trust(
            view.trust,
            estimated_ticks=record.estimated_ticks,
            actual_ticks=actual_ticks,
            battery_level=view.battery,
            battery_max=view.spec.battery_max,
            weights=self._weights,
        )

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
        if record.state is TaskState.ACTIVE:
            # Not taken away but failed: it counts as a task that came as late as a tracked one may.
            late = self._tick - record.assigned_tick + 1
            self._update_trust(view, record, max(late, DEFAULT_DEADLINE_FACTOR * record.estimated_ticks))
            record.excluded_drones.add(view.spec.id)
        self._requeue(record, record.message or "given back by its drone")

    # -- deadlines ----------------------------------------------------------------------------------

    def _watch_deadlines(self) -> None:
        for record in self.records.values():
            if record.state is TaskState.REVOKED and self._tick - record.assigned_tick >= RETRY_TICKS:
                self._send(record.drone_id or 0, MessageType.REVOKE_TASK, (record.task.id,))
                record.assigned_tick = self._tick
                record.unanswered_revocations += 1
                if record.unanswered_revocations > MAX_UNANSWERED:
                    self._requeue(record, f"drone {record.drone_id} does not answer")
            if record.state is not TaskState.ACTIVE or not record.task.tracked:
                continue
            deadline = record.task.deadline_ticks or DEFAULT_DEADLINE_FACTOR * record.estimated_ticks
            if self._tick - record.assigned_tick + 1 > deadline:
                self._revoke(record)

    def _revoke(self, record: TaskRecord) -> None:
        drone_id = record.drone_id
        assert drone_id is not None
        late = self._tick - record.assigned_tick + 1
        self._update_trust(self.drones[drone_id], record, late)
        self._send(drone_id, MessageType.REVOKE_TASK, (record.task.id,))
        record.excluded_drones.add(drone_id)
        record.state = TaskState.REVOKED
        record.unanswered_revocations = 0
        record.assigned_tick = self._tick
        record.message = f"late after {late} ticks"

    def _requeue(self, record: TaskRecord, why: str) -> None:
        record.state = TaskState.QUEUED
        record.drone_id = None
        record.revocations += 1
        record.remaining = tuple(item for item in record.remaining if not item.planned)
        record.message = why
        if record.revocations > MAX_REVOCATIONS:
            self._give_up(record, f"given up after {record.revocations} attempts, last: {why}")

    @staticmethod
    def _give_up(record: TaskRecord, why: str) -> None:
        record.state = TaskState.FAILED
        record.message = why

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
        """Give a task to the best drone that is free; better one that need not charge on the way."""
        able = [view for view in self.drones.values() if is_able(view, record)]
        able = [view for view in able if view.spec.id not in record.excluded_drones] or able
        if not able:
            self._give_up(record, why_nobody(self.drones.values(), record))
            return
        minimum = minimum_trust(record, self._trust)
        trusted = [view for view in able if view.trust >= minimum]
        # A drone that is not trusted waits even if it is free, as long as another could do the task.
        ready = [view for view in trusted or able if view.idle]
        with_stops: list[tuple[DroneView, Plan]] = []
        for view in sorted(ready, key=lambda view: rank(view, record, self._assignment)):
            plan = self._planner.plan(view.spec, view.position, view.battery, record.remaining)
            if isinstance(plan, NoPlan):
                record.unable_drones.add(view.spec.id)
                record.message = plan.reason
                if plan.for_any:
                    self._give_up(record, plan.reason)
                    return
            elif plan.stops == 0:
                self._give(view, record, plan)
                return
            else:
                with_stops.append((view, plan))
        if with_stops:
            view, plan = with_stops[0]
            self._give(view, record, plan)

    def _give(self, view: DroneView, record: TaskRecord, plan: Plan) -> None:
        record.state = TaskState.ACTIVE
        record.drone_id = view.spec.id
        record.remaining = plan.instructions
        self._given.setdefault(view.spec.id, set()).add(record.task.id)
        record.assigned_tick = self._tick
        record.estimated_ticks = plan.ticks
        view.idle = view.going_home = False
        if plan.first_path:
            self.routes.append(
                Route(view.spec.init_pos, view.position, plan.first_path[-1], len(plan.first_path))
            )
        contents = (record.task.id, plan.instructions, tuple(plan.first_path), plan.charge_needed)
        self._send(view.spec.id, MessageType.REPLY_TASK, contents)

    def _send_to_charger(self, view: DroneView) -> None:
        paths = [(cell, self._planner.path(view.position, cell)) for cell in sorted(self.map.chargers)]
        reachable = [(len(path), cell, path) for cell, path in paths if path is not None]
        if reachable and view.battery < view.spec.battery_max:
            view.idle = False
            path = min(reachable)[2]
            self._send(view.spec.id, MessageType.REPLY_PATH, ("charger", tuple(path)))

    def _send_home(self, view: DroneView) -> None:
        """No work left: back to base, or to a charger where the battery no longer reaches."""
        if view.position == view.spec.init_pos or view.going_home:
            return
        path = self._planner.path(view.position, view.spec.init_pos)
        if path is not None and len(path) * view.spec.battery_move_cost <= view.battery:
            view.going_home = True
            self._send(view.spec.id, MessageType.REPLY_PATH, ("home", tuple(path)))
        else:
            self._send_to_charger(view)

    # -- helpers ------------------------------------------------------------------------------------

    def _active_of(self, drone_id: int) -> list[TaskRecord]:
        """Tasks that a drone has or still has to give back."""
        held = (self.records[task_id] for task_id in sorted(self._given.get(drone_id, ())))
        return [
            record
            for record in held
            if record.state in (TaskState.ACTIVE, TaskState.REVOKED) and record.drone_id == drone_id
        ]
