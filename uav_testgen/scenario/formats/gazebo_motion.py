"""Moving obstacles as scripted trajectories of Gazebo actors, and back.

A script is a list of times and poses. Going to and fro for ever is one loop there and back; going once is a
script that does not loop. Gazebo begins it `delay_start` seconds after the world was loaded.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from uav_testgen.scenario.formats.gazebo_names import numbers
from uav_testgen.scenario.model import LinearMotion, MotionMode, Obstacle, Point

_SAME = 1e-6


@dataclass(frozen=True, slots=True)
class Script:
    """Times [s] and centres of one scripted trajectory; `yaw_rad` is that of all of it."""

    times_s: tuple[float, ...]
    centres: tuple[Point, ...]
    yaw_rad: float
    loops: bool
    delay_s: float


def script_of(obstacle: Obstacle) -> Script:
    """The script of a moving obstacle."""
    motion = obstacle.motion
    assert motion is not None
    way = list(obstacle.way_enu_m)
    loops = motion.mode is MotionMode.BACK_AND_FORTH
    if loops:
        way += way[-2::-1]
    lengths = [math.dist(one, other) for one, other in itertools.pairwise(way)]
    times = list(itertools.accumulate((length / motion.speed_mps for length in lengths), initial=0.0))
    return Script(tuple(times), tuple(way), obstacle.yaw_rad, loops, motion.start_s)


def write_script(actor: ElementTree.Element, script: Script) -> None:
    """Add the script to an actor."""
    element = ElementTree.SubElement(actor, "script")
    for name, text in (
        ("loop", str(script.loops).lower()),
        ("delay_start", numbers(script.delay_s)),
        ("auto_start", "true"),
    ):
        ElementTree.SubElement(element, name).text = text
    line = ElementTree.SubElement(element, "trajectory", id="0", type="scripted")
    for t_s, centre in zip(script.times_s, script.centres, strict=True):
        waypoint = ElementTree.SubElement(line, "waypoint")
        ElementTree.SubElement(waypoint, "time").text = numbers(t_s)
        ElementTree.SubElement(waypoint, "pose").text = numbers(*centre, 0.0, 0.0, script.yaw_rad)


def motion_of(script: Script) -> LinearMotion:
    """The motion a script stands for; ValueError says what we have no word for."""
    times, way = _without_rests(script.times_s, script.centres)
    legs = [math.dist(one, other) for one, other in itertools.pairwise(way)]
    if not legs or sum(legs) <= 0.0:
        raise ValueError("it never leaves its place")
    speeds = [leg / (end - begin) for leg, (begin, end) in zip(legs, itertools.pairwise(times), strict=True)]
    if max(speeds) - min(speeds) > 1e-3 * max(speeds):
        raise ValueError("its speed changes; here a moving obstacle has one speed")
    if script.loops:
        there = len(way) // 2 + 1
        back = way[there - 1 :][::-1]
        if len(way) % 2 == 0 or any(math.dist(a, b) > _SAME for a, b in zip(way[:there], back, strict=True)):
            raise ValueError("it goes round; here a moving obstacle goes once, or to and fro")
        way = way[:there]
    return LinearMotion(
        to_enu_m=way[-1],
        via_enu_m=tuple(way[1:-1]),
        speed_mps=round(sum(speeds) / len(speeds), 9),
        start_s=script.delay_s,
        mode=MotionMode.BACK_AND_FORTH if script.loops else MotionMode.ONCE,
    )


def _without_rests(times: Sequence[float], way: Sequence[Point]) -> tuple[list[float], list[Point]]:
    if len(times) < 2 or any(later <= earlier for earlier, later in itertools.pairwise(times)):
        raise ValueError("its times do not ascend")
    return list(times), list(way)
