"""Fleet simulator: ticks per second and memory for many drones, and the memory of the shipped scenarios.

python benchmarks/fleet.py [--drones N] [--size N] [--ticks N] [--json]
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np

from uav_testgen.fleet.engine import FleetSimulation
from uav_testgen.fleet.scenario import FleetScenario, load_fleet_scenario

SHIPPED = Path(__file__).parents[1] / "config" / "fleet"


def random_scenario(drones: int, size: int, seed: int = 0) -> FleetScenario:
    rng = np.random.default_rng(seed)

    def cell() -> list[int]:
        return [int(rng.integers(0, size)), int(rng.integers(0, size)), 0]

    homes = [cell() for _ in range(drones)]
    taken = {tuple(home) for home in homes}
    blocked = [place for place in (cell() for _ in range(size * size // 100)) if tuple(place) not in taken]
    return FleetScenario.model_validate(
        {
            "name": f"{drones} drones on {size} x {size}",
            "environment": {"size": [size, size, 1], "blocked": blocked},
            "drones": [
                {"id": i, "battery_max": 1e6, "init_pos": home} for i, home in enumerate(homes, start=1)
            ],
            "controllers": [{"tasks": [[{"IType": "GOTO", "Position": cell()}] for _ in range(drones)]}],
            "max_ticks": 100_000,
            "path_method": "a_star",
        }
    )


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def measure(drones: int, size: int, ticks: int) -> dict[str, float]:
    for name in ("package-delivery", "survey-area"):
        FleetSimulation(load_fleet_scenario(SHIPPED / f"{name}.json")).run()
    small_mb = memory_mb()
    simulation = FleetSimulation(random_scenario(drones, size))
    start = time.process_time()
    simulation.step()
    first_s = time.process_time() - start
    start = time.process_time()
    for _ in range(ticks):
        simulation.step()
    each_s = (time.process_time() - start) / ticks
    return {
        "drones": drones,
        "size": size,
        "first_tick_s": round(first_s, 3),
        "ticks_per_cpu_s": round(1.0 / each_s, 1),
        "us_per_drone_tick": round(1e6 * each_s / drones, 2),
        "memory_mb": round(memory_mb(), 1),
        "memory_shipped_scenarios_mb": round(small_mb, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drones", type=int, default=1000)
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--ticks", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    result = measure(arguments.drones, arguments.size, arguments.ticks)
    print(json.dumps(result) if arguments.json else "\n".join(f"{k}: {v}" for k, v in result.items()))


if __name__ == "__main__":
    main()
