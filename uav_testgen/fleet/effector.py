"""Disturbances: rogue drones, failed tasks, changed parameters, weather, blocked cells, radio and battery.

Seeded, off by default. What effects of a file do, a person can do in command mode too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uav_testgen.fleet.drone import Drone
from uav_testgen.fleet.effect_settings import EffectorSpec, EffectSpec
from uav_testgen.fleet.job import DroneState
from uav_testgen.fleet.network import NetworkSettings
from uav_testgen.fleet.world import BLOCKED

if TYPE_CHECKING:
    from uav_testgen.fleet.engine import FleetSimulation


class Effector:
    """Applies the effects of a scenario, once per tick to the world and once per drone and tick."""

    def __init__(self, spec: EffectorSpec, rng: np.random.Generator) -> None:
        self._effects = spec.effects if spec.enabled else ()
        self._rng = rng
        self.events: list[str] = []
        self._turned_rogue: set[int] = set()
        self._edited: set[tuple[int, int]] = set()

    def take_events(self) -> list[str]:
        """What was done since the last call, as sentences for the log."""
        events, self.events = self.events, []
        return events

    def before_tick(self, simulation: FleetSimulation) -> None:
        """Effects on the world, the radio and on who obeys."""
        simulation.network.settings = self._network(simulation)
        self._end_revolts(simulation)
        for effect in self._acting(simulation.tick):
            if effect.type in ("block", "unblock"):
                self._block(effect, simulation)
            elif effect.type == "weather" and effect.attr:
                for cell in effect.cells:
                    simulation.world.set(cell, effect.attr, effect.value)

    def disturb(self, drone: Drone, simulation: FleetSimulation) -> bool:
        """Effects on one drone; True if it loses its tick."""
        lost = False
        for number, effect in enumerate(self._effects):
            concerned = not effect.drones or drone.id in effect.drones
            if concerned and effect.first_tick <= simulation.tick <= effect.last_tick:
                lost = self._apply(number, effect, drone, simulation) or lost
        if drone.state is DroneState.ROGUE:
            self._stray(drone, simulation)
            return True
        return lost

    def _apply(self, number: int, effect: EffectSpec, drone: Drone, simulation: FleetSimulation) -> bool:
        """One effect on one drone; True if it loses its tick."""
        if effect.type == "battery" and self._happens(effect):
            drone.battery = max(0.0, drone.battery - effect.drain)
            self.events.append(f"drone {drone.id} loses {effect.drain:.0f} mAh")
        elif effect.type == "weather" and effect.hold:
            in_it = not effect.cells or drone.position in effect.cells
            if in_it and drone.path and self._happens(effect):
                self.events.append(f"weather holds drone {drone.id} at {drone.position}")
                return True
        elif effect.type == "detour":
            return bool(drone.path) and self._happens(effect) and self._stray(drone, simulation)
        elif effect.type == "rogue":
            if drone.state is not DroneState.ROGUE and self._happens(effect):
                self._turned_rogue.add(drone.id)
                drone.turn_rogue()
                self.events.append(f"drone {drone.id} turns rogue")
        elif effect.type == "fail":
            if drone.job is not None and self._happens(effect):
                self.events.append(f"drone {drone.id} fails task {drone.job.task_id}")
                drone.fail_task(simulation)
                return True
        elif effect.type == "edit" and (number, drone.id) not in self._edited and self._happens(effect):
            self._edited.add((number, drone.id))
            drone.edit(effect.set)
            changes = ", ".join(f"{key} {value:g}" for key, value in effect.set.items())
            self.events.append(f"drone {drone.id} is changed: {changes}")
        return False

    def _end_revolts(self, simulation: FleetSimulation) -> None:
        """Drones that an effect turned rogue obey again when it is over."""
        acting = [effect for effect in self._acting(simulation.tick) if effect.type == "rogue"]
        for drone_id in sorted(self._turned_rogue):
            if not any(not effect.drones or drone_id in effect.drones for effect in acting):
                self._turned_rogue.discard(drone_id)
                simulation.drones[drone_id].turn_back()
                self.events.append(f"drone {drone_id} obeys again")

    def _acting(self, tick: int) -> list[EffectSpec]:
        return [effect for effect in self._effects if effect.first_tick <= tick <= effect.last_tick]

    def _happens(self, effect: EffectSpec) -> bool:
        return bool(self._rng.random() < effect.probability)

    def _network(self, simulation: FleetSimulation) -> NetworkSettings:
        base = simulation.radio
        settings = NetworkSettings(base.loss_probability, base.delay_ticks, base.range_cells)
        for effect in self._acting(simulation.tick):
            if effect.type == "network" and self._happens(effect):
                settings.loss_probability = max(settings.loss_probability, effect.loss_probability)
                settings.delay_ticks = max(settings.delay_ticks, effect.delay_ticks)
        return settings

    def _block(self, effect: EffectSpec, simulation: FleetSimulation) -> None:
        if not self._happens(effect):
            return
        wanted = effect.type == "block"
        if effect.cells:
            choices = list(effect.cells)
        elif wanted:
            x, y, z = (int(self._rng.integers(0, limit)) for limit in simulation.world.size)
            choices = [(x, y, z)]
        else:
            choices = sorted(simulation.world.blocked)
        for cell in choices:
            if wanted and simulation.can_be_blocked(cell):
                simulation.world.set(cell, BLOCKED, True)
                self.events.append(f"cell {cell} is blocked")
            elif not wanted and cell in simulation.world.blocked:
                simulation.world.set(cell, BLOCKED, None)
                self.events.append(f"cell {cell} is free again")

    def _stray(self, drone: Drone, simulation: FleetSimulation) -> bool:
        """One step to the side: the drone has to find its way again."""
        wanted = drone.path[0] if drone.path else None
        sideways = [cell for cell in simulation.world.free_neighbours(drone.position) if cell != wanted]
        sideways = [cell for cell in sideways if not simulation.is_occupied(cell, drone.id)]
        if not sideways:
            return False
        cell = sideways[int(self._rng.integers(0, len(sideways)))]
        drone.wander(cell, simulation)
        self.events.append(f"drone {drone.id} strays to {cell}")
        return True
