"""One drone: battery, messages, acting, reporting, in this order every tick."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from uav_testgen.core.config import parse_config
from uav_testgen.fleet.acting import carry_out, enter, move
from uav_testgen.fleet.cells import NORTH, Cell, cells_in_reach
from uav_testgen.fleet.job import RETRY_TICKS, DroneState, Job
from uav_testgen.fleet.network import Message, MessageType
from uav_testgen.fleet.specs import DroneSpec
from uav_testgen.fleet.surroundings import Surroundings
from uav_testgen.fleet.tasks import Instruction, InstructionType


@dataclass(slots=True)
class Drone:
    """State of one drone. `surroundings` is its only way to touch the world and the radio."""

    spec: DroneSpec
    position: Cell
    battery: float
    heading: Cell = NORTH
    state: DroneState = DroneState.IDLE
    job: Job | None = None
    path: deque[Cell] = field(default_factory=deque)
    load: dict[str, Any] = field(default_factory=dict)
    held_ticks: int = 0
    moved_cells: int = 0
    last_done: tuple[int, int] | None = None
    last_dropped: tuple[Any, ...] | None = None
    asked_task_tick: int | None = None
    asked_path_tick: int | None = None
    reported: dict[tuple[Cell, str], Any] = field(default_factory=dict)
    commanded_target: Cell | None = None
    # What it was told to do and where it was when it acted in this tick, for those who watch.
    tasking: InstructionType | None = None
    acted_at: Cell | None = None

    @classmethod
    def from_spec(cls, spec: DroneSpec) -> Drone:
        """A drone at its home with its first charge."""
        charge = spec.battery_max if spec.battery_init is None else min(spec.battery_init, spec.battery_max)
        return cls(spec=spec, position=spec.init_pos, battery=charge)

    @property
    def id(self) -> int:
        """Device id on the network."""
        return self.spec.id

    def announce(self, around: Surroundings) -> None:
        """First messages: a drone without a path asks for one, and gets it with a task."""
        self._report(around)
        self.asked_task_tick = around.tick
        around.send(self.id, MessageType.REQ_PATH, self.position, None)

    def tick(self, around: Surroundings) -> None:
        """One tick of life. A rogue drone neither listens nor obeys; what it does is up to the effector."""
        self.tasking = self.acted_at = None
        if self.state is DroneState.DEAD:
            return
        if not self._has_charge_left(around):
            self._report(around)
            return
        if self.state is not DroneState.ROGUE:
            for message in around.receive(self.id):
                self._handle(message, around)
        self.sense(around)
        self.acted_at = self.position
        self.tasking = self.job.current.type if self.job is not None and self.job.current else None
        if not around.is_disturbed(self) and self.state is not DroneState.ROGUE:
            self._act(around)
        if self.state is not DroneState.ROGUE:
            self._prepare_next(around)
        self._report(around)

    # -- disturbances -------------------------------------------------------------------------------

    def turn_rogue(self) -> None:
        """From now on it does as it likes."""
        if self.state is not DroneState.DEAD:
            self.state = DroneState.ROGUE
            self.path.clear()

    def turn_back(self) -> None:
        """It obeys again and goes on with the task it has, if any."""
        if self.state is DroneState.ROGUE:
            self.state = DroneState.WORKING if self.job is not None else DroneState.IDLE
            self.asked_path_tick = self.asked_task_tick = None

    def fail_task(self, around: Surroundings) -> bool:
        """Give up the task at hand; False if there is none."""
        if self.job is None:
            return False
        self._give_up_job(around)
        self._ask_for_task(around)
        return True

    def edit(self, changes: dict[str, float]) -> None:
        """Change parameters; `battery` is the charge it has now. Its controller is not told."""
        new = {key: value for key, value in changes.items() if key != "battery"}
        self.spec = parse_config(DroneSpec, {**self.spec.model_dump(), **new}, source=f"drone {self.id}")
        self.battery = min(max(0.0, changes.get("battery", self.battery)), self.spec.battery_max)

    # -- battery ------------------------------------------------------------------------------------

    @property
    def is_charging(self) -> bool:
        """Whether it stands on a charger to charge, within a task or without."""
        if self.state is DroneState.CHARGING:
            return True
        current = self.job.current if self.job is not None and self.state is DroneState.WORKING else None
        return (
            current is not None
            and current.type is InstructionType.CHARGE
            and current.position == self.position
        )

    def _has_charge_left(self, around: Surroundings) -> bool:
        if not self.is_charging:
            self.battery = max(0.0, self.battery - self.spec.battery_idle_cost)
        if self.battery > 0.0 or around.is_charger(self.position):
            return True
        self._give_up_job(around)
        self.state = DroneState.DEAD
        return False

    def _charge(self, around: Surroundings) -> None:
        self.battery = min(self.spec.battery_max, self.battery + self.spec.charge_rate)
        if self.battery >= self.spec.battery_max:
            self.state = DroneState.IDLE
            self._ask_for_task(around)

    # -- messages -----------------------------------------------------------------------------------

    def _handle(self, message: Message, around: Surroundings) -> None:
        if message.type is MessageType.REPLY_TASK:
            self._consider_task(message, around)
        elif message.type is MessageType.REPLY_PATH:
            self._take_path(message)
        elif message.type is MessageType.REVOKE_TASK:
            if self.job is not None and self.job.task_id == message.contents[0]:
                self._give_up_job(around)
                self._ask_for_task(around)
        elif message.type is MessageType.SET_TARGET:
            self.commanded_target = message.contents[0]
            self.path.clear()
            self._ask_for_path(self.commanded_target, around)

    def _consider_task(self, message: Message, around: Surroundings) -> None:
        task_id, instructions, path, charge_needed = message.contents
        self.asked_task_tick = None
        if self.job is not None and self.job.task_id == task_id:
            return
        if charge_needed > self.battery:
            around.send(self.id, MessageType.TASK_REFUSED, task_id, self.battery)
            return
        self.job = Job(task_id, instructions)
        self.last_dropped = None
        self.state = DroneState.WORKING
        self.path = deque(path)
        self.asked_path_tick = None

    def _take_path(self, message: Message) -> None:
        purpose, path = message.contents
        bound = self.job is not None or self.commanded_target is not None
        if (purpose == "task") != bound:
            # An answer to a question that no longer matters.
            return
        self.asked_path_tick = self.asked_task_tick = None
        self.path = deque(path)
        if not path and self.commanded_target not in (None, self.position):
            # No way leads there: the drone goes on with what it did.
            self.commanded_target = None
        if purpose == "home":
            self.state = DroneState.RETURNING
        elif purpose == "charger":
            self.state = DroneState.TO_CHARGER

    # -- acting -------------------------------------------------------------------------------------

    def _act(self, around: Surroundings) -> None:
        if self.state is DroneState.CHARGING:
            self._charge(around)
        elif self.commanded_target is not None:
            self._follow_command(around)
        elif self.job is not None:
            self._work(around)
        elif self.path:
            move(self, around)
            if not self.path:
                self._arrive_without_job(around)
        elif self.state in (DroneState.RETURNING, DroneState.TO_CHARGER):
            self._arrive_without_job(around)

    def _follow_command(self, around: Surroundings) -> None:
        if self.position != self.commanded_target and self.path:
            move(self, around)
        if self.position == self.commanded_target:
            self.commanded_target = None
            self.path.clear()

    def _arrive_without_job(self, around: Surroundings) -> None:
        if self.state is DroneState.TO_CHARGER and around.is_charger(self.position):
            self.state = DroneState.CHARGING
        elif self.state is DroneState.RETURNING and self.position == self.spec.init_pos:
            self.state = DroneState.IDLE

    def _work(self, around: Surroundings) -> None:
        """Carry out the current instruction; one that takes no time is followed by the next at once."""
        while self.job is not None and (instruction := self.job.current) is not None:
            takes_time, finished = carry_out(self, instruction, around)
            if finished and self.job is not None:
                self.job.index += 1
                self.path.clear()
                self.asked_path_tick = None
            if takes_time or not finished:
                break
        if self.job is not None and self.job.current is None:
            self._finish_job(around)

    def target_of(self, instruction: Instruction) -> Cell | None:
        """Where an instruction leads; None for those that work on the spot."""
        if instruction.type is InstructionType.GOHOME:
            return self.spec.init_pos
        travels = instruction.type in (InstructionType.GOTO, InstructionType.CHARGE)
        return instruction.position if travels else None

    def wander(self, cell: Cell, around: Surroundings) -> None:
        """Enter a neighbour that is not on the path (an effect, not a decision)."""
        if self.battery >= self.spec.battery_move_cost:
            enter(self, cell, around)
            self.path.clear()
            self.asked_path_tick = None

    # -- end of a job -------------------------------------------------------------------------------

    def _finish_job(self, around: Surroundings) -> None:
        assert self.job is not None
        self.last_done = (self.job.task_id, around.tick)
        around.send(self.id, MessageType.TASK_DONE, *self.last_done)
        self.job = None
        self.state = DroneState.IDLE
        self._ask_for_task(around)

    def _give_up_job(self, around: Surroundings) -> None:
        """Set the load down where the drone is and tell the controller how far it came."""
        for attribute, value in sorted(self.load.items()):
            around.write(self.position, attribute, value)
        if self.job is not None:
            load = tuple(sorted(self.load))
            self.last_dropped = (self.job.task_id, self.job.index, self.position, load)
            around.send(self.id, MessageType.TASK_DROPPED, *self.last_dropped)
        self.load = {}
        self.job = None
        self.path.clear()
        self.state = DroneState.IDLE

    # -- reporting ----------------------------------------------------------------------------------

    def _prepare_next(self, around: Surroundings) -> None:
        """Ask early, so that the answer is there when the next tick begins."""
        if self.commanded_target is not None and not self.path:
            self._ask_for_path(self.commanded_target, around)
        elif self.job is not None and self.job.current is not None:
            target = self.target_of(self.job.current)
            if target is not None and not self.path and self.position != target:
                self._ask_for_path(target, around)
        elif (
            self.state in (DroneState.RETURNING, DroneState.TO_CHARGER) and not self.path
        ) or self.state is DroneState.IDLE:
            self._ask_for_task(around)

    def _ask_for_task(self, around: Surroundings) -> None:
        if self.asked_task_tick is None or around.tick - self.asked_task_tick >= RETRY_TICKS:
            self.asked_task_tick = around.tick
            around.send(self.id, MessageType.REQ_TASK)

    def _ask_for_path(self, target: Cell, around: Surroundings) -> None:
        if self.asked_path_tick is None or around.tick - self.asked_path_tick >= RETRY_TICKS:
            self.asked_path_tick = around.tick
            around.send(self.id, MessageType.REQ_PATH, self.position, target)

    def sense(self, around: Surroundings, only: str | None = None) -> None:
        """Look around with every sensor; `only` one attribute is sent even if it was sent before."""
        for sensor in self.spec.sensors:
            if only is not None and sensor.attr != only:
                continue
            for cell in cells_in_reach(self.position, self.heading, sensor.direction, sensor.range):
                value = around.read(cell, sensor.attr)
                if only is not None and value is not None:
                    self.reported.pop((cell, only), None)
                # What is gone is told once, by the drone that told it was there.
                if value is not None or (cell, sensor.attr) in self.reported:
                    self.tell_attribute(cell, sensor.attr, value, around)

    def tell_attribute(self, cell: Cell, attribute: str, value: Any, around: Surroundings) -> None:
        """Report a reading once; again only if it has changed."""
        if self.reported.get((cell, attribute)) != value:
            self.reported[(cell, attribute)] = value
            around.send(self.id, MessageType.CELL_ATTR, cell, attribute, value)

    def _report(self, around: Surroundings) -> None:
        # What was finished or given up is repeated, because the radio may lose the message that said so.
        outcome = (self.last_done, self.last_dropped)
        around.send(self.id, MessageType.INFO_UPDATE, self.position, self.battery, self.state, *outcome)
