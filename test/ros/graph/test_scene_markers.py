"""The scene is shown whatever the verdict is."""

from __future__ import annotations

import pytest
from uav_testgen_msgs.msg import Verdict

from uav_testgen.oracle.model import Outcome
from uav_testgen.ros.visuals.scene import SHELL_COLOURS, scene_markers

from .scenes import short_scene


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_a_colour_of_its_own(outcome: Outcome) -> None:
    number = getattr(Verdict, outcome.name)
    verdict = Verdict(outcome=number, obstacle_index=0, sentence="so it ended")
    shells = [one for one in scene_markers(short_scene(), 0.0, verdict).markers if one.ns == "safe_distance"]
    assert shells[0].color == SHELL_COLOURS[number]
    colours = {(one.r, one.g, one.b) for one in SHELL_COLOURS.values()}
    assert len(colours) == len(Outcome)
