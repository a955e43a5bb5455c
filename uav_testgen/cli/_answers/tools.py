"""Answers of commands about truth, ROS, fleets and this installation."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, RootModel

from uav_testgen.cli._answers.base import Answer, OpenAnswer
from uav_testgen.cli._answers.scene import VerdictAnswer


class NamedPart(Answer):
    """One name that options and files accept."""

    name: str = Field(description="The name")
    description: str = Field(description="A sentence about it")


class ListAnswer(RootModel[list[NamedPart]]):
    """`list`."""


class CompletionAnswer(Answer):
    """`completion`."""

    shell: str = Field(description="As given")
    script: str = Field(description="To be read by that shell")


class CompiledSystem(Answer):
    """One system of `compile`."""

    system: str = Field(description="Preset or file")
    compiled_s: float = Field(description="Time spent compiling [s]; 0: it was compiled before")
    wall_s: float = Field(description="Time in all [s]")


class CompileAnswer(Answer):
    """`compile`."""

    systems: list[CompiledSystem] = Field(description="One entry for each system")
    comparison_s: float = Field(
        description="Time spent compiling the comparison of paths [s]; 0: it was compiled before"
    )
    folder: str = Field(description="Where compiled functions are kept; empty: nowhere")


class FlownFigures(Answer):
    """How fast some scenes are predicted."""

    flights_per_s_per_core: float = Field(description="Flights in a second of CPU time")
    step_us: float = Field(description="CPU time of a simulated step [us]")
    times_real_time: float = Field(description="Simulated seconds in a second of CPU time")
    flights: float = Field(description="Flights that were timed")
    steps: float = Field(description="Their steps")


class MemoryFigures(Answer):
    """Memory of this process."""

    peak_process_mb: float = Field(description="Largest resident size [MiB]")
    planner_buffers_mb: float = Field(description="Buffers of one planner [MB]")


class BenchAnswer(Answer):
    """`bench`: speed on this machine; every time is CPU time."""

    system: str = Field(description="System that flies")
    campaign: FlownFigures = Field(description="Tests of the shipped campaign, each with its drawn runs")
    random_scenes: FlownFigures = Field(description="Random scenes, one run each")
    calibration_us: float = Field(description="A fixed piece of arithmetic, to compare machines [us]")
    planning_call_us: float = Field(description="One call of the compiled planner [us]")
    planning_call_points: int = Field(description="Points of the cloud it gets")
    planning_call_kept_points: int = Field(description="Points it keeps")
    strict_fast_ratio: float = Field(description="Reference planner over compiled planner")
    open3d_analytic_ratio: float | None = Field(
        description="Open3D over analytic renderer; null: not measured or not installed"
    )
    scaling_2_processes: float | None = Field(description="Throughput of two processes over one")
    load_s: float = Field(description="Time to the end of a first flight, compiled before [s]")
    compile_s: float | None = Field(description="The same with compiling [s]; null with `--quick`")
    memory: MemoryFigures = Field(description="Memory")


class FidelityAnswer(OpenAnswer):
    """`fidelity`: how predictions compare with the records."""


class CalibrateAnswer(OpenAnswer):
    """`calibrate`: what was tried and kept."""


class DeviationAnswer(Answer):
    """A quantity of a recorded case beside the one that was computed."""

    case: str = Field(description="Name of the case")
    quantity: str = Field(description="What deviates")
    deviation: float | None = Field(description="By how much; null: infinite")
    tolerance: float = Field(description="How much is allowed")
    detail: str = Field(description="More about it; often empty")


class FailedVector(DeviationAnswer):
    """A case that is not reproduced."""

    kind: str = Field(description="Kind of vector")


class PassedOfKind(Answer):
    """Vectors of one kind."""

    passed: int = Field(description="Reproduced")
    total: int = Field(description="Recorded")


class GoldenAnswer(BaseModel):
    """`golden`: besides these fields, one for each kind of vector with `passed` and `total`."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, PassedOfKind]

    implementation: str = Field(description="Planner that was checked")
    failures: list[FailedVector] = Field(description="Cases that are not reproduced")
    worst: dict[str, DeviationAnswer] = Field(description="Largest deviation of each kind")
    deviations: dict[str, dict[str, DeviationAnswer]] = Field(
        description="Largest deviation of each kind and quantity"
    )
    notes: list[str] = Field(description="Remarks on single cases")


