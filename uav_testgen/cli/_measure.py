"""How fast the simulator is, in CPU time, on scenes anyone can make again from a seed.

The campaign's case comes first, because that is the speed a user feels: the tests of `make campaign`, predicted
as it predicts them (drawn, flown, judged, corrected), with the default system. Figures of different machines are
compared through `calibration_us`, a fixed NumPy workload measured in the same run; ratios are taken within one run.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from uav_testgen.backend.lfs import LfsBackend
from uav_testgen.campaign.screening import ScreenTask
from uav_testgen.cli._bench_scenes import BENCH_SEED, campaign_scenes, random_scenes
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.loop.system import named_system
from uav_testgen.planner.vfh3d.base import make_planner
from uav_testgen.planner.vfh3d.compiled.workspace import make_parameters, make_workspace
from uav_testgen.predict.runs import predict
from uav_testgen.scenario.model import Scenario, obstacle_on_ground
from uav_testgen.sensing.base import Pose
from uav_testgen.sensing.camera import load_rig
from uav_testgen.sensing.cloud import DepthSensor
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan

CAMPAIGN_TESTS, QUICK_CAMPAIGN_TESTS = 20, 2
RANDOM_SCENES, QUICK_RANDOM_SCENES = 200, 20
RUNS = 5
"""Drawn runs of each test of a campaign, beside its nominal one."""


def least_cpu_s(action: Callable[[], object], repeats: int) -> float:
    """Smallest CPU time of several calls; the smallest is the one least disturbed."""
    action()
    best = math.inf
    for _ in range(repeats):
        begin = time.process_time()
        action()
        best = min(best, time.process_time() - begin)
    return best


def calibration_us(repeats: int = 5) -> float:
    """The fixed workload: a 512 x 512 float32 image, three rounds of real Fourier transform and back."""

    def work() -> None:
        image: Any = np.random.default_rng(0).random((512, 512), dtype=np.float32)
        for _ in range(3):
            image = np.fft.irfft2(np.fft.rfft2(image))

    return 1e6 * least_cpu_s(work, repeats)


def typical_cloud() -> tuple[np.ndarray[Any, np.dtype[np.float32]], Pose]:
    """A box ahead and the ground below: about 1900 points of which some 460 are kept."""
    scene = random_scenes(1)[0].with_obstacles((obstacle_on_ground(9.0, 0.5, (4.0, 6.0, 7.5), 20.0),))
    pose = Pose((0.0, 0.0, 4.0))
    frame = DepthSensor.of(scene, load_rig()).frame(0, 0.0, pose, 0)
    return frame.points_enu_m, pose


def planning_call(implementation: str, repeats: int) -> dict[str, float]:
    """CPU time of one whole planner cycle on the typical cloud, through the planner's Python interface."""
    system = named_system()
    cloud, pose = typical_cloud()
    planner = make_planner(implementation, system.planner.parameters, system.autopilot)
    planner.set_goal((40.0, 2.0, 4.0), (0.0, 0.0, 4.0))
    kept = 0

    def plan() -> None:
        nonlocal kept
        planner.reset()
        planner.set_goal((40.0, 2.0, 4.0), (0.0, 0.0, 4.0))
        result = planner.plan(1.0, pose.position_enu_m, (2.0, 0.1, 0.0), (1.0, 0.0, 0.0, 0.0), [cloud])
        kept = len(result.cloud_enu_m)

    return {"us": 1e6 * least_cpu_s(plan, repeats), "points": float(len(cloud)), "kept": float(kept)}


def fly_scenes(scenes: list[Scenario], runs: int) -> dict[str, float]:
    """Predict all scenes in this process; compiled code is loaded before the clock starts."""
    with LfsBackend() as backend:
        predict(backend, scenes[0], BENCH_SEED, min(runs, 1))
        begin = time.process_time()
        predictions = [predict(backend, scene, BENCH_SEED, runs) for scene in scenes]
        cpu_s = time.process_time() - begin
    flights = [run.flight for prediction in predictions for run in prediction.flown]
    steps = sum(flight.details["steps"] for flight in flights)
    return {
        "flights_per_s_per_core": len(flights) / cpu_s,
        "step_us": 1e6 * cpu_s / steps,
        "times_real_time": sum(flight.duration_s for flight in flights) / cpu_s,
        "flights": float(len(flights)),
        "steps": float(steps),
    }


