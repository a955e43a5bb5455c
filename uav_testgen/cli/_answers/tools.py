"""Answers of commands about truth, ROS, fleets and this installation."""

from __future__ import annotations

from typing import Any

from pydantic import Field, RootModel

from uav_testgen.cli._answers.base import Answer, OpenAnswer


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
    folder: str = Field(description="Where compiled functions are kept; empty: nowhere")


class BenchAnswer(OpenAnswer):
    """`bench`: figures by name."""


class FidelityAnswer(OpenAnswer):
    """`fidelity`: how predictions compare with the records."""


class CalibrateAnswer(OpenAnswer):
    """`calibrate`: what was tried and kept."""


class GoldenAnswer(OpenAnswer):
    """`golden`: besides these, passed and total for each kind of vector."""

    implementation: str = Field(description="Planner that was checked")
    failures: list[dict[str, Any]] = Field(description="Cases that are not reproduced")
    worst: dict[str, Any] = Field(description="Largest deviation of each kind")


class WorkerAnswer(OpenAnswer):
    """`worker`: what it did until it ended."""


class GraphNode(OpenAnswer):
    """One node of the graph."""

    name: str = Field(description="Name of the node")
    namespace: str = Field(description="Its namespace")
    parameters: dict[str, Any] = Field(description="Parameters it is started with")
    remappings: list[Any] = Field(description="Names it is given for its topics")


class GraphAnswer(OpenAnswer):
    """`graph`: what is started, or would be with `--dry-run`."""

    variant: str = Field(description="lfs or px4")
    namespace: str = Field(description="Namespace of all nodes")
    nodes: list[GraphNode] = Field(description="The nodes")


class ReplayAnswer(Answer):
    """`replay`."""

    file: str = Field(description="The recording")
    messages: dict[str, int] = Field(description="Messages played, by topic")


class FleetAnswer(OpenAnswer):
    """`fleet SCENARIO`; without a scenario, the shipped ones with a sentence each."""

    name: str = Field(description="Name of the scenario")
    seed: int = Field(description="Seed of radio loss and disturbances")
    ticks: int = Field(description="Length of the run")
    complete: bool = Field(description="True if every task was finished")
    scores: list[dict[str, Any]] = Field(description="Score of each finished task")
    tasks: list[dict[str, Any]] = Field(description="State of each task")
    drones: list[dict[str, Any]] = Field(description="State of each drone")


class ShippedFleets(RootModel[dict[str, str]]):
    """`fleet` without a scenario: name and sentence."""
