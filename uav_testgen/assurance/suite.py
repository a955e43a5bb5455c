"""The failures of a campaign by mechanism, with a representative each; nothing is flown for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uav_testgen.assurance.circumstances import Circumstances, circumstances
from uav_testgen.assurance.mechanism import MEANINGS, Mechanism, mechanism_of
from uav_testgen.assurance.question import came_too_near
from uav_testgen.core.defaults import DEFAULT_SYSTEM
from uav_testgen.core.errors import InputFileError
from uav_testgen.flight.json_io import load_flights
from uav_testgen.flight.model import Flight
from uav_testgen.loop.system import named_system
from uav_testgen.oracle.judging import judge
from uav_testgen.scenario.formats.prediction_note import load_note
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Scenario


@dataclass(frozen=True, slots=True)
class ExplainedTest:
    """A failing test and the mechanism of its failing runs, weighed together; `agreeing_runs` have it alone, too."""

    name: str
    mechanism: Mechanism
    failing_runs: int
    agreeing_runs: int
    least_m: float


@dataclass(frozen=True, slots=True)
class Group:
    """The tests of one mechanism, the nearest first: that one represents them."""

    mechanism: Mechanism
    tests: tuple[ExplainedTest, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        first = self.tests[0]
        return {
            "mechanism": self.mechanism.value,
            "meaning": MEANINGS[self.mechanism],
            "count": len(self.tests),
            "representative": first.name,
            "least_distance_m": first.least_m,
            "tests": [one.name for one in self.tests],
        }


def explained(
    name: str, scenario: Scenario, flights: list[Flight], view_rad: float, requirements: Sequence[str] = ()
) -> ExplainedTest | None:
    """The mechanism of a test, by the runs that came nearer to an obstacle than is required; None where none did."""
    found: list[Circumstances] = []
    least: list[float] = []
    for flight in flights:
        verdict = judge(scenario, flight)
        failed = came_too_near(scenario, flight, requirements)
        facts = circumstances(scenario, flight, view_rad) if failed else None
        if facts is not None and verdict.min_distance_aerialist_m is not None:
            found.append(facts)
            least.append(verdict.min_distance_aerialist_m)
    if not found:
        return None
    mechanism = mechanism_of(*found)
    agreeing = sum(mechanism_of(one) is mechanism for one in found)
    return ExplainedTest(name, mechanism, len(found), agreeing, min(least))


def groups_of(folder: Path) -> list[Group]:
    """The groups of a campaign's suite (`tests/` and `flights/`), the largest first."""
    files = sorted((folder / "flights").glob("*.json"))
    if not files:
        raise InputFileError(
            f"{folder / 'flights'}: no flights (*.json); give a campaign's output folder or a test"
        )
    view_rad = max(camera.horizontal_fov_rad for camera in named_system(DEFAULT_SYSTEM).rig.cameras)
    found = []
    for file in files:
        test = folder / "tests" / f"{file.stem}.yaml"
        note = load_note(test)
        requirements = note.requirements if note is not None else ()
        found.append(explained(file.stem, load_scenario(test), load_flights(file)[1], view_rad, requirements))
    return grouped([one for one in found if one is not None])


def grouped(tests: Sequence[ExplainedTest]) -> list[Group]:
    """Failing tests by mechanism, the largest group first."""
    by_name: dict[Mechanism, list[ExplainedTest]] = {}
    for one in tests:
        by_name.setdefault(one.mechanism, []).append(one)
    groups = [
        Group(name, tuple(sorted(tests, key=lambda one: one.least_m))) for name, tests in by_name.items()
    ]
    return sorted(groups, key=lambda group: (-len(group.tests), group.mechanism.value))
