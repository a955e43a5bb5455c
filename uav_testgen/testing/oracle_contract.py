"""What every oracle promises, as tests to inherit: set `name` in a subclass."""

from __future__ import annotations

import json
import math
from typing import Any, ClassVar

from uav_testgen.core.config import parse_config
from uav_testgen.flight.model import Ending
from uav_testgen.oracle.base import ORACLES, Oracle
from uav_testgen.oracle.model import Outcome, Verdict
from uav_testgen.testing.factories import make_box, make_flight, make_mission, make_scenario


class OracleContract:
    """Inherit, set `name` and optionally `settings`."""

    name: ClassVar[str]
    settings: ClassVar[dict[str, Any]] = {}

    def build(self) -> Oracle:
        """A fresh oracle."""
        kind = ORACLES.load(self.name)
        oracle: Oracle = kind(parse_config(kind.config_type, self.settings, source=f"oracle '{self.name}'"))
        return oracle

    def _passing_by(self, north_m: float, ending: Ending = Ending.GOAL_REACHED) -> Verdict:
        """A straight flight past a box of 4 m × 6 m at (25, 0)."""
        scenario = make_scenario(make_box(), mission=make_mission())
        points = [(0.25 * step, north_m, 10.0) for step in range(200)]
        return self.build().judge(scenario, make_flight(scenario, points, ending))

    def test_follows_the_protocol(self) -> None:
        """It can judge, and has the name it is registered under."""
        oracle = self.build()
        assert isinstance(oracle, Oracle)
        assert oracle.name == self.name

    def test_far_is_pass_and_through_is_hard(self) -> None:
        """The two clear cases."""
        assert self._passing_by(20.0).outcome is Outcome.PASS
        assert self._passing_by(0.0).outcome is Outcome.HARD_FAIL

    def test_nearer_is_never_safer(self) -> None:
        """Severity does not fall as the same flight is moved towards the obstacle."""
        order = [Outcome.PASS, Outcome.SOFT_FAIL, Outcome.HARD_FAIL]
        severities = [order.index(self._passing_by(north / 4.0).outcome) for north in range(40, -1, -1)]
        assert severities == sorted(severities)

    def test_distances_are_finite_or_absent(self) -> None:
        """No NaN and no infinity reaches a file."""
        scenario = make_scenario(mission=make_mission())
        empty = self.build().judge(scenario, make_flight(scenario, [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]))
        for verdict in (self._passing_by(5.0), empty):
            for value in (verdict.min_distance_3d_m, verdict.min_distance_aerialist_m, verdict.moment_s):
                assert value is None or math.isfinite(value)
            assert Verdict.from_json(json.loads(json.dumps(verdict.to_json(), allow_nan=False))) == verdict

    def test_is_pure(self) -> None:
        """The same flight gets the same verdict."""
        assert self._passing_by(4.0) == self._passing_by(4.0)

    def test_every_ending_is_judged(self) -> None:
        """Completion, time-out, stuck and trouble give a verdict with a sentence, never an exception."""
        for ending in Ending:
            verdict = self._passing_by(20.0, ending)
            assert verdict.ending is ending
            assert verdict.completed is (ending is Ending.GOAL_REACHED)
            assert verdict.sentence

    def test_trouble_is_no_pass(self) -> None:
        """An aborted flight is incomplete unless it came too near before; one whose planner broke says nothing."""
        assert self._passing_by(20.0, Ending.ABORTED).outcome is Outcome.INCOMPLETE
        assert self._passing_by(0.0, Ending.ABORTED).outcome is Outcome.HARD_FAIL
        for ending in (Ending.PLANNER_ERROR, Ending.PLANNER_LATE):
            assert self._passing_by(20.0, ending).outcome is Outcome.INCONCLUSIVE
            assert self._passing_by(0.0, ending).outcome is Outcome.INCONCLUSIVE

    def test_flight_without_samples(self) -> None:
        """Nothing flown is inconclusive."""
        scenario = make_scenario(make_box(), mission=make_mission())
        assert self.build().judge(scenario, make_flight(scenario, [])).outcome is Outcome.INCONCLUSIVE
