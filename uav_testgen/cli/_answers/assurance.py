"""Answers of the commands that say how sure a result is: certify."""

from __future__ import annotations

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
    """`certify`: with which probability a requirement fails."""

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
