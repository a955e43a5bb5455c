"""A picture shows a moving obstacle where it was at the closest approach, with its start and its way."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from uav_testgen.scenario.model import LinearMotion, Obstacle, Shape
from uav_testgen.view.map_drawing import draw_obstacle

BALL = Obstacle(center_enu_m=(10.0, 0.0, 5.0), size_m=(2.0, 2.0, 2.0), shape=Shape.SPHERE)
MOTION = LinearMotion(via_enu_m=((10.0, 4.0, 5.0),), to_enu_m=(16.0, 4.0, 5.0), speed_mps=1.0)


def drawn(obstacle: Obstacle, moment_s: float | None) -> tuple[list[tuple[float, float]], list[list[float]]]:
    axis = Figure().add_subplot()
    draw_obstacle(axis, obstacle, moment_s)
    lines = [np.asarray(line.get_xydata()).tolist() for line in axis.lines]
    return [tuple(patch.center) for patch in axis.patches], [point for line in lines for point in line]


def test_a_resting_one_is_drawn_once() -> None:
    assert drawn(BALL, 3.0) == ([(10.0, 0.0)], [])


def test_a_moving_one_is_drawn_where_it_was() -> None:
    moving = BALL.model_copy(update={"motion": MOTION})
    centres, way = drawn(moving, 6.0)
    # North is up: four metres up, then two metres to the right.
    assert centres == [(10.0, 0.0), (12.0, 4.0)]
    assert way == [[10.0, 0.0], [10.0, 4.0], [16.0, 4.0]]
    assert drawn(moving, None)[0] == [(10.0, 0.0), (10.0, 0.0)]
