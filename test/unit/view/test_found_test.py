"""A found test in a terminal."""

from __future__ import annotations

from pathlib import Path

from uav_testgen.view.campaign_results import FoundTest


def test_it_is_one_readable_line() -> None:
    facts = {"evaluation": 1, "points_if_failing": 2.0}
    found = FoundTest(1, Path("results/mine/tests/001-ab.yaml"), 0.774, 0.99986, "too close 5/5", facts)
    line = "test 1: 0.77 m, too close 5/5, failure probability more than 95 %: results/mine/tests/001-ab.yaml"
    assert str(found) == line
    assert repr(found) == f"<{line}>"
