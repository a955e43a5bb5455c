"""Disturbances: rogue drones, weather, blocked cells, radio and battery faults. Seeded, off by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from uav_testgen.fleet.drone import Drone, DroneState
from uav_testgen.fleet.network import NetworkSettings
from uav_testgen.fleet.scenario import EffectorSpec, EffectSpec
from uav_testgen.fleet.world import BLOCKED

if TYPE_CHECKING:
    from uav_testgen.fleet.engine import FleetSimulation


class Effector:
    """Applies the effects of a scenario, once per tick to the world and once per drone and tick."""

    def __init__(self, spec: EffectorSpec, rng: np.random.Generator) -> None:
        self._effects = spec.effects if spec.enabled else ()
        self._rng = rng
        self.events: list[str] = []

    def take_events(self) -> list[str]:
        """What was done since the last call, as sentences for the log."""
        events, self.events = self.events, []
        return events

    def before_tick(self, simulation: FleetSimulation) -> None:
        """Effects on the world and the radio."""
        simulation.network.settings = self._network(simulation)
        for effect in self._acting(simulation.tick):
            if effect.type == "block":
                self._block(effect, simulation)
            elif effect.type == "weather" and effect.attr:
                for cell in effect.cells:
                    simulation.world.set(cell, effect.attr, effect.value)

    def disturb(self, drone: Drone, simulation: FleetSimulation) -> bool:
        """Effects on one drone; True if it loses its tick."""
        lost = False
        for effect in self._acting(simulation.tick):
            if effect.drones and drone.id not in effect.drones:
                continue
            if effect.type == "battery" and self._happens(effect):
                drone.battery = max(0.0, drone.battery - effect.drain)
                self.events.append(f"drone {drone.id} loses {effect.drain:.0f} mAh")
            elif effect.type == "weather" and effect.hold:
                in_it = not effect.cells or drone.position in effect.cells
                if in_it and drone.path and self._happens(effect):
                    self.events.append(f"weather holds drone {drone.id} at {drone.position}")
                    lost = True
            elif (effect.type == "detour" and drone.path and self._happens(effect)) or (
                effect.type == "rogue" and drone.state is not DroneState.CHARGING and self._happens(effect)
            ):
                lost = self._detour(drone, simulation) or lost
        return lost

    def _acting(self, tick: int) -> list[EffectSpec]:
        return [effect for effect in self._effects if effect.first_tick <= tick <= effect.last_tick]

    def _happens(self, effect: EffectSpec) -> bool:
        return bool(self._rng.random() < effect.probability)

    def _network(self, simulation: FleetSimulation) -> NetworkSettings:
        base = simulation.scenario.network
        settings = NetworkSettings(base.loss_probability, base.delay_ticks, base.range_cells)
        for effect in self._acting(simulation.tick):
            if effect.type == "network" and self._happens(effect):
                settings.loss_probability = max(settings.loss_probability, effect.loss_probability)
                settings.delay_ticks = max(settings.delay_ticks, effect.delay_ticks)
        return settings

    def _block(self, effect: EffectSpec, simulation: FleetSimulation) -> None:
        if not self._happens(effect):
            return
        if effect.cells:
            choices = [cell for cell in effect.cells if simulation.can_be_blocked(cell)]
        else:
            size = simulation.world.size
            random_cell = tuple(int(self._rng.integers(0, limit)) for limit in size)
            cell = (random_cell[0], random_cell[1], random_cell[2])
            choices = [cell] if simulation.can_be_blocked(cell) else []
        for cell in choices:
            simulation.world.set(cell, BLOCKED, True)
            self.events.append(f"cell {cell} is blocked")

    def _detour(self, drone: Drone, simulation: FleetSimulation) -> bool:
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
