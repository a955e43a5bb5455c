"""A run in words: what is on the air, what controllers answer, what each drone is told and where it is."""

from __future__ import annotations

from uav_testgen.fleet.engine import TickReport
from uav_testgen.fleet.network import Message, MessageType


class Transcript:
    """Turns reports into lines. Messages appear in the tick that begins with them on the air."""

    def __init__(self) -> None:
        self._on_the_air: tuple[Message, ...] = ()

    def lines(self, report: TickReport) -> list[str]:
        """One tick, in the order in which things happen."""
        waiting = (*self._on_the_air, *report.messages[: report.sent_before])
        self._on_the_air = report.messages[report.sent_before :]
        lines = [message_line(message) for message in waiting]
        for controller_id, routes in report.routes:
            lines.append(f"Controller: {controller_id} ticking...")
            lines += [str(route) for route in routes]
        for drone_id, tasking, cell in report.actions:
            lines.append(f"Drone: {drone_id} ticking...")
            if tasking is not None:
                lines.append(f"TASKING: IType.{tasking.value}")
            lines.append(f"Drone: {drone_id} At: {cell}")
        return lines + [f"EFFECT: {event}" for event in report.events]

    def rest(self) -> list[str]:
        """What was still on the air when the run ended."""
        return [message_line(message) for message in self._on_the_air]


def message_line(message: Message) -> str:
    """A reading with its contents, any other message with its sender and type."""
    if message.type is MessageType.CELL_ATTR:
        return str(message)
    return f"NET: {message.sender}: MessageType.{message.type.value}"


def readings(report: TickReport) -> list[str]:
    """Only what drones have newly sensed or run into."""
    return [str(message) for message in report.messages if message.type is MessageType.CELL_ATTR]
