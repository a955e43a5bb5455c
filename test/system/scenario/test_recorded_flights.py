"""Our distance on recorded high-fidelity flights agrees with what Aerialist printed for them."""

from __future__ import annotations

import json

import numpy as np

from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.formats.aerialist_frame import obstacle_from_numbers
from uav_testgen.testing.factories import make_flight, make_scenario


def test_distances_of_recorded_flights(shared_data):
    differences = []
    with (shared_data / "hfs" / "flights.jsonl").open() as lines:
        for line in lines:
            recorded = json.loads(line)
            boxes = [
                obstacle_from_numbers(o["l"], o["w"], o["h"] or 20.0, o["x"], o["y"], 0.0, o["r"])
                for o in recorded["obstacles"]
            ]
            path = recorded["path_txyz"]
            if not boxes or recorded["min_distance_m"] is None or len(path) < 10:
                continue
            scenario = make_scenario(*boxes, mission=recorded["mission"])
            # Digitised from plots: order is kept, the clock is not exact, so a plain period will do.
            points = [(y, x, z) for _, x, y, z in path]
            verdict = judge(scenario, make_flight(scenario, points, period_s=1.0))
            differences.append(abs(verdict.min_distance_aerialist_m - recorded["min_distance_m"]))
    assert len(differences) > 300
    # The paths were read off published plots to 0.15–0.3 m; a wrong frame or size would be metres.
    assert np.median(differences) < 0.15
    assert np.quantile(differences, 0.9) < 0.35
