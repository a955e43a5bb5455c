"""Answers of the commands that say how sure a result is, and what it hangs on: certify, minimise, explain."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from uav_testgen.cli._answers.base import Answer


class EstimateAnswer(Answer):
    """A probability with its interval."""

    probability: float = Field(description="Best estimate")
    interval: list[float] = Field(description="Lower and upper limit, with the stated confidence")


class LevelAnswer(Answer):
    """One level of splitting."""

    margin: float = Field(description="Margin of the level, in the unit of the requirement")
    probability: float = Field(description="How likely the margin is at most this")


class CertifyAnswer(Answer):
    """`certify`: how likely a requirement is to fail."""

    requirement: str = Field(description="What is required, in words or as a formula")
    varies: str = Field(description="What varies between the flights")
    system: str = Field(description="Preset of vehicle, cameras, planner and scatter")
    method: str = Field(description="monte-carlo or splitting")
    confidence: float = Field(description="Confidence of the intervals")
    simulated: EstimateAnswer = Field(description="How likely a flight of the model fails")
    real: EstimateAnswer | None = Field(
        description="How likely a real flight fails, with the model's own error; null where that was not measured"
    )
    reached: bool = Field(
        description="False if no failure was found; then only the upper limit means something"
    )
    flights: int = Field(description="Flights it took")
    independent_flights: int = Field(description="Independent flights it began with")
    failures: int = Field(description="Failures among the independent flights")
    not_counted: int = Field(description="Draws without a valid scene or a conclusive flight")
    monte_carlo_flights: int | None = Field(
        description="Independent flights for an interval as narrow; null where that cannot be told"
    )
    levels: list[LevelAnswer] = Field(description="Levels of splitting; empty for monte-carlo")
    unit: str = Field(description="Unit of the margin")
    seed: int = Field(description="Seed of the draws")
    certificate: str = Field(description="File with this answer")
    picture: str | None = Field(default=None, description="Picture, if one was asked for")


class StepAnswer(Answer):
    """One simplification that was taken; the first is the test as given."""

    what: str = Field(description="What was changed")
    failed: int = Field(description="Runs that violate the requirement")
    runs: int = Field(description="Runs that say something")
    margin: float | None = Field(description="Middle margin of the runs; below 0 is violated")


class MinimiseAnswer(Answer):
    """`minimise`: the simplest scene that still fails."""

    requirement: str = Field(description="What is required, in words or as a formula")
    obstacles_before: int = Field(description="Obstacles of the test")
    obstacles: int = Field(description="Obstacles that are left")
    failed: int = Field(description="Runs of the simplest scene that violate the requirement")
    runs: int = Field(description="Its runs that say something")
    margin: float | None = Field(description="Their middle margin; below 0 is violated")
    unit: str = Field(description="Unit of margins")
    finished: bool = Field(
        description="False if the flights were used up before nothing was left to simplify"
    )
    flights: int = Field(description="Flights it took")
    steps: list[StepAnswer] = Field(description="The simplifications, in order")
    scene: str = Field(description="File with the simplest scene")
    picture: str | None = Field(default=None, description="File with the picture, with --plot")


class CounterfactualAnswer(Answer):
    """A change after which every run is safe and reaches the goal."""

    what: str = Field(description="What is changed")
    amount: float = Field(description="By how much")
    unit: str = Field(description="m, deg, or share of the size")
    margin: float | None = Field(description="Middle margin of the runs after the change")
    held: int = Field(description="Runs with fresh seeds that are safe and reach the goal, too")
    fresh_runs: int = Field(description="Runs with fresh seeds")
    too_little: float | None = Field(description="Amount tried before that is not enough; null: none was")


class DecidesAnswer(Answer):
    """Does an obstacle matter?"""

    index: int = Field(description="Which obstacle, from 0")
    decides: bool = Field(description="True if the test does not fail without it")
    completes: bool = Field(description="True if most runs without it reach the goal")


class CircumstancesAnswer(Answer):
    """What happened around the closest approach."""

    moment_s: float = Field(description="When it was closest [s]")
    obstacle_index: int = Field(description="To which obstacle, from 0")
    distance_m: float = Field(description="Distance in plan view from the centre [m]")
    leg: int = Field(description="Leg of the mission, from 1")
    altitude_share: float = Field(description="Height over the mission's height; below 1 while climbing")
    is_moving: bool = Field(description="True if the obstacle moves")
    bearing_deg: float = Field(
        description="Nearest point of the obstacle from the heading, left positive [deg]"
    )
    unseen_share: float = Field(description="Share of the 5 s before in which that was outside the view")
    to_corner_m: float | None = Field(
        description="From there to the obstacle's nearest corner [m]; null: it is round"
    )
    other_side_m: float | None = Field(
        description="Nearest obstacle on the other side of the vehicle [m]; null: none"
    )
    turns: int = Field(description="Changes of the turning direction in the seconds before")
    hovered_s: float = Field(description="Time almost at rest in the half minute before [s]")
    passed_before: bool = Field(description="True if the obstacle was passed on an earlier leg")
    in_view_s: float = Field(
        description="Of the 20 s before, how long that was in view and reach, with nothing between [s]"
    )
    hidden_s: float = Field(description="Of the 20 s before, how long that was hidden behind an obstacle [s]")


class ExplainAnswer(Answer):
    """`explain`: why a test fails."""

    requirement: str = Field(description="What is required, in words or as a formula")
    mechanism: str | None = Field(
        description="How it came too close, such as 'cut corner behind wall end'; null: no distance is required"
    )
    violated: str | None = Field(
        description="How the requirement was violated, in a sentence; null: the safety distance"
    )
    failed: int = Field(description="Runs that violate the requirement")
    runs: int = Field(description="Runs that say something")
    unsafe_s: float = Field(description="When the flight became unsafe [s]")
    circumstances: CircumstancesAnswer = Field(description="Facts about the closest approach")
    planner: dict[str, Any] | None = Field(
        description="The planner's cheapest directions when it became unsafe"
    )
    obstacles: list[DecidesAnswer] = Field(description="Which obstacles matter")
    counterfactuals: list[CounterfactualAnswer] = Field(description="Smallest changes that make it safe")
    flights: int = Field(description="Flights it took")
    finished: bool = Field(description="False if the flights were used up before all changes were tried")
    file: str = Field(description="File with this answer")
    picture: str | None = Field(default=None, description="File with the picture, with --plot")


class GroupAnswer(Answer):
    """Failures of one mechanism."""

    mechanism: str = Field(description="How these flights came too close")
    meaning: str = Field(description="The same in a sentence")
    count: int = Field(description="Failing tests of the suite")
    representative: str = Field(description="The test that came nearest")
    least_distance_m: float = Field(description="Its least distance, by Aerialist's measure [m]")
    tests: list[str] = Field(description="All of them, the nearest first")


class MechanismsAnswer(Answer):
    """`explain FOLDER`: the failures of a campaign by mechanism."""

    folder: str = Field(description="Output folder of the campaign")
    groups: list[GroupAnswer] = Field(description="Mechanisms, the most frequent first")
