"""One side of `benchmarks/against.py`: flies the tests of a folder each time a line comes in.

It runs with the package of an older tree as well, so it uses only what has been public since version 0.1.
Each answer is a line of JSON: processor time of the flights, how many steps, a checksum of each trajectory.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from uav_testgen import load_scenario
from uav_testgen.backend.lfs.backend import LfsBackend
from uav_testgen.backend.registry import make_backend

PRESET, OLD_VEHICLE = "px4_mission_v1.12", "px4"
"""The same system: a preset today, a vehicle in version 0.1."""
SEED = 1


def open_backend() -> Any:
    """The simulator with the calibrated system, by whichever name this tree has for it."""
    has_systems = "system" in LfsBackend.config_type.model_fields
    return make_backend("lfs", {"system": PRESET} if has_systems else {"vehicle": OLD_VEHICLE})


def checksum(flight: Any) -> str:
    """Equal only for flights that are equal to the last bit."""
    trajectory = flight.trajectory
    digest = hashlib.sha256()
    for series in (
        trajectory.t_s,
        trajectory.position_enu_m,
        trajectory.velocity_enu_mps,
        trajectory.yaw_rad,
    ):
        digest.update(np.ascontiguousarray(series).tobytes())
    return digest.hexdigest()


def main() -> None:
    """Load and compile, say so, then fly for every line."""
    scenes = [load_scenario(path) for path in sorted(Path(sys.argv[1]).glob("*.yaml"))]
    with open_backend() as backend:
        backend.fly(scenes[0], SEED)
        print("ready", flush=True)
        for _ in sys.stdin:
            begin_s = time.process_time()
            flights = [backend.fly(scene, SEED) for scene in scenes]
            cpu_s = time.process_time() - begin_s
            steps = sum(len(flight.trajectory.t_s) - 1 for flight in flights)
            answer = {"cpu_s": cpu_s, "steps": steps, "checksums": [checksum(flight) for flight in flights]}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
