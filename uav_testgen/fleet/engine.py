"""The tick engine: scheduler first, then every drone, then whoever watches (display, log)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from uav_testgen.core.errors import ConfigError
from uav_testgen.core.rng import stream
from uav_testgen.fleet.cells import Cell
from uav_testgen.fleet.controller import Controller
from uav_testgen.fleet.drone import Drone
from uav_testgen.fleet.effector import Effector
from uav_testgen.fleet.job import DroneState
from uav_testgen.fleet.network import Message, MessageType, Network, NetworkSettings
from uav_testgen.fleet.scenario import FleetScenario
from uav_testgen.fleet.specs import DroneSpec
from uav_testgen.fleet.summary import summary_of
from uav_testgen.fleet.tasks import InstructionType
from uav_testgen.fleet.views import Route, Score
from uav_testgen.fleet.world import BLOCKED, CHARGER, CellWorld


@dataclass(frozen=True, slots=True)
class TickReport:
    """What one tick showed, for display and log.

    `messages` are all that went out since the last report; the first `sent_before` of them before the tick
    began (first announcements, commands). `routes` are the ways each controller gave out, `actions` what each
    drone was told to do and where it stood.
    """

    tick: int
    messages: tuple[Message, ...]
    sent_before: int
    routes: tuple[tuple[int, tuple[Route, ...]], ...]
    actions: tuple[tuple[int, InstructionType | None, Cell], ...]
    events: tuple[str, ...]
    scores: tuple[Score, ...]


class FleetSimulation:
    """A running fleet. Also the `Surroundings` of its drones."""

    def __init__(self, scenario: FleetScenario, *, seed: int = 0) -> None:
        self.scenario = scenario
        self.seed = seed
        self.tick = 0
        self.world = scenario.make_world()
        # The radio without disturbances; a person may change it in command mode.
        self.radio = NetworkSettings(**scenario.network.model_dump())
        self.network = Network(self.radio, stream(seed, "fleet", "network"))
        self.effector = Effector(scenario.effector, stream(seed, "fleet", "effector"))
        self.drones = {spec.id: Drone.from_spec(spec) for spec in scenario.drones}
        self.controllers = [self._make_controller(index) for index in range(len(scenario.controllers))]
        self._occupied: dict[Cell, set[int]] = {}
        self._place: dict[int, Cell] = {}
        for drone in self.drones.values():
            self.moved(drone.id, drone.position)
        for index, controller_spec in enumerate(scenario.controllers):
            if controller_spec.position is not None:
                self.network.set_position(index, controller_spec.position)
        for drone in self.drones.values():
            drone.announce(self)

    def _make_controller(self, index: int) -> Controller:
        specs = [spec for spec in self.scenario.drones if spec.controller == index]

        def send(receiver: int, kind: MessageType, contents: tuple[Any, ...]) -> None:
            self.network.send(self.tick, Message(kind, index, receiver, contents))

        return Controller(
            device_id=index,
            known_map=self._known_map(),
            tasks=self.scenario.make_tasks(index),
            drones=specs,
            trust=self.scenario.trust,
            path_method=self.scenario.path_method,
            assignment=self.scenario.assignment,
            send=send,
        )

    def _known_map(self) -> CellWorld:
        """Chargers are the operator's own, so they are known; blocked cells only if the file says so."""
        known = CellWorld(self.world.size)
        for cell in self.world.chargers:
            known.set(cell, CHARGER, True)
        if self.scenario.environment.known:
            for cell in self.world.blocked:
                known.set(cell, BLOCKED, True)
        return known

    # -- running ------------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """All tasks closed and every drone at rest, or out of time."""
        if self.tick >= self.scenario.max_ticks:
            return True
        if not all(controller.finished for controller in self.controllers):
            return all(drone.state is DroneState.DEAD for drone in self.drones.values())
        return all(self._is_at_rest(drone) for drone in self.drones.values())

    @staticmethod
    def _is_at_rest(drone: Drone) -> bool:
        if drone.state in (DroneState.DEAD, DroneState.ROGUE):
            # Neither will come home.
            return True
        return drone.job is None and drone.commanded_target is None and drone.position == drone.spec.init_pos

    def step(self) -> TickReport:
        """One tick, in the paper's order."""
        self.tick += 1
        before = self.network.take_transcript()
        scored = [len(controller.scores) for controller in self.controllers]
        self.effector.before_tick(self)
        for controller in self.controllers:
            controller.tick(self.tick, self.network.receive(self.tick, controller.id))
        for drone in list(self.drones.values()):
            drone.tick(self)
        new_scores = tuple(
            score
            for controller, count in zip(self.controllers, scored, strict=True)
            for score in controller.scores[count:]
        )
        return TickReport(
            tick=self.tick,
            messages=(*before, *self.network.take_transcript()),
            sent_before=len(before),
            routes=tuple((controller.id, tuple(controller.routes)) for controller in self.controllers),
            actions=tuple(
                (drone.id, drone.tasking, drone.acted_at)
                for drone in self.drones.values()
                if drone.acted_at is not None
            ),
            events=tuple(self.effector.take_events()),
            scores=new_scores,
        )

    def run(self, watch: Callable[[FleetSimulation, TickReport], None] | None = None) -> None:
        """To the end; `watch` looks at every tick and must not change anything."""
        for report in self.ticks():
            if watch is not None:
                watch(self, report)

    def ticks(self) -> Iterator[TickReport]:
        """One report per tick until the run is over."""
        while not self.finished:
            yield self.step()

    # -- command mode -------------------------------------------------------------------------------

    def add_drone(self, spec: DroneSpec) -> None:
        """Let a drone join."""
        if spec.id in self.drones or spec.id < len(self.controllers):
            raise ConfigError(f"device id {spec.id} is taken; use another")
        if not self.world.is_free(spec.init_pos):
            raise ConfigError(f"cell {spec.init_pos} is blocked or outside the world")
        drone = Drone.from_spec(spec)
        self.drones[spec.id] = drone
        self.moved(spec.id, spec.init_pos)
        if self.controllers:
            self.controllers[min(spec.controller, len(self.controllers) - 1)].add_drone(spec)
        drone.announce(self)

    def block_cell(self, cell: Cell) -> None:
        """Block a cell that nobody occupies."""
        if not self.can_be_blocked(cell):
            raise ConfigError(f"cell {cell} is outside the world, already blocked or occupied by a drone")
        self.world.set(cell, BLOCKED, True)

    def unblock_cell(self, cell: Cell) -> None:
        """Free a blocked cell. Controllers learn of it only when a drone senses it."""
        if cell not in self.world.blocked:
            raise ConfigError(f"cell {cell} is not blocked")
        self.world.set(cell, BLOCKED, None)

    def drone(self, drone_id: int) -> Drone:
        """A drone by its id; ConfigError names the ids there are."""
        if drone_id not in self.drones:
            known = ", ".join(str(known_id) for known_id in sorted(self.drones)) or "none"
            raise ConfigError(f"no drone {drone_id}; there are {known}")
        return self.drones[drone_id]

    def set_target(self, drone_id: int, cell: Cell) -> None:
        """Send a drone somewhere before it goes on with what it does."""
        self.drone(drone_id)
        if not self.world.contains(cell):
            raise ConfigError(f"cell {cell} lies outside the world of size {self.world.size}")
        controller = self.drones[drone_id].spec.controller
        self.network.send(self.tick, Message(MessageType.SET_TARGET, controller, drone_id, (cell,)))

    def can_be_blocked(self, cell: Cell) -> bool:
        """A cell where no drone is and none lives."""
        homes = {drone.spec.init_pos for drone in self.drones.values()}
        return self.world.is_free(cell) and not self._occupied.get(cell) and cell not in homes

    # -- Surroundings -------------------------------------------------------------------------------

    def receive(self, device: int) -> list[Message]:
        """Messages that have arrived."""
        return self.network.receive(self.tick, device)

    def send(self, device: int, kind: MessageType, *contents: Any) -> None:
        """A message from a drone to its controller."""
        controller = self.drones[device].spec.controller
        self.network.send(self.tick, Message(kind, device, controller, contents))

    def read(self, cell: Cell, attribute: str) -> Any:
        """Value of an attribute; None outside the world."""
        return self.world.get(cell, attribute)

    def write(self, cell: Cell, attribute: str, value: Any) -> None:
        """Change the world."""
        self.world.set(cell, attribute, value)

    def is_blocked(self, cell: Cell) -> bool:
        """Whether the cell cannot be entered."""
        return not self.world.is_free(cell)

    def is_inside(self, cell: Cell) -> bool:
        """Whether the cell belongs to the world."""
        return self.world.contains(cell)

    def is_charger(self, cell: Cell) -> bool:
        """Whether batteries are charged here."""
        return cell in self.world.chargers

    def is_occupied(self, cell: Cell, device: int) -> bool:
        """Whether another drone stands in the way (only where cells are exclusive)."""
        if not self.scenario.exclusive_cells:
            return False
        return bool(self._occupied.get(cell, set()) - {device})

    def is_disturbed(self, drone: Drone) -> bool:
        """Let the effector act on the drone; True if that used up its tick."""
        return self.effector.disturb(drone, self)

    def moved(self, device: int, cell: Cell) -> None:
        """Book-keeping of who is where."""
        before = self._place.get(device)
        if before is not None:
            self._occupied[before].discard(device)
            if not self._occupied[before]:
                del self._occupied[before]
        self._occupied.setdefault(cell, set()).add(device)
        self._place[device] = cell
        self.network.set_position(device, cell)

    # -- results ------------------------------------------------------------------------------------

    def trust_of(self, drone: Drone) -> float:
        """What its controller thinks of a drone; 1 where it has none."""
        known = (c.drones[drone.id].trust for c in self.controllers if drone.id in c.drones)
        return next(known, 1.0)

    def summary(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return summary_of(self)
