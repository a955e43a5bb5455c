"""The costs that decided a step, as the page shows them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uav_testgen.view.studio.decision import decision_json
from uav_testgen.view.studio.recording import Moment


def moment(**changes: Any) -> Moment:
    """North is the goal and dear, east is where it goes."""
    costs = np.full((30, 60), 100.0, np.float32)
    costs[:, 30] = 900.0  # azimuth 0 to 6 degrees
    way = np.full((30, 60), 80.0, np.float32)
    none = np.zeros((0, 3), np.float32)
    made = Moment(
        t_s=1.0, phase="leg", position_enu_m=(0.0, 0.0, 5.0), yaw_rad=0.0, goal_enu_m=(0.1, 20.0, 5.0),
        depth_m=np.zeros((1, 1), np.float32), points_enu_m=none, histogram_m=np.zeros((30, 60), np.float32),
        costs=costs, way_costs=way, candidates=((100.0, 3.0, 93.0),), tree_enu_m=none,
        tree_parent=np.zeros(0, np.int64),
        path_enu_m=np.array([[8.0, 0.1, 5.0], [4.0, 0.0, 5.0], [0.0, 0.0, 5.0]], np.float32), planned=True,
    )  # fmt: skip
    return made._replace(**changes)


def test_the_straight_way_is_priced_beside_the_one_that_was_taken() -> None:
    told = decision_json(moment())
    assert told["chosen"]["azimuth_deg"] == pytest.approx(90.0) and told["chosen"]["cost"] == 100.0
    assert told["to_goal"]["cost"] == 900.0 and told["to_goal"]["obstacles"] == 820.0
    assert told["to_goal"]["way"] == 80.0
    assert told["candidates"] == [
        {"elevation_deg": 3.0, "azimuth_deg": 93.0, "cost": 100.0, "obstacles": 20.0, "way": 80.0}
    ]


def test_without_a_plan_nothing_is_claimed() -> None:
    none = np.zeros((0, 3), np.float32)
    told = decision_json(moment(costs=None, way_costs=None, candidates=(), path_enu_m=none))
    assert told == {"candidates": [], "chosen": None, "to_goal": None}


def test_infinite_costs_can_be_sent() -> None:
    told = decision_json(moment(costs=np.full((30, 60), np.inf, np.float32)))
    assert told["to_goal"]["cost"] is None and told["to_goal"]["way"] == 80.0