class WorkerAnswer(Answer):
    """`worker`: what it did until it ended."""

    worker: str = Field(description="Name of the worker")
    backend: str = Field(description="What it flew with")
    folder: str = Field(description="The queue it served")
    handled: int = Field(description="Jobs it took to an end")
    flown: int = Field(description="Flights it flew")


class GraphNode(Answer):
    """One node of the graph."""

    name: str = Field(description="Name of the node")
    namespace: str = Field(description="Its namespace")
    parameters: dict[str, Any] = Field(description="Parameters it is started with")
    remappings: list[list[str]] = Field(description="Pairs: name of a topic, name it is given")


class GraphAnswer(Answer):
    """`graph`: what is started, or would be with `--dry-run`."""

    variant: str = Field(description="lfs or px4")
    namespace: str = Field(description="Namespace of all nodes")
    transport: str = Field(description="How messages travel")
    nodes: list[GraphNode] = Field(description="The nodes")


class ReplayAnswer(Answer):
    """`replay`."""

    file: str = Field(description="The recording")
    messages: dict[str, int] = Field(description="Messages played, by topic")


class FleetScore(Answer):
    """A finished task."""

    task: int = Field(description="Number of the task")
    drone: int = Field(description="Drone that did it")
    score: float = Field(description="Its score")
    estimated_ticks: int = Field(description="Ticks the drone said it would take")
    actual_ticks: int = Field(description="Ticks it took")
    trust: float = Field(description="Trust in the drone afterwards")


class FleetTask(Answer):
    """State of one task."""

    task: int = Field(description="Number of the task")
    controller: int = Field(description="Controller that gave it out")
    state: str = Field(description="Such as queued, running, done")
    drone: int | None = Field(description="Drone that has it; null: none")
    revocations: int = Field(description="How often it was taken back")
    message: str = Field(description="Why, in words; often empty")


class FleetDrone(Answer):
    """State of one drone."""

    id: int = Field(description="Its number")
    position: list[int] = Field(description="Cell: east, north, up")
    battery: float = Field(description="Charge that is left [mAh]")
    state: str = Field(description="Such as idle, busy, dead")
    moved_cells: int = Field(description="Cells it moved")
    trust: float = Field(description="Trust in it, 0 to 1")


class FlownTask(VerdictAnswer):
    """With `--fly`: the route of a finished task as it was flown."""

    distance_m: float | None = Field(default=None, description="Absent here; see the distances as flown")
    task: int = Field(description="Number of the task")
    drone: int = Field(description="Drone that did it")


class FleetAnswer(Answer):
    """`fleet SCENARIO`; without a scenario, the shipped ones with a sentence each."""

    name: str = Field(description="Name of the scenario")
    seed: int = Field(description="Seed of radio loss and disturbances")
    ticks: int = Field(description="Length of the run")
    complete: bool = Field(description="True if every task was finished")
    messages_sent: int = Field(description="Messages sent over the radio")
    messages_lost: int = Field(description="Messages that were lost")
    scores: list[FleetScore] = Field(description="Score of each finished task")
    tasks: list[FleetTask] = Field(description="State of each task")
    drones: list[FleetDrone] = Field(description="State of each drone")
    flights: list[FlownTask] = Field(description="Flights of the tasks, with `--fly`")


class ShippedFleets(RootModel[dict[str, str]]):
    """`fleet` without a scenario: name and sentence."""
