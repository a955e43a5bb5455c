"""How far a campaign scales: workers here and on a Ray cluster, and a store of a million evaluations.

    python benchmarks/scaling.py                      # a short look
    python benchmarks/scaling.py --full               # the tables of docs/howto/scaling.md (an hour, 10 GB of disk)
    python benchmarks/scaling.py --only store --sizes 10000 100000

Flights: the same tasks flown by each executor, after every worker has flown a few, so that compiling is not
measured. "Busy" is the share of the workers' wall time spent flying; "overhead" is what the driver itself
computes for each flight. Store: processor time at each size; linear means the same time per evaluation.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from uav_testgen.campaign.case import load_case
from uav_testgen.campaign.config import CampaignConfig, ScreeningConfig
from uav_testgen.campaign.header import check_header
from uav_testgen.campaign.observe import Silent
from uav_testgen.campaign.record import evaluation_to_body
from uav_testgen.campaign.result import Options
from uav_testgen.campaign.runner import republish
from uav_testgen.campaign.screening import ScreenTask, evaluation_seed, refuse
from uav_testgen.campaign.search import KIND, Search
from uav_testgen.generator.registry import build_generator
from uav_testgen.predict.evaluation import Evaluation
from uav_testgen.predict.stages import stages_of
from uav_testgen.scenario.arena import Arena
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.ray_cluster import RayCluster, ray_command
from uav_testgen.view.publish import publish
from uav_testgen.work.choose import Placement, make_executor
from uav_testgen.work.executor import WorkerPlan
from uav_testgen.work.stop import StopRequest
from uav_testgen.work.store import FILE_NAME, Store

MISSION = "mission2"
POOL = 200
GROUP = 32


def main() -> int:
    arguments = parse()
    if arguments.only in (None, "flights"):
        measure_executors(arguments.flights)
    if arguments.only in (None, "driver"):
        measure_driver(5000 if arguments.full else 1000)
    if arguments.only in (None, "store"):
        measure_store(arguments.sizes, arguments.work)
    return 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="the sizes of docs/howto/scaling.md")
    parser.add_argument("--only", choices=("flights", "driver", "store"))
    parser.add_argument("--flights", type=int, help="scenarios flown by each executor")
    parser.add_argument("--sizes", type=int, nargs="+", help="evaluations in the store")
    parser.add_argument("--work", type=Path, help="folder for the stores (default: a temporary one)")
    arguments = parser.parse_args()
    arguments.flights = arguments.flights or (400 if arguments.full else 60)
    arguments.sizes = arguments.sizes or ([10_000, 100_000, 1_000_000] if arguments.full else [1_000, 10_000])
    return arguments


# Flights


def valid_scenarios(count: int) -> list[Scenario]:
    """Random scenes that obey the rules."""
    case = load_case(MISSION, Path(), Arena())
    generator = build_generator("random", case.base, {}, 3)
    found: list[Scenario] = []
    while len(found) < count:
        found += [scenario for scenario in generator.ask(count) if refuse(0, scenario) is None]
    return found[:count]


def measure_executors(count: int) -> None:
    numbered = enumerate(valid_scenarios(count))
    tasks = [ScreenTask(n, scenario, evaluation_seed(3, n)) for n, scenario in numbered]
    print(f"\n{count} flights of {MISSION} by backend lfs")
    print(f"{'executor':26} {'flights/s':>9} {'CPU/flight':>11} {'busy':>10} {'overhead':>10} {'memory':>8}")
    places = [("this process", Placement(0)), ("1 process", Placement(1)), ("2 processes", Placement(2))]
    base_s = 0.0
    for name, placement in places:
        base_s = report_executor(name, placement, tasks, base_s)
    if ray_command() is None:
        print("Ray is not installed")
        return
    with RayCluster(nodes=2) as cluster:
        for jobs in (1, 2):
            name = f"Ray, {jobs} node{'s' if jobs > 1 else ''} of 1 processor"
            report_executor(name, Placement(jobs, "ray", cluster.address), tasks, base_s)


def report_executor(name: str, placement: Placement, tasks: Sequence[ScreenTask], base_s: float) -> float:
    """One line; returns the processor time of a flight in this process, the measure of all others."""
    workers = max(placement.jobs or 1, 1)
    with make_executor(WorkerPlan("lfs"), placement) as executor:
        list(executor.run(tasks[: 4 * workers], lambda: None))
        family = worker_pids()
        began_s, driver_s = time.monotonic(), time.process_time()
        results = [result for group in executor.run(tasks, lambda: None) for result in group]
        wall_s, driver_s = time.monotonic() - began_s, time.process_time() - driver_s
        memory = max((peak_memory_mb(pid) for pid in family), default=own_memory_mb())
    assert len(results) == len(tasks)
    flight_s = sum(result.details["cpu_s"] for result in results) / len(results)
    base_s = base_s or flight_s
    busy = flight_s * len(results) / (wall_s * workers)
    overhead_ms = 1e3 * (driver_s / len(results) - (flight_s if placement.jobs == 0 else 0.0))
    print(
        f"{name:26} {len(results) / wall_s:9.1f} {1e3 * flight_s:8.1f} ms {100 * busy:8.0f} % "
        f"{overhead_ms:7.2f} ms {memory:5.0f} MB",
        flush=True,
    )
    return base_s


def worker_pids() -> list[int]:
    """Workers of this driver: children of its fork server, or the actors of a cluster on this machine."""
    parents: dict[int, int] = {}
    lines: dict[int, str] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
                parents[int(entry)] = int(fields[1])
                lines[int(entry)] = Path(f"/proc/{entry}/cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
    ours = {pid for pid, parent in parents.items() if parent == os.getpid()}
    forked = [pid for pid, parent in parents.items() if parent in ours and "forkserver" in lines.get(pid, "")]
    return forked or [pid for pid, line in lines.items() if line.startswith("ray::ClusterWorker")]


def peak_memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def own_memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# Store


class PoolGenerator:
    """Proposes the same scenes again and again, so that a million evaluations need only 200 flights."""

    name = "pool"

    def __init__(self, pool: Sequence[Scenario]) -> None:
        self._pool = pool
        self._asked = 0

    def ask(self, count: int) -> Sequence[Scenario]:
        asked = [self._pool[(self._asked + n) % len(self._pool)] for n in range(count)]
        self._asked += count
        return asked

    def tell(self, evaluations: Sequence[Evaluation]) -> None:
        """Nothing is learned."""


class InstantExecutor:
    """Workers that take no time: what is left is the driver."""

    def __init__(self, pool: Sequence[Evaluation]) -> None:
        self._by_id = {one.scenario.id: one for one in pool}

    def run(self, tasks: Sequence[Any], check_stop: Callable[[], None]) -> Iterator[list[Evaluation]]:
        for first in range(0, len(tasks), GROUP):
            check_stop()
            group = tasks[first : first + GROUP]
            yield [replace(self._by_id[task.scenario.id], number=task.number) for task in group]

    def close(self) -> None:
        """Nothing runs."""


def drive(folder: Path, count: int, pool: Sequence[Evaluation]) -> int:
    """A whole search whose flights cost nothing: check, store, read back, count."""
    generator = PoolGenerator([one.scenario for one in pool])
    with Store(folder) as store:
        store.open()
        search = Search(settings(count), generator, store, InstantExecutor(pool), Silent(), lambda: None)
        return len(search.run())


def measure_driver(count: int) -> None:
    pool = pool_of_evaluations()
    folder = Path(tempfile.mkdtemp(prefix="scaling-"))
    try:
        _, cpu_s, wall_s, _ = measured(drive, folder, count, pool)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    each_ms = 1e3 * cpu_s / count
    print(f"\ndriver alone: {each_ms:.2f} ms of processor time per evaluation, {wall_s:.1f} s in all;")
    print(f"so one driver keeps up with at most {1e3 / each_ms:.0f} evaluations per second", flush=True)


def settings(count: int) -> CampaignConfig:
    screening = ScreeningConfig(backend="still", settings={"drift_m": 0.8, "period_s": 0.5}, repeats=5)
    return CampaignConfig(
        name="scaling", case=MISSION, generator="random", batch_size=1000,
        budget={"simulations": count}, screening=screening,
    )  # fmt: skip


def pool_of_evaluations() -> list[Evaluation]:
    """Flown by the simulator itself, so that records are as large as real ones."""
    numbered = enumerate(valid_scenarios(POOL))
    tasks = [ScreenTask(n, scenario, evaluation_seed(3, n), stages_of(5, 1.5)) for n, scenario in numbered]
    with make_executor(WorkerPlan("lfs"), Placement(0)) as executor:
        return [result for group in executor.run(tasks, lambda: None) for result in group]


def append(folder: Path, count: int, pool: Sequence[Evaluation]) -> int:
    config = settings(count)
    case = load_case(MISSION, Path(), config.arena)
    bodies = [{**evaluation_to_body(one, config.stored_period_s), "elapsed_s": 0.0} for one in pool]
    case.write_files(folder)
    with Store(folder) as store:
        check_header(config, case, store.open(), store)
        for first in range(0, count, GROUP):
            numbers = range(first, min(first + GROUP, count))
            store.append([(KIND, {**bodies[n % len(bodies)], "number": n}) for n in numbers])
    return (folder / FILE_NAME).stat().st_size


def open_store(folder: Path) -> int:
    with Store(folder) as store:
        return len(store.open())


def resume(folder: Path, count: int, pool: Sequence[Evaluation]) -> int:
    """What --resume does before the first new flight, except for what the generator itself costs."""
    config = settings(count)
    generator = PoolGenerator([one.scenario for one in pool])
    with Store(folder) as store, make_executor(WorkerPlan("still"), Placement(0)) as executor:
        records = store.open()
        search = Search(config, generator, store, executor, Silent(), lambda: None)
        search.remember([record for record in records if record.kind == KIND])
        del records
        evaluations = search.run()
    assert search.progress.replayed == len(evaluations) == count
    return len(evaluations)


def report(folder: Path) -> int:
    """`uav-testgen report`: every output anew."""
    result = republish(Options(out=folder, resume=True, jobs=0), Silent(), StopRequest(), publish)
    return len(result.evaluations)


def measured(work: Callable[..., int], *arguments: Any) -> tuple[int, float, float, float]:
    """(answer, CPU s, wall s, peak MB) of some work in a process of its own."""
    ours, theirs = multiprocessing.Pipe()

    def child() -> None:
        began_s, cpu_s = time.monotonic(), time.process_time()
        answer = work(*arguments)
        theirs.send((answer, time.process_time() - cpu_s, time.monotonic() - began_s, own_memory_mb()))

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    theirs.close()
    try:
        answer: tuple[int, float, float, float] = ours.recv()
    except EOFError:
        raise SystemExit("a measurement failed; its message is above") from None
    process.join()
    return answer


def measure_store(sizes: Sequence[int], work: Path | None) -> None:
    pool = pool_of_evaluations()
    promising = sum(len(one.verdicts) > 1 for one in pool)
    print(f"\nstore: records of {len(pool)} real flights, {promising} of them promising and flown six times")
    print(f"{'evaluations':>11} {'':8} {'CPU':>9} {'per evaluation':>15} {'wall':>9} {'peak memory':>12}")
    for count in sizes:
        folder = Path(tempfile.mkdtemp(prefix="scaling-", dir=work))
        try:
            size, *figures = measured(append, folder, count, pool)
            line(count, "append", *figures)
            line(count, "open", *measured(open_store, folder)[1:])
            line(count, "resume", *measured(resume, folder, count, pool)[1:])
            line(count, "report", *measured(report, folder)[1:])
            print(f"{count:11d} {'size':8} {size / 1e6:9.1f} MB, {size / count:.0f} bytes each", flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def line(count: int, what: str, cpu_s: float, wall_s: float, memory_mb: float) -> None:
    each_us = 1e6 * cpu_s / count
    times = f"{cpu_s:7.1f} s {each_us:12.0f} us {wall_s:7.1f} s"
    print(f"{count:11d} {what:8} {times} {memory_mb:9.0f} MB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
