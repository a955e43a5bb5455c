"""The outcome of a run as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uav_testgen.fleet.tasks import TaskState

if TYPE_CHECKING:
    from uav_testgen.fleet.engine import FleetSimulation


def summary_of(simulation: FleetSimulation) -> dict[str, Any]:
    """Ticks, messages, scores, tasks and drones."""
    records = [record for controller in simulation.controllers for record in controller.records.values()]
    return {
        "name": simulation.scenario.name,
        "seed": simulation.seed,
        "ticks": simulation.tick,
        "complete": all(record.state is TaskState.DONE for record in records),
        "messages_sent": simulation.network.sent,
        "messages_lost": simulation.network.lost,
        "scores": [
            {
                "task": score.task_id,
                "drone": score.drone_id,
                "score": round(score.score, 6),
                "estimated_ticks": score.estimated_ticks,
                "actual_ticks": score.actual_ticks,
                "trust": round(score.trust, 6),
            }
            for controller in simulation.controllers
            for score in controller.scores
        ],
        "tasks": [
            {
                "task": record.task.id,
                "controller": record.task.controller_id,
                "state": record.state.value,
                "drone": record.drone_id,
                "revocations": record.revocations,
                "message": record.message,
            }
            for record in records
        ],
        "drones": [
            {
                "id": drone.id,
                "position": list(drone.position),
                "battery": round(drone.battery, 3),
                "state": drone.state.value,
                "moved_cells": drone.moved_cells,
                "trust": round(simulation.trust_of(drone), 6),
            }
            for drone in simulation.drones.values()
        ],
    }
