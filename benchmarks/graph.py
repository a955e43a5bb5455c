"""Node graph: steps per second over topics, times real time, CPU per step and the share of transport.

python benchmarks/graph.py [--flights N] [--renderer open3d|analytic] [--json]

Transport is what the graph needs beyond sensing, planning and moving: the same functions are called step by
step in this process (backend lfs, stepwise) on the same scene, and the CPU times are compared within one run.
"""

from __future__ import annotations

import argparse
import json
import os
import time

from uav_testgen.backend.lfs.backend import LfsBackend, LfsConfig
from uav_testgen.graph.processes import COMPOSED
from uav_testgen.ros.backends.graph import GraphBackend, GraphConfig
from uav_testgen.scenario.model import Mission, Scenario, Waypoint, obstacle_on_ground

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def scene() -> Scenario:
    waypoint = Waypoint(position_enu_m=(40.0, 0.0, 8.0))
    near = obstacle_on_ground(14.0, 0.5, (4.0, 4.0, 12.0), 20.0)
    far = obstacle_on_ground(28.0, -2.0, (3.0, 5.0, 15.0))
    return Scenario(mission=Mission(waypoints=(waypoint,), takeoff_altitude_m=8.0), obstacles=(near, far))


def cpu_s(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def stepwise_ms(renderer: str, flights: int) -> float:
    backend = LfsBackend(LfsConfig(stepwise=True, renderer=renderer))
    backend.fly(scene(), 0)
    best = float("inf")
    for _ in range(flights):
        begun = time.process_time()
        steps = backend.fly(scene(), 0).details["steps"]
        best = min(best, 1e3 * (time.process_time() - begun) / steps)
    return best


def graph_figures(composed: bool, renderer: str, flights: int, plain_ms: float) -> dict[str, float]:
    settings = {"depth_cloud_node": {"renderer": renderer}}
    with GraphBackend(GraphConfig(composed=composed, settings=settings)) as backend:
        assert backend.processes is not None
        names = [COMPOSED] if composed else [node.name for node in backend.processes.plan.nodes]
        pids = [backend.processes.pid(name) for name in names]
        backend.fly(scene(), 0)
        rates, costs = [], []
        for _ in range(flights):
            begun = sum(map(cpu_s, pids))
            flight = backend.fly(scene(), 0)
            costs.append(1e3 * (sum(map(cpu_s, pids)) - begun) / flight.details["steps"])
            rates.append(flight.details["steps_per_s"])
    return {
        "steps_per_s": max(rates),
        "times_real_time": 0.1 * max(rates),
        "cpu_ms_per_step": min(costs),
        "transport_share": 1.0 - plain_ms / min(costs),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flights", type=int, default=3)
    parser.add_argument("--renderer", default="open3d", choices=["open3d", "analytic"])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    plain_ms = stepwise_ms(arguments.renderer, arguments.flights)
    figures = {
        "renderer": arguments.renderer,
        "stepwise_cpu_ms_per_step": plain_ms,
        "composed": graph_figures(True, arguments.renderer, arguments.flights, plain_ms),
        "processes": graph_figures(False, arguments.renderer, arguments.flights, plain_ms),
    }
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"same functions step by step: {plain_ms:.2f} ms CPU per step ({arguments.renderer})")
    for kind in ("composed", "processes"):
        values = figures[kind]
        print(
            f"{kind}: {values['steps_per_s']:.0f} steps/s = {values['times_real_time']:.0f} x real time, "
            f"{values['cpu_ms_per_step']:.2f} ms CPU per step, "
            f"{100 * values['transport_share']:.0f} % of it transport"
        )


if __name__ == "__main__":
    main()
