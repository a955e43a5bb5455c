"""The fitness: distance left before the safety distance is broken."""

from __future__ import annotations

import pytest

from uav_testgen.flight.model import Ending
from uav_testgen.oracle.margin import safety_margin_m
from uav_testgen.testing.factories import make_verdict


def test_sign_tells_safe_from_unsafe() -> None:
    assert safety_margin_m(make_verdict(1.75), 1.0) == pytest.approx(0.75)
    assert safety_margin_m(make_verdict(0.25), 1.0) == pytest.approx(-0.75)
    assert safety_margin_m(make_verdict(0.25), 0.2) == pytest.approx(0.05)


def test_a_collision_counts() -> None:
    assert safety_margin_m(make_verdict(0.0, Ending.COLLISION), 1.0) == -1.0


@pytest.mark.parametrize(
    "ending",
    [Ending.STUCK, Ending.TIME_LIMIT, Ending.LANDED_EARLY, Ending.ABORTED, Ending.OFFBOARD_LOST],
)
def test_a_flight_without_its_mission_has_no_fitness(ending: Ending) -> None:
    assert safety_margin_m(make_verdict(0.3, ending), 1.0) is None


def test_nothing_measured_has_no_fitness() -> None:
    assert safety_margin_m(None, 1.0) is None
    assert safety_margin_m(make_verdict(None), 1.0) is None
