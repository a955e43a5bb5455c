"""The run as JSON lines: one object per tick, then one with the outcome."""

from __future__ import annotations

import json
from typing import Any, TextIO

from uav_testgen.fleet.engine import FleetSimulation, TickReport
from uav_testgen.fleet.network import Message


class TickLog:
    """Writes every tick; the lines are complete even if the run is interrupted."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def __call__(self, simulation: FleetSimulation, report: TickReport) -> None:
        """Write one tick."""
        self._write(
            {
                "tick": report.tick,
                "drones": [
                    {
                        "id": drone.id,
                        "position": drone.position,
                        "battery": round(drone.battery, 3),
                        "state": drone.state.value,
                        "task": drone.job.task_id if drone.job else None,
                        "load": sorted(drone.load),
                    }
                    for drone in simulation.drones.values()
                ],
                "messages": [_plain(message) for message in report.messages],
                "events": report.events,
                "scores": [{"task": s.task_id, "drone": s.drone_id, "score": s.score} for s in report.scores],
            }
        )

    def close(self, simulation: FleetSimulation) -> None:
        """Write the outcome."""
        self._write({"summary": simulation.summary()})

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data, separators=(",", ":"), default=str) + "\n")
        self._file.flush()


def _plain(message: Message) -> dict[str, Any]:
    return {
        "type": message.type.value,
        "from": message.sender,
        "to": message.receiver,
        "contents": [item.value if hasattr(item, "value") else item for item in message.contents],
    }
