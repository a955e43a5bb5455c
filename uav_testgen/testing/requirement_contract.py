"""What every requirement promises, as tests to inherit: set `text` in a subclass.

class TestMine(RequirementContract):
    text = "mine.py:Quick(limit_s=45)"
"""

from __future__ import annotations

import json
import math
from typing import ClassVar

from uav_testgen.flight.model import Ending, Flight
from uav_testgen.oracle.finding import Finding
from uav_testgen.oracle.judging import judge
from uav_testgen.oracle.requirement import Requirement, find, make_requirement
from uav_testgen.scenario.model import Scenario
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario


class RequirementContract:
    """Inherit and set `text`: a name, `module:Class` or `file.py:Class`, with arguments where it needs some."""

    text: ClassVar[str]

    def build(self) -> Requirement:
        """The requirement."""
        return make_requirement(self.text)

    def scenario(self) -> Scenario:
        """A box of 4 m x 6 m at (25, 0) on a mission along the east axis."""
        return make_scenario(make_box(), mission=make_mission())

    def flight(self, ending: Ending = Ending.GOAL_REACHED, samples: int = 200) -> Flight:
        """A straight flight 6 m beside the axis, 10 m high."""
        points = [(0.25 * step, 6.0, 10.0) for step in range(samples)]
        return make_flight(self.scenario(), points, ending)

    def finding(self, flight: Flight) -> Finding:
        """What it says about a flight."""
        return find(self.build(), self.scenario(), flight)

    def test_follows_the_protocol(self) -> None:
        """It has a name and can judge."""
        requirement = self.build()
        assert isinstance(requirement, Requirement)
        assert requirement.name

    def test_finding_has_name_and_sentence(self) -> None:
        """People read what was found, and by whom."""
        found = self.finding(self.flight())
        assert found.name and found.sentence

    def test_margin_and_moment_are_numbers_of_the_flight(self) -> None:
        """A margin is finite or absent; the moment lies in the flight; both survive a file."""
        flight = self.flight()
        found = self.finding(flight)
        assert found.margin is None or math.isfinite(found.margin)
        if found.moment_s is not None:
            assert flight.trajectory.t_s[0] <= found.moment_s <= flight.trajectory.t_s[-1]
        assert Finding.from_json(json.loads(json.dumps(found.to_json(), allow_nan=False))) == found

    def test_is_pure(self) -> None:
        """The same flight gets the same finding, whatever was judged before."""
        first = self.finding(self.flight())
        self.finding(self.flight(Ending.COLLISION, samples=20))
        assert self.finding(self.flight()) == first

    def test_every_ending_is_judged(self) -> None:
        """Collisions, time-outs and trouble give a finding, never an exception."""
        for ending in Ending:
            assert isinstance(self.finding(self.flight(ending)), Finding)

    def test_short_flights_are_judged(self) -> None:
        """None, one and two samples."""
        for samples in range(3):
            assert isinstance(self.finding(self.flight(samples=samples)), Finding)

    def test_trouble_of_the_planner_is_neither_pass_nor_violation(self) -> None:
        """Whatever the finding, such a flight says nothing."""
        for ending in (Ending.PLANNER_ERROR, Ending.PLANNER_LATE):
            verdict = judge(self.scenario(), self.flight(ending), requirements=[self.build()])
            assert verdict.outcome.value == "inconclusive"
