"""Variables of a logged flight by name: what the log offers, and its values from take-off on."""

from __future__ import annotations

import numpy as np

from uav_testgen.core.arrays import FloatArray
from uav_testgen.core.errors import ConfigError
from uav_testgen.core.registry import nearest
from uav_testgen.flight.series import KINDS, OBSTACLE_DISTANCE, OF_THE_PATH, UNITS, half_seconds
from uav_testgen.flight.ulog.attitude import ATTITUDE, is_attitude, tilt_rad
from uav_testgen.flight.ulog.obstacle_ring import ring_of
from uav_testgen.flight.ulog.reader import FlightLog

_TILT = ("roll", "pitch")


def offered(log: FlightLog) -> dict[str, str]:
    """Names of what can be matched, with their units."""
    found = {}
    for name, unit in UNITS.items():
        topic, _, field = name.partition(".")
        if name in _TILT:
            there = is_attitude(log.topics.get(ATTITUDE, {}))
        elif name == OBSTACLE_DISTANCE:
            there = ring_of(log.topics) is not None
        else:
            there = not field or field in log.topics.get(topic, {})
        if there:
            found[name] = unit
    return found


def logged_series(log: FlightLog, name: str) -> FloatArray:
    """One mean value (n, 1) per half second of the flight; ConfigError lists what the log offers."""
    known = offered(log)
    if name not in known or name in OF_THE_PATH:
        listed = ", ".join(f"{word} [{unit}]" for word, unit in known.items())
        lacking = (
            " is not in this log" if name in UNITS else ": nothing that a simulated flight has is called so"
        )
        raise ConfigError(
            f"{log.path}: --match {name[:80]}{lacking}{nearest(name, list(known))}; this log offers: {listed}"
        )
    if name == OBSTACLE_DISTANCE:
        ring = ring_of(log.topics)
        assert ring is not None
        return half_seconds(ring.t_s, ring.nearest_m)
    kind = KINDS[name]
    topic, _, field = name.partition(".")
    if name in _TILT:
        columns = log.topics[ATTITUDE]
        return half_seconds(columns["t_s"], np.degrees(tilt_rad(columns)[_TILT.index(name)]))
    if field:
        columns = log.topics[topic]
        return half_seconds(columns["t_s"], columns[field], kind.turn)
    return half_seconds(log.trajectory.t_s, kind.of(log.trajectory), kind.turn)
