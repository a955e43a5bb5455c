"""Answers of commands about one scene: fly, check, figure, convert, studio."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from uav_testgen.cli._answers.base import Answer


class FindingAnswer(Answer):
    """What one requirement says about a run."""

    name: str = Field(description="The requirement, with its arguments")
    margin: float | None = Field(description="What is left before it is violated; negative: violated")
    unit: str = Field(description="Unit of the margin")
    violated: bool = Field(description="True if the run violates it")
    moment_s: float | None = Field(description="When the margin was least [s]")
    sentence: str = Field(description="The finding in words")
    obstacle_index: int | None = Field(description="Which obstacle, from 0")
    by_aerialist: bool = Field(description="True if the margin is one of Aerialist's distance")
    holds: bool | None = Field(description="For requirements without a margin: whether it holds")


class VerdictAnswer(Answer):
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
    findings: list[FindingAnswer] = Field(
        default_factory=list, description="What each requirement says; absent where none was asked for"
    )


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
    text: str = Field(description='In words, such as "0.7–1.3 m in 80 % of flights"')


class MeasureAnswer(Answer):
    """The prediction by one way of measuring."""

    distance_m: float | None = Field(
        description="Median distance of the runs [m]; a run that hovers to the end counts with the narrow way that "
        "most real drones then find; null without obstacles"
    )
    probability_below_1_5_m: float | None = Field(
        description="How likely the distance is below 1.5 m; null: uncalibrated, or requirements decide"
    )


class PredictionAnswer(Answer):
    """What follows from all runs."""

    backend: str = Field(description="Simulator or autopilot")
    evidence: str = Field(description="What the result proves")
    system: str = Field(description="Preset of vehicle, cameras, planner and scatter")
    preset_version: int | None = Field(description="Version of that preset; null where it has none")
    calibrated: bool = Field(description="True if this system was compared with real flights")
    unvalidated: list[str] = Field(description="What of the scene no recorded flight was compared with")
    seed: int = Field(description="Seed of the runs")
    runs: int = Field(description="Drawn runs, besides the nominal one")
    distance_m: float | None = Field(
        description="Median distance of the runs [m]; a run that hovers to the end counts with the narrow way that "
        "most real drones then find; null without obstacles"
    )
    distance_interval: DistanceIntervalAnswer | None = Field(
        default=None, description="Where a real flight's distance lies; null where that was never measured"
    )
    failure_probability: float | None = Field(description="How likely the drone comes closer than is safe")
    share_too_close: float | None = Field(
        default=None, description="Share of the runs that come too close; absent with requirements"
    )
    share_too_close_95: list[float] | None = Field(default=None, description="Its 95 % interval")
    requirements: list[str] = Field(default_factory=list, description="What was required, by name")
    margin: float | None = Field(
        default=None,
        description="Worst margin, the median of the runs; only with requirements, as what follows",
    )
    margins: list[float | None] = Field(default_factory=list, description="Worst margin of each run")
    nominal_margin: float | None = Field(default=None, description="Worst margin of the nominal run")
    share_violating: float | None = Field(
        default=None, description="Share of the runs that violate a requirement"
    )
    share_violating_95: list[float] | None = Field(default=None, description="Its 95 % interval")
    counts: str = Field(description="What the runs did, in words")
    distances_m: list[float | None] = Field(description="Distance of each run [m]")
    nominal_distance_m: float | None = Field(description="Distance of the nominal run [m]")
    measures: dict[str, MeasureAnswer] = Field(
        description="By the measure: aerialist, aerialist_centre (to the vehicle's centre) or 3d"
    )


class FlyAnswer(Answer):
    """`fly`: a prediction, or flights of a real autopilot."""

    scenario_id: str = Field(description="Fingerprint of the scenario")
    scenario: str = Field(description="Name of the scenario")
    prediction: PredictionAnswer = Field(description="What follows from all runs")
    safety_distance_m: float | None = Field(
        default=None, description="Distance that a logical scenario wants kept [m]; absent for others"
    )
    safety_margin_m: float | None = Field(default=None, description="What was left of it [m]")
    nominal: VerdictAnswer = Field(description="The run without scatter (a live flight: the first)")
    runs: list[RunAnswer] = Field(description="The drawn runs")
    reason: str = Field(description="More about the end of the nominal run; often empty")
    details: dict[str, Any] = Field(description="What the simulator adds")
    version: str = Field(description="Version of this program")
    trajectory: str = Field(description="File with the nominal run (CSV)")
    flights: str = Field(description="File with all flights (JSON)")
    plot: str | None = Field(default=None, description="Picture, with `--plot`")
    animation: str | None = Field(default=None, description="Moving picture, with `--animation`")


class ViolationAnswer(Answer):
    """A rule that a scenario breaks."""

    rule: str = Field(description="Name of the rule")
    obstacle: int | None = Field(description="Which obstacle, from 0")
    other_obstacle: int | None = Field(description="The second obstacle, where two are concerned")
    message: str = Field(description="What is wrong")
    way_out: str = Field(description="How to mend it")
    numbers: dict[str, float] = Field(description="The numbers of the message, by name")


class CheckedFile(Answer):
    """One file of `check`."""

    file: str = Field(description="As given")
    valid: bool = Field(description="True if it obeys the rules and can be flown")
    readable: bool = Field(description="False if it is no scenario at all")
    error: str | None = Field(description="Why it cannot be read")
    violations: list[ViolationAnswer] = Field(description="Rules it breaks")
    notes: list[str] = Field(description="Remarks that make no file invalid")
    scenario_id: str | None = Field(description="Fingerprint of the scenario")
    obstacles: int | None = Field(description="Number of obstacles")
    obstacles_to_place: int | None = Field(description="Obstacles that a logical scenario leaves to a search")
    arena: str | None = Field(description="Rule set it was checked against")


class CheckAnswer(Answer):
    """`check`: every file, in the order given."""

    valid: bool = Field(description="True if all files are")
    files: list[CheckedFile] = Field(description="One entry for each file")


class FigureAnswer(Answer):
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
