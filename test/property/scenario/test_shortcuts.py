"""Shortcuts of geometry give what the long way gives, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uav_testgen.oracle import separation
from uav_testgen.oracle.separation import lowest_crossing_m
from uav_testgen.scenario.footprint import bounds_enu_m, swept_footprint
from uav_testgen.scenario.model import Obstacle, Shape
from uav_testgen.testing.factories import make_scenario

SIZES = st.floats(0.5, 20.0)
PLACES = st.floats(-30.0, 30.0)


@st.composite
def obstacles(draw: st.DrawFn) -> Obstacle:
    """A standing box or cylinder anywhere near the line."""
    shape = draw(st.sampled_from([Shape.BOX, Shape.CYLINDER]))
    x = draw(SIZES)
    y = draw(SIZES) if shape is Shape.BOX else x
    return Obstacle(
        shape=shape,
        center_enu_m=(draw(PLACES), draw(PLACES), 10.0),
        size_m=(x, y, 20.0),
        yaw_rad=draw(st.floats(-3.2, 3.2)),
    )


@given(obstacles())
def test_bounds_are_those_of_the_outline(obstacle: Obstacle) -> None:
    assert bounds_enu_m(obstacle) == tuple(swept_footprint(obstacle).bounds)


@given(obstacles(), st.lists(st.tuples(PLACES, PLACES, st.floats(0.0, 30.0)), min_size=1, max_size=30))
def test_parts_that_are_left_out_never_lie_over_an_obstacle(
    obstacle: Obstacle, corners: list[tuple[float, float, float]]
) -> None:
    line = np.array(corners)
    quick = lowest_crossing_m(obstacle, line)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(separation, "_may_be_over", lambda obstacle, own: list(range(len(own) - 1)))
        assert quick == lowest_crossing_m(obstacle, line)


def test_a_changed_copy_has_an_id_of_its_own() -> None:
    scene = make_scenario(mission="mission2")
    before = scene.id
    moved = scene.with_obstacles((Obstacle(center_enu_m=(20.0, 0.0, 5.0), size_m=(2.0, 2.0, 10.0)),))
    assert moved.id != before
    assert moved.with_obstacles(scene.obstacles).id == before == scene.id
