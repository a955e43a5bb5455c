"""A test file gives back, to the last bit, the scene a campaign flew."""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from uav_testgen.campaign.case import CaseStudy
from uav_testgen.scenario.formats.aerialist_write import as_written
from uav_testgen.scenario.formats.missions import named_mission
from uav_testgen.scenario.formats.plan_file import survives_plan
from uav_testgen.scenario.formats.scenario_file import load_scenario
from uav_testgen.scenario.model import Obstacle, Scenario, Shape

BASE = Scenario(mission=named_mission("mission2"))
metres = st.floats(-60.0, 60.0, allow_nan=False, allow_subnormal=False)
sides = st.floats(0.5, 30.0, allow_nan=False)


@st.composite
def obstacles(draw: st.DrawFn) -> Obstacle:
    """Boxes and cylinders with numbers of any length."""
    shape = draw(st.sampled_from([Shape.BOX, Shape.CYLINDER]))
    x, y, z = (draw(sides) for _ in range(3))
    return Obstacle(
        center_enu_m=(draw(metres), draw(metres), draw(st.floats(0.0, 20.0))),
        size_m=(x, x if shape is Shape.CYLINDER else y, z),
        yaw_rad=draw(st.floats(-math.pi, math.pi)),
        shape=shape,
    )


@settings(max_examples=60)
@given(st.lists(obstacles(), max_size=3))
def test_what_is_flown_is_what_the_file_says(layout: list[Obstacle]) -> None:
    flown = as_written(BASE.with_obstacles(tuple(layout)))
    assert as_written(flown) == flown
    with TemporaryDirectory() as name:
        folder = Path(name)
        case = CaseStudy("mission2", BASE)
        case.write_files(folder)
        case.write_test(folder / "tests" / "001.yaml", flown)
        read = load_scenario(folder / "tests" / "001.yaml")
    assert read.id == flown.id
    assert (read.obstacles, read.mission.waypoints) == (flown.obstacles, flown.mission.waypoints)


def test_a_mission_that_no_plan_can_hold_gets_a_file_of_our_own(tmp_path: Path) -> None:
    turned = BASE.mission.model_copy(update={"home_yaw_rad": 0.3, "speed_mps": 2.0})
    assert survives_plan(BASE.mission) and not survives_plan(turned)
    scenario = BASE.model_copy(update={"mission": turned})
    case = CaseStudy("turned", scenario)
    case.write_files(tmp_path)
    case.write_test(tmp_path / "tests" / "001.yaml", scenario)
    assert load_scenario(tmp_path / "tests" / "001.yaml").mission == turned