def renderer_ratio(repeats: int) -> float | None:
    """Open3D over analytic, CPU time of a depth image and its cloud; None where Open3D is missing."""
    from uav_testgen.core.errors import MissingDependency
    from uav_testgen.loop.stepwise import make_renderer

    scene, rig, pose = random_scenes(1)[0], load_rig(), Pose((0.0, 0.0, 5.0))
    times = {}
    for name in ("analytic", "open3d"):
        try:
            sensor = DepthSensor.of(scene, rig, make_renderer(name))
            times[name] = least_cpu_s(lambda s=sensor: s.frame(0, 0.0, pose, 0), repeats)  # type: ignore[misc]
        except (ImportError, MissingDependency):
            return None
    return times["open3d"] / times["analytic"]


def scaling_2_processes(scenes: list[Scenario]) -> float:
    """Wall time in one process over wall time in two; 2 is ideal, a busy machine gives less."""
    plan = WorkerPlan("lfs", {})
    tasks = [ScreenTask(number, scene, 0) for number, scene in enumerate(scenes)]
    times_s = []
    for jobs in (1, 2):
        with make_executor(plan, Placement(jobs)) as executor:
            list(executor.run(tasks[: 4 * jobs], lambda: None))  # start and warm up the workers
            begin = time.perf_counter()
            list(executor.run(tasks, lambda: None))
            times_s.append(time.perf_counter() - begin)
    return times_s[0] / times_s[1]


_COLD = """
import time
from uav_testgen.cli._bench_scenes import random_scenes
from uav_testgen.backend.lfs import LfsBackend
begin = time.process_time()
LfsBackend().fly(random_scenes(1)[0], 0)
print(time.process_time() - begin)
"""


def first_flight_cpu_s(cache_folder: str | None) -> float:
    """CPU time of the first flight of a fresh process; with an empty cache folder it includes compiling."""
    environment = dict(os.environ)
    if cache_folder is not None:
        environment["NUMBA_CACHE_DIR"] = cache_folder
    done = subprocess.run(
        [sys.executable, "-c", _COLD], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout.strip().splitlines()[-1])


def memory_mb() -> dict[str, float]:
    """Largest resident size of this process and the buffers of one planner."""
    system = named_system()
    workspace = make_workspace(make_parameters(system.planner.parameters, system.autopilot))
    arrays: list[Any] = []

    def collect(value: Any) -> None:
        if isinstance(value, np.ndarray):
            arrays.append(value)
        elif isinstance(value, tuple):
            for part in value:
                collect(part)

    collect(workspace)
    return {
        "peak_process_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
        "planner_buffers_mb": sum(array.nbytes for array in arrays) / 1e6,
    }


def measure(*, quick: bool, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """All figures; `quick` uses fewer flights and leaves out what takes minutes."""
    say("calibration")
    calibration = calibration_us()
    tests = campaign_scenes(QUICK_CAMPAIGN_TESTS if quick else CAMPAIGN_TESTS)
    say(f"{len(tests)} tests of the shipped campaign, {1 + RUNS} flights each")
    campaign = fly_scenes(tests, RUNS)
    scenes = random_scenes(QUICK_RANDOM_SCENES if quick else RANDOM_SCENES)
    say(f"{len(scenes)} random scenes")
    figures: dict[str, Any] = {
        "system": DEFAULT_SYSTEM,
        "campaign": campaign,
        "random_scenes": fly_scenes(scenes, 0),
        "calibration_us": calibration,
    }
    say("planning call")
    fast = planning_call("compiled", 20 if quick else 200)
    strict = planning_call("reference", 2 if quick else 5)
    figures["planning_call_us"] = fast["us"]
    figures["planning_call_points"] = int(fast["points"])
    figures["planning_call_kept_points"] = int(fast["kept"])
    figures["strict_fast_ratio"] = strict["us"] / fast["us"]
    say("renderers")
    figures["open3d_analytic_ratio"] = None if quick else renderer_ratio(30)
    say("two processes")
    figures["scaling_2_processes"] = scaling_2_processes(tests if quick else tests * 3)
    say("start-up")
    figures["load_s"] = first_flight_cpu_s(None)
    figures["compile_s"] = None
    if not quick:
        with tempfile.TemporaryDirectory() as folder:
            figures["compile_s"] = first_flight_cpu_s(folder)
    figures["memory"] = memory_mb()
    return figures
