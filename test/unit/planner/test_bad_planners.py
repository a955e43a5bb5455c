"""What cannot be a planner is refused by name before it flies; a plan of nothing but NaN is an error of the planner."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from uav_testgen.core.errors import ConfigError, PlannerInputError
from uav_testgen.loop.decide import Decider
from uav_testgen.loop.planner_of import make_system_planner
from uav_testgen.loop.system import named_system
from uav_testgen.planner.base import Observation, Plan, refuse_nothing_but_nan
from uav_testgen.planner.registry import PLANNERS, load_planner


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("Mine = 3", "a int has no method reset and no plan"),
        ("class Mine:\n    def reset(self, setup): ...\n", "class Mine has no method plan"),
        ("class Mine:\n    plan = 3\n    def reset(self, setup): ...\n", "class Mine has no method plan"),
    ],
)
def test_what_has_no_reset_and_plan_is_refused(source: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(source)
    with pytest.raises(ConfigError, match=f"mine.py:Mine': {said}; a planner has reset"):
        load_planner(f"{tmp_path / 'mine.py'}:Mine")


def test_an_object_given_in_python_is_looked_at_too() -> None:
    with pytest.raises(ConfigError, match="planner 'object': a object has no method reset and no plan"):
        make_system_planner(named_system(), None, given=object())


def test_a_function_that_makes_a_planner_will_do(tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text(
        "from uav_testgen.planner.straight import StraightPlanner\n\ndef make():\n    return StraightPlanner()\n"
    )
    assert callable(load_planner(f"{tmp_path / 'made.py'}:make"))


def test_a_file_without_a_class_is_asked_for_it() -> None:
    with pytest.raises(
        ConfigError, match=r"planner 'mine\.py': which class of the file\? Say mine\.py:Class"
    ):
        PLANNERS.require("mine.py")


@pytest.mark.parametrize(
    "plan",
    [Plan(), Plan(position_enu_m=(math.nan, math.nan, 5.0)), Plan(yaw_rad=1.0), Plan(path_enu_m=[[0, 0, 1]])],
)
def test_silence_in_some_places_is_no_error(plan: Plan) -> None:
    refuse_nothing_but_nan(plan)


def test_nothing_but_nan_is_an_error_of_the_planner() -> None:
    class Lost:
        def reset(self, setup: object) -> None: ...

        def plan(self, observation: Observation) -> Plan:
            return Plan(position_enu_m=np.full(3, np.nan), yaw_rad=math.nan)

    here = np.zeros(3)
    with pytest.raises(PlannerInputError, match=r"position_enu_m and Plan\.yaw_rad: every number is NaN"):
        Decider(Lost()).plan(Observation(0.0, here, here, here, here, here, ()))
