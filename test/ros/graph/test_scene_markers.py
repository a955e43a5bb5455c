"""The scene is shown whatever the verdict is."""

from __future__ import annotations

import numpy as np
import pytest
from uav_testgen_msgs.msg import Verdict
from visualization_msgs.msg import Marker

from uav_testgen.oracle.model import Outcome
from uav_testgen.ros.visuals.scene import SHELL_COLOURS, scene_markers
from uav_testgen.scenario.model import Obstacle
from uav_testgen.shape.forms import FORMS
from uav_testgen.shape.kinds import Shape
from uav_testgen.testing.factories import GATE

from .scenes import short_scene


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_a_colour_of_its_own(outcome: Outcome) -> None:
    number = getattr(Verdict, outcome.name)
    verdict = Verdict(outcome=number, obstacle_index=0, sentence="so it ended")
    shells = [one for one in scene_markers(short_scene(), 0.0, verdict).markers if one.ns == "safe_distance"]
    assert shells[0].color == SHELL_COLOURS[number]
    colours = {(one.r, one.g, one.b) for one in SHELL_COLOURS.values()}
    assert len(colours) == len(Outcome)


@pytest.mark.parametrize("shape", list(Shape))
def test_every_shape_is_drawn_with_its_extents(shape: Shape) -> None:
    form, triangles = FORMS[shape], GATE if shape is Shape.MESH else ()
    size = form.with_sides(*(4.0, 6.0, 8.0)[: len(form.sides)])
    obstacle = Obstacle(center_enu_m=(9.0, 2.0, 4.0), size_m=size, shape=shape, triangles=triangles)
    markers = scene_markers(short_scene().with_obstacles((obstacle,)), 0.0, None).markers
    body, shell = (
        next(one for one in markers if one.ns == space) for space in ("obstacles", "safe_distance")
    )
    for marker, margin_m in ((body, 0.0), (shell, 1.5)):
        extents = [marker.scale.x, marker.scale.y, marker.scale.z]
        if marker.type == Marker.TRIANGLE_LIST:
            corners = np.array([(one.x, one.y, one.z) for one in marker.points])
            assert len(corners) == 3 * len(triangles)
            extents = np.ptp(corners, axis=0).tolist()
        assert extents == pytest.approx([side + 2.0 * margin_m for side in size])
        assert (marker.pose.position.x, marker.pose.position.y) == (9.0, 2.0)
