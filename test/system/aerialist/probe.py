"""Runs inside Aerialist's environment: loads test files and measures trajectories with the real package.

argv: a JSON file {"tests": [paths], "flights": [[[t_us, x, y, z, r], …], …]} in the test frame.
Prints JSON: per test what Aerialist made of it and the distance of flight i to test i; DTW between
neighbouring flights.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise

from aerialist.px4.drone_test import DroneTest
from aerialist.px4.position import Position
from aerialist.px4.trajectory import Trajectory


def main() -> None:
    with open(sys.argv[1]) as file:
        task = json.load(file)
    flights = [
        Trajectory([Position(x, y, z, r, t) for t, x, y, z, r in rows]).downsample_time()
        for rows in task["flights"]
    ]
    found = []
    for path, flight in zip(task["tests"], flights, strict=True):
        test = DroneTest.from_yaml(path)
        line = flight.to_line()
        found.append(
            {
                "mission_file": test.drone.mission_file if test.drone else None,
                "params": dict(test.drone.params) if test.drone and test.drone.params else None,
                "commands": len(test.test.commands) if test.test and test.test.commands else None,
                "corners": [list(o.geometry.exterior.coords)[:4] for o in test.simulation.obstacles],
                "heights": [o.size.h for o in test.simulation.obstacles],
                "distances": [o.distance(line) for o in test.simulation.obstacles],
                "points": len(flight.positions),
            }
        )
    warps = [one.dtw_distance(other) for one, other in pairwise(flights)]
    frechets = [one.frechet_distance(other) for one, other in pairwise(flights)]
    print(json.dumps({"tests": found, "dtw": warps, "frechet": frechets}))


main()
