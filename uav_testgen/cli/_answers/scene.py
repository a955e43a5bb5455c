"""Answers of commands about one scene: fly, check, figure, convert, studio."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from uav_testgen.cli._answers.base import Answer, OpenAnswer


class VerdictAnswer(OpenAnswer):
    """What one run did."""

    distance_m: float | None = Field(description="Aerialist's distance, corrected for the model's bias [m]")
    outcome: str = Field(description="pass, soft_fail, hard_fail, incomplete, inconclusive")
    ending: str = Field(
        description="Why the flight ended, such as goal_reached, collision, stuck, time_limit"
    )
    min_distance_3d_m: float | None = Field(description="Least distance in space, as flown [m]")
    min_distance_horizontal_m: float | None = Field(description="Least distance in plan view, as flown [m]")
    min_distance_aerialist_m: float | None = Field(description="Least distance as Aerialist measures it [m]")
    moment_s: float | None = Field(description="When it was closest [s]")
    obstacle_index: int | None = Field(description="Which obstacle, from 0")
    completed: bool = Field(description="True if the mission was flown to its end")
    duration_s: float = Field(description="Length of the flight [s]")
    sentence: str = Field(description="The verdict in words")


class RunAnswer(VerdictAnswer):
    """One of the drawn runs."""

    run: int = Field(description="Number of the run, from 1")
    seed: int = Field(description="Seed of this run")


class DistanceIntervalAnswer(Answer):
    """Where the distance of a real flight lies."""

    low_m: float = Field(description="Lower end [m]")
    high_m: float = Field(description="Upper end [m]")
    coverage: float = Field(description="Share of real flights inside such intervals, 0.8")
    guaranteed: bool = Field(description="False where that share was not measured for tests like this one")
    doubt: str = Field(description="Why it is not guaranteed; empty where it is")
    text: str = Field(description='In words, such as "80 %: 0.7–1.3 m"')


class PredictionAnswer(OpenAnswer):
    """What follows from all runs."""

    backend: str = Field(description="Simulator or autopilot")
    evidence: str = Field(description="What the result proves")
    system: str = Field(description="Preset of vehicle, cameras, planner and scatter")
    unvalidated: list[str] = Field(description="What of the scene no recorded flight was compared with")
    seed: int = Field(description="Seed of the runs")
    runs: int = Field(description="Drawn runs, besides the nominal one")
    distance_m: float | None = Field(description="Median distance of the runs [m]; null without obstacles")
    distance_interval: DistanceIntervalAnswer | None = Field(
        default=None, description="Where a real flight's distance lies; null where that was never measured"
    )
    failure_probability: float | None = Field(description="How likely the drone comes closer than is safe")
    counts: str = Field(description="What the runs did, in words")
    distances_m: list[float] = Field(description="Distance of each run [m]")


class FlyAnswer(OpenAnswer):
    """`fly`: a prediction, or flights of a real autopilot."""

    scenario_id: str = Field(description="Fingerprint of the scenario")
    scenario: str = Field(description="Name of the scenario")
    prediction: PredictionAnswer = Field(description="What follows from all runs")
    nominal: VerdictAnswer = Field(description="The run without scatter (a live flight: the first)")
    runs: list[RunAnswer] = Field(description="The drawn runs")
    reason: str = Field(description="More about the end of the nominal run; often empty")
    details: dict[str, Any] = Field(description="What the simulator adds")
    version: str = Field(description="Version of this program")
    trajectory: str = Field(description="File with the nominal run (CSV)")
    flights: str = Field(description="File with all flights (JSON)")


class CheckedFile(OpenAnswer):
    """One file of `check`."""

    file: str = Field(description="As given")
    valid: bool = Field(description="True if it obeys the rules and can be flown")
    readable: bool = Field(description="False if it is no scenario at all")
    error: str | None = Field(description="Why it cannot be read")
    violations: list[dict[str, Any]] = Field(description="Rules it breaks: rule, message, way_out")
    notes: list[str] = Field(description="Remarks that make no file invalid")
    scenario_id: str | None = Field(description="Fingerprint of the scenario")
    obstacles: int | None = Field(description="Number of obstacles")
    arena: str | None = Field(description="Rule set it was checked against")


class CheckAnswer(Answer):
    """`check`: every file, in the order given."""

    valid: bool = Field(description="True if all files are")
    files: list[CheckedFile] = Field(description="One entry for each file")


class FigureAnswer(OpenAnswer):
    """`figure`."""

    file: str = Field(description="The picture")
    part_a_m: float = Field(description="Length of the wall's shorter part [m]")
    part_b_m: float = Field(description="Length of its longer part [m]")
    angle_deg: float = Field(description="Angle between segment and wall [deg]")
    nominal_distance_m: float | None = Field(description="Distance of the predicted path [m]")


class StudioAnswer(Answer):
    """`studio`: printed when the page can be opened; the command then goes on serving."""

    address: str = Field(description="Address of the page, token included")
    folder: str = Field(description="Where scenes and campaigns are kept")


class ConvertAnswer(Answer):
    """`convert`: what was written, and what was not."""

    scenario_id: str = Field(description="Fingerprint of the scenario")
    format: str = Field(description="own, aerialist, aerialist-old, plan, world or instance")
    files: list[str] = Field(description="Files written, the asked one first")
    left_out: list[str] = Field(description="What of the source was not read, and why")
    cannot_hold: list[str] = Field(description="What of the scenario the format has no word for")
    checked: str | None = Field(
        description="A world only: what sdformat's checker says, or why it was skipped"
    )
