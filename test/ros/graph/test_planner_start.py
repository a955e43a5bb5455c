"""A planner of the user's own that cannot be made or reset ends its node with one line that names its code."""

from __future__ import annotations

from pathlib import Path

import pytest

from uav_testgen.loop.planner_of import PlannerNotMade
from uav_testgen.loop.system import assemble
from uav_testgen.ros.planner_steps import PlannerSteps

TROUBLED = """
class Straight:
    def reset(self, setup): ...
    def plan(self, observation): ...

class NotMade(Straight):
    def __init__(self):
        raise RuntimeError("no GPU")

class NotReset(Straight):
    def reset(self, setup):
        raise RuntimeError("no model")

class Sleeps(Straight):
    def reset(self, setup):
        while True:  # for ever
            pass

class Leaves(Straight):
    def reset(self, setup):
        raise SystemExit("no licence")
"""


@pytest.mark.parametrize(
    ("name", "place", "said"),
    [
        ("NotMade", "no GPU", "RuntimeError: no GPU"),
        ("NotReset", "no model", "RuntimeError: no model"),
        ("Leaves", "no licence", "SystemExit: no licence"),
    ],
)
def test_what_fails_is_named(name: str, place: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TROUBLED)
    line = 1 + TROUBLED[: TROUBLED.index(place)].count("\n")
    with pytest.raises(
        PlannerNotMade, match=rf"mine\.py:{name}' cannot be started: .*mine\.py:{line}: {said}"
    ):
        PlannerSteps(assemble("paper", planner=f"{tmp_path / 'mine.py'}:{name}"))


# A limit kept by a thread: the other kind uses the alarm clock that interrupts planners.
@pytest.mark.timeout(120, method="thread")
def test_a_reset_that_does_not_return_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TROUBLED)
    with pytest.raises(PlannerNotMade, match=r"mine\.py:\d+: PlannerHangs: the call did not return in time"):
        PlannerSteps(assemble("paper", planner=f"{tmp_path / 'mine.py'}:Sleeps"), start_s=1.0)
