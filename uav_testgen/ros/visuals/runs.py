"""The paths of all flights of a scenario so far: how much its runs scatter."""

from __future__ import annotations

import math
from typing import Final

from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA, Header
from uav_testgen_msgs.msg import Flight
from visualization_msgs.msg import Marker, MarkerArray

from uav_testgen.ros.topics import MAP_FRAME

MOST_RUNS: Final = 50
_MOST_POINTS: Final = 500
_COLOUR: Final = ColorRGBA(r=0.35, g=0.35, b=0.4, a=0.5)
_NEWEST: Final = ColorRGBA(r=0.0, g=0.67, b=1.0, a=0.9)


class FlownRuns:
    """Lines of the newest flights of one scenario; another scenario begins anew."""

    def __init__(self) -> None:
        self._scenario_id = ""
        self._paths: list[list[Point]] = []

    def add(self, record: Flight) -> None:
        """Take in the record of a flight; thinned out, because a line on a screen needs no more."""
        if record.scenario_id != self._scenario_id:
            self._scenario_id, self._paths = record.scenario_id, []
        count = len(record.position) // 3
        step = max(1, math.ceil(count / _MOST_POINTS))
        numbers = [*range(0, count, step), *([count - 1] if count else [])]
        path = [
            Point(x=record.position[3 * k], y=record.position[3 * k + 1], z=record.position[3 * k + 2])
            for k in numbers
        ]
        self._paths = [*self._paths, path][-MOST_RUNS:]

    def markers(self) -> MarkerArray:
        """All of them, the newest one in the vehicle's colour."""
        found = [Marker(header=Header(frame_id=MAP_FRAME), action=Marker.DELETEALL)]
        for number, path in enumerate(self._paths):
            newest = number == len(self._paths) - 1
            line = Marker(header=Header(frame_id=MAP_FRAME), ns="runs", id=number, type=Marker.LINE_STRIP)
            line.pose.orientation.w = 1.0
            line.scale.x = 0.12 if newest else 0.06
            line.color = _NEWEST if newest else _COLOUR
            line.points = path
            found.append(line)
        return MarkerArray(markers=found)
