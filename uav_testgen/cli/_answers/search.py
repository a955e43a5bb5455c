"""Answers of commands that search, rank and compare."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from uav_testgen.cli._answers.base import Answer, OpenAnswer


class RankedTest(OpenAnswer):
    """One test of the suite, best first."""

    rank: int = Field(description="1 is the best")
    file: str = Field(description="Below the output folder")
    scenario_id: str = Field(description="Fingerprint of the scenario")
    obstacles: int = Field(description="Number of obstacles")
    outcome: str = Field(description="Verdict on its nominal run")
    distance_m: float | None = Field(
        description="Predicted distance [m]; 0 is a collision, null: no obstacle"
    )
    counts: str = Field(description="What its runs did, in words")
    failure_probability: float | None = Field(
        description="How likely it fails; null: uncalibrated, the runs are counted in `counts`"
    )
    confirmed: bool | None = Field(description="By a live autopilot or Gazebo; null: not flown there")
    fly_again: str = Field(description="Command that gives the numbers again")


class CampaignAnswer(OpenAnswer):
    """`campaign`, `generate`, `report`, `confirm`: the content of summary.json in the output folder."""

    name: str = Field(description="Name of the campaign")
    case: str = Field(description="Case study")
    generator: str = Field(description="Test generator")
    seed: int = Field(description="Seed of the search")
    evaluations: int = Field(description="Scenarios that were evaluated")
    refused: int = Field(description="Invalid proposals; they do not count against the budget")
    flights: int = Field(description="Flights of all evaluations")
    failures: int = Field(description="Evaluations that are predicted to fail")
    best_distance_m: float | None = Field(description="Least predicted distance [m]")
    statuses: dict[str, int] = Field(description="Evaluations by status")
    ended_because: str = Field(description="Why the search ended")
    tests: list[RankedTest] = Field(description="The suite, best first")
    notes: list[str] = Field(description="What should be known about these numbers")
    config: dict[str, Any] = Field(description="All settings")
    versions: dict[str, Any] = Field(description="Versions of this program and of its libraries")


class RepeatedAnswer(OpenAnswer):
    """With `--repetitions`: every repetition, and the statistics over all of them."""

    repetitions: list[dict[str, Any]] = Field(description="One entry for each seed")
    statistics: dict[str, Any] = Field(description="Over all repetitions")


class CompareAnswer(OpenAnswer):
    """`compare`: the content of comparison.json."""


class ComparePlannersAnswer(OpenAnswer):
    """`compare-planners`: the content of comparison.json."""

    name: str = Field(description="Name of the campaign")
    system: str = Field(description="Vehicle and cameras that all planners flew")
    scenes_flown: int = Field(description="Scenes that every planner flew")
    planners: list[dict[str, Any]] = Field(
        description="Failure rate with its interval, distances and durations of each"
    )
    differential: list[dict[str, Any]] = Field(description="Scenes that only one planner fails")
    scenes: list[dict[str, Any]] = Field(description="What each planner did on each scene")
    note: str = Field(description="What should be known about these numbers")
    versions: dict[str, Any] = Field(description="Versions of this program and of its libraries")


class StudyAnswer(OpenAnswer):
    """`study`: the content of study.json."""

    name: str = Field(description="Name of the study")
    settings: dict[str, Any] = Field(description="All settings")
    summary: list[dict[str, Any]] = Field(description="Medians over the seeds, by budget, case and generator")
    friedman: list[dict[str, Any]] = Field(description="Friedman's test for each measure and budget")
    pairwise: list[dict[str, Any]] = Field(
        description="Every two generators on every case: p, corrected p, A12"
    )
    runs: list[dict[str, Any]] = Field(description="One entry for each run")
    runs_finished: int = Field(description="Runs with a result")
    runs_planned: int = Field(description="Generators x cases x seeds x budgets")
    failed: list[dict[str, Any]] = Field(description="Runs without a result, and why")
    notes: list[str] = Field(description="What should be known about these numbers")
    versions: dict[str, Any] = Field(description="Versions of this program and of its libraries")


class Coverage(Answer):
    """How much of all combinations a set of scenarios covers."""

    strength: int = Field(description="2: pairs, 3: triples")
    scenarios: int = Field(description="Number of scenarios")
    possible: int = Field(description="Combinations there are")
    covered: int = Field(description="Combinations covered")
    share: float = Field(description="covered / possible")
    missing: list[str] = Field(description="Combinations that are not covered, in words")


class ScenariosAnswer(Answer):
    """`scenarios`."""

    table: str = Field(description="Range table")
    parameters: dict[str, list[str]] = Field(description="Parameters and their words")
    rows: list[dict[str, str]] = Field(description="The derived scenarios")
    coverage: dict[str, Coverage] = Field(description="Of the derived and of the measured scenarios")
    files: list[str] = Field(description="Files written")


class ScoredTest(Answer):
    """One test of `score`."""

    name: str = Field(description="Name of its file")
    points: list[int] = Field(description="Points of each flight")
    mean_points: float = Field(description="Their mean")
    obstacles: int = Field(description="Number of obstacles")
    mean_minutes: float = Field(description="Mean length of its flights [min]; 0: not flown")
    score: float = Field(description="By the published formula")
    evaluated: bool = Field(description="True if it counts")
    duplicate_of: str | None = Field(description="Test with the same obstacles")
    similar_to: str | None = Field(description="Test with the same path")


class ScoreAnswer(Answer):
    """`score`."""

    folder: str = Field(description="As given")
    rules: str = Field(description="Edition of the competition")
    failure_score: float = Field(description="By the published formula")
    diversity: float | None = Field(description="By the published formula")
    similarity_factor: float = Field(description="What similar tests count for, by the rules")
    rest_score: float = Field(description="Score of the tests that are not similar")
    evaluated: int = Field(description="Tests that count")
    failing: int = Field(description="Tests that fail")
    tests: list[ScoredTest] = Field(description="Points and score of each test")
    notes: list[str] = Field(description="Assumptions")


class AsAerialistAnswer(Answer):
    """`as-aerialist`: printed at the end, after whatever the program printed."""

    folder: str = Field(description="Answers, reports and tests")
    program_exit_code: int = Field(description="Exit code of the program")
    simulations: int = Field(description="Simulations that were answered")
    refused: int = Field(description="Simulations beyond --simulations")
    cases: list[str] = Field(description="Folder of each case study the program tested")


class CompetitionAnswer(Answer):
    """`competition init`."""

    folder: str = Field(description="The entry")
    files: list[str] = Field(description="Files written")


class ReplicateAnswer(OpenAnswer):
    """`replicate`: the content of summary.json; with `--repetitions` as for `generate`."""


class StatisticsAnswer(OpenAnswer):
    """`statistics`: averages, reductions, tests and effect sizes over repetitions."""
